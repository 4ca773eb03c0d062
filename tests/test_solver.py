"""Expected totals against published values, against brute force on toy variants, and by their properties."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from servida.data.catalog import load
from servida.data.rules import Category, Pattern, Rules, Variant
from servida.errors import RulesError
from servida.solver.hint import hint
from servida.solver.position import Position
from servida.solver.solve import solve, solve_values, thread_count
from servida.solver.table import Table
from toys import SLOW_TOYS, TOYS

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "values.toml").read_text())


@pytest.fixture(scope="module")
def solved() -> dict[str, Table]:
    """The tables of the variants with golden values, solved once."""
    return {case["variant"]: solve(load(case["variant"])) for case in GOLDEN["value"]}


def toy_table(rules: Rules) -> Table:
    return solve(Variant("toy", rules), threads=1)


@pytest.mark.parametrize("case", GOLDEN["value"], ids=lambda case: case["variant"])
def test_expected_total_is_the_published_one(solved: dict[str, Table], case: dict[str, Any]) -> None:
    assert solved[case["variant"]].expected_total == pytest.approx(case["expected_total"], abs=case["tolerance"], rel=0)


@pytest.mark.parametrize("case", GOLDEN["wrong"], ids=lambda case: case["variant"])
def test_expected_total_is_not_that_of_a_wrong_rule(solved: dict[str, Table], case: dict[str, Any]) -> None:
    assert abs(solved[case["variant"]].expected_total - case["expected_total"]) > 1e-3


@pytest.mark.parametrize("case", GOLDEN["first_roll"], ids=lambda case: "".join(map(str, case["dice"])))
def test_first_roll(solved: dict[str, Table], case: dict[str, Any]) -> None:
    best = hint(solved[case["variant"]], Position(case["variant"], case["dice"])).best
    ((action, what),) = case["best"].items()
    assert best.action == action
    assert (list(best.dice or ()) if action == "hold" else best.category) == what
    assert best.expected_total == pytest.approx(case["expected_total"], abs=1e-6, rel=0)


@pytest.mark.parametrize("name", TOYS)
def test_expected_total_equals_brute_force_on(name: str) -> None:
    assert toy_table(TOYS[name]).expected_total == pytest.approx(float(oracle.expected_total(TOYS[name])), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", SLOW_TOYS)
def test_expected_total_equals_slow_brute_force_on(name: str) -> None:
    rules = SLOW_TOYS[name]
    assert toy_table(rules).expected_total == pytest.approx(float(oracle.expected_total(rules)), abs=1e-9)


@pytest.mark.parametrize("name", [name for name, rules in TOYS.items() if rules.dice <= 3])
def test_options_equal_brute_force_on(name: str) -> None:
    """Every option of random positions, on sheets reached by random play."""
    rules, random = TOYS[name], np.random.default_rng(5)
    table = toy_table(rules)
    for _ in range(12):
        sheet, entries = oracle.empty(rules), dict[str, int]()
        for _ in range(random.integers(len(rules.categories))):
            dice = tuple(sorted(random.integers(1, 7, rules.dice).tolist()))
            choices = oracle.options(rules, sheet, dice, served=False)
            option = choices[random.integers(len(choices))]
            sheet, _ = oracle.after(rules, sheet, option)
            entries[option[0]] = option[1]
            if option[2] and rules.five:
                key = f"{rules.five.category}_bonus"
                entries[key] = entries.get(key, 0) + 1
        dice = tuple(sorted(random.integers(1, 7, rules.dice).tolist()))
        rolls_left = int(random.integers(rules.rolls))
        held = dice[:1] if rules.hold == "locked" and 0 < rolls_left < rules.rolls - 1 else ()
        reply = hint(table, Position("toy", dice, rolls_left, entries, held))
        found = {
            (o.action, o.dice or ()) if o.action == "hold" else (o.action, o.category): o.expected_total
            for o in reply.options
        }
        expected = {
            action[:2] if action[0] != "win" else ("win", None): float(value)
            for action, value in oracle.best(rules, sheet, dice, rolls_left, held)
        }
        assert found.keys() == expected.keys()
        for action, value in expected.items():
            assert found[action] - reply.points_so_far == pytest.approx(value, abs=1e-9), action


@pytest.mark.parametrize("name", ["yahtzee", "generala-classic", "generala-obligada"])
def test_bits_do_not_depend_on_the_number_of_threads(name: str) -> None:
    game = solve(load(name), threads=1).game
    bits = [solve_values(game, threads=threads).tobytes() for threads in (1, 2, 5)]
    assert bits[0] == bits[1] == bits[2]


def test_six_dice_with_locked_holds() -> None:
    """With the sum of all dice as the only box each die goes its own way: 14/3 a die with three rolls."""
    rules = Rules((Category("sum", Pattern(any=True), "sum_all"),), dice=6, hold="locked")
    assert solve(Variant("toy", rules), threads=1).expected_total == pytest.approx(28, abs=1e-12)


def test_progress_reaches_the_total() -> None:
    calls: list[tuple[int, int]] = []
    solve(load("generala"), threads=2, progress=lambda done, total: calls.append((done, total)))
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


def test_thread_count() -> None:
    assert thread_count(3) == 3
    assert thread_count(None) >= 1


@pytest.mark.parametrize("name", ["yahtzee-three-column", "yahtzee-triple"])
def test_several_columns_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match="found 3; several are for"):
        solve(load(name))


def test_a_sheet_too_large_is_refused() -> None:
    boxes = tuple(Category(f"b{i}", Pattern(any=True), 1) for i in range(26))
    watched = tuple(Category(f"w{i}", Pattern(any=True), 1, requires=f"b{i}") for i in range(10))
    with pytest.raises(RulesError, match="use fewer boxes"):
        solve(Variant("huge", Rules(boxes[:16] + watched)))


FACE_SETS = st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True)
PATTERNS = st.one_of(
    FACE_SETS.map(lambda faces: Pattern(faces=tuple(sorted(faces)))),
    st.sampled_from([Pattern(groups=(2,)), Pattern(groups=(3,)), Pattern(groups=(2, 1), distinct=True)]),
    st.sampled_from([Pattern(groups=(2,), exact=True), Pattern(groups=(1, 1)), Pattern(sequence=((1, 2), (5, 6)))]),
    st.integers(1, 3).map(lambda run: Pattern(run=run)),
    st.just(Pattern(any=True)),
)
BOXES = st.tuples(PATTERNS, st.one_of(st.integers(0, 40), st.sampled_from(["sum_all", "sum_matched"])))


@st.composite
def small_rules(draw: st.DrawFn) -> Rules:
    boxes = draw(st.lists(BOXES, min_size=1, max_size=3))
    categories = tuple(Category(f"b{i}", pattern, score) for i, (pattern, score) in enumerate(boxes))
    return Rules(categories, dice=3, rolls=draw(st.integers(1, 4)), hold=draw(st.sampled_from(["free", "locked"])))


@settings(max_examples=30, deadline=None)
@given(small_rules())
def test_a_value_never_falls_when_a_reroll_is_added(rules: Rules) -> None:
    more = rules._replace(rolls=rules.rolls + 1)
    assert toy_table(more).expected_total >= toy_table(rules).expected_total - 1e-12


@settings(max_examples=30, deadline=None)
@given(small_rules(), st.integers(1, 20))
def test_a_value_never_falls_when_a_score_is_raised(rules: Rules, extra: int) -> None:
    first = rules.categories[0]
    if isinstance(first.score, int):
        raised = rules._replace(categories=(first._replace(score=first.score + extra), *rules.categories[1:]))
        assert toy_table(raised).expected_total >= toy_table(rules).expected_total - 1e-12


@settings(max_examples=30, deadline=None)
@given(small_rules())
def test_free_holds_are_worth_at_least_locked_ones(rules: Rules) -> None:
    free, locked = (toy_table(rules._replace(hold=hold)).expected_total for hold in ("free", "locked"))
    assert free >= locked - 1e-12


@settings(max_examples=40, deadline=None)
@given(st.permutations([1, 3, 3, 5, 6]))
def test_the_order_of_dice_is_irrelevant(solved: dict[str, Table], dice: list[int]) -> None:
    table = solved["generala"]
    assert hint(table, Position("generala", dice)).options == hint(table, Position("generala", "13356")).options
