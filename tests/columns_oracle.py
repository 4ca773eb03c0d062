"""The truth for toy sheets of several columns, by brute force: each column is a sheet of its own (oracle.py), every
turn writes one box of one of them, and what it adds counts as often as the column's multiplier says.

A sheet is a tuple of columns, each the points per box, None where it is open. Values are floats: there are too many
sheets for fractions. Two or three dice, and some six boxes in all columns together, are what it is for.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product

import oracle
from servida.data.rules import Rules

Dice = tuple[int, ...]
Column = tuple[int | None, ...]
Sheets = tuple[Column, ...]
Option = tuple[str, Dice] | tuple[str, int, int]  # ("hold", dice) or ("write", column, box)
Known = dict[tuple[Dice, int, Dice | None], float]  # dice, rolls left, dice locked (None: the value of a hold)
Value = Callable[[Rules, Sheets], float]


@cache
def column_rules(rules: Rules, column: int) -> Rules:
    """The rules of one column alone."""
    return rules._replace(columns=(rules.columns[column]._replace(multiplier=1),))


def empty(rules: Rules) -> Sheets:
    """The sheet before the first turn."""
    return ((None,) * len(rules.categories),) * len(rules.columns)


def total(rules: Rules, sheets: Sheets) -> int:
    """All points on the sheet: upper bonuses included, columns times their multipliers (bonuses for fives are not)."""
    totals = [oracle.total(column_rules(rules, k), oracle.Sheet(points)) for k, points in enumerate(sheets)]
    return sum(column.multiplier * points for column, points in zip(rules.columns, totals, strict=True))


def playable(rules: Rules, k: int, points: Column) -> list[int]:
    """The boxes of column k that may be written now."""
    return [rules.box[category.id] for category in oracle.writable(column_rules(rules, k), oracle.Sheet(points))]


@cache
def column_writes(rules: Rules, k: int, points: Column, dice: Dice, served: bool) -> dict[int, tuple[Column, int]]:
    """Every legal write in column k, by box: the column after it, and what it adds to the total."""
    alone, sheet, found = column_rules(rules, k), oracle.Sheet(points), {}
    for option in oracle.options(alone, sheet, dice, served=served):
        after, added = oracle.after(alone, sheet, option)
        found[rules.box[option[0]]] = after.written, added * rules.columns[k].multiplier
    return found


def writes(rules: Rules, sheets: Sheets, dice: Dice, *, served: bool) -> dict[tuple[int, int], tuple[Sheets, int]]:
    """Every legal write, (column, box): the sheet after it, and what it adds to the total."""
    return {
        (k, box): ((*sheets[:k], after, *sheets[k + 1 :]), added)
        for k, points in enumerate(sheets)
        for box, (after, added) in column_writes(rules, k, points, dice, served).items()
    }


def write(rules: Rules, sheets: Sheets, k: int, box: int, dice: Dice, served: bool) -> Sheets:
    """The sheet after the roll is written in that box of column k."""
    return (*sheets[:k], column_writes(rules, k, sheets[k], dice, served)[box][0], *sheets[k + 1 :])


@cache
def throws(dice: int) -> list[tuple[Dice, float]]:
    """The rolls of so many dice, sorted, each with its chance."""
    ways = Counter(tuple(sorted(roll)) for roll in product(oracle.FACES, repeat=dice))
    return [(roll, n / 6**dice) for roll, n in ways.items()]


def marked(rules: Rules, sheets: Sheets) -> Sheets:
    """The sheet with what decides nothing more left out: of boxes under the upper bonus only their sum counts, up to
    the threshold, and is in the first of them; of a box that another requires, whether it holds points; of others,
    nothing but that they are written. Where rules ask for fives, all stays as it is."""
    return sheets if rules.five else tuple(_mark(rules, points) for points in sheets)


def _mark(rules: Rules, points: Column) -> Column:
    under = rules.upper_bonus.categories if rules.upper_bonus else ()
    required = {category.requires for category in rules.categories}
    found, first, reached = list(points), -1, 0
    for box, (category, value) in enumerate(zip(rules.categories, points, strict=True)):
        if value is None:
            continue
        if category.id not in under:
            found[box] = int(value > 0 and category.id in required)
        elif category.id not in required:
            first = box if first < 0 else first
            reached += value
            found[box] = 0
    if first >= 0:
        found[first] = min(reached, rules.upper_bonus.threshold) if rules.upper_bonus else reached
    return tuple(found)


def value(rules: Rules, sheets: Sheets) -> float:
    """Expected points still to come under optimal play."""
    return _value(rules, marked(rules, sheets))


@cache
def _value(rules: Rules, sheets: Sheets) -> float:
    if all(None not in points for points in sheets):
        return 0.0
    return _held(rules, sheets, (), rules.rolls, {}, value)


@cache
def value_of_all(rules: Rules, sheets: Sheets) -> float:
    """`value` with nothing left out."""
    if all(None not in points for points in sheets):
        return 0.0
    return _held(rules, sheets, (), rules.rolls, {}, value_of_all)


def hint(rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int, held: Dice = ()) -> dict[Option, float]:
    """Expected points still to come after each option, those it makes included; `held` are the dice locked earlier in
    the turn. It is the first roll when `rolls_left` is `rules.rolls - 1`."""
    return _options(rules, sheets, dice, rolls_left, held, {}, value)


def _options(
    rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int, locked: Dice, known: Known, after_turn: Value
) -> dict[Option, float]:
    served = rolls_left == rules.rolls - 1
    found: dict[Option, float] = {
        ("write", *where): added + after_turn(rules, after)
        for where, (after, added) in writes(rules, sheets, dice, served=served).items()
    }
    if rolls_left:
        for held in {tuple(sorted(held)) for held in oracle.holds(dice, locked)}:
            found["hold", held] = _held(rules, sheets, held, rolls_left, known, after_turn)
    return found


def _held(rules: Rules, sheets: Sheets, held: Dice, rolls_left: int, known: Known, after_turn: Value) -> float:
    """The mean over the rolls of the other dice of what is best then."""
    if (held, rolls_left, None) not in known:
        locked, mean = held if rules.hold == "locked" else (), 0.0
        for roll, chance in throws(rules.dice - len(held)):
            key = tuple(sorted(held + roll)), rolls_left - 1, locked
            if key not in known:
                known[key] = max(_options(rules, sheets, key[0], key[1], locked, known, after_turn).values())
            mean += chance * known[key]
        known[held, rolls_left, None] = mean
    return known[held, rolls_left, None]
