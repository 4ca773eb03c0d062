"""Distributions of the final total: against brute force on toys, published figures, and the solver's own values."""

import json
import tomllib
from collections import defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from clitools import one_line
from conftest import Cli
from servida.data.catalog import load, variant_ids
from servida.data.rules import Rules, Variant
from servida.solver.distribution import distribution
from servida.solver.position import Scoresheet, points_so_far, read_entries, read_sheet
from servida.solver.solve import solve
from toys import TOYS

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "distributions.toml").read_text())["distribution"]
ONE_COLUMN = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
SMALL = [name for name in ONE_COLUMN if load(name).rules.upper_bonus is None]
TOY_NAMES = [
    name
    for name, rules in TOYS.items()
    if rules.dice <= 2 and rules.rolls <= 3 and len(rules.categories) <= 4 and name not in ("even", "upper-other-boxes")
]
QUICK = TOY_NAMES[::4]  # the others take a minute

Chances = dict[int, Fraction]


def empty(rules: Rules) -> Scoresheet:
    return Scoresheet((None,) * len(rules.categories))


class Play:
    """Optimal play of a toy, followed through every roll in exact fractions, ties broken by the documented rule."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.known: dict[oracle.Sheet, Chances] = {}
        self.rolled: dict[Any, Chances] = {}

    def choose(self, sheet: oracle.Sheet, dice: tuple[int, ...], left: int, held: tuple[int, ...]) -> oracle.Action:
        """The first of the best options: win, write points, scratch, hold."""
        options = oracle.best(self.rules, sheet, dice, left, held)
        most = max(value for _, value in options)
        best = [action for action, value in options if value == most]
        order = list(self.rules.box)
        writes = sorted((a for a in best if a[0] == "write"), key=lambda a: (a[2] == 0, order.index(a[1])))
        wins = [action for action in best if action[0] == "win"]
        if wins or writes:
            return (wins or writes)[0]
        value = {action[1]: value for action, value in options if action[0] == "hold"}
        kept = dice
        while True:  # give up a die, the highest first whose loss costs nothing
            for face in sorted(set(kept), reverse=True):
                less = list(kept)
                less.remove(face)
                inside = [v for hold, v in value.items() if all(hold.count(f) <= less.count(f) for f in hold)]
                if inside and max(inside) == most:
                    kept = tuple(less)
                    break
            if value.get(kept) == most:
                return ("hold", kept)

    def roll(self, sheet: oracle.Sheet, dice: tuple[int, ...], left: int, held: tuple[int, ...]) -> Chances:
        key = (sheet, dice, left, held)
        if key not in self.rolled:
            self.rolled[key] = self.act(sheet, dice, left, held)
        return self.rolled[key]

    def act(self, sheet: oracle.Sheet, dice: tuple[int, ...], left: int, held: tuple[int, ...]) -> Chances:
        action = self.choose(sheet, dice, left, held)
        if action[0] == "win":
            return {oracle.win_points(self.rules): Fraction(1)}
        if action[0] == "write":
            served = left == self.rules.rolls - 1
            choices = oracle.options(self.rules, sheet, dice, served=served)
            option = next(option for option in choices if option[:2] == action[1:3])
            following, gain = oracle.after(self.rules, sheet, option)
            return {total + gain: chance for total, chance in self.sheet(following).items()}
        hold = action[1]
        return self.throw(sheet, hold, left - 1, hold if self.rules.hold == "locked" else ())

    def throw(self, sheet: oracle.Sheet, hold: tuple[int, ...], left: int, held: tuple[int, ...]) -> Chances:
        found: Chances = defaultdict(Fraction)
        fresh = list(product(range(1, 7), repeat=self.rules.dice - len(hold)))
        for new in fresh:
            for total, chance in self.roll(sheet, tuple(sorted(hold + new)), left, held).items():
                found[total] += chance / len(fresh)
        return found

    def sheet(self, sheet: oracle.Sheet) -> Chances:
        """The chance of each number of points still to come."""
        if None not in sheet.written:
            return {0: Fraction(1)}
        if sheet not in self.known:
            self.known[sheet] = self.throw(sheet, (), self.rules.rolls - 1, ())
        return self.known[sheet]


@pytest.mark.parametrize("name", QUICK)
def test_chances_equal_brute_force_on(name: str) -> None:
    check_chances(TOYS[name])


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(TOY_NAMES) - set(QUICK)))
def test_chances_equal_slower_brute_force_on(name: str) -> None:
    check_chances(TOYS[name])


def check_chances(rules: Rules) -> None:
    found = distribution(solve(Variant("toy", rules), threads=1), empty(rules)).chance
    expected = Play(rules).sheet(oracle.empty(rules))
    assert set(np.flatnonzero(found)) == {total for total, chance in expected.items() if chance}
    for total, chance in expected.items():
        assert found[total] == pytest.approx(float(chance), abs=1e-13), total


@pytest.mark.parametrize("name", TOYS)
def test_the_mean_is_the_value_on(name: str) -> None:
    table = solve(Variant("toy", TOYS[name]), threads=1)
    found = distribution(table, empty(TOYS[name]))
    assert found.chance.sum() == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(table.expected_total, abs=1e-9)
    assert (found.chance >= 0).all()


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["variant"])
def test_published_figures(case: dict[str, Any]) -> None:
    table = solve(load(case["variant"]))
    found = distribution(table, empty(table.game.rules))
    assert found.chance.sum() == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(table.expected_total, abs=1e-9)
    assert found.sd == pytest.approx(case["sd"], abs=case["sd_tolerance"])
    for percent, total in case.get("percentiles", {}).items():
        assert found.percentile(int(percent)) == total
    for total, chance in case.get("at_least", {}).items():
        assert found.at_least(int(total)) == pytest.approx(chance, abs=case["chance_tolerance"])


@pytest.mark.parametrize("name", SMALL)
def test_boxes_and_bonuses_make_up_the_mean_of(name: str) -> None:
    table = solve(load(name))
    found = distribution(table, empty(table.game.rules))
    assert found.mean == pytest.approx(table.expected_total, abs=1e-9)
    total = sum(box.mean_points for box in found.boxes) + found.win * (table.game.win_points or 0)
    assert total <= found.mean + 1e-9  # an outright win adds to what is written, which the sum counts as well
    assert total == pytest.approx(found.mean, abs=1e-6)
    for box in found.boxes:
        assert 0 <= box.zero <= box.written <= 1 + 1e-12
        assert 1 <= box.mean_turn <= len(found.boxes)
    turns = sum(box.mean_turn * box.written for box in found.boxes)
    if not found.win:
        assert turns == pytest.approx(len(found.boxes) * (len(found.boxes) + 1) / 2, abs=1e-9)


def test_from_a_sheet_in_play() -> None:
    table = solve(load("yahtzee"))
    sheet = read_sheet(
        table.variant, table.game, read_entries("ones=3 sixes=24 fives=25 fours=16 yahtzee=50 yahtzee_bonus=1")
    )
    found = distribution(table, sheet)
    assert found.mean == pytest.approx(points_so_far(table.game, sheet) + table.value(sheet), abs=1e-9)
    assert found.chance.sum() == pytest.approx(1, abs=1e-12)
    assert {box.category for box in found.boxes}.isdisjoint({"ones", "sixes", "fives", "fours", "yahtzee"})
    assert found.upper_bonus == pytest.approx(1, abs=1e-9)
    assert found.span[0] >= points_so_far(table.game, sheet)


def test_a_full_sheet_has_its_total_for_certain() -> None:
    table = solve(load("generala-served-60"))
    sheet = Scoresheet((0,) * 10)
    found = distribution(table, sheet)
    assert found.chance[0] == 1
    assert found.boxes == ()


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    out = json.loads(cli("distribution", "generala", "--at-least", "150", "--json").out)
    assert out["mean"] == pytest.approx(162.4694684, abs=1e-6)
    assert sum(out["chance"]) == pytest.approx(1, abs=1e-12)
    assert sum(out["chance"][150 - out["lowest"] :]) == pytest.approx(out["at_least"]["150"], abs=1e-12)
    generala = next(box for box in out["boxes"] if box["category"] == "generala")
    assert generala["full"] == pytest.approx(0.325123, abs=1e-6)  # "about one game in three"
    for name in ("a.png", "a.svg"):
        assert cli("distribution", "generala", "--plot", tmp_path / name).code == 0
        assert (tmp_path / name).stat().st_size > 5000
    one_line(cli("distribution", "generala", "--plot", tmp_path / "a.pdf"))
    one_line(cli("distribution", "generala", "--plot", tmp_path / "none" / "a.png"), 1)
    for lang in ("en", "es", "ko", "de"):
        assert cli("distribution", "generala-classic", "--lang", lang).code == 0
