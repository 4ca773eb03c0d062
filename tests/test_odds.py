"""Odds: against enumeration of ordered dice, against what is in print, and on the command line."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import isclose

import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from servida import load, variant_ids
from servida.data.language import LANGUAGES, language
from servida.data.rules import Pattern
from servida.errors import PositionError, RulesError
from servida.solver.odds import PATTERNS, Strategy, Target, odds, over_turns, read_target, served_hands, ways

F = Fraction
Dice = tuple[int, ...]
FIVE = F(347897, 7558272)


def chance(name: str, table: Dice = (), rolls_left: int | None = None, dice: int = 5) -> Fraction:
    return odds(read_target(name, dice), table, rolls_left).chance


def first_roll(name: str) -> Fraction:
    return F(ways(read_target(name).pattern), 7776)


# what is in print -- claim: (what it says, the exact chance, whether it is right)
CLAIMS: dict[str, tuple[float, Callable[[], Fraction], Fraction, bool]] = {
    "five of a kind in three rolls": (0.046, lambda: chance("five of a kind"), FIVE, True),
    "the same by holding the most frequent face": (
        0.046,
        lambda: odds(read_target("five of a kind"), strategy="most-frequent").chance,
        FIVE,
        True,
    ),
    "five of a kind: one turn in 22": (1 / 22, lambda: chance("five of a kind"), FIVE, True),
    "four alike, one roll left": (0.167, lambda: chance("five of a kind", (3, 3, 3, 3), 1), F(1, 6), True),
    "four alike, two rolls left": (0.306, lambda: chance("five of a kind", (3, 3, 3, 3), 2), F(11, 36), True),
    "13455, the 2 in one reroll": (13 / 36, lambda: chance("12345", (1, 3, 4, 5, 5), 1), F(1, 6), False),
    "13455, the 2 in two rerolls": (13 / 36, lambda: chance("12345", (1, 3, 4, 5, 5), 2), F(11, 36), False),
    "23345, rolling a 3": (1 / 3, lambda: chance("straight", (2, 3, 3, 4, 5), 1), F(1, 3), True),
    "12456, for the even straight": (1 / 6, lambda: chance("23456", (1, 2, 4, 5, 6), 1), F(1, 6), True),
    "12456, for the straight": (1 / 6, lambda: chance("12345", (1, 2, 4, 5, 6), 1), F(1, 6), True),
    "a whole game hunting the five": (
        0.0476,
        lambda: over_turns(chance("chaser:chase_off"), 12),
        1 - (1 - FIVE) ** 12,
        False,
    ),
    "chase off on the first roll": (0.00078, lambda: first_roll("chaser:chase_off"), F(6, 7776), True),
    "straight on the first roll": (0.0154, lambda: first_roll("chaser:straight"), F(120, 7776), True),
    "even straight on the first roll": (0.0154, lambda: first_roll("chaser:even_straight"), F(120, 7776), True),
    "four dice on the first roll": (0.0231, lambda: first_roll("chaser:four_of_a_kind"), F(156, 7776), False),
    "exactly four dice": (0.0231, lambda: first_roll("exactly four of a kind"), F(150, 7776), False),
    "full house on the first roll": (0.0014, lambda: first_roll("chaser:full_house"), F(306, 7776), False),
    "exactly a full house": (0.0014, lambda: first_roll("exactly full house"), F(300, 7776), False),
    "choice on the first roll": (0.0741, lambda: first_roll("chaser:choice"), F(2256, 7776), False),
    "exactly two pairs": (0.0741, lambda: first_roll("exactly two pairs"), F(1800, 7776), False),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_is_in_print(claim: str) -> None:
    printed, computed, exact, right = CLAIMS[claim]
    assert computed() == exact
    assert isclose(printed, exact, rel_tol=0.015) == right  # printed figures have two or three digits


def test_the_whole_game_in_percent() -> None:
    assert f"{float(over_turns(FIVE, 12)):.3f}" == "0.432"
    assert f"{float(over_turns(FIVE, 1)):.5f}" == "0.04603"


def test_eleven_boxes_with_the_doble_and_ten_without() -> None:
    # in print: "10 categories, so 11 throws"; every box is one turn
    boxes = {name: [box.id for box in load(name).rules.categories] for name in ("generala-classic", "generala")}
    assert {len(ids) for ids in boxes.values()} == {11}
    assert all("double_generala" in ids for ids in boxes.values())
    ten = [box.id for box in load("generala-classic-10").rules.categories]
    assert ten == [box for box in boxes["generala-classic"] if box != "double_generala"]


@pytest.mark.parametrize(
    ("name", "published"),
    [("groups 3+2", 0.3661), ("small straight", 0.6154), ("large straight", 0.2611), ("yahtzee", 0.0460)],
)
def test_well_known_chances_of_a_turn(name: str, published: float) -> None:
    assert round(float(chance(name)), 4) == published


def sizes(roll: Dice) -> list[int]:
    return sorted(Counter(roll).values(), reverse=True)


def has_run(roll: Dice, length: int) -> bool:
    return any({*range(low, low + length)} <= {*roll} for low in range(1, 8 - length))


SHOWS: dict[str, Callable[[Dice], bool]] = {
    "pair": lambda roll: sizes(roll)[0] >= 2,
    "one pair": lambda roll: len({*roll}) < 5,
    "two pairs": lambda roll: sizes(roll)[1:2] > [1],
    "three of a kind": lambda roll: sizes(roll)[0] >= 3,
    "four of a kind": lambda roll: sizes(roll)[0] >= 4,
    "five of a kind": lambda roll: len({*roll}) == 1,
    "full house": lambda roll: sizes(roll) == [3, 2],
    "groups 3+2": lambda roll: sizes(roll) in ([3, 2], [5]),
    "choice": lambda roll: sizes(roll) in ([2, 2, 1], [3, 2], [4, 1], [5]),
    "small straight": lambda roll: has_run(roll, 4),
    "straight": lambda roll: has_run(roll, 5),
    "large straight": lambda roll: has_run(roll, 5),
    "even straight": lambda roll: {*roll} == {2, 3, 4, 5, 6},
    "12345": lambda roll: {*roll} == {1, 2, 3, 4, 5},
    "12345 23456 34561": lambda roll: len({*roll}) == 5 and {3, 4, 5} <= {*roll},
    "246": lambda roll: {2, 4, 6} <= {*roll},
    "run 3": lambda roll: has_run(roll, 3),
    "faces 2 5": lambda roll: 2 in roll or 5 in roll,
    "sixes": lambda roll: 6 in roll,
    "chance": lambda roll: True,
    "exactly pair": lambda roll: 2 in sizes(roll),
    "exactly two pairs": lambda roll: sizes(roll) == [2, 2, 1],
    "exactly three of a kind": lambda roll: sizes(roll)[0] == 3,
    "exactly four of a kind": lambda roll: sizes(roll) == [4, 1],
    "exactly five of a kind": lambda roll: sizes(roll) == [5],
    "exactly full house": lambda roll: sizes(roll) == [3, 2],
}


@cache
def all_rolls(dice: int) -> list[Dice]:
    return list(product(range(1, 7), repeat=dice))


@pytest.mark.parametrize("name", SHOWS)
def test_one_roll_against_all_rolls(name: str) -> None:
    counted = sum(map(SHOWS[name], all_rolls(5)))
    assert ways(read_target(name).pattern) == counted
    assert chance(name, (), 1) == F(counted, 7776)
    assert chance(name, (1, 3, 3, 4, 4), 0) == SHOWS[name]((1, 3, 3, 4, 4))


def choices(roll: Dice, kept: Dice, locked: bool) -> list[tuple[Dice, Dice]]:
    """The ways to part ordered dice into those held and those rerolled; locked ones stay held."""
    positions = range(len(kept) if locked else 0, len(roll))
    found = []
    for k in range(len(positions) + 1):
        for chosen in combinations(positions, k):
            held = tuple(roll[i] for i in range(len(roll)) if i not in positions or i in chosen)
            found.append((held, tuple(roll[i] for i in positions if i not in chosen)))
    return found


def hunted(shows: Callable[[Dice], bool], roll: Dice, kept: Dice, rolls_left: int, locked: bool) -> Fraction:
    """The greatest chance from ordered dice, the first of which are `kept`: every choice of dice, every throw."""

    @cache
    def best(roll: Dice, kept: Dice, left: int) -> Fraction:
        if not left:
            return F(int(shows(roll)))
        return max(thrown(held, len(roll), left) for held, _ in choices(roll, kept, locked))

    @cache
    def thrown(held: Dice, dice: int, left: int) -> Fraction:
        results = [best((*held, *throw), held, left - 1) for throw in all_rolls(dice - len(held))]
        return sum(results, F(0)) / len(results)

    return best(roll, kept, rolls_left)


SMALL: dict[str, Callable[[Dice], bool]] = {
    "pair": lambda roll: sizes(roll)[0] >= 2,
    "exactly pair": lambda roll: 2 in sizes(roll),
    "12": lambda roll: {1, 2} <= {*roll},
    "run 2": lambda roll: has_run(roll, 2),
    "faces 1 6": lambda roll: 1 in roll or 6 in roll,
    "groups 1+1 distinct": lambda roll: len({*roll}) > 1,
}
THREE: dict[str, Callable[[Dice], bool]] = {
    "three of a kind": lambda roll: sizes(roll) == [3],
    "run 3": lambda roll: has_run(roll, 3),
    "groups 2+1 distinct": lambda roll: sizes(roll) == [2, 1],
}


@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize(
    ("name", "dice", "rolls_left"),
    [(name, 2, left) for name in SMALL for left in (0, 1, 2)]
    + [(name, 3, left) for name in SMALL for left in (0, 1)]
    + [(name, 3, left) for name in THREE for left in (0, 1, 2)],
)
def test_hunted_chances_of_dice_on_the_table(name: str, dice: int, rolls_left: int, locked: bool) -> None:
    shows = (SMALL | THREE)[name]
    target = read_target(name, dice)._replace(locked=locked)
    for table in {tuple(sorted(roll)) for roll in all_rolls(2)} if dice == 2 else {(1, 1, 2), (1, 3, 5), (4, 4, 4)}:
        assert odds(target, table, rolls_left).chance == hunted(shows, table, (), rolls_left, locked)


@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_hunted_chances_of_two_dice_from_nothing(name: str, locked: bool) -> None:
    target = read_target(name, 2)._replace(locked=locked)
    for rolls in (1, 2, 3):
        results = [hunted(SMALL[name], roll, (), rolls - 1, locked) for roll in all_rolls(2)]
        assert odds(target, (), rolls).chance == sum(results, F(0)) / len(results)


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("locked", [False, True])
def test_three_dice_from_nothing_and_from_some(name: str, locked: bool) -> None:
    target = read_target(name, 3)._replace(locked=locked)
    for table in ((), (2,), (2, 3)):
        for rolls_left in (1, 2):
            throws = [(*table, *throw) for throw in all_rolls(3 - len(table))]
            results = [hunted(THREE[name], roll, table, rolls_left - 1, locked) for roll in throws]
            assert odds(target, table, rolls_left).chance == sum(results, F(0)) / len(results)


@pytest.mark.parametrize("name", [*PATTERNS, "exactly pair", "exactly full house", "246"])
def test_one_more_reroll_never_lowers_and_no_play_beats_the_best(name: str) -> None:
    dice = 6 if name == "six_of_a_kind" else 5
    target = read_target(name, dice)
    locked = target._replace(locked=True)
    by_rolls = [odds(target, (), rolls).chance for rolls in range(1, 6)]
    assert by_rolls == sorted(by_rolls)
    assert by_rolls[0] == F(ways(target.pattern, dice), 6**dice)
    for rolls, most in enumerate(by_rolls[:3], 1):
        assert odds(target, (), rolls, "most-frequent").chance <= most
        assert by_rolls[0] <= odds(locked, (), rolls).chance <= most
    table = (1, 3, 3, 4, 6, 6)[:dice]
    by_rolls = [odds(target, table, rolls).chance for rolls in range(5)]
    assert by_rolls == sorted(by_rolls)


def test_the_simple_strategy_is_best_for_five_and_four_of_a_kind_and_not_for_a_full_house() -> None:
    def both(name: str) -> tuple[Fraction, Fraction]:
        target = read_target(name)
        return odds(target).chance, odds(target, strategy="most-frequent").chance

    assert both("five of a kind") == (FIVE, FIVE)
    assert len({*both("four of a kind")}) == 1
    best, simple = both("full house")
    assert simple < best


def test_the_simple_strategy_against_a_chain_of_counts() -> None:
    """Only the size of the greatest group matters: a Markov chain on it, from all ordered throws."""

    def after(held: int) -> Counter[int]:
        return Counter(max(Counter((6,) * held + throw).values()) for throw in all_rolls(5 - held))

    state = {0: F(1)}
    for _ in range(3):
        moved: dict[int, Fraction] = {}
        for held, share in state.items():
            for size, count in after(held).items():
                moved[size] = moved.get(size, F(0)) + share * count / 6 ** (5 - held)
        state = moved
    assert state[5] == FIVE


@pytest.mark.parametrize(
    ("name", "table", "hold"),
    [
        ("12345", (1, 3, 4, 5, 5), (1, 3, 4, 5)),
        ("five of a kind", (3, 3, 3, 6, 6), (3, 3, 3)),
        ("five of a kind", (3, 3, 6, 6, 1), (6, 6)),  # of equal holds: more dice, then higher faces
        ("full house", (2, 2, 3, 3, 5), (2, 2, 3, 3)),
        ("full house", (3, 3, 3, 6, 6), (3, 3, 3, 6, 6)),
        ("sixes", (1, 2, 3, 4, 5), ()),
    ],
)
def test_the_dice_to_hold(name: str, table: Dice, hold: Dice) -> None:
    assert odds(read_target(name), table, 1).hold == hold


def test_locked_holds_are_a_variants_own() -> None:
    classic = read_target("generala-classic:generala")
    assert classic.locked
    assert odds(classic).chance == F(690169, 15116544) < FIVE
    assert odds(read_target("generala:generala")).chance == FIVE


@pytest.mark.parametrize("variant", variant_ids())
def test_served_hands_are_the_boxes_that_are_no_face_boxes(variant: str) -> None:
    found = load(variant)
    hands = served_hands(found)
    assert list(hands) == [box.id for box in found.rules.categories if not box.face]
    for box, count in hands.items():
        assert read_target(box, variant=found).pattern == found.rules.categories[found.rules.box[box]].pattern
        assert count == ways(found.rules.categories[found.rules.box[box]].pattern)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_label_is_a_name(code: str) -> None:
    for label in language(code).categories.values():
        assert isinstance(read_target(label), Target)
        assert read_target(label.upper()) == read_target(label)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("Full_House", Pattern(groups=(3, 2), distinct=True)),
        ("풀 하우스", Pattern(groups=(3, 2), distinct=True)),
        (unicodedata.normalize("NFD", "풀 하우스"), Pattern(groups=(3, 2), distinct=True)),
        ("genau viererpasch", Pattern(groups=(4,), exact=True)),
        ("정확히 투 페어", Pattern(groups=(2, 2), distinct=True, exact=True)),
        ("exactamente póquer", Pattern(groups=(4,), exact=True)),
        ("groups 4 exact", Pattern(groups=(4,), exact=True)),
        ("추격자:초이스", Pattern(groups=(2, 2))),
        ("sequence 12345", Pattern(sequence=((1, 2, 3, 4, 5),))),
        ("faces 6 2", Pattern(faces=(2, 6))),
        ("any", Pattern(any=True)),
    ],
)
def test_names_of_patterns(name: str, pattern: Pattern) -> None:
    assert read_target(name).pattern == pattern


@pytest.mark.parametrize("strategy", ["best", "most-frequent"])
def test_dice_that_do_not_go_together_are_refused(strategy: Strategy) -> None:
    target = read_target("pair", 2)
    with pytest.raises(PositionError, match="at most 2 dice, found 3"):
        odds(target, (1, 1, 1), 1, strategy)
    with pytest.raises(PositionError, match="at least 1 with 1 dice thrown, found 0"):
        odds(target, (1,), 0, strategy)
    with pytest.raises(PositionError, match="at least 0 with 2 dice thrown, found -1"):
        odds(target, (1, 1), -1, strategy)
    with pytest.raises(RulesError, match="did you mean 'two pairs'"):
        read_target("two pears")


def test_a_question_on_the_command_line(cli: Cli) -> None:
    assert good(cli("odds", "five", "of", "a", "kind", "--turns", 12)) == (
        "Five of a kind · dice: 5 · rolls left: 3\n"
        "chance: 347897/7558272 · 4.6029 % · 1 in 21.73\n"
        "12 turns: 43.190 % · 1 in 2.315\n"
    )
    assert good(cli("odds", "12345", "--from", "5 5 4 3 1", "--rolls-left", 2)) == (
        "12345 · 1 3 4 5 5 · rolls left: 2\nchance: 11/36 · 30.556 % · 1 in 3.273\nbest: hold 1 3 4 5\n"
    )
    assert "best: reroll all dice\n" in good(cli("odds", "sixes", "--from", "12345"))
    assert "chance: 0 · 0 %\n" in good(cli("odds", "sixes", "--from", "12345", "--rolls-left", 0))
    assert "1 · 100 % · 1 in 1\n" in good(cli("odds", "any", "--dice", 10))
    assert "hold locked" in good(cli("odds", "generala-classic:generala"))
    assert "most-frequent: hold 3 3\n" in good(
        cli("odds", "full house", "--from", "22335", "--strategy", "most-frequent")
    )
    titles = {"en": "Exactly four of a kind", "es": "Exactamente póquer", "ko": "정확히 포", "de": "Genau Viererpasch"}
    for code, title in titles.items():
        assert good(cli("odds", "exactly four of a kind", "--lang", code)).startswith(title)


def test_the_answer_as_json(cli: Cli) -> None:
    answer = good_json(cli("odds", "choice", "--variant", "chaser", "--from", "33", "--rolls-left", 1, "--json"))
    assert answer == good_json(
        cli("odds", "--category", "choice", "--variant", "추격자", "--from", "3,3", "--rolls-left", 1, "--json")
    )
    exact = F(answer.pop("numerator"), answer.pop("denominator"))
    assert isclose(answer["chance"], exact)
    over = answer.pop("over_turns")
    assert F(over["numerator"], over["denominator"]) == exact
    assert answer == {
        "name": "choice",
        "variant": "chaser",
        "pattern": "groups 2+2",
        "dice": 5,
        "hold": "free",
        "from": [3, 3],
        "rolls_left": 1,
        "strategy": "best",
        "chance": answer["chance"],
        "best_hold": None,
        "turns": 1,
    }
    over = good_json(cli("odds", "five of a kind", "--turns", 12, "--json"))["over_turns"]
    assert F(over["numerator"], over["denominator"]) == 1 - (1 - FIVE) ** 12
    largest = cli("odds", "groups 5+5", "--dice", 10, "--rolls-left", 5, "--turns", 100, "--json")
    assert 0 < json.loads(good(largest))["over_turns"]["chance"] <= 1


def test_the_served_hands_of_a_variant(cli: Cli) -> None:
    answer = good_json(cli("odds", "--variant", "chaser", "--json"))
    assert (answer["variant"], answer["dice"], answer["rolls"]) == ("chaser", 5, 7776)
    assert {box["category"]: box["ways"] for box in answer["boxes"]} == {
        "choice": 2256,
        "full_house": 306,
        "four_of_a_kind": 156,
        "even_straight": 120,
        "straight": 120,
        "chase_off": 6,
    }
    assert all(F(box["numerator"], box["denominator"]) == F(box["ways"], 7776) for box in answer["boxes"])
    out = good(cli("odds", "--variant", "generala", "--lang", "es"))
    assert out.startswith("Generala · servida\n")
    assert "Doble generala" in out


MISTAKES = {
    ("odds",): "pattern: expected one such as 'full house', found none; try 'servida odds full house'",
    ("odds", ""): "found none",
    ("odds", "ful house"): "found 'ful house' (did you mean 'full house'?)",
    ("odds", "exactly straight"): "expected 'exactly' before groups of equal dice",
    ("odds", "33366"): "expected different faces such as 12345, found '33366'",
    ("odds", "groups 9+9"): "found 'groups 9+9'",
    ("odds", "five of a kind", "--dice", "4"): "dice: expected at least 5 for five of a kind, found 4",
    ("odds", "12345", "--dice", "4"): "dice: expected at least 5 for 12345, found 4",
    ("odds", "pair", "--dice", "11"): "11",
    ("odds", "pair", "--from", "337"): "from: expected dice with faces 1 to 6, found '7'",
    ("odds", "pair", "--from", "333333"): "from: expected at most 5 dice, found 6",
    ("odds", "pair", "--from", "33", "--rolls-left", "0"): "rolls_left: expected at least 1",
    ("odds", "pair", "--from", "33", "--turns", "2"): "turns: expected whole turns",
    ("odds", "pair", "--rolls-left", "6"): "6",
    ("odds", "pair", "--strategy", "luck"): "luck",
    ("odds", "chaser:choise"): "found 'choise' (did you mean 'choice'?)",
    ("odds", "chasr:choice"): "found 'chasr' (did you mean 'chaser'?)",
    ("odds", "chaser:choice", "--dice", "6"): "dice: expected the 5 of chaser, found 6; leave out --dice",
    ("odds", "--category", "choice"): "category: expected --variant and no other pattern beside it",
    ("odds", "pair", "--category", "choice", "--variant", "chaser"): "category: expected --variant and no other",
    ("odds", "--variant", "chaser", "--turns", "2"): "variant: expected a box with these options",
    ("odds", "generala-classic:generala", "--strategy", "most-frequent"): "expected 'best' where holds are locked",
}


@pytest.mark.parametrize("args", MISTAKES, ids=" ".join)
def test_a_mistake_is_one_line(cli: Cli, args: tuple[str, ...]) -> None:
    assert MISTAKES[args] in one_line(cli(*args))
