"""Exact odds of a pattern: on one roll, by the end of a turn that hunts it, over several turns. No game is needed.

Everything is counted in whole numbers over a power of six, by the two steps up and down the lattice of holds that
docs/solver.md describes, and handed out as `Fraction`.
"""

import re
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Literal, NamedTuple

import numpy as np

from ..data.catalog import load
from ..data.language import LANGUAGES, folded, language
from ..data.rules import FACES, Category, Pattern, Variant
from ..errors import PositionError, RulesError, nearest, quoted
from . import points

MOST_DICE = 10
MOST_ROLLS = 5
Strategy = Literal["best", "most-frequent"]
Hold = tuple[int, ...]  # dice per face

PATTERNS = {
    "one_pair": Pattern(groups=(2,)),
    "two_pairs": Pattern(groups=(2, 2), distinct=True),
    "three_of_a_kind": Pattern(groups=(3,)),
    "four_of_a_kind": Pattern(groups=(4,)),
    "five_of_a_kind": Pattern(groups=(5,)),
    "six_of_a_kind": Pattern(groups=(6,)),
    "full_house": Pattern(groups=(3, 2), distinct=True),
    "small_straight": Pattern(run=4),
    "large_straight": Pattern(run=5),
    "straight": Pattern(run=5),
    "even_straight": Pattern(sequence=((2, 3, 4, 5, 6),)),
    "choice": Pattern(groups=(2, 2)),
    "chance": Pattern(any=True),
    **{name: Pattern(faces=(i + 1,)) for i, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"))},
}
SYNONYMS = {
    **dict.fromkeys(("generala", "double_generala", "yahtzee", "yatzy", "yacht", "chase_off"), "five_of_a_kind"),
    **dict.fromkeys(("five alike", "cinco iguales", "같은 눈 다섯 개", "fünferpasch"), "five_of_a_kind"),
    **dict.fromkeys(("four alike", "four dice", "poker", "póker", "포커", "같은 눈 네 개"), "four_of_a_kind"),
    "three alike": "three_of_a_kind",
    "pair": "one_pair",
    "풀": "full_house",
}
EXACTLY = r"(?:exactly|exact|exactamente|genau|정확히) (.*)"


class Target(NamedTuple):
    """A pattern to hunt and the turn it is hunted in. `name` is a key of `PATTERNS`, with "exactly " before it where
    the groups must be no larger, or the pattern in the words of rule files, or the id of a box of `variant`."""

    name: str
    pattern: Pattern
    dice: int = 5
    rolls: int = 3
    locked: bool = False
    variant: Variant | None = None


class Odds(NamedTuple):
    """The chance of a pattern, and the dice to hold for it (None where no dice were there to choose from)."""

    chance: Fraction
    hold: tuple[int, ...] | None = None


class Lattice(NamedTuple):
    """All holds of at most so many dice, fewer dice first; `above` and `below` are the holds of one die more or less.

    The rolls, which are the holds of all dice, come last, from number `first_roll` on.
    """

    dice: int
    holds: tuple[Hold, ...]
    number: dict[Hold, int]
    above: tuple[tuple[int, ...], ...]
    below: tuple[tuple[int, ...], ...]
    first_roll: int


@cache
def lattice(dice: int) -> Lattice:
    """The holds of so many dice."""
    holds = [_counts(faces) for k in range(dice + 1) for faces in combinations_with_replacement(range(1, FACES + 1), k)]
    number = {hold: i for i, hold in enumerate(holds)}

    def neighbours(hold: Hold, step: int) -> tuple[int, ...]:
        near = [(*hold[:f], hold[f] + step, *hold[f + 1 :]) for f in range(FACES)]
        return tuple(number[other] for other in near if other in number)

    above = tuple(neighbours(hold, 1) for hold in holds)
    below = tuple(neighbours(hold, -1) for hold in holds)
    return Lattice(dice, tuple(holds), number, above, below, sum(sum(hold) < dice for hold in holds))


def _counts(faces: tuple[int, ...]) -> Hold:
    return tuple(faces.count(face) for face in range(1, FACES + 1))


def _faces(hold: Hold) -> tuple[int, ...]:
    return tuple(face for face, count in enumerate(hold, 1) for _ in range(count))


def fits(pattern: Pattern, dice: int) -> list[int]:
    """Whether each roll of the lattice of so many dice shows the pattern: 1 or 0."""
    t = lattice(dice)
    found = points.matched(pattern, np.array(t.holds[t.first_roll :], dtype=np.int64)) >= 0
    return [int(value) for value in found]


def ordered(hold: Hold) -> int:
    """In how many orders these dice can fall."""
    return factorial(sum(hold)) // prod(map(factorial, hold))


def ways(pattern: Pattern, dice: int = 5) -> int:
    """How many of the 6^dice rolls show the pattern."""
    t = lattice(dice)
    return sum(ordered(roll) * fit for roll, fit in zip(t.holds[t.first_roll :], fits(pattern, dice), strict=True))


def over_turns(chance: Fraction, turns: int) -> Fraction:
    """The chance that something happens in at least one of so many independent turns."""
    return 1 - (1 - chance) ** turns


def _thrown(t: Lattice, rolls: list[int]) -> list[int]:
    """What every hold is worth before the other dice are thrown, from what each roll is worth: the mean over one more
    die, again and again. The denominator grows by 6^dice."""
    total = [0] * t.first_roll + rolls
    for i in reversed(range(t.first_roll)):
        total[i] = sum(total[j] for j in t.above[i])
    return [value * FACES ** sum(hold) for value, hold in zip(total, t.holds, strict=True)]


def _best_within(t: Lattice, holds: list[int]) -> list[int]:
    """What every roll is worth, from what each hold is worth: the greatest among its holds."""
    best = list(holds)
    for i, below in enumerate(t.below):
        for j in below:
            best[i] = max(best[i], best[j])
    return best[t.first_roll :]


def _locked_throw(t: Lattice, holds: list[int]) -> list[int]:
    """`_thrown` after `_best_within` where held dice stay held: the dice thrown are a lattice of their own, once for
    every hold."""
    found = []
    for held in t.holds:
        rest = lattice(t.dice - sum(held))
        after = [holds[t.number[tuple(a + b for a, b in zip(held, more, strict=True))]] for more in rest.holds]
        found.append(_thrown(rest, _best_within(rest, after))[0] * FACES ** sum(held))
    return found


def _most_frequent(t: Lattice, fit: list[int]) -> list[int]:
    """The number of the hold that the simple strategy leaves of each roll: all dice of the face shown most (the
    higher one of two), or the whole roll once it shows the pattern."""
    chosen = []
    for i, roll in enumerate(t.holds[t.first_roll :]):
        face = max(range(FACES), key=lambda f: (roll[f], f))
        single = tuple(count if f == face else 0 for f, count in enumerate(roll))
        chosen.append(t.first_roll + i if fit[i] else t.number[single])
    return chosen


def hold_values(target: Target, throws: int, strategy: Strategy = "best") -> list[int]:
    """The chance of the pattern from each hold with so many throws (at least one) left: numerators over
    6^(dice × throws), in the order of the lattice."""
    t, fit = lattice(target.dice), fits(target.pattern, target.dice)
    chosen = _most_frequent(t, fit) if strategy == "most-frequent" else []
    values = _thrown(t, fit)
    for _ in range(throws - 1):
        if target.locked:
            values = _locked_throw(t, values)
        else:
            values = _thrown(t, [values[i] for i in chosen] or _best_within(t, values))
    return values


def odds(
    target: Target, on_table: tuple[int, ...] = (), rolls_left: int | None = None, strategy: Strategy = "best"
) -> Odds:
    """The chance to end the turn with the pattern on the table.

    `on_table`: the dice there are, by face. All of them: any may be held or rerolled. Fewer: these are held already
    and the others are thrown next. None: the turn has not begun. `rolls_left`: throws still allowed; without it a
    whole turn, or what is left after its first roll if there are dice.
    """
    if len(on_table) > target.dice:
        raise PositionError(f"from: expected at most {target.dice} dice, found {len(on_table)}")
    throws = target.rolls - bool(on_table) if rolls_left is None else rolls_left
    if throws < (least := int(len(on_table) < target.dice)):
        raise PositionError(f"rolls_left: expected at least {least} with {len(on_table)} dice thrown, found {throws}")
    if strategy != "best" and target.locked:
        raise PositionError(f"strategy: expected 'best' where holds are locked, found {strategy!r}")
    t, held = lattice(target.dice), _counts(on_table)
    if not throws:
        return Odds(Fraction(fits(target.pattern, target.dice)[t.number[held] - t.first_roll]))
    values = hold_values(target, throws, strategy)
    if len(on_table) < target.dice:
        chosen = t.number[held]
    elif strategy == "most-frequent":
        chosen = _most_frequent(t, fits(target.pattern, target.dice))[t.number[held] - t.first_roll]
    else:
        within = [i for i, hold in enumerate(t.holds) if all(a <= b for a, b in zip(hold, held, strict=True))]
        chosen = max(within, key=lambda i: (values[i], sum(t.holds[i]), _faces(t.holds[i])[::-1]))
    chance = Fraction(values[chosen], FACES ** (target.dice * throws))
    return Odds(chance, _faces(t.holds[chosen]) if len(on_table) == target.dice else None)


def served_hands(variant: Variant) -> dict[str, int]:
    """For every box of a variant that is no face box, by id, how many of the 6^dice first rolls make points in it;
    jokers and required boxes apart."""
    t = lattice(variant.rules.dice)
    rolls = t.holds[t.first_roll :]
    order = np.array([ordered(roll) for roll in rolls])
    found = {}
    for box in variant.rules.categories:
        score = box.score if box.served is None else box.served
        if box.face is None:
            found[box.id] = int(order @ (points.scored(score, box.pattern, np.array(rolls)) > 0))
    return found


def read_target(name: str, dice: int = 5, variant: Variant | None = None) -> Target:
    """The pattern with this name: in words, in the words of rule files, or a box as "variant:box"; with `variant`, a
    box of that. `RulesError` for an unknown one, `PositionError` when there are too few dice for it."""
    if variant is None and ":" in name:
        before, _, name = name.rpartition(":")
        variant = load(before.strip())
    if variant is not None:
        box, rules = _box(variant, name), variant.rules
        return Target(box.id, box.pattern, rules.dice, rules.rolls, rules.hold == "locked", variant)
    word = _folded(name)
    exactly = re.fullmatch(EXACTLY, word)
    found = _in_rule_words(word) or _in_words(exactly[1] if exactly else word, name)
    if exactly:
        if not found.pattern.groups:
            raise RulesError(f"pattern: expected 'exactly' before groups of equal dice, found {quoted(name)}")
        found = Target(f"exactly {found.name}", found.pattern._replace(exact=True))
    groups, run, sequence = found.pattern.groups, found.pattern.run, found.pattern.sequence
    need = max(sum(groups), run, min(map(len, sequence), default=0))
    if need > dice:
        raise PositionError(f"dice: expected at least {need} for {found.name.replace('_', ' ')}, found {dice}")
    return found._replace(dice=dice)


def _folded(word: str) -> str:
    return " ".join(re.split(r"[\s_]+", folded(word).strip()))


def _box(variant: Variant, name: str) -> Category:
    word = _folded(name)
    boxes = variant.rules.categories
    for code in (None, *LANGUAGES):
        for box in boxes:
            if word == _folded(language(code).label(variant, box.id) if code else box.id):
                return box
    known = [box.id for box in boxes]
    found = quoted(name) + nearest(name, known)
    raise RulesError(f"category: expected a box of {variant.id} ({', '.join(known)}), found {found}")


def _in_words(word: str, name: str) -> Target:
    """The pattern with this folded name; `name` is what was typed."""
    labels = {_folded(label): key for code in LANGUAGES for key, label in language(code).categories.items()}
    known = labels | {_folded(key): key for key in (*PATTERNS, *SYNONYMS)}
    key = SYNONYMS.get(known.get(word, ""), known.get(word, ""))
    if key not in PATTERNS:
        what = "expected a name such as 'full house', faces such as 12345 or a box such as chaser:choice"
        raise RulesError(f"pattern: {what}, found {quoted(name)}{nearest(word, known)}")
    return Target(key, PATTERNS[key])


def _in_rule_words(word: str) -> Target | None:
    """The pattern as `servida rules` shows it, or as plain faces: "groups 3+2 distinct", "run 4", "12345"."""
    if groups := re.fullmatch(r"groups ([1-9](?:\+[1-9])*)(?=( distinct)?)(?: distinct)?( exact)?", word):
        sizes = tuple(int(size) for size in groups[1].split("+"))
        if sum(sizes) <= MOST_DICE and not (groups[2] and len(sizes) > FACES):
            return Target(word, Pattern(groups=sizes, distinct=bool(groups[2]), exact=bool(groups[3])))
    if run := re.fullmatch(r"run ([1-6])", word):
        return Target(word, Pattern(run=int(run[1])))
    if faces := re.fullmatch(r"faces ([1-6](?: [1-6])*)", word):
        return Target(word, Pattern(faces=tuple(sorted({int(face) for face in faces[1].split()}))))
    if sequence := re.fullmatch(r"(?:sequence )?([1-6]+(?: [1-6]+)*)", word):
        lists = tuple(tuple(int(face) for face in part) for part in sequence[1].split())
        if all(len(set(part)) == len(part) for part in lists):
            return Target(word, Pattern(sequence=lists))
        raise RulesError(f"pattern: expected different faces such as 12345, found {quoted(word)}")
    return Target("chance", PATTERNS["chance"]) if word == "any" else None
