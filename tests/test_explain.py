"""How a turn may end after an option: chances that sum to 1, and a mean that is the option's."""

import json
from fractions import Fraction

import pytest
from conftest import Cli
from servida.data.catalog import load, variant_ids
from servida.data.rules import Variant
from servida.solver.explain import explain
from servida.solver.hint import hint
from servida.solver.position import Position
from servida.solver.solve import solve
from servida.solver.table import Table
from toys import TOYS

ONE_COLUMN = [name for name in variant_ids() if len(load(name).rules.columns) == 1]


def check(table: Table, position: Position) -> None:
    """Every option's outcomes are a distribution whose mean is the option's expected total."""
    reply = hint(table, position)
    for option in reply.options:
        outcomes = explain(table, reply, option)
        assert sum(outcome.chance for outcome in outcomes) == pytest.approx(1, abs=1e-12)
        mean = sum(outcome.chance * outcome.expected_total for outcome in outcomes)
        assert mean == pytest.approx(option.expected_total, abs=1e-9)
        assert [outcome.chance for outcome in outcomes] == sorted((o.chance for o in outcomes), reverse=True)


@pytest.mark.parametrize("name", ONE_COLUMN)
def test_outcomes_make_up_every_option_of(name: str) -> None:
    table = solve(load(name))
    for dice, left in (("33366", None), ("12346", 1), ("55555", 0)):
        check(table, Position(name, dice, left))


@pytest.mark.parametrize("name", TOYS)
def test_outcomes_make_up_every_option_of_the_toy(name: str) -> None:
    rules = TOYS[name]
    table = solve(Variant("toy", rules), threads=1)
    for left in range(rules.rolls):
        check(table, Position("toy", "6" * rules.dice, left))
        check(table, Position("toy", "1" * (rules.dice - 1) + "2", left))


def test_with_dice_set_aside_and_further_fives() -> None:
    check(solve(load("generala-classic")), Position("generala-classic", "11123", 1, {"twos": 4}, "11"))
    yahtzee = solve(load("yahtzee"))
    check(yahtzee, Position("yahtzee", "44442", 1, {"yahtzee": 50, "fours": 12, "full_house": 25}))
    outcomes = explain(yahtzee, reply := hint(yahtzee, Position("yahtzee", "44442", 1, {"yahtzee": 50})), reply.best)
    assert {outcome.bonus for outcome in outcomes} == {0, 100}


def test_four_alike_hunting_the_last_box() -> None:
    """With only the generala box open, one reroll and four alike, the chance is one sixth."""
    sheet = {"ones": 3, "twos": 4, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    sheet |= {"straight": 20, "full_house": 30, "four_of_a_kind": 40, "double_generala": 0}
    table = solve(load("generala"))
    reply = hint(table, Position("generala", "11115", 1, sheet))
    hit = next(outcome for outcome in explain(table, reply, reply.best) if outcome.points == 50)
    assert hit.chance == pytest.approx(float(Fraction(1, 6)), abs=1e-15)


def test_the_command(cli: Cli) -> None:
    out = json.loads(cli("hint", "generala", "11145", "--explain", "--json").out)
    assert sum(outcome["chance"] for outcome in out["best"]["outcomes"]) == pytest.approx(1, abs=1e-12)
    assert all(("outcomes" in option) == option["best"] for option in out["options"])
    text = cli("hint", "generala", "11145", "--explain", "--lang", "es").out
    assert "%" in text
    assert "%" not in cli("hint", "generala", "11145").out
