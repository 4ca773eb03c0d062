"""The truth for toy variants of several columns: optimal play by brute force, in floats.

Nothing here is shared with the solver but the plain data that describe rules; what a box pays for a roll is taken from
`oracle.py`. Every turn writes one box of one column; all columns have the same boxes, and each its own order, upper
bonus and multiplier. Sheets are a tuple with one tuple per column: the points in every box, in the order of the rules,
None where it is open. Five bonuses, jokers and outright wins are not covered: sheets of several columns have none.

Two or three dice, and some six to nine boxes in all columns together, are what it is for.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

from oracle import holds, points
from servida.data.rules import Rules

Dice = tuple[int, ...]
Column = tuple[int | None, ...]
Sheets = tuple[Column, ...]
Option = tuple[str, Dice] | tuple[str, int, int]  # ("hold", dice) or ("write", column, box)


def empty(rules: Rules) -> Sheets:
    """The sheets before the first turn."""
    return ((None,) * len(rules.categories),) * len(rules.columns)


def total(rules: Rules, sheets: Sheets) -> int:
    """All points on the sheets: upper bonuses included, columns times their multipliers."""
    return sum(
        column.multiplier * _column_total(rules, sheet) for column, sheet in zip(rules.columns, sheets, strict=True)
    )


def upper_bonus(rules: Rules, sheet: Column) -> int:
    """The upper bonus that one column has earned so far."""
    bonus = rules.upper_bonus
    if bonus is None:
        return 0
    reached = sum(sheet[rules.box[name]] or 0 for name in bonus.categories)
    return bonus.points if reached >= bonus.threshold else 0


def playable(rules: Rules, k: int, sheet: Column) -> list[int]:
    """The boxes of column k that may be written now: all open ones, or the next one where it has an order."""
    found = [box for box, value in enumerate(sheet) if value is None]
    return {"free": found, "down": found[:1], "up": found[-1:]}[rules.columns[k].order]


@cache
def _paid(rules: Rules, box: int, dice: Dice, served: bool) -> int:
    return points(rules, rules.categories[box].id, dice, served=served)


def write(rules: Rules, sheets: Sheets, k: int, box: int, dice: Dice, served: bool) -> Sheets:
    """The sheets after the roll is written in that box of column k."""
    sheet, required = sheets[k], rules.categories[box].requires
    pays = required is None or (sheet[rules.box[required]] or 0) > 0
    after = (*sheet[:box], _paid(rules, box, dice, served) if pays else 0, *sheet[box + 1 :])
    return (*sheets[:k], after, *sheets[k + 1 :])


@cache
def throws(dice: int) -> list[tuple[Dice, float]]:
    """The rolls of so many dice, each with its chance."""
    ways = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))
    return [(roll, n / 6**dice) for roll, n in ways.items()]


def _mark(rules: Rules, sheet: Column) -> Column:
    """The sheet with all that decides nothing more left out: of boxes under the upper bonus only their sum counts, up
    to the threshold, and is in the first of them; of a box that another requires, whether it holds points; of others,
    nothing but that they are written. A box both under the bonus and required stays as it is."""
    under = rules.upper_bonus.categories if rules.upper_bonus else ()
    required = {category.requires for category in rules.categories}
    marked, first, reached = list(sheet), -1, 0
    for box, (category, value) in enumerate(zip(rules.categories, sheet, strict=True)):
        if value is None:
            continue
        if category.id not in under:
            marked[box] = int(value > 0 and category.id in required)
        elif category.id not in required:
            first = box if first < 0 else first
            reached += value
            marked[box] = 0
    if first >= 0:
        marked[first] = min(reached, rules.upper_bonus.threshold) if rules.upper_bonus else reached
    return tuple(marked)


def marked(rules: Rules, sheets: Sheets) -> Sheets:
    """The sheets with all that decides nothing more left out: equal where the same is still to come."""
    return tuple(_mark(rules, sheet) for sheet in sheets)


@cache
def _column_total(rules: Rules, sheet: Column) -> int:
    return sum(value or 0 for value in sheet) + upper_bonus(rules, sheet)


class _Turn:
    """One turn from these sheets; remembers the value of each position inside it."""

    def __init__(self, rules: Rules, sheets: Sheets):
        self.rules, self.sheets = rules, sheets
        self.of_write: dict[tuple[Dice, bool], float] = {}
        self.of_roll: dict[tuple[Dice, int, Dice], float] = {}
        self.of_hold: dict[tuple[Dice, int], float] = {}

    def writes(self, dice: Dice, served: bool) -> Iterator[tuple[Option, float]]:
        """Every way to end the turn with this roll, and the points still to come from then on, its own included."""
        for k, sheet in enumerate(self.sheets):
            for box in playable(self.rules, k, sheet):
                after = write(self.rules, self.sheets, k, box, dice, served)
                gained = _column_total(self.rules, after[k]) - _column_total(self.rules, sheet)
                yield ("write", k, box), self.rules.columns[k].multiplier * gained + value(self.rules, after)

    def roll(self, dice: Dice, rolls_left: int, held: Dice) -> float:
        """The value of lying there with this roll."""
        key = dice, rolls_left, held
        if key not in self.of_roll:
            served = rolls_left == self.rules.rolls - 1
            if (dice, served) not in self.of_write:
                self.of_write[dice, served] = max(worth for _, worth in self.writes(dice, served))
            kept = {tuple(sorted(hold)) for hold in holds(dice, held)} if rolls_left else set()
            self.of_roll[key] = max([self.of_write[dice, served], *(self.hold(hold, rolls_left) for hold in kept)])
        return self.of_roll[key]

    def hold(self, hold: Dice, rolls_left: int) -> float:
        """The value of keeping these dice and rolling the others."""
        key = hold, rolls_left
        if key not in self.of_hold:
            held = hold if self.rules.hold == "locked" else ()
            self.of_hold[key] = sum(
                chance * self.roll(tuple(sorted(hold + new)), rolls_left - 1, held)
                for new, chance in throws(self.rules.dice - len(hold))
            )
        return self.of_hold[key]


@cache
def _value(rules: Rules, sheets: Sheets) -> float:
    if all(None not in sheet for sheet in sheets):
        return 0.0
    return _Turn(rules, sheets).hold((), rules.rolls)


def value(rules: Rules, sheets: Sheets) -> float:
    """The expected points still to come under optimal play, before a turn; the points of column k are in sheets[k]."""
    return _value(rules, marked(rules, sheets))


def hint(rules: Rules, sheets: Sheets, dice: Dice, rolls_left: int, held: Dice = ()) -> dict[Option, float]:
    """What every option of a position is worth: the expected points still to come, those it makes included.

    It is the first roll of the turn when `rolls_left` is `rules.rolls - 1`. `held`: dice locked earlier in the turn.
    """
    turn = _Turn(rules, sheets)
    found = dict(turn.writes(dice, rolls_left == rules.rolls - 1))
    if rolls_left:
        for hold in {tuple(sorted(hold)) for hold in holds(dice, held if rules.hold == "locked" else ())}:
            found["hold", hold] = turn.hold(hold, rolls_left)
    return found
