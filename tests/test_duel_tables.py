"""Whole games of two in files, and the command that answers from them."""

import json
from pathlib import Path

import numpy as np
import pytest
from clitools import good_json, one_line
from conftest import Cli
from servida.data.catalog import load
from servida.errors import MissingTableError, ServidaError, TableFormatError
from servida.solver import duel_table
from servida.solver.duel import Contest, Duels, Player
from servida.solver.game import game_of
from servida.solver.position import Position, Scoresheet
from servida.solver.solve import solve
from servida.solver.store import Store, read_any
from servida.solver.utility import Win
from servida.solver.verify import verify

VARIANT = load("generala-obligada")
GAME = game_of(VARIANT)
EMPTY = Player(Scoresheet((None,) * 10), 0)


def test_a_stored_game_answers_as_a_solved_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_table, "STORED_BOXES", 9)
    store, table = Store(tmp_path), solve(VARIANT)
    with pytest.raises(
        MissingTableError, match="make it with 'servida tables build generala-obligada --objective duel'"
    ):
        store.open(VARIANT, Win())
    with store.ensure(VARIANT, Win()) as stored:
        assert verify(stored) > 0
        opening = Duels(table, opening=stored.match)
        exact = Duels(table)
        boxes = [None] * 10
        boxes[0] = 3
        later = Player(Scoresheet(tuple(boxes)), 3)
        for contest in (
            Contest(EMPTY, (EMPTY,)),
            Contest(later, (EMPTY,), mine=False),
            Contest(later, (later._replace(total=4),)),
        ):
            found, expected = opening.chances(contest).chances, exact.chances(contest).chances
            assert found.value == pytest.approx(expected.value, abs=5e-6)
            assert found.tie == pytest.approx(expected.tie, abs=5e-6)
        assert len(opening.matches) == 1
        late = Player(Scoresheet((*boxes[:1], 2, 3, 4, *boxes[4:])), 12)
        assert opening.chances(Contest(late, (late,))).exact
        assert len(opening.matches) == 2  # a turn that is not stored is solved
        assert stored.first_player[0] == pytest.approx(exact.chances(Contest(EMPTY, (EMPTY,))).chances.value, abs=5e-6)
    (entry,) = store.entries()
    assert (entry.objective, entry.state) == ("duel", "ok")


def test_a_build_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_table, "PATIENCE", 0.0)
    path = Store(tmp_path).path(VARIANT, Win())
    turns: list[int] = []

    def stop(done: int, total: int) -> None:
        turns.append(done)
        if len(turns) == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel_table.build(path, VARIANT, GAME, threads=1, progress=stop)
    partial = path.with_name(path.name + ".partial")
    assert partial.is_file()
    assert not path.exists()
    rest: list[int] = []
    duel_table.build(path, VARIANT, GAME, threads=1, progress=lambda done, total: rest.append(total))
    assert not partial.exists()
    assert rest[0] < 20  # the turns solved before are not among those to do
    whole = tmp_path / "whole.h5"
    duel_table.build(whole, VARIANT, GAME, threads=2)
    with read_any(path) as resumed, read_any(whole) as other:
        assert isinstance(resumed, duel_table.DuelTable)
        assert isinstance(other, duel_table.DuelTable)
        for number, pairs in other.match.solved.items():
            again = resumed.match.solved[number]
            assert pairs.values.tobytes() == again.values.tobytes()
            assert pairs.ties.tobytes() == again.ties.tobytes()


def test_values_alone_are_the_same_values(tmp_path: Path) -> None:
    store, table = Store(tmp_path), solve(VARIANT)
    path = store.path(VARIANT, Win())
    duel_table.build(tmp_path / "whole.h5", VARIANT, GAME)
    store.build(VARIANT, Win(), ties=False)
    with store.open(VARIANT, Win()) as alone, read_any(tmp_path / "whole.h5") as whole:
        assert isinstance(whole, duel_table.DuelTable)
        assert verify(alone) > 0
        for number in sorted(alone.match.solved)[:-1]:
            pairs, both = alone.match.solved[number], whole.match.solved[number]
            assert pairs.ties is None
            assert pairs.values.tobytes() == both.values.tobytes()
            assert pairs.low.tobytes() == both.low.tobytes()
        assert path.stat().st_size < (tmp_path / "whole.h5").stat().st_size
        duels, contest = Duels(table, opening=alone.match), Contest(EMPTY, (EMPTY,))
        answer = duels.chances(contest)
        assert answer.exact
        assert answer.chances == (alone.first_player[0], None, None, None)
        hint = duels.hint(contest, Position(VARIANT.id, "22456", 1))
        assert hint.options[0].chances.tie is None
        with_ties = Duels(table, opening=whole.match).hint(contest, Position(VARIANT.id, "22456", 1))
        assert [one.chances.value for one in hint.options] == [one.chances.value for one in with_ties.options]


def test_what_was_solved_without_ties_is_not_mixed_with_ties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_table, "PATIENCE", 0.0)
    path = Store(tmp_path).path(VARIANT, Win())

    def stop(done: int, total: int) -> None:
        if done > 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel_table.build(path, VARIANT, GAME, ties=False, threads=1, progress=stop)
    assert path.with_name(path.name + ".partial").is_file()
    duel_table.build(path, VARIANT, GAME)
    with read_any(path) as table:
        assert isinstance(table, duel_table.DuelTable)
        assert table.first_player[1] > 0


def test_a_damaged_leftover_costs_only_time(tmp_path: Path) -> None:
    path = Store(tmp_path).path(VARIANT, Win())
    path.with_name(path.name + ".partial").write_bytes(b"junk")
    duel_table.build(path, VARIANT, GAME)
    with read_any(path) as table:
        assert verify(table) > 0


def test_changed_values_are_found(tmp_path: Path) -> None:
    path = Store(tmp_path).path(VARIANT, Win())
    duel_table.build(path, VARIANT, GAME)
    with read_any(path) as table:
        assert isinstance(table, duel_table.DuelTable)
        table.match.solved[0].values[3:] *= np.float32(0.999)
        table.save(tmp_path / "changed.h5")
    with (
        read_any(tmp_path / "changed.h5") as again,
        pytest.raises(TableFormatError, match="as solved from the next turn"),
    ):
        verify(again)


def test_games_too_large_for_anybody_are_refused(cli: Cli) -> None:
    with pytest.raises(ServidaError, match="too many pairs"):
        duel_table.whole_match(load("yatzy"), game_of(load("yatzy")))
    assert "too many pairs of sheets" in one_line(cli("tables", "build", "yatzy", "--objective", "duel"))


def test_the_effort_is_told_before_a_build(cli: Cli, tmp_path: Path) -> None:
    result = cli("tables", "build", "generala-obligada", "--objective", "duel", "--tables", tmp_path)
    assert result.code == 0
    assert result.err == "generala-obligada: 21 pairs of sheets: about 0 s and 0.0 GB of memory\n"
    assert "first player's value 0.500003" in result.out
    alone = ("--no-ties", "--force", "--tables", tmp_path)
    assert cli("tables", "build", "generala-obligada", "--objective", "duel", *alone).out.endswith(", values alone\n")
    again = cli("tables", "build", "generala-obligada", "--objective", "duel", "--tables", tmp_path)
    assert (again.err, again.out.partition(",")[0]) == ("", "generala-obligada: was there")


def test_the_command_and_the_hint_say_the_same(cli: Cli) -> None:
    sheets = ("--them", "ones=4")
    found = good_json(cli("duel", "generala-obligada", "22456", "--me", "ones=3", *sheets, "--json"))
    hint = good_json(
        cli("hint", "generala-obligada", "22456", "--sheet", "ones=3", "--objective", "duel", *sheets, "--json")
    )
    assert found == hint
    assert found["exact"] is True
    assert found["options"][0]["loss_of_value"] == 0
    assert found["value"] == found["options"][0]["value"]


def test_turn_tie_and_totals(cli: Cli) -> None:
    def value(*options: object) -> float:
        found = good_json(cli("duel", "generala-obligada", "--json", *options))
        assert found["win"] + found["tie"] + found["loss"] == pytest.approx(1)
        return float(found["value"])

    assert value() == pytest.approx(1 - value("--turn", "them"), abs=1e-9)
    assert value("--tie", "win") > value()
    assert value("--me-total", 30, "--them-total", 20) > value()
    assert value("--me-total", 500) > 0.99  # all but an outright win of the other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--them-total", 3, "--them-total", 4), "them-total: expected as many as sheets (1), found 2"),
        (("--rolls-left", 1), "dice: expected some beside --rolls-left or --held, found none"),
        (
            ("33336", "--turn", "them"),
            "dice: expected none while another player is to move, found some; leave them out",
        ),
        (("--me", "nope=3"), "sheet: expected a box of generala-obligada"),
        (("33336", "--rolls-left", 7), "rolls_left: expected a whole number from 0 to 2, found 7"),
    ],
)
def test_mistakes(cli: Cli, options: tuple[object, ...], message: str) -> None:
    assert message in one_line(cli("duel", "generala-obligada", *options))


def test_three_players_and_limits_are_called_approximate(cli: Cli) -> None:
    three = cli("duel", "generala-obligada", "--them", "ones=3", "--them", "ones=2")
    assert "approximate: the others play for points" in three.out
    rough = json.loads(cli("duel", "generala-obligada", "--time-limit", 0, "--json").out)
    assert rough["exact"] is False
    assert rough["win"] is None
