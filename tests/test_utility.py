"""Targets and utilities of the final total: against brute force on toys, published figures, and each other."""

import random
import tomllib
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from servida.data.catalog import load, variant_ids
from servida.data.rules import Rules, Variant
from servida.errors import PositionError, TableFormatError
from servida.solver.distribution import distribution
from servida.solver.explain import explain
from servida.solver.game import compile_rules, game_of
from servida.solver.grade import grade
from servida.solver.hint import hint
from servida.solver.position import Position, Scoresheet
from servida.solver.record import GameRecord, TurnRecord
from servida.solver.solve import solve
from servida.solver.spans import solve_spans
from servida.solver.store import Store, read_any
from servida.solver.table import Table
from servida.solver.utility import Target, Utility, read_objective
from servida.solver.utility_table import Goal, UtilityTable, goal, solve_utility
from servida.solver.verify import verify
from toys import TOYS

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "targets.toml").read_text())["target"]
ONE_COLUMN = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
SMALL = [name for name in ONE_COLUMN if load(name).rules.upper_bonus is None]
TOY_NAMES = [name for name, rules in TOYS.items() if rules.dice <= 2 and len(rules.categories) <= 4]
QUICK = TOY_NAMES[::3]


def toy(name: str) -> Variant:
    return Variant(name, TOYS[name])


@cache
def targets(name: str) -> UtilityTable:
    variant = toy(name)
    return solve_utility(variant, game_of(variant))


def empty(rules: Rules) -> Scoresheet:
    return Scoresheet((None,) * len(rules.categories))


def reach(target: int) -> oracle.Utility:
    return lambda total: Fraction(total is None or total >= target)


def check_targets(name: str) -> None:
    rules, table = TOYS[name], targets(name)
    greatest = compile_rules(rules).greatest_total
    for target in sorted({0, 1, greatest, greatest + 1, *range(2, greatest, max(1, greatest // 5))}):
        expected = oracle.expected_utility(rules, reach(target))
        assert Goal(table, target).value(empty(rules)) == pytest.approx(float(expected), abs=1e-11), target


@pytest.mark.parametrize("name", QUICK)
def test_target_chances_equal_brute_force_on(name: str) -> None:
    check_targets(name)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in TOY_NAMES if name not in QUICK])
def test_target_chances_equal_slower_brute_force_on(name: str) -> None:
    check_targets(name)


def random_utility(rules: Rules, seed: int, rises: bool) -> tuple[Utility, oracle.Utility]:
    """A utility with steps, as the solver and as brute force take it."""
    chance = random.Random(seed)
    greatest = compile_rules(rules).greatest_total
    values = [chance.randrange(64) for _ in range(max(2, greatest - 1))]
    win = chance.randrange(64)
    if rises:
        values = sorted(values)
        win = 64
    utility = Utility(1, tuple(map(float, values)), float(win))

    def exact(total: int | None) -> Fraction:
        return Fraction(win if total is None else values[min(max(total - 1, 0), len(values) - 1)])

    return utility, exact


def check_utility(name: str, rises: bool) -> None:
    rules, variant = TOYS[name], toy(name)
    utility, exact = random_utility(rules, 7, rises)
    assert utility.rises == rises
    table = solve_utility(variant, game_of(variant), utility)
    expected = oracle.expected_utility(rules, exact)
    assert Goal(table).value(empty(rules)) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("name", QUICK)
def test_utilities_equal_brute_force_on(name: str, rises: bool) -> None:
    check_utility(name, rises)


@pytest.mark.long
@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("name", [name for name in TOY_NAMES if name not in QUICK])
def test_utilities_equal_slower_brute_force_on(name: str, rises: bool) -> None:
    check_utility(name, rises)


@pytest.mark.parametrize("name", QUICK)
def test_every_option_equals_brute_force_on(name: str) -> None:
    rules, variant = TOYS[name], toy(name)
    utility, exact = random_utility(rules, 11, rises=False)
    half = compile_rules(rules).greatest_total // 2
    aims: list[tuple[Goal, oracle.Utility]] = [
        (Goal(solve_utility(variant, game_of(variant), utility)), exact),
        (Goal(targets(name), half), reach(half)),
    ]
    table, chance = solve(variant), random.Random(3)
    for aim, exactly in aims:
        for rolls_left in range(rules.rolls):
            dice = tuple(sorted(chance.randint(1, 6) for _ in range(rules.dice)))
            reply = hint(table, Position(name, dice, rolls_left), aim)
            expected = dict(oracle.best(rules, oracle.empty(rules), dice, rolls_left, utility=exactly))
            assert len(reply.options) == len(expected)
            for option in reply.options:
                key: Any = {
                    "win": ("win",),
                    "hold": ("hold", option.dice),
                    "write": ("write", option.category, option.points),
                }[option.action]
                assert option.utility == pytest.approx(float(expected[key]), abs=1e-9)
            worth = [option.worth for option in reply.options]
            assert reply.options[0].loss <= 1e-9
            assert all(a >= b - 1e-9 for a, b in pairwise(worth))


@pytest.mark.parametrize("name", [name for name in SMALL if load(name).rules.outright_win is None])
def test_a_utility_equal_to_the_total_gives_the_expected_total_of(name: str) -> None:
    variant = load(name)
    game = game_of(variant)
    last = 2 * game.greatest_total
    utility = Utility(0, tuple(map(float, range(last + 1))), float(last))
    rows = solve_utility(variant, game, utility, dtype=np.float64)
    assert Goal(rows).value(empty(variant.rules)) == pytest.approx(solve(variant).expected_total, abs=1e-7)


@pytest.mark.parametrize("name", SMALL)
def test_target_chances_are_never_below_those_of_play_for_points(name: str) -> None:
    variant = load(name)
    table, rows = solve(variant), solve_utility(variant, game_of(variant))
    outlook, sheet = distribution(table, empty(variant.rules)), empty(variant.rules)
    chances = [Goal(rows, target).value(sheet) for target in range(game_of(variant).greatest_total + 2)]
    assert chances[0] == 1
    assert all(chance >= outlook.at_least(target) - 1e-9 for target, chance in enumerate(chances))
    assert all(a >= b - 1e-12 for a, b in pairwise(chances))


@pytest.mark.parametrize("name", [*QUICK, "generala", "generala-classic", "generala-obligada"])
def test_the_distribution_of_play_for_a_goal_has_its_value(name: str) -> None:
    variant = toy(name) if name in TOYS else load(name)
    game, sheet = game_of(variant), empty(variant.rules)
    scores = solve(variant)
    rows = targets(name) if name in TOYS else solve_utility(variant, game)
    for target in (game.greatest_total // 3, game.greatest_total // 2, game.greatest_total * 2 // 3):
        aim = Goal(rows, target)
        found = distribution(scores, sheet, aim)
        assert found.chance.sum() == pytest.approx(1, abs=1e-12)
        # a win at once counts for any target, and may score less than that
        won_below = found.win if game.win_points and game.win_points < target else 0
        assert found.at_least(target) + won_below >= aim.value(sheet) - 1e-9
        if not won_below:
            assert found.at_least(target) == pytest.approx(aim.value(sheet), abs=1e-9)
        assert sum(box.mean_points for box in found.boxes) <= found.mean + 1e-9
    if rules_have_no_win(variant.rules):
        utility, _ = random_utility(variant.rules, 5, rises=False)
        aim = Goal(solve_utility(variant, game, utility))
        chance = distribution(scores, sheet, aim).chance
        values = [utility.values[min(max(t - utility.first, 0), len(utility.values) - 1)] for t in range(len(chance))]
        assert float(chance @ values) == pytest.approx(aim.value(sheet), abs=1e-9)


def rules_have_no_win(rules: Rules) -> bool:
    return rules.outright_win is None


def test_decided_play_goes_on_for_points() -> None:
    """A target that is reached already leaves the distribution of play for points."""
    variant = load("generala")
    scores, sheet = solve(variant), empty(variant.rules)
    aim = Goal(solve_utility(variant, game_of(variant)), 0)
    assert np.array_equal(distribution(scores, sheet, aim).chance, distribution(scores, sheet).chance)


@pytest.mark.parametrize("name", ["generala", "chaser", "generala-classic"])
def test_outcomes_make_up_what_an_option_is_worth(name: str) -> None:
    variant = load(name)
    scores, aim = solve(variant), Goal(solve_utility(variant, game_of(variant)), 180)
    for dice in ("11145", "33366", "12356"):
        reply = hint(scores, Position(name, dice, 2), aim)
        for option in reply.options[:4]:
            ends = explain(scores, reply, option, aim)
            assert sum(end.chance for end in ends) == pytest.approx(1, abs=1e-12)
            assert sum(end.chance * (end.utility or 0) for end in ends) == pytest.approx(option.worth, abs=1e-9)


def random_game(aim: Goal, scores: Table, seed: int) -> GameRecord:
    """A whole game with good and bad choices."""
    rules, chance = scores.game.rules, random.Random(seed)
    entries: dict[str, int] = {}
    turns: list[TurnRecord] = []
    while len(entries) < len(rules.categories):
        rolls: list[tuple[int, ...]] = []
        holds: list[tuple[int, ...]] = []
        while True:
            kept = holds[-1] if holds else ()
            rolls.append(tuple(sorted((*kept, *(chance.randint(1, 6) for _ in range(rules.dice - len(kept)))))))
            locked = kept if rules.hold == "locked" else ()
            position = Position(scores.variant.id, rolls[-1], rules.rolls - len(rolls), entries, locked)
            option = chance.choice(hint(scores, position, aim).options[:4])
            if option.action == "win":
                return GameRecord(scores.variant.id, (*turns, TurnRecord(tuple(rolls), tuple(holds), "win")))
            if option.action == "write":
                break
            holds.append(option.dice or ())
        entries[option.category or ""] = option.points or 0
        turns.append(TurnRecord(tuple(rolls), tuple(holds), option.category))
    return GameRecord(scores.variant.id, tuple(turns))


@pytest.mark.parametrize("name", ["generala", "generala-classic", "generala-obligada"])
def test_luck_and_losses_explain_the_end_of_games_played_for_a_target(name: str) -> None:
    variant = load(name)
    scores, rows = solve(variant), solve_utility(variant, game_of(variant))
    ends = set()
    for seed in range(30):
        aim = Goal(rows, 60 + 2 * seed)
        record = random_game(aim, scores, seed)
        found = grade(scores, record, aim)
        won = record.turns[-1].write == "win" or found.points_so_far >= (aim.target or 0)
        assert found.finished
        assert found.expected_total == won
        assert found.expected_at_start + found.luck - found.loss == pytest.approx(float(won), abs=1e-9)
        assert all(decision.loss >= 0 for turn in found.turns for decision in turn.decisions)
        ends.add(won)
    assert ends == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["variant"])
def test_published_chances(case: dict[str, Any]) -> None:
    variant = load(case["variant"])
    table = solve_utility(variant, game_of(variant))
    for points, chance in case["above"].items():
        assert Goal(table, int(points) + 1).value(empty(variant.rules)) == pytest.approx(chance, abs=5e-6)


def test_float32_is_as_good_as_its_error_says() -> None:
    variant = load("generala-classic")
    game = game_of(variant)
    exact, rounded = solve_spans(game, dtype=np.float64), solve_spans(game, dtype=np.float32)
    row = game.layout.lane(0, 0)
    off = [abs(exact.at(row, need) - rounded.at(row, need)) for need in range(1, 371)]
    assert 0 < max(off) <= rounded.error / 2 <= 1e-6


@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads_gives_the_same_bits(threads: int) -> None:
    game = game_of(load("generala"))
    one, more = solve_spans(game, threads=1), solve_spans(game, threads=threads)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one.parts, more.parts, strict=True))


def test_strict_choices_change_nothing_where_more_points_are_worth_more() -> None:
    """The shortcut for rising utilities against the lists that leave nothing out."""
    variant = load("generala-classic")
    game = game_of(variant)
    rising = Utility(100, tuple(map(float, range(200))), 500.0)
    strict = type("Strict", (Utility,), {"rises": False})(*rising)
    assert rising.rises
    a, b = solve_spans(game, rising), solve_spans(game, strict)
    assert a.values.tobytes() == b.values.tobytes()


def test_a_table_is_read_as_it_was_saved(tmp_path: Path) -> None:
    store, variant = Store(tmp_path), load("generala")
    utility = Utility(100, (0.0, 0.5, 0.25), 1.0)
    for objective in (Target(200), utility):
        built = solve_utility(variant, game_of(variant), None if objective == Target(200) else utility)
        with store.ensure(variant, objective) as table:
            assert verify(table, rows=50) > 0
            assert all(a.tobytes() == b.tobytes() for a, b in zip(table.spans.parts, built.spans.parts, strict=True))
        with store.open(variant, objective) as table:  # reads only what it needs
            aim, in_memory = goal(table, objective), goal(built, objective)
            assert aim.value(empty(variant.rules)) == in_memory.value(empty(variant.rules))
            scores = solve(variant)
            position = Position("generala", "33366", 1, {"ones": 3})
            assert hint(scores, position, aim) == hint(scores, position, in_memory)
    assert {entry.objective for entry in store.entries()} == {"target", f"utility-{utility.digest[:12]}"}
    assert all(entry.state == "ok" for entry in store.entries())


def test_a_changed_value_is_found(tmp_path: Path) -> None:
    variant = load("generala")
    table = solve_utility(variant, game_of(variant))
    table.spans.values[5000:] *= 1 - 1e-12
    table.save(tmp_path / "changed.h5")
    with read_any(tmp_path / "changed.h5") as again, pytest.raises(TableFormatError, match="solved from their succ"):
        verify(again, rows=1000)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("points", "found 'points'"),
        ("target", "found 'target'"),
        ("target:", "found ''"),
        ("target:-5", "found '-5'"),
        ("target:1e3", "found '1e3'"),
        ("target:9999999", "found '9999999'"),
        ("utility:", "found 'utility:'"),
        ("utility:/no/such/file.csv", "expected a CSV file"),
        ("score:1", "found 'score:1'"),
    ],
)
def test_objectives_that_are_none(text: str, found: str) -> None:
    with pytest.raises(PositionError) as error:
        read_objective(text)
    assert found in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "found none"),
        ("total,utility\n", "found none"),
        ("10,1\n10,2\n", "line 2: expected every total once, found 10 again"),
        ("10\n", "line 1: expected total,utility, found '10'"),
        ("10,much\n", "line 1: expected a utility, a number of at most 1e9, found 'much'"),
        ("10,nan\n", "found 'nan'"),
        ("-1,0\n", "line 1: expected a total from 0 to 100000, found '-1'"),
        ("win,inf\n", "found 'inf'"),
        ("10,1,2\n", "found '10,1,2'"),
    ],
)
def test_utility_files_that_are_none(text: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text(text)
    with pytest.raises(PositionError) as error:
        read_objective(f"utility:{tmp_path / 'u.csv'}")
    assert found in str(error.value)


@pytest.mark.parametrize("content", [b"10,\xff\n", b"\x00\x00"])
def test_utility_files_that_are_no_text(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_bytes(content)
    with pytest.raises(PositionError):
        read_objective(f"utility:{tmp_path / 'u.csv'}")


def test_a_utility_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text("Total, Utility\n100, 0\n104, 1\n105, 0.5\n\nwin, 3\n")
    assert read_objective(f"utility:{tmp_path / 'u.csv'}") == Utility(100, (0.0, 0.25, 0.5, 0.75, 1.0, 0.5), 3.0)
