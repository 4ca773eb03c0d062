"""The truth for toy sheets of several columns, by brute force: each column is a sheet of its own (oracle.py), every
turn writes one box of one of them, and what it adds counts as often as the column's multiplier says.

A sheet is a tuple of columns, each the points per box, None where it is open. Values are floats: there are too many
sheets for fractions.
"""

from collections import Counter
from functools import cache
from itertools import product

import oracle
from servida.data.rules import Rules

Dice = tuple[int, ...]
Sheets = tuple[tuple[int | None, ...], ...]
Option = tuple[str, Dice] | tuple[str, int, int]  # ("hold", dice) or ("write", column, box)


def column_rules(rules: Rules, column: int) -> Rules:
    """The rules of one column alone."""
    return rules._replace(columns=(rules.columns[column]._replace(multiplier=1),))


def empty(rules: Rules) -> Sheets:
    """The sheet before the first turn."""
    return ((None,) * len(rules.categories),) * len(rules.columns)


@cache
def column_writes(
    rules: Rules, column: int, points: tuple[int | None, ...], dice: Dice, served: bool
) -> list[tuple[int, tuple[int | None, ...], int]]:
    """Every legal write in one column: the box, the column after it, and what it adds to the total."""
    alone, sheet, found = column_rules(rules, column), oracle.Sheet(points), []
    for option in oracle.options(alone, sheet, dice, served=served):
        after, added = oracle.after(alone, sheet, option)
        found.append((rules.box[option[0]], after.written, added * rules.columns[column].multiplier))
    return found


def writes(rules: Rules, sheets: Sheets, dice: Dice, *, served: bool) -> dict[tuple[int, int], tuple[Sheets, int]]:
    """Every legal write, (column, box): the sheet after it, and what it adds to the total."""
    return {
        (column, box): ((*sheets[:column], after, *sheets[column + 1 :]), added)
        for column, points in enumerate(sheets)
        for box, after, added in column_writes(rules, column, points, dice, served)
    }


@cache
def rolls(count: int) -> tuple[tuple[Dice, float], ...]:
    """Every roll of so many dice, sorted, with its chance."""
    found = Counter(tuple(sorted(dice)) for dice in product(oracle.FACES, repeat=count))
    return tuple((dice, times / 6**count) for dice, times in found.items())


@cache
def value(rules: Rules, sheets: Sheets) -> float:
    """Expected points still to come under optimal play."""
    if all(None not in points for points in sheets):
        return 0.0
    return _held(rules, sheets, (), rules.rolls, {})


def hint(rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int, held: Dice = ()) -> dict[Option, float]:
    """Expected points still to come after each option; `held` are the dice locked earlier in the turn."""
    return _options(rules, sheets, dice, rolls_left, held, {})


Known = dict[tuple[Dice, int, Dice], float]  # dice, rolls left, dice locked


def _options(
    rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int, locked: Dice, known: Known
) -> dict[Option, float]:
    served = rolls_left == rules.rolls - 1
    found: dict[Option, float] = {
        ("write", *where): added + value(rules, after)
        for where, (after, added) in writes(rules, sheets, dice, served=served).items()
    }
    if rolls_left:
        for held in oracle.holds(dice, locked):
            found["hold", tuple(sorted(held))] = _held(rules, sheets, tuple(sorted(held)), rolls_left, known)
    return found


def _held(rules: Rules, sheets: Sheets, held: Dice, rolls_left: int, known: Known) -> float:
    """The mean over the rolls of the other dice of what is best then."""
    if (held, rolls_left, ()) not in known:
        locked, mean = held if rules.hold == "locked" else (), 0.0
        for roll, chance in rolls(rules.dice - len(held)):
            key = tuple(sorted(held + roll)), rolls_left - 1, (*locked, 0)
            if key not in known:
                known[key] = max(_options(rules, sheets, key[0], rolls_left - 1, locked, known).values())
            mean += chance * known[key]
        known[held, rolls_left, ()] = mean
    return known[held, rolls_left, ()]
