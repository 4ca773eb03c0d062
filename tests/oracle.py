"""The truth for toy variants: every game played out by brute force, in exact fractions, with no trick at all.

Nothing here is shared with the solver but the plain data that describe rules. Rolls are ordered tuples of faces, all
6**n of them; a sheet is what is written in every box, point by point; one value is remembered per such sheet. Slow on
purpose: two or three dice and a handful of boxes are what it is for. Sheets of several columns are not covered.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product
from math import lcm
from typing import NamedTuple

from servida.data.rules import Category, Pattern, Rules

Dice = tuple[int, ...]
Option = tuple[str, int, int]  # category id, points written, five bonus
Action = tuple[str] | tuple[str, Dice] | tuple[str, str, int]  # ("win",), ("hold", dice), ("write", id, points)
Utility = Callable[[int | None], Fraction]  # of a final total; of an outright win, None

FACES = (1, 2, 3, 4, 5, 6)


class Sheet(NamedTuple):
    """What is written in each box, in the order of the rules (None = open), and how many five bonuses were earned."""

    written: tuple[int | None, ...]
    bonuses: int = 0


def empty(rules: Rules) -> Sheet:
    """The sheet before the first turn."""
    return Sheet((None,) * len(rules.categories))


# What a box pays


def matched(pattern: Pattern, dice: Dice) -> int | None:
    """The greatest sum of dice that make up the pattern; None when the roll does not show it."""
    if pattern.any:
        return sum(dice)
    if pattern.faces:
        found = [die for die in dice if die in pattern.faces]
        return sum(found) if found else None
    if pattern.groups:
        return _matched_groups(pattern, dice)
    sets = pattern.sequence
    if pattern.run:
        sets = tuple(tuple(range(low, low + pattern.run)) for low in FACES if low + pattern.run - 1 <= FACES[-1])
    return max((sum(faces) for faces in sets if all(face in dice for face in faces)), default=None)


def _matched_groups(pattern: Pattern, dice: Dice) -> int | None:
    """`matched` for groups: try every face there is for every group."""
    best = None
    for faces in product(set(dice), repeat=len(pattern.groups)):
        if pattern.distinct and len(set(faces)) < len(faces):
            continue
        asked = dict.fromkeys(faces, 0)
        for face, size in zip(faces, pattern.groups, strict=True):
            asked[face] += size
        if pattern.exact:
            holds = all(dice.count(face) == size for face, size in asked.items())
        else:
            holds = all(dice.count(face) >= size for face, size in asked.items())
        if holds:
            total = sum(face * size for face, size in asked.items())
            best = total if best is None else max(best, total)
    return best


@cache
def _points(category: Category, dice: Dice, served: bool) -> int:
    found = matched(category.pattern, dice)
    if found is None:
        return 0
    score = category.served if served and category.served is not None else category.score
    if score == "sum_all":
        return sum(dice)
    return found if score == "sum_matched" else score


def _place(rules: Rules, category_id: str) -> int:
    return [category.id for category in rules.categories].index(category_id)


def points(rules: Rules, category_id: str, dice: Dice, *, served: bool = False) -> int:
    """What the box pays for the roll by its own pattern, whatever `requires` and joker say."""
    return _points(rules.categories[_place(rules, category_id)], tuple(dice), served)


# What may be written


def _written(rules: Rules, sheet: Sheet, category_id: str) -> int | None:
    """The points in a box, None while it is open."""
    return sheet.written[_place(rules, category_id)]


def writable(rules: Rules, sheet: Sheet) -> list[Category]:
    """The boxes that may be written now: all open ones, or the next one of an ordered column."""
    (column,) = rules.columns
    open_ = [category for category, held in zip(rules.categories, sheet.written, strict=True) if held is None]
    if column.order == "free":
        return open_
    return open_[:1] if column.order == "down" else open_[-1:]


def _allowed(rules: Rules, sheet: Sheet, category: Category) -> bool:
    """Whether the box that this one requires, if any, holds points."""
    return category.requires is None or (_written(rules, sheet, category.requires) or 0) > 0


def options(rules: Rules, sheet: Sheet, dice: Dice, *, served: bool) -> list[Option]:
    """Every legal write of this roll: category id, points it writes, and the five bonus that comes with it."""
    boxes = writable(rules, sheet)
    five = rules.five
    alike = len(set(dice)) == 1
    if five is None or not alike or _written(rules, sheet, five.category) is None:
        bonus, joker = 0, "none"
    else:
        bonus = five.bonus if (_written(rules, sheet, five.category) or 0) > 0 else 0
        joker = five.joker
    if joker == "forced":
        paid = _forced(boxes, dice)
    elif joker == "free-choice":
        face_open = any(c.face == dice[0] and _written(rules, sheet, c.id) is None for c in rules.categories)
        paid = [(box, _points(box, dice, False) if face_open else _joker_points(box, dice)) for box in boxes]
    else:
        paid = [(box, _points(box, dice, served)) for box in boxes]
    return [(box.id, pay if _allowed(rules, sheet, box) else 0, bonus) for box, pay in paid]


def _forced(boxes: list[Category], dice: Dice) -> list[tuple[Category, int]]:
    """The forced joker: the box of this face first, else any box that is no face box, else any."""
    own = [box for box in boxes if box.face == dice[0]]
    if own:
        return [(box, _points(box, dice, False)) for box in own]
    others = [box for box in boxes if box.face is None]
    if others:
        return [(box, _joker_points(box, dice)) for box in others]
    return [(box, _points(box, dice, False)) for box in boxes]


def _joker_points(box: Category, dice: Dice) -> int:
    """What a joker pays (a free one only once the box of its face is written): a fixed score whatever the pattern,
    anything else as usual."""
    return box.score if isinstance(box.score, int) else _points(box, dice, False)


# What a write leads to


def upper_bonus(rules: Rules, sheet: Sheet) -> int:
    """The upper bonus this sheet has earned so far."""
    bonus = rules.upper_bonus
    if bonus is None:
        return 0
    total = sum(_written(rules, sheet, category_id) or 0 for category_id in bonus.categories)
    return bonus.points if total >= bonus.threshold else 0


def total(rules: Rules, sheet: Sheet) -> int:
    """All points on a sheet."""
    bonuses = rules.five.bonus * sheet.bonuses if rules.five else 0
    return sum(points or 0 for points in sheet.written) + bonuses + upper_bonus(rules, sheet)


def after(rules: Rules, sheet: Sheet, option: Option) -> tuple[Sheet, int]:
    """The sheet after a write, and everything the write adds to the total."""
    category_id, paid, bonus = option
    place = _place(rules, category_id)
    written = (*sheet.written[:place], paid, *sheet.written[place + 1 :])
    following = Sheet(written, sheet.bonuses + (bonus > 0))
    return following, paid + bonus + upper_bonus(rules, following) - upper_bonus(rules, sheet)


def win_points(rules: Rules) -> int:
    """What an outright win scores: the number in the rules, or else the greatest total of the sheet."""
    assert rules.outright_win is not None
    if rules.outright_win.win_points is not None:
        return rules.outright_win.win_points
    rolls = list(product(FACES, repeat=rules.dice))
    total = sum(
        max(_points(box, dice, served) for dice in rolls for served in (False, True)) for box in rules.categories
    )
    total += rules.upper_bonus.points if rules.upper_bonus else 0
    return total + (rules.five.bonus * (len(rules.categories) - 1) if rules.five else 0)


def may_win(rules: Rules, sheet: Sheet, dice: Dice) -> bool:
    """Whether this first roll may end the game: all alike, and the box for it not scratched."""
    return (
        rules.outright_win is not None
        and len(set(dice)) == 1
        and _written(rules, sheet, rules.outright_win.category) != 0
    )


# The play


def _mean(values: list[Fraction]) -> Fraction:
    """The exact mean (over a common denominator, which is quicker than adding fractions one by one)."""
    common = lcm(*(value.denominator for value in values))
    return Fraction(sum(value.numerator * (common // value.denominator) for value in values), common * len(values))


@lru_cache(maxsize=10_000)
def holds(dice: Dice, held: Dice) -> list[Dice]:
    """The dice one may keep before a reroll: any but all, and all those locked."""
    kept = {hold for size in range(len(dice)) for hold in combinations(dice, size)}
    return [hold for hold in kept if all(hold.count(die) >= held.count(die) for die in held)]


class _Turn:
    """One turn on one sheet; remembers the value of each position inside it."""

    def __init__(self, game: "_Game", sheet: Sheet):
        self.game, self.rules, self.sheet = game, game.rules, sheet
        self.of_write: dict[tuple[Dice, bool], Fraction] = {}
        self.of_roll: dict[tuple[Dice, int, Dice], Fraction] = {}
        self.of_hold: dict[tuple[Dice, int], Fraction] = {}

    def writes(self, dice: Dice, served: bool) -> Iterator[tuple[Action, Fraction]]:
        """Every way to end the turn on this roll."""
        for option in options(self.rules, self.sheet, dice, served=served):
            following, gain = after(self.rules, self.sheet, option)
            yield ("write", option[0], option[1]), self.game.value(following) + (0 if self.game.utility else gain)
        if served and may_win(self.rules, self.sheet, dice):
            yield ("win",), self.game.win_value

    def roll(self, dice: Dice, rolls_left: int, held: Dice) -> Fraction:
        """The value of lying there with this roll."""
        key = dice, rolls_left, held
        if key not in self.of_roll:
            served = rolls_left == self.rules.rolls - 1
            if (dice, served) not in self.of_write:
                self.of_write[dice, served] = max(value for _, value in self.writes(dice, served))
            values = [self.hold(hold, rolls_left) for hold in holds(dice, held)] if rolls_left else []
            self.of_roll[key] = max([self.of_write[dice, served], *values])
        return self.of_roll[key]

    def hold(self, hold: Dice, rolls_left: int) -> Fraction:
        """The value of keeping these dice and rolling the others: the mean over all their rolls."""
        key = hold, rolls_left
        if key not in self.of_hold:
            held = hold if self.rules.hold == "locked" else ()
            fresh = list(product(FACES, repeat=self.rules.dice - len(hold)))
            self.of_hold[key] = _mean([self.roll(hold + new, rolls_left - 1, held) for new in fresh])
        return self.of_hold[key]


class _Game:
    """One set of rules and what it is played for; remembers the value of each sheet."""

    def __init__(self, rules: Rules, utility: Utility | None):
        self.rules, self.utility = rules, utility
        self.win_value = Fraction(0)
        if rules.outright_win:
            self.win_value = utility(None) if utility else Fraction(win_points(rules))
        self.values: dict[Sheet, Fraction] = {}

    def value(self, sheet: Sheet) -> Fraction:
        """The expected score still to come, or the expected utility, before the first roll of a turn (holding no dice,
        all rolls left)."""
        if None not in sheet.written:
            return self.utility(total(self.rules, sheet)) if self.utility else Fraction(0)
        if sheet not in self.values:
            self.values[sheet] = _Turn(self, sheet).hold((), self.rules.rolls)
        return self.values[sheet]


@cache
def _game(rules: Rules, utility: Utility | None = None) -> _Game:
    return _Game(rules, utility)


def expected_total(rules: Rules, sheet: Sheet | None = None) -> Fraction:
    """The expected score still to come under best play, from the empty sheet or a given one."""
    return _game(rules).value(empty(rules) if sheet is None else sheet)


def expected_utility(rules: Rules, utility: Utility, sheet: Sheet | None = None) -> Fraction:
    """The expected utility of the final total under play that is best for it."""
    return _game(rules, utility).value(empty(rules) if sheet is None else sheet)


def best(
    rules: Rules, sheet: Sheet, dice: Dice, rolls_left: int, held: Dice = (), utility: Utility | None = None
) -> list[tuple[Action, Fraction]]:
    """Every action in a position with its value, best first; `held` are the dice locked earlier in the turn.

    It is the first roll of the turn when `rolls_left` is `rules.rolls - 1`. Holds are sorted and listed once.
    """
    turn = _Turn(_game(rules, utility), sheet)
    found = list(turn.writes(dice, rolls_left == rules.rolls - 1))
    if rolls_left:
        held = held if rules.hold == "locked" else ()
        kept = sorted({tuple(sorted(hold)) for hold in holds(dice, held)})
        found += [(("hold", hold), turn.hold(hold, rolls_left)) for hold in kept]
    return sorted(found, key=lambda choice: -choice[1])
