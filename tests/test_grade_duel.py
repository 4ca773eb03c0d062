"""Games of two, graded by the chance to win."""

import random
from typing import Any

import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from servida.data.catalog import load
from servida.errors import PositionError
from servida.solver.contest import Contest, Player
from servida.solver.duel import Duels
from servida.solver.grade import Grade, grade
from servida.solver.position import Position, points_so_far, read_sheet
from servida.solver.record import GameRecord, TurnRecord, read_game, to_json, to_text
from servida.solver.solve import solve
from servida.solver.table import Table


def play_turn(
    duels: Duels, table: Table, me: dict[str, int], them: dict[str, int], chance: random.Random
) -> TurnRecord:
    """A turn with good and bad choices, which is put on the sheet."""
    game, variant = table.game, table.variant
    mine, theirs = (
        Player(sheet, points_so_far(game, sheet)) for sheet in (read_sheet(variant, game, s) for s in (me, them))
    )
    rolls: list[tuple[int, ...]] = []
    holds: list[tuple[int, ...]] = []
    while True:
        kept = holds[-1] if holds else ()
        thrown = (chance.randint(1, 6) for _ in range(game.rules.dice - len(kept)))
        rolls.append(tuple(sorted((*kept, *thrown))))
        locked = kept if game.rules.hold == "locked" else ()
        position = Position(variant.id, rolls[-1], game.rules.rolls - len(rolls), me, locked)
        option = chance.choice(duels.hint(Contest(mine, (theirs,)), position).options[:3]).option
        if option.action == "hold":
            holds.append(option.dice or ())
            continue
        if option.action == "write":
            me[option.category or ""] = option.points or 0
        return TurnRecord(tuple(rolls), tuple(holds), option.category or "win", option.points, dict(them))


def play(table: Table, start: dict[str, int], seed: int) -> tuple[GameRecord, float]:
    """A game of two from a sheet that both have, as I note it, and what I got."""
    chance, duels, game = random.Random(seed), Duels(table), table.game
    sheets, turns, won = [dict(start), dict(start)], list[TurnRecord](), None
    mover = 0
    while won is None and len(sheets[1]) < len(game.rules.categories):
        turn = play_turn(duels, table, sheets[mover], sheets[1 - mover], chance)
        turns += [turn] if mover == 0 else []
        won = (1.0 - mover) if turn.write == "win" else None
        mover = 1 - mover
    points = [points_so_far(game, read_sheet(table.variant, game, sheet)) for sheet in sheets]
    if won is None:
        won = 1.0 if points[0] > points[1] else 0.5 if points[0] == points[1] else 0.0
    return GameRecord(table.variant.id, tuple(turns), sheets[1]), won


@pytest.mark.parametrize("seed", range(6))
def test_luck_losses_and_theirs_explain_the_result(seed: int) -> None:
    table = solve(load("generala-obligada"))
    record, got = play(table, {}, seed)
    found = grade(table, record, Duels(table))
    assert found.exact
    if record.turns[-1].write == "win" or found.finished:
        assert found.expected_total in (got, pytest.approx(got, abs=1e-9))
    assert found.expected_at_start + found.luck - found.loss + found.theirs == pytest.approx(
        found.expected_total, abs=1e-9
    )
    assert all(decision.loss >= 0 for turn in found.turns for decision in turn.decisions)
    assert read_game(to_json(record)) == record
    assert read_game(to_text(record)) == record


GAME = """
variant: generala-obligada
11136 hold 111, 11145 hold 111, 11123 -> ones=3
them: ones=2
22456 hold 22, 22235 hold 222, 12223 -> twos=6
them: ones=2 twos=8
"""


def test_the_command(cli: Cli, tmp_path: Any) -> None:
    (tmp_path / "game.txt").write_text(GAME)
    out = good(cli("grade", tmp_path / "game.txt", "--objective", "duel"))
    assert "exact: both play as well as can be" in out
    assert "theirs: " in out.splitlines()[-1]
    found = good_json(cli("grade", tmp_path / "game.txt", "--objective", "duel", "--json"))
    assert found["value"] == pytest.approx(
        found["value_at_start"] + found["luck"] - found["loss"] + found["theirs"], abs=1e-9
    )
    assert found["exact"] is True


def test_what_the_other_wrote_has_to_be_told(cli: Cli) -> None:
    text = "variant: generala-obligada\n11123 -> ones=3\n22456 -> twos=4"
    message = "turn 2: expected a line 'them: SHEET' before it, the other player's sheet, found none"
    assert one_line(cli("grade", "-", "--objective", "duel", stdin=text)) == message
    wrong = "variant: generala-obligada\nthem: twos=3\n11123 -> ones=3"
    assert "turn 1: sheet: expected" in one_line(cli("grade", "-", "--objective", "duel", stdin=wrong))
    with pytest.raises(PositionError, match="expected them as a sheet"):
        read_game('{"variant": "yacht", "turns": [], "them": 5}')


def test_without_that_objective_the_other_does_not_matter() -> None:
    table = solve(load("generala-obligada"))
    record = read_game(GAME)
    alone = GameRecord(record.variant, tuple(turn._replace(them=None) for turn in record.turns))
    assert grade(table, record) == grade(table, alone)
    assert isinstance(grade(table, record), Grade)
