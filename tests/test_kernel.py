"""The C kernel against its Python twin, bit for bit, and the lattice against plain enumeration."""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest
import twin
from servida.cext.kernel import Lattice
from servida.data.catalog import load, variant_ids
from servida.data.rules import Rules
from servida.solver.game import compile_rules
from servida.solver.solve import solve_values
from toys import TOYS, box, groups

ONE_COLUMN = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
SAMPLE = 4  # sheets a variant; the twin takes a tenth of a second for each


@pytest.mark.parametrize("dice", range(1, 7))
def test_lattice_is_the_multisets_in_order(dice: int) -> None:
    lattice = Lattice(dice)
    holds = twin.holds(dice)
    counts = [[hold.count(face) for face in range(1, 7)] for hold in holds]
    assert lattice.count.tolist() == counts
    for number, hold in enumerate(holds):
        if len(hold) < dice:
            assert [holds[up] for up in lattice.above[number]] == [twin.more(hold, face) for face in range(1, 7)]
    rolls = combinations_with_replacement(range(1, 7), dice)
    ways = [factorial(dice) // prod(factorial(roll.count(face)) for face in range(1, 7)) for roll in rolls]
    assert np.allclose(lattice.chance * 6**dice, ways, rtol=1e-15)
    assert lattice.first[dice] == len(holds) - len(ways)


@pytest.mark.parametrize("dice", [0, 7, -1])
def test_lattice_refuses_other_numbers_of_dice(dice: int) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        Lattice(dice)


def compare(rules: Rules, sample: int | None) -> None:
    """Every lane of a sample of rows (None: all) has the bits the twin computes from the same successors."""
    game = compile_rules(rules)
    values = solve_values(game)
    layout = game.layout
    rows = np.concatenate(layout.rows_by_layer(game.order))
    if sample is not None:
        rows = np.random.default_rng(1).permutation(rows)[:sample]
    for lower, upper in rows.tolist():
        live = range(int(layout.live[upper]))
        lanes = [int(layout.lane_low[upper]) + lane for lane in live]
        if sample is not None and len(lanes) > 2:
            lanes = [lanes[0], lanes[-1]]
        settled = -1 if len(live) else 0  # a total out of reach of the bonus
        for total in [*lanes, *([10**6] if rules.upper_bonus else [settled])]:
            stored = values[lower, layout.slot[upper] + layout.lane(upper, total)]
            assert twin.turn_value(game, values, lower, upper, total) == stored, (lower, upper, total)


@pytest.mark.parametrize("name", ONE_COLUMN)
def test_kernel_equals_its_twin_on_sheets_of(name: str) -> None:
    compare(load(name).rules, SAMPLE)


@pytest.mark.long
@pytest.mark.parametrize("name", ONE_COLUMN)
def test_kernel_equals_its_twin_on_many_sheets_of(name: str) -> None:
    compare(load(name).rules, 40)


@pytest.mark.parametrize("name", [name for name, rules in TOYS.items() if rules.dice <= 3])
def test_kernel_equals_its_twin_on_every_sheet_of(name: str) -> None:
    compare(TOYS[name], None)


def test_kernel_equals_its_twin_with_six_locked_dice() -> None:
    compare(Rules((box("trips", groups(3, 3), "sum_matched"),), dice=6, hold="locked"), None)
