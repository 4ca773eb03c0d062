"""Small variants that between them use every rule there is; `oracle.py` solves each in a second or two at most.

`TOYS` maps a name to rules that the rule-file parser would accept. All have a single column.
"""

from typing import Literal

from servida.data.rules import Category, Column, Five, OutrightWin, Pattern, Rules, Score, UpperBonus

ANY = Pattern(any=True)
PAIR = Pattern(groups=(2,))
TRIPLE = Pattern(groups=(3,))
DOWN = (Column("down"),)
UP = (Column("up"),)


def face(number: int, requires: str | None = None) -> Category:
    """The face box f1…f6."""
    return Category(f"f{number}", Pattern(faces=(number,)), "sum_matched", requires=requires)


def box(
    name: str, pattern: Pattern, score: Score, served: Score | None = None, requires: str | None = None
) -> Category:
    """Any other box."""
    return Category(name, pattern, score, served, requires)


def groups(*sizes: int, distinct: bool = False, exact: bool = False) -> Pattern:
    """A pattern of groups of equal dice."""
    return Pattern(groups=sizes, distinct=distinct, exact=exact)


def upper(threshold: int, points: int, *categories: str) -> UpperBonus:
    """An upper bonus."""
    return UpperBonus(threshold, points, categories)


def twos(*extra: Category, joker: Literal["none", "forced", "free-choice"], bonus: int = 0, **more: object) -> Rules:
    """Two dice, two rolls, the five box `pair` (10) and some boxes more."""
    boxes = (box("pair", PAIR, 10), *extra)
    return Rules(boxes, dice=2, rolls=2, five=Five("pair", bonus, joker), **more)  # type: ignore[arg-type]


SEQ2 = Pattern(sequence=((1, 2), (1, 6), (5, 6)))
SEQ3 = Pattern(sequence=((1, 2, 3), (3, 4, 5), (1, 5, 6)))
WIN2 = (face(6), box("pair", PAIR, 10), box("seq", SEQ2, 8))

PLAIN: dict[str, Rules] = {
    # free holds, two dice, three rolls, one box of each common kind
    "plain": Rules((face(6), box("pair", PAIR, 10), box("chance", ANY, "sum_all")), dice=2),
    # free holds with three dice
    "plain-three-dice": Rules((face(5), box("triple", TRIPLE, 20), box("pair", PAIR, 9)), dice=3),
    # a single die
    "one-die": Rules(
        (face(2), face(5), box("high", Pattern(faces=(4, 5, 6)), 3), box("chance", ANY, "sum_all")), dice=1
    ),
    # four dice, two boxes
    "four-dice": Rules((box("pairs", groups(2, 2, distinct=True), 12), box("run", Pattern(run=3), 15)), dice=4),
    # six dice, one box, no reroll
    "six-dice": Rules((box("trips", groups(3, 3), "sum_matched"),), dice=6, rolls=1),
    # five dice, one box, one reroll
    "five-dice-reroll": Rules((box("full", groups(3, 2, distinct=True), "sum_all"),), dice=5, rolls=2),
    # the five dice of the real games, two boxes, no reroll
    "five-dice": Rules((box("full", groups(3, 2), 25, 30), box("long", Pattern(run=4), 30)), dice=5, rolls=1),
    # one roll: no holds at all, every score is a served one
    "one-roll": Rules((face(4), box("pair", PAIR, 10, 15), box("chance", ANY, "sum_all")), dice=2, rolls=1),
    # five rolls
    "five-rolls": Rules((face(6), box("pair", PAIR, 10), box("seq", SEQ2, 9, 12)), dice=2, rolls=5),
    # a full set of face boxes, and a box that always pays nothing
    "faces": Rules((face(1), face(2), face(3), face(6), box("nil", ANY, 0)), dice=2, rolls=2),
}

LOCKED: dict[str, Rules] = {
    # locked holds, three rolls
    "locked": Rules((face(6), box("seq", SEQ3, 20), box("pair", PAIR, "sum_matched")), dice=3, hold="locked"),
    # locked holds, four rolls: two holds in a row bind
    "locked-four-rolls": Rules(
        (face(6), box("seq", SEQ3, 20), box("triple", TRIPLE, 30)), dice=3, rolls=4, hold="locked"
    ),
    # locked holds, five rolls, two dice
    "locked-five-rolls": Rules((face(1), face(6), box("chance", ANY, "sum_all")), dice=2, rolls=5, hold="locked"),
    # the same boxes as plain, for the price of locking
    "locked-plain": Rules((face(6), box("pair", PAIR, 10), box("chance", ANY, "sum_all")), dice=2, hold="locked"),
    # locked holds with served scores and an upper bonus
    "locked-served-upper": Rules(
        (face(5), face(6), box("triple", TRIPLE, 20, 40)), dice=3, hold="locked", upper_bonus=upper(22, 12, "f5", "f6")
    ),
}

PATTERNS: dict[str, Rules] = {
    # exact groups beside least ones
    "exact": Rules(
        (
            box("two", groups(2, exact=True), 10),
            box("one", groups(1, exact=True), "sum_matched"),
            box("pair", PAIR, "sum_matched"),
        ),
        dice=3,
        rolls=2,
    ),
    # several exact groups: different faces, or two groups that may lie on one face
    "exact-groups": Rules(
        (
            box("split", groups(2, 1, distinct=True, exact=True), "sum_all"),
            box("loose", groups(1, 1, exact=True), "sum_matched"),
        ),
        dice=3,
    ),
    # two pairs for the matching dice: different faces, and any
    "two-pairs": Rules(
        (box("different", groups(2, 2, distinct=True), "sum_matched"), box("alike", groups(2, 2), "sum_matched")),
        dice=4,
        rolls=1,
    ),
    # two groups that may lie on one face, three that may not
    "loose-groups": Rules(
        (
            box("loose", groups(1, 1), "sum_matched"),
            box("set", groups(1, 1, 1, distinct=True), 9),
            box("two", groups(2, 1), 7),
        ),
        dice=3,
        rolls=2,
    ),
    # runs of two and three, by a fixed score and by the sum of their dice
    "runs": Rules(
        (
            box("long", Pattern(run=3), 20),
            box("short", Pattern(run=2), "sum_matched"),
            box("one", Pattern(run=1), "sum_matched"),
        ),
        dice=3,
        rolls=2,
    ),
    # sequences of unequal length, by a fixed score and by their dice
    "sequences": Rules(
        (
            box("seq", SEQ3, 20, 25),
            box("short", Pattern(sequence=((1,), (2, 6), (4, 5))), "sum_matched"),
            box("all", Pattern(sequence=((2, 3), (5, 6))), "sum_all"),
        ),
        dice=3,
        rolls=2,
    ),
    # boxes of several faces, with each kind of score; one face with a fixed score is no face box
    "even": Rules(
        (
            box("even", Pattern(faces=(2, 4, 6)), "sum_matched"),
            box("low", Pattern(faces=(1, 2)), "sum_all"),
            box("six", Pattern(faces=(6,)), 7),
        ),
        dice=2,
    ),
}

SERVED: dict[str, Rules] = {
    # served fixed scores, better by nothing, by a little and by a lot
    "served": Rules((box("pair", PAIR, 10, 11), box("seq", SEQ2, 8, 30), box("run", Pattern(run=2), 5, 5)), dice=2),
    # served sums: the matching dice become all dice
    "served-sums": Rules(
        (box("pair", PAIR, "sum_matched", "sum_all"), box("low", Pattern(faces=(1, 2)), "sum_matched", "sum_all")),
        dice=3,
        rolls=2,
    ),
    # a served score in place of an ordinary zero
    "served-only": Rules((box("pair", PAIR, 0, 20), box("seq", SEQ2, 6), box("chance", ANY, 2, 3)), dice=2),
}

REQUIRES: dict[str, Rules] = {
    # the double box: nothing unless the pair box holds points
    "requires": Rules((face(6), box("pair", PAIR, 10), box("double", PAIR, 25, requires="pair")), dice=2),
    # a chain of three, listed in the wrong order, with served scores
    "requires-chain": Rules(
        (
            box("third", PAIR, 40, 50, "second"),
            box("second", SEQ2, 20, requires="first"),
            box("first", Pattern(run=2), 5),
        ),
        dice=2,
    ),
    # two boxes that require each other can never pay
    "requires-cycle": Rules(
        (box("a", PAIR, 10, requires="b"), box("b", ANY, 10, requires="a"), face(6)), dice=2, rolls=2
    ),
    # one box required by two others, one of them a sum of any roll
    "requires-shared": Rules((box("chance", ANY, "sum_all", requires="f6"), face(6), face(1, "f6")), dice=2),
    # the required box is one of the upper bonus, and so is the one that requires it
    "requires-upper": Rules(
        (face(5), face(6, "f5"), box("pair", PAIR, 8, requires="f6")), dice=2, upper_bonus=upper(16, 20, "f5", "f6")
    ),
    # the required box may hold a fixed zero, which is no points
    "requires-zero": Rules((box("nil", PAIR, 0, 4), box("rich", ANY, 20, requires="nil")), dice=2),
}

UPPER: dict[str, Rules] = {
    # a threshold to be worked for, over three face boxes
    "upper": Rules(
        (face(4), face(5), face(6), box("pair", PAIR, 10)), dice=2, rolls=2, upper_bonus=upper(22, 15, "f4", "f5", "f6")
    ),
    # only the greatest sum of all boxes reaches it
    "upper-exact": Rules((face(1), face(2), face(3)), dice=2, upper_bonus=upper(12, 50, "f1", "f2", "f3")),
    # out of reach
    "upper-never": Rules((face(1), face(2), box("pair", PAIR, 4)), dice=2, upper_bonus=upper(100, 50, "f1", "f2")),
    # one box reaches it alone; the face box f3 is not among the upper boxes
    "upper-single": Rules((face(3), face(6), face(1)), dice=2, upper_bonus=upper(12, 20, "f6", "f1")),
    # the first point reaches it
    "upper-first-point": Rules((face(1), face(2), box("seq", SEQ2, 9)), dice=2, upper_bonus=upper(1, 7, "f1", "f2")),
    # boxes of every kind of score count towards it, face boxes do not
    "upper-other-boxes": Rules(
        (face(6), box("pair", PAIR, 10, 13), box("chance", ANY, "sum_all"), box("seq", SEQ2, "sum_matched")),
        dice=2,
        rolls=2,
        upper_bonus=upper(24, 30, "pair", "chance", "seq"),
    ),
    # a bonus of nothing changes nothing
    "upper-zero": Rules((face(4), face(5), box("pair", PAIR, 9)), dice=2, upper_bonus=upper(10, 0, "f4", "f5")),
    # three dice
    "upper-three-dice": Rules(
        (face(5), face(6), box("triple", TRIPLE, 25)), dice=3, rolls=2, upper_bonus=upper(21, 35, "f5", "f6")
    ),
}

FIVES: dict[str, Rules] = {
    # bonus without joker
    "five-none": twos(face(6), box("seq", SEQ2, 8), box("chance", ANY, "sum_all"), joker="none", bonus=20),
    # bonus without joker: served scores still count on the first roll; the five box has one itself
    "five-none-served": Rules(
        (
            box("pair", PAIR, 10, 14),
            box("again", PAIR, 6, 16),
            box("seq", SEQ2, 8, 12),
            box("sum", PAIR, "sum_matched", "sum_all"),
        ),
        dice=2,
        five=Five("pair", 20),
    ),
    # forced joker, some face boxes there and some not, fixed box
    "five-forced": twos(face(1), face(6), box("seq", SEQ2, 18), joker="forced", bonus=20),
    # forced joker without bonus: a burden as well as a help
    "five-forced-no-bonus": twos(face(1), face(2), box("seq", SEQ2, 30), joker="forced"),
    # forced joker with boxes of every score: sums pay by their pattern, so 0 in a run
    "five-forced-sums": twos(
        face(2), box("run", Pattern(run=2), "sum_all"), box("again", PAIR, "sum_matched"), joker="forced", bonus=5
    ),
    # forced joker on the first roll: served scores do not count, here 5+5 against 5+5+5
    "five-forced-served": Rules(
        (face(2), box("triple", TRIPLE, 18, 24), box("pair", PAIR, "sum_matched", "sum_all")),
        dice=3,
        rolls=2,
        five=Five("triple", 5, "forced"),
    ),
    # and a fixed score: 9 against 40
    "five-forced-served-fixed": twos(face(2), box("again", PAIR, 9, 40), box("seq", SEQ2, 12, 15), joker="forced"),
    # forced joker, no face box at all; the five box pays a sum
    "five-forced-faceless": Rules(
        (box("pair", PAIR, "sum_all"), box("seq", SEQ2, 12), box("run", Pattern(run=2), 5)),
        dice=2,
        five=Five("pair", 7, "forced"),
    ),
    # forced joker, nothing but face boxes beside the five box: other faces are scratched
    "five-forced-faces": twos(face(1), face(3), face(6), joker="forced", bonus=15),
    # forced joker and requires: unmet, the fixed box pays nothing; met, whatever the pattern
    "five-forced-requires": twos(
        face(6), box("seq", SEQ2, 20, requires="f6"), box("double", PAIR, 25, 35, "pair"), joker="forced", bonus=3
    ),
    # forced joker: a box of several faces, or of one with a fixed score, is no face box
    "five-forced-mixed": twos(
        box("even", Pattern(faces=(2, 4, 6)), "sum_matched"),
        box("six", Pattern(faces=(6,)), 7),
        face(6),
        joker="forced",
        bonus=4,
    ),
    # forced joker into an upper box, with the upper bonus
    "five-forced-upper": twos(
        face(5), face(6), box("seq", SEQ2, 20), joker="forced", bonus=6, upper_bonus=upper(17, 25, "f5", "f6")
    ),
    # forced joker with three dice and three rolls, locked
    "five-forced-locked": Rules(
        (face(6), box("triple", TRIPLE, 30), box("run", Pattern(run=3), 25, 28)),
        dice=3,
        hold="locked",
        five=Five("triple", 50, "forced"),
    ),
    # free joker, with the matching face box open or not; the same boxes forced are worth less
    "five-free-choice": twos(face(1), face(6), box("seq", SEQ2, 18), box("again", PAIR, 15, 20), joker="free-choice"),
    "five-free-choice-twin": twos(face(1), face(6), box("seq", SEQ2, 18), box("again", PAIR, 15, 20), joker="forced"),
    # free joker without any face box, requires and served scores beside it
    "five-free-choice-faceless": twos(
        box("seq", SEQ2, 12, 30),
        box("double", PAIR, 25, requires="pair"),
        box("run", Pattern(run=2), "sum_all"),
        joker="free-choice",
    ),
    # free joker with sums, a served face box and an upper bonus over the five box itself
    "five-free-choice-upper": twos(
        Category("f6", Pattern(faces=(6,)), "sum_matched", "sum_all"),
        box("run", Pattern(run=2), "sum_all"),
        box("seq", SEQ2, 15),
        joker="free-choice",
        bonus=5,
        upper_bonus=upper(20, 11, "pair", "f6"),
    ),
    # a single die is always all alike
    "five-one-die": Rules(
        (box("all", groups(1), 3), face(2), face(6), box("odd", Pattern(faces=(1, 3, 5)), 4)),
        dice=1,
        rolls=2,
        five=Five("all", 1, "forced"),
    ),
}

WINS: dict[str, Rules] = {
    # a win worth less than playing on, as long as boxes are open
    "win-low": Rules(WIN2, dice=2, outright_win=OutrightWin("pair", 9)),
    # a win worth nothing is declined
    "win-nothing": Rules(WIN2, dice=2, outright_win=OutrightWin("pair", 0)),
    # a win worth more than everything; scratching its box would lose the chance
    "win-high": Rules(WIN2, dice=2, outright_win=OutrightWin("pair", 500)),
    # a win worth the greatest total, with served scores, a bonus and an upper bonus in it
    "win-default": Rules(
        (face(6), box("pair", PAIR, 10, 12), box("seq", SEQ2, 8, 20)),
        dice=2,
        upper_bonus=upper(12, 5, "f6"),
        five=Five("pair", 30),
        outright_win=OutrightWin("pair"),
    ),
    # a win with locked holds, served scores and three dice
    "win-locked": Rules(
        (box("triple", TRIPLE, 20, 30), box("seq", SEQ3, 15, 18), face(4)),
        dice=3,
        hold="locked",
        outright_win=OutrightWin("triple"),
    ),
    # a win beside a forced joker; the two name different boxes
    "win-joker": Rules(
        (box("pair", PAIR, 10), box("other", PAIR, 12), face(6), box("seq", SEQ2, 20)),
        dice=2,
        rolls=2,
        five=Five("pair", 15, "forced"),
        outright_win=OutrightWin("other", 28),
    ),
    # a win with one roll a turn
    "win-one-roll": Rules(WIN2, dice=2, rolls=1, outright_win=OutrightWin("pair", 40)),
}

ORDERED: dict[str, Rules] = {
    # written top to bottom
    "down": Rules((face(1), box("pair", PAIR, 10), face(6), box("seq", SEQ2, 8)), dice=2, columns=DOWN),
    # written bottom to top
    "up": Rules((face(1), box("pair", PAIR, 10, 14), face(6), box("seq", SEQ2, 8)), dice=2, columns=UP),
    # the required box comes first
    "down-requires": Rules(
        (box("pair", PAIR, 10), face(6), box("double", PAIR, 25, requires="pair")), dice=2, columns=DOWN
    ),
    # the required box comes too late: never any points
    "up-requires": Rules(
        (box("pair", PAIR, 10), face(6), box("double", PAIR, 25, requires="pair")), dice=2, columns=UP
    ),
    # upper bonus in order, locked: the chance box comes first, and cannot aim at what the face boxes lack
    "down-upper": Rules(
        (box("chance", ANY, "sum_all"), face(5), box("pair", PAIR, 7), face(6)),
        dice=2,
        hold="locked",
        columns=DOWN,
        upper_bonus=upper(21, 18, "chance", "f5", "f6"),
    ),
    # the same upwards: the chance box comes last, and can
    "up-upper": Rules(
        (box("chance", ANY, "sum_all"), face(5), box("pair", PAIR, 7), face(6)),
        dice=2,
        hold="locked",
        columns=UP,
        upper_bonus=upper(21, 18, "chance", "f5", "f6"),
    ),
    # forced joker: face boxes that are open but not next do not count
    "down-forced": twos(
        box("seq", SEQ2, 20),
        face(6),
        box("run", Pattern(run=2), "sum_all"),
        face(1),
        joker="forced",
        bonus=5,
        columns=DOWN,
    ),
    # forced joker upwards; the five box comes second
    "up-forced": Rules(
        (face(1), box("seq", SEQ2, 20, 26), box("pair", PAIR, 10, 15), face(6)),
        dice=2,
        rolls=2,
        columns=UP,
        five=Five("pair", 9, "forced"),
    ),
    # free joker upwards, with requires
    "up-free-choice": Rules(
        (face(6), box("seq", SEQ2, 20, requires="pair"), box("run", Pattern(run=2), 6), box("pair", PAIR, 10)),
        dice=2,
        rolls=2,
        columns=UP,
        five=Five("pair", 9, "free-choice"),
    ),
    # the obligatory game in small: order, locked holds, served scores, outright win
    "down-win": Rules(
        (face(5), face(6), box("run", Pattern(run=3), 20, 25), box("triple", TRIPLE, 50)),
        dice=3,
        rolls=2,
        hold="locked",
        columns=DOWN,
        outright_win=OutrightWin("triple"),
    ),
}

ALL_AT_ONCE: dict[str, Rules] = {
    # everything together
    "everything": Rules(
        (face(6), box("pair", PAIR, 10, 12), box("double", PAIR, 20, 25, "pair"), box("seq", SEQ2, 14, 18)),
        dice=2,
        hold="locked",
        upper_bonus=upper(26, 9, "f6", "double"),
        five=Five("pair", 11, "forced"),
        outright_win=OutrightWin("pair", 75),
    ),
    # the same with the free joker, free holds and a served five box in the upper bonus
    "everything-free": Rules(
        (
            face(6),
            box("pair", PAIR, 10, 12),
            box("double", PAIR, 20, 25, "pair"),
            box("chance", ANY, "sum_all", requires="f6"),
        ),
        dice=2,
        upper_bonus=upper(20, 9, "f6", "pair"),
        five=Five("pair", 11, "free-choice"),
        outright_win=OutrightWin("pair", 55),
    ),
}

TOYS: dict[str, Rules] = PLAIN | LOCKED | PATTERNS | SERVED | REQUIRES | UPPER | FIVES | WINS | ORDERED | ALL_AT_ONCE

# Not in `TOYS`, for it takes the oracle some six seconds.
SLOW_TOYS: dict[str, Rules] = {
    # six dice, one box, one reroll
    "six-dice-reroll": Rules((box("run", Pattern(run=5), 20),), dice=6, rolls=2),
}
