"""The truth for toy sheets of several columns, by brute force: each column is a sheet of its own (oracle.py), every
turn writes one box of one of them, and what it adds counts as often as the column's multiplier says.

A sheet is a tuple of columns, each the points per box, None where it is open.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product

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


def writes(rules: Rules, sheets: Sheets, dice: Dice, *, served: bool) -> dict[tuple[int, int], tuple[Sheets, int]]:
    """Every legal write, (column, box): the sheet after it, and what it adds to the total."""
    found = {}
    for k, points in enumerate(sheets):
        alone, sheet = column_rules(rules, k), oracle.Sheet(points)
        for option in oracle.options(alone, sheet, dice, served=served):
            after, added = oracle.after(alone, sheet, option)
            box = rules.box[option[0]]
            found[k, box] = ((*sheets[:k], after.written, *sheets[k + 1 :]), added * rules.columns[k].multiplier)
    return found


@cache
def value(rules: Rules, sheets: Sheets) -> Fraction:
    """Expected points still to come under optimal play."""
    if all(None not in points for points in sheets):
        return Fraction(0)
    rolls = list(product(oracle.FACES, repeat=rules.dice))
    return sum((best(rules, sheets, tuple(sorted(dice)), rules.rolls - 1) for dice in rolls), Fraction(0)) / len(rolls)


@cache
def best(rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int) -> Fraction:
    """Expected points still to come, best play, with these dice on the table."""
    return max(hint(rules, sheets, dice, rolls_left).values())


def hint(rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int) -> dict[Option, Fraction]:
    """Expected points still to come after each option (holds are free)."""
    served = rolls_left == rules.rolls - 1
    found: dict[Option, Fraction] = {
        ("write", *where): added + value(rules, after)
        for where, (after, added) in writes(rules, sheets, dice, served=served).items()
    }
    if rolls_left:
        for count in range(rules.dice):
            for held in set(combinations(dice, count)):
                found["hold", held] = _held(rules, sheets, held, rolls_left - 1)
    return found


@cache
def _held(rules: Rules, sheets: Sheets, held: Dice, rolls_left: int) -> Fraction:
    rolls = list(product(oracle.FACES, repeat=rules.dice - len(held)))
    total = sum((best(rules, sheets, tuple(sorted(held + roll)), rolls_left) for roll in rolls), Fraction(0))
    return total / len(rolls)
