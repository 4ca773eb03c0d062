"""The C kernel once more, in plain Python: one turn of one sheet, in the same order of operations.

Slow and readable. It takes the points of rolls and the layout of sheets from the game and does for one lane what
cext/turn.c and cext/sheet.c do for eight, so its results must have the same bits.
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt
from servida.solver.game import Game

FACES = range(1, 7)
Dice = tuple[int, ...]
Values = npt.NDArray[np.float64]


def holds(dice: int) -> list[Dice]:
    """All multisets of at most `dice` dice, by size and then in lexicographic order: the order of the kernel."""
    return [hold for size in range(dice + 1) for hold in combinations_with_replacement(FACES, size)]


def more(hold: Dice, face: int) -> Dice:
    return tuple(sorted((*hold, face)))


def less(hold: Dice, face: int) -> Dice:
    i = hold.index(face)
    return hold[:i] + hold[i + 1 :]


def mean_up(x: dict[Dice, float], dice: int) -> None:
    """x[hold] for all holds of fewer than `dice` dice: the mean over one more die."""
    for hold in reversed(holds(dice - 1) if dice else []):
        a, b, c, d, e, f = (x[more(hold, face)] for face in FACES)
        x[hold] = ((a + b) + (c + d) + (e + f)) * (1.0 / 6)


def best_within(x: dict[Dice, float], dice: int) -> None:
    """x[hold] becomes the best of all holds within it."""
    for hold in holds(dice)[1:]:
        x[hold] = max(x[hold], *(x[less(hold, face)] for face in set(hold)))


def locked_reroll(x: dict[Dice, float], dice: int) -> None:
    """One reroll more where dice set aside stay so."""
    for hold in holds(dice - 1):
        thrown = dice - len(hold)
        y = {new: x[tuple(sorted(hold + new))] for new in holds(thrown)}
        best_within(y, thrown)
        mean_up(y, thrown)
        x[hold] = y[()]


class Sheet:
    """One sheet (lower, upper, total) of a game: which boxes are written, which hold points, where writing leads."""

    def __init__(self, game: Game, values: Values, lower: int, upper: int, total: int):
        self.game, self.values, self.lower, self.upper, self.total = game, values, lower, upper, total
        layout = game.layout
        self.written, self.holding = [], []
        for bit, base, stride in zip(layout.upper_bit, layout.base, layout.stride, strict=True):
            digit = lower // stride % base
            self.written.append(bool(upper & bit) if bit else digit > 0)
            self.holding.append(digit == (1 if bit else 2) and base == (2 if bit else 3))

    def playable(self) -> list[int]:
        still_open = [box for box, written in enumerate(self.written) if not written]
        if self.game.order == "down":
            return still_open[:1]
        return still_open[-1:] if self.game.order == "up" else still_open

    def pays(self, box: int) -> bool:
        required = self.game.rules.categories[box].requires
        return required is None or self.holding[self.game.rules.box[required]]

    def after(self, box: int, points: int) -> float:
        """Points and what is still to come when `points` are written in `box`."""
        layout, bonus = self.game.layout, self.game.rules.upper_bonus
        bit, base, stride = layout.upper_bit[box], layout.base[box], layout.stride[box]
        if bit:
            lower = self.lower + (stride if base == 2 and points > 0 else 0)
        else:
            lower = self.lower + (2 * stride if base == 3 and points > 0 else stride)
        upper, total = self.upper | bit, self.total + (points if bit else 0)
        value = float(self.values[lower, layout.slot[upper] + layout.lane(upper, total)])
        if bonus and self.total < bonus.threshold <= total:
            return points + (bonus.points + value)
        return points + value

    def writes(self, roll: Dice, served: bool) -> list[float]:
        """What every way to write a roll is worth."""
        rules, five = self.game.rules, self.game.rules.five
        boxes, face = self.playable(), roll[0]
        own = next((i for i, category in enumerate(rules.categories) if category.face == face), None)
        special = bool(five and len(set(roll)) == 1 and self.written[rules.box[five.category]])
        joker = five.joker if five and special else "none"
        if joker == "forced":
            lower = [box for box in boxes if rules.categories[box].face is None]
            boxes = [own] if own in boxes else lower or boxes
        number = list(combinations_with_replacement(FACES, rules.dice)).index(roll)
        found = []
        for box in boxes:
            score = rules.categories[box].score
            at_fixed = joker == "forced" or (joker == "free-choice" and (own is None or self.written[own]))
            if not self.pays(box):
                points = 0
            elif at_fixed and isinstance(score, int):
                points = score
            else:
                table = self.game.served if served and joker == "none" else self.game.ordinary
                points = int(table[box][number])
            bonus = five.bonus if five and special and self.holding[rules.box[five.category]] else 0
            found.append(self.after(box, points) + bonus)
        return found

    def can_win(self) -> bool:
        win = self.game.rules.outright_win
        if win is None:
            return False
        box = self.game.rules.box[win.category]
        return not self.written[box] or self.holding[box]


def turn_value(game: Game, values: Values, lower: int, upper: int, total: int) -> float:
    """The value of a sheet, solved from the values of the sheets one box further."""
    dice, rolls = game.rules.dice, list(combinations_with_replacement(FACES, game.rules.dice))
    sheet = Sheet(game, values, lower, upper, total)
    if not sheet.playable():
        return 0.0
    x = {roll: max(sheet.writes(roll, served=False)) for roll in rolls}
    for reroll in range(1, game.rules.rolls):
        if reroll > 1 and game.rules.hold == "locked":
            locked_reroll(x, dice)
            continue
        if reroll > 1:
            best_within(x, dice)
        mean_up(x, dice)
    if game.rules.rolls > 1:
        best_within(x, dice)
    sums = [0.0, 0.0, 0.0, 0.0]
    for number, roll in enumerate(sorted(rolls, key=lambda roll: len(set(roll)))):
        best = max(x[roll], *sheet.writes(roll, served=True))
        if len(set(roll)) == 1 and sheet.can_win():
            best = max(best, float(game.win_points or 0))
        ways = factorial(dice) / prod(factorial(roll.count(face)) for face in FACES)
        sums[number % 4] += ways / 6.0**dice * best
    return (sums[0] + sums[1]) + (sums[2] + sums[3])
