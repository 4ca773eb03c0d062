"""Reading dice, sheets and positions, and that many positions in one call are answered as each one alone."""

import dataclasses
import json
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from servida import (
    Hints,
    Position,
    PositionError,
    RulesError,
    Scoresheet,
    Table,
    Variant,
    hint,
    hints,
    load,
    open_table,
    solve,
    variant_ids,
)
from servida.data.language import LANGUAGES, language
from servida.solver import batch
from servida.solver.game import Game, compile_rules
from servida.solver.hint import Option, can_win_at_once, scores
from servida.solver.hint import hint as hint_from
from servida.solver.position import (
    bonus_key,
    points_so_far,
    read_dice,
    read_entries,
    read_held,
    read_position,
    read_rolls_left,
    read_sheet,
)
from toys import TOYS

SINGLE = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
PER_VARIANT = 140  # times 16 variants


def game_of(name: str) -> tuple[Variant, Game]:
    """A variant that comes along, and its game."""
    variant = load(name)
    return variant, compile_rules(variant.rules)


def sheet_of(name: str, text: str) -> Scoresheet:
    """The sheet written as `text`."""
    return read_sheet(*game_of(name), read_entries(text))


# dice


@pytest.mark.parametrize(
    "value",
    [
        "63363",
        "6 3 3 6 3",
        "6,3,3,6,3",
        " 6, 3 3,6\t3 ",
        "6\n3\n3\n6\n3",
        [6, 3, 3, 6, 3],
        (3, 3, 3, 6, 6),
        ["6", 3, "3", 6, 3],
    ],
)
def test_dice_are_read_in_every_notation(value: Any) -> None:
    assert read_dice(value, 5) == (3, 3, 3, 6, 6)


@given(st.lists(st.integers(1, 6), max_size=6), st.sampled_from(["", " ", ",", ", "]))
def test_dice_may_lie_in_any_order(faces: list[int], between: str) -> None:
    assert read_dice(between.join(map(str, faces)), len(faces)) == read_dice(faces, None) == tuple(sorted(faces))


def test_dice_may_come_from_any_iterable() -> None:
    assert read_dice(iter([2, 1]), 2) == (1, 2)
    assert read_dice((), None) == read_dice("", None) == ()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("33367", "'7'"),
        ("33360", "'0'"),
        ("3336x", "'x'"),
        ("3336.", "'.'"),
        ("-33366", "'-'"),
        ("３３３６６", "'３'"),  # full-width digits
        ("3336٣", "'٣'"),
        ([3, 3, 3, 6, 7], "7"),
        ([3, 3, 3, 6, -6], "-6"),
        ([3, 3, 3, 6, 6.0], "6.0"),
        ([3, 3, 3, 6, True], "True"),
        ([3, 3, 3, 6, None], "None"),
        ([3, 3, 3, 6, float("nan")], "nan"),
        ([3, 3, 3, 6, [6]], "[6]"),
        (["33366"], "'33366'"),
    ],
)
def test_what_is_no_die_is_named(value: Any, found: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_dice(value, 5)
    assert str(caught.value) == f"dice: expected 5 dice with faces 1 to 6, found {found}"


@pytest.mark.parametrize(
    ("value", "found"), [("3336", "4: 3336"), ("333666", "6: 333666"), ("", "0: none"), ([], "0: none")]
)
def test_too_few_and_too_many_dice_are_counted(value: Any, found: str) -> None:
    with pytest.raises(PositionError, match=rf"^dice: expected 5 dice, found {found}$"):
        read_dice(value, 5)


# rolls left, held dice


def test_rolls_left_are_those_of_a_first_roll_unless_given() -> None:
    game = game_of("yahtzee")[1]
    assert [read_rolls_left(game, value) for value in (None, 0, 1, 2)] == [2, 0, 1, 2]


@pytest.mark.parametrize("value", [-1, 3, 10**30, 1.0, "1", True, float("nan"), [1]])
def test_rolls_left_out_of_range(value: Any) -> None:
    with pytest.raises(PositionError) as caught:
        read_rolls_left(game_of("yahtzee")[1], value)
    assert str(caught.value) == f"rolls_left: expected a whole number from 0 to 2, found {value!r}"


def test_held_dice_are_among_the_dice_where_holds_are_locked() -> None:
    game = game_of("generala-classic")[1]
    dice = (3, 3, 3, 6, 6)
    assert read_held(game, "63", dice) == (3, 6)
    assert read_held(game, [], dice) == ()
    assert read_held(game, dice, dice) == dice
    for held in ("4", "666", "333366"):
        with pytest.raises(PositionError, match=r"^held: expected some of the dice 33366, found "):
            read_held(game, held, dice)
    with pytest.raises(PositionError, match=r"^held: expected dice with faces 1 to 6, found '7'$"):
        read_held(game, "7", dice)


def test_nothing_is_held_where_holds_are_free() -> None:
    game = game_of("generala")[1]
    assert read_held(game, "", (3, 3, 3, 6, 6)) == ()
    with pytest.raises(PositionError, match=r"^held: expected nothing, since this variant"):
        read_held(game, "3", (3, 3, 3, 6, 6))


# entries


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", {}),
        ("  ,, ", {}),
        ("ones=3", {"ones": 3}),
        ("ones=3 full_house=0", {"ones": 3, "full_house": 0}),
        (" ones=3,\ttwos=4 ,\nthrees=007 ", {"ones": 3, "twos": 4, "threes": 7}),
        ("풀=30", {"풀": 30}),
    ],
)
def test_entries(text: str, entries: dict[str, int]) -> None:
    assert read_entries(text) == entries


@pytest.mark.parametrize(
    "word",
    ["ones", "ones=", "ones=x", "ones=-3", "ones=+3", "ones=3.0", "ones=1234567", "ones==3", "ones:3", "ones=3=4"],
)
def test_entries_that_are_none(word: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_entries(f"twos=4 {word}")
    assert str(caught.value) == f"sheet: expected entries like ones=3, found {word!r}"


def test_an_entry_twice() -> None:
    with pytest.raises(PositionError, match=r"^sheet: expected every box once, found ones twice$"):
        read_entries("ones=3 twos=4 ones=3")


# sheets


def test_an_empty_sheet_is_open() -> None:
    sheet = sheet_of("yahtzee", "")
    assert sheet == Scoresheet((None,) * 13)
    assert not sheet.is_full


def test_points_stand_in_the_order_of_the_sheet() -> None:
    sheet = sheet_of("yahtzee", "chance=20 ones=3 yahtzee=50 full_house=0 sixes=30 yahtzee_bonus=1")
    assert sheet.points == (3, None, None, None, None, 30, None, None, 0, None, None, 50, 20)
    assert sheet.bonuses == 1


@pytest.mark.parametrize("variant", SINGLE)
def test_boxes_are_known_by_their_labels(variant: str) -> None:
    found, game = game_of(variant)
    for category, possible in zip(game.rules.categories, game.possible_points, strict=True):
        if game.order != "free" or category.requires:
            continue
        for label in [language(code).label(found, category.id) for code in LANGUAGES]:
            for name in (label, label.upper(), label.replace(" ", "_")):
                sheet = read_sheet(found, game, {name: possible[-1]})
                assert sheet.points[game.rules.box[category.id]] == possible[-1]


IMPOSSIBLE = {
    # points no roll makes
    ("yahtzee", "ones=7"): "sheet: expected ones to hold one of 0, 1, 2, 3, 4, 5, found 7",
    ("yahtzee", "twos=3"): "sheet: expected twos to hold one of 0, 2, 4, 6, 8, 10, found 3",
    ("yahtzee", "full_house=20"): "sheet: expected full_house to hold one of 0, 25, found 20",
    ("yahtzee", "chance=0"): "sheet: expected chance to hold one of 5, 6, 7,",
    ("yahtzee", "three_of_a_kind=4"): "sheet: expected three_of_a_kind to hold one of 0, 5, 6,",
    ("yahtzee", "three_of_a_kind=31"): "sheet: expected three_of_a_kind to hold one of 0, 5, 6,",
    ("yatzy", "full_house=29"): "sheet: expected full_house to hold one of 0, 7, 8, 9, 11,",
    ("yatzy", "one_pair=3"): "sheet: expected one_pair to hold one of 0, 2, 4, 6, 8, 10, 12, found 3",
    ("generala", "generala=60"): "sheet: expected generala to hold one of 0, 50, found 60",
    ("generala", "straight=30"): "sheet: expected straight to hold one of 0, 20, 25, found 30",
    # a box twice, by two names
    ("yahtzee", "ones=3 Ones=3"): "sheet: expected every box once, found ones twice",
    ("generala", "póker=40 four_of_a_kind=40"): "sheet: expected every box once, found four_of_a_kind twice",
    # a box there is not
    ("yahtzee", "one=3"): "sheet: expected a box of yahtzee (ones, twos, threes, fours, fives, sixes, three_of_a_kind,",
    ("yahtzee-plain", "yahtzee_bonus=0"): "sheet: expected a box of yahtzee-plain (ones,",
    # bonuses that cannot have happened
    (
        "yahtzee",
        "yahtzee_bonus=1",
    ): "sheet: expected yahtzee to hold points before yahtzee_bonus, found yahtzee_bonus=1",
    (
        "yahtzee",
        "yahtzee=0 ones=5 yahtzee_bonus=1",
    ): "sheet: expected yahtzee to hold points before yahtzee_bonus, found yahtzee_bonus=1",
    (
        "yahtzee",
        "yahtzee=50 ones=3 full_house=0 yahtzee_bonus=1",
    ): "sheet: expected yahtzee_bonus of at most 0, the boxes that a further yahtzee can have filled, found 1",
    (
        "yahtzee",
        "yahtzee=50 ones=5 full_house=25 yahtzee_bonus=3",
    ): "sheet: expected yahtzee_bonus of at most 2, the boxes that a further yahtzee can have filled, found 3",
    # a box before the one it requires
    (
        "generala",
        "double_generala=100",
    ): "sheet: expected generala to hold points before double_generala can, found double_generala=100 without it",
    (
        "generala",
        "generala=0 double_generala=100",
    ): "sheet: expected generala to hold points before double_generala can, found double_generala=100 without it",
    # boxes out of order
    (
        "generala-obligada",
        "ones=3 threes=3",
    ): "sheet: expected the boxes in order (twos before threes), found threes written and twos open",
}


@pytest.mark.parametrize(("variant", "text"), IMPOSSIBLE, ids=lambda value: value.replace(" ", "+"))
def test_sheets_no_game_leads_to(variant: str, text: str) -> None:
    with pytest.raises(PositionError) as caught:
        sheet_of(variant, text)
    assert str(caught.value).startswith(IMPOSSIBLE[variant, text])


@pytest.mark.parametrize("value", [-1, 3.0, "3", True, None, float("nan"), [3]])
def test_points_are_whole_numbers(value: Any) -> None:
    variant, game = game_of("yahtzee")
    for name in ("ones", "yahtzee_bonus"):
        with pytest.raises(PositionError, match=r"^sheet: expected whole points for"):
            read_sheet(variant, game, {name: value})


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("yahtzee", "yahtzee_bonus=0"),
        ("yahtzee", "yahtzee=50 ones=5 full_house=25 yahtzee_bonus=2"),
        ("yahtzee", "yahtzee=50 fours=20 three_of_a_kind=20 small_straight=30 chance=20 yahtzee_bonus=4"),
        ("yahtzee-free-choice", "yahtzee=50 full_house=0 yahtzee_bonus=1"),
        ("generala", "double_generala=0"),
        ("generala", "generala=50 double_generala=100"),
        ("generala", "generala=0 double_generala=0"),
        ("generala-obligada", "ones=0 twos=0 threes=0"),
        ("generala-served-100", "generala=100"),
    ],
)
def test_sheets_that_games_lead_to(variant: str, text: str) -> None:
    sheet_of(variant, text)


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(PositionError, match=r"found 'ful_house'; did you mean 'full_house'\?$"):
        sheet_of("yahtzee", "ful_house=0")


@pytest.mark.parametrize(
    ("variant", "text", "points"),
    [
        ("yahtzee", "", 0),
        ("yahtzee", "ones=3 chance=20", 23),
        ("yahtzee", "ones=3 twos=6 threes=9 fours=12 fives=15 sixes=18", 98),  # 63 and the upper bonus
        ("yahtzee", "ones=2 twos=6 threes=9 fours=12 fives=15 sixes=18", 62),
        ("yahtzee", "fours=20 fives=25 sixes=30", 110),  # before the upper part is full
        ("yahtzee", "yahtzee=50 ones=5 yahtzee_bonus=1", 155),
        ("yatzy", "threes=15 fours=20 sixes=30", 115),
        ("generala", "generala=50 double_generala=100", 150),
    ],
)
def test_points_so_far(variant: str, text: str, points: int) -> None:
    assert points_so_far(game_of(variant)[1], sheet_of(variant, text)) == points


# positions as JSON


def test_a_position_from_json() -> None:
    text = (
        '{"variant": "generala-classic", "dice": [3, 3, 3, 6, 6], "rolls_left": 1, "sheet": {"ones": 3}, "held": [3]}'
    )
    assert read_position(text) == Position("generala-classic", [3, 3, 3, 6, 6], 1, {"ones": 3}, [3])
    assert read_position('{"variant": "chaser", "dice": "33366", "sheet": "ones=3", "held": "3"}') == Position(
        "chaser", "33366", None, {"ones": 3}, "3"
    )
    assert read_position('{"dice": "33366"}', "yahtzee") == Position("yahtzee", "33366")


ODD_JSON = {
    "": "position: expected a JSON object, found text that is not JSON: ",
    '{"variant": "yahtzee"': "position: expected a JSON object, found text that is not JSON: ",
    '{"variant": "yahtzee"} x': "position: expected a JSON object, found text that is not JSON: ",
    "[" * 100_000: "position: expected a JSON object, found text that is not JSON: ",
    '{"sheet": ' * 100_000: "position: expected a JSON object, found text that is not JSON: ",
    "[]": "position: expected a JSON object, found ",
    "null": "position: expected a JSON object, found ",
    "NaN": "position: expected a JSON object, found ",
    '"33366"': "position: expected a JSON object, found ",
    "{}": "position: expected a variant name under 'variant', found None",
    '{"variant": null}': "position: expected a variant name under 'variant', found None",
    '{"variant": 3}': "position: expected a variant name under 'variant', found 3",
    '{"variant": ["yahtzee"]}': "position: expected a variant name under 'variant', found ['yahtzee']",
    '{"variant": "yahtzee", "variant": "yahtzee"}': "position: expected every key once, found 'variant' twice",
    '{"variant": "yahtzee", "sheet": {"ones": 1, "ones": 1}}': "position: expected every key once, found 'ones' twice",
    '{"varient": "yahtzee"}': "position: expected the keys variant, dice, rolls_left, sheet, held, found 'varient'; "
    "did you mean 'variant'?",
    '{"variant": "yahtzee", "dice": 33366}': "position: expected dice as text or a list of faces, found 33366",
    '{"variant": "yahtzee", "dice": null}': "position: expected dice as text or a list of faces, found None",
    '{"variant": "yahtzee", "dice": {"3": 3}}': "position: expected dice as text or a list of faces, found {'3': 3}",
    '{"variant": "yahtzee", "dice": NaN}': "position: expected dice as text or a list of faces, found nan",
    '{"variant": "yahtzee", "held": 3}': "position: expected held as text or a list of faces, found 3",
    '{"variant": "yahtzee", "held": true}': "position: expected held as text or a list of faces, found True",
    '{"variant": "yahtzee", "sheet": []}': "position: expected sheet as an object of points per box, found []",
    '{"variant": "yahtzee", "sheet": null}': "position: expected sheet as an object of points per box, found None",
    '{"variant": "yahtzee", "sheet": 1e999}': "position: expected sheet as an object of points per box, found inf",
    '{"variant": "yahtzee", "sheet": "ones"}': "sheet: expected entries like ones=3, found 'ones'",
}


@pytest.mark.parametrize("text", ODD_JSON, ids=lambda text: text[:40])
def test_json_that_is_no_position(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position(text)
    assert str(caught.value).startswith(ODD_JSON[text])
    assert "\n" not in str(caught.value)


# many at once


@dataclasses.dataclass
class Sample:
    """A position as both calls take it: faces, rerolls, points per box (-1 open), bonuses, dice set aside."""

    dice: list[int]
    rolls_left: int
    sheet: list[int]
    bonuses: int
    held: list[int]

    def position(self, game: Game) -> Position:
        """The position for the single call."""
        entries = {c.id: value for c, value in zip(game.rules.categories, self.sheet, strict=True) if value != -1}
        key = bonus_key(game)
        if self.bonuses:
            entries[key or "no_such_bonus"] = self.bonuses
        return Position("", self.dice, self.rolls_left, entries, self.held)


def throw(rng: random.Random, dice: int) -> list[int]:
    """Some dice; all alike more often than chance has it, so that jokers and bonuses come about."""
    return [rng.randint(1, 6)] * dice if rng.random() < 0.4 else [rng.randint(1, 6) for _ in range(dice)]


def play(game: Game, rng: random.Random, turns: int) -> Scoresheet:
    """The sheet after so many turns, each written into some box that the rules allow."""
    points: list[int | None] = [None] * len(game.rules.categories)
    sheet = Scoresheet(tuple(points))
    for _ in range(turns):
        dice = tuple(sorted(throw(rng, game.rules.dice)))
        written = rng.choice(scores(game, sheet, dice, served=rng.random() < 0.3))
        points[game.rules.box[written.category]] = written.points
        sheet = Scoresheet(tuple(points), sheet.bonuses + (written.bonus > 0))
    return sheet


def sample(game: Game, rng: random.Random) -> Sample:
    """Some position of a game in progress."""
    sheet = play(game, rng, rng.randrange(len(game.rules.categories)))
    dice = throw(rng, game.rules.dice)
    rolls_left = rng.randrange(game.rules.rolls)
    held: list[int] = []
    if game.rules.hold == "locked" and rolls_left < game.rules.rolls - 1:
        held = rng.sample(dice, rng.randint(0, len(dice)))
    written = [-1 if value is None else value for value in sheet.points]
    return Sample(dice, rolls_left, written, sheet.bonuses, held)


def corrupt(one: Sample, game: Game, rng: random.Random) -> Sample:
    """The same position with a fault, or at least a change, in one place."""
    one = dataclasses.replace(one, dice=list(one.dice), sheet=list(one.sheet), held=list(one.held))
    kind = rng.choice(("points", "points", "close", "open", "bonuses", "dice", "rolls", "held"))
    if kind == "points":
        one.sheet[rng.randrange(len(one.sheet))] = rng.choice((-2, 0, 1, 3, 5, 20, 29, 50, 101, 10**9))
    elif kind == "close":
        one.sheet = [
            values[-1] if old < 0 else old for old, values in zip(one.sheet, game.possible_points, strict=True)
        ]
    elif kind == "open":
        one.sheet[rng.randrange(len(one.sheet))] = -1
    elif kind == "bonuses":
        one.bonuses = rng.choice((-1, 1, 2, 5, 13, 10**9))
    elif kind == "dice":
        one.dice[rng.randrange(len(one.dice))] = rng.choice((0, 7, -1))
    elif kind == "rolls":
        one.rolls_left = rng.choice((-1, game.rules.rolls - 1, game.rules.rolls, 256))
    else:
        one.held = [rng.randint(1, 6) for _ in range(rng.randint(1, game.rules.dice))]
    return one


def ask(table: Table, samples: list[Sample]) -> Hints:
    """The batch call for these positions."""
    width = table.game.rules.dice
    return batch.hints(
        table,
        np.array([one.dice for one in samples], int).reshape(-1, width),
        np.array([one.rolls_left for one in samples], int),
        np.array([one.sheet for one in samples], int).reshape(-1, len(table.game.rules.categories)),
        np.array([one.bonuses for one in samples], int),
        np.array([one.held + [0] * (width - len(one.held)) for one in samples], int).reshape(-1, width),
    )


@cache
def table_named(name: str) -> Table:
    """The table of a variant that comes along, or of a toy."""
    return solve(Variant(name, TOYS[name])) if name in TOYS else open_table(name)


def samples_of(name: str, count: int) -> list[Sample]:
    """Positions of the game in progress, the same ones in every run."""
    rng = random.Random(name)
    return [sample(table_named(name).game, rng) for _ in range(count)]


def check_equal(game: Game, best: Option, found: Hints, i: int) -> None:
    """Asserts that answer i of a batch is this option."""
    index = {"hold": batch.HOLD, "win": batch.WIN}.get(best.action)
    assert found.category[i] == (game.rules.box[best.category or ""] if index is None else index)
    assert found.hold[i].tolist() == [(best.dice or ()).count(face) for face in range(1, 7)]
    assert found.points[i] == (best.points or 0) + best.bonus
    assert found.expected_total[i] == pytest.approx(best.expected_total, abs=1e-9)


@pytest.mark.parametrize("name", (*SINGLE, *TOYS))
def test_a_batch_answers_as_single_calls_do(name: str) -> None:
    table = table_named(name)
    asked = samples_of(name, PER_VARIANT if name in SINGLE else 25)
    found = ask(table, asked)
    assert len(found) == len(asked)
    for i, one in enumerate(asked):
        check_equal(table.game, hint_from(table, one.position(table.game)).best, found, i)


def test_the_samples_are_what_they_should_be() -> None:
    """At least 2,000 of them, with bonuses for further fives, dice set aside, wins at once and ordered sheets."""
    samples = [(name, one) for name in SINGLE for one in samples_of(name, PER_VARIANT)]
    assert len(samples) >= 2000
    assert sum(one.bonuses > 0 for _, one in samples) > 50
    assert sum(bool(one.held) for _, one in samples) > 50
    assert sum(name == "generala-obligada" for name, _ in samples) > 50
    wins = 0
    for name, one in samples:
        game = table_named(name).game
        sheet = Scoresheet(tuple(None if value < 0 else value for value in one.sheet))
        wins += one.rolls_left == game.rules.rolls - 1 and can_win_at_once(game, sheet, tuple(one.dice))
    assert wins > 20


def refusal(table: Table, one: Sample) -> str | None:
    """Why the single call refuses a position, None if it does not."""
    try:
        hint_from(table, one.position(table.game))
    except PositionError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", (*SINGLE, *TOYS))
def test_a_batch_refuses_what_single_calls_refuse(name: str) -> None:
    table, rng = table_named(name), random.Random(name)
    good = samples_of(name, 4)
    refused = 0
    for one in samples_of(name, 60 if name in SINGLE else 20):
        one = corrupt(one, table.game, rng)
        why = refusal(table, one)
        place = rng.randrange(5)
        asked = [*good[:place], one, *good[place:]]
        if why is None:
            check_equal(table.game, hint_from(table, one.position(table.game)).best, ask(table, asked), place)
            continue
        refused += 1
        with pytest.raises(PositionError) as caught:
            ask(table, asked)
        prefix, text = f"position {place}: ", str(caught.value)
        assert text.startswith(prefix)
        if "no_such_bonus" not in why:  # the arrays have no names for boxes
            assert why.startswith(text.removeprefix(prefix))
    assert refused >= 5


def test_a_batch_of_none_is_answered() -> None:
    found = ask(table_named("generala"), [])
    assert len(found) == 0
    assert found.hold.shape == (0, 6)


def test_single_numbers_are_repeated() -> None:
    asked = samples_of("yahtzee", 6)
    dice = [one.dice for one in asked]
    empty = np.full((6, 13), -1)
    short = hints("yahtzee", dice, 1, empty)
    long = hints("yahtzee", dice, [1] * 6, empty, [0] * 6, np.zeros((6, 5), int))
    for field in dataclasses.fields(Hints):
        assert np.array_equal(getattr(short, field.name), getattr(long, field.name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dice": [3, 3, 3, 6, 6]}, "dice: expected an array of shape n x 5, found 5"),
        ({"dice": [[3, 3, 3, 6]]}, "dice: expected an array of shape n x 5, found 1 x 4"),
        ({"dice": [[3, 3, 3, 6, 6.0]]}, "dice: expected whole numbers, found an array of float64"),
        ({"dice": [["3"] * 5]}, "dice: expected whole numbers, found an array of <U1"),
        ({"dice": [[True] * 5]}, "dice: expected whole numbers, found an array of bool"),
        ({"dice": [[10**30] * 5]}, "dice: expected whole numbers, found an array of object"),
        ({"rolls_left": [1, 1]}, "rolls_left: expected an array of shape 1, found 2"),
        ({"rolls_left": 1.0}, "rolls_left: expected whole numbers, found an array of float64"),
        ({"sheets": np.full((1, 12), -1)}, "sheets: expected an array of shape 1 x 13, found 1 x 12"),
        ({"sheets": np.full((2, 13), -1)}, "sheets: expected an array of shape 1 x 13, found 2 x 13"),
        ({"sheets": np.full((1, 13), np.nan)}, "sheets: expected whole numbers, found an array of float64"),
        ({"bonuses": [0, 0]}, "bonuses: expected an array of shape 1, found 2"),
        ({"held": [[0] * 4]}, "held: expected an array of shape 1 x 5, found 1 x 4"),
    ],
)
def test_arrays_of_other_shapes_and_kinds(change: dict[str, Any], message: str) -> None:
    asked = {"dice": [[3, 3, 3, 6, 6]], "rolls_left": 1, "sheets": np.full((1, 13), -1), **change}
    with pytest.raises(PositionError) as caught:
        hints("yahtzee", **asked)
    assert str(caught.value) == message


def test_the_first_position_at_fault_is_named() -> None:
    asked = samples_of("generala-classic", 6)
    asked[2] = dataclasses.replace(asked[2], rolls_left=2, held=asked[2].dice)
    asked[4] = dataclasses.replace(asked[4], sheet=[7] * 11)
    with pytest.raises(PositionError, match=r"^position 2: held: "):
        ask(table_named("generala-classic"), asked)


def test_unsigned_points_beyond_all_bounds_are_refused() -> None:
    sheets = np.full((1, 13), 2**64 - 1, np.uint64)
    with pytest.raises(PositionError):
        hints("yahtzee", [[3, 3, 3, 6, 6]], 1, sheets)


# the single call


@pytest.mark.parametrize("name", ["yahtzee-three-column", "yahtzee-triple"])
def test_several_columns_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match="expected a sheet of one column, found 3"):
        hint(Position(name, "33366"))


def test_a_full_sheet_has_no_hint() -> None:
    game = game_of("generala")[1]
    full = {c.id: 0 for c in game.rules.categories}
    with pytest.raises(PositionError, match=r"^sheet: expected an open box to write, found every box written$"):
        hint(Position("generala", "33366", 0, full))


def test_nothing_is_held_on_the_first_roll() -> None:
    for rolls_left in (None, 2):
        with pytest.raises(PositionError, match=r"^held: expected nothing on the first roll, found dice set aside"):
            hint(Position("generala-classic", "33366", rolls_left, {}, "3"))


@settings(deadline=None)
@given(st.permutations([1, 2, 2, 5, 6]), st.integers(0, 2))
def test_the_order_of_dice_is_irrelevant(dice: list[int], rolls_left: int) -> None:
    assert hint(Position("yahtzee", dice, rolls_left)).options == hint(Position("yahtzee", "12256", rolls_left)).options


def test_options_are_complete_and_ranked() -> None:
    for one in samples_of("generala-classic", 40):
        table = table_named("generala-classic")
        found = hint_from(table, one.position(table.game))
        losses = [0.0 if option.best else option.loss for option in found.options]
        assert losses == sorted(losses)
        assert found.best.best
        assert found.expected_total == max(option.expected_total for option in found.options)
        writes = [option.category for option in found.options if option.action == "write"]
        assert sorted(map(str, writes)) == sorted(
            c.id for c, value in zip(table.game.rules.categories, one.sheet, strict=True) if value < 0
        )
        holds = [option.dice or () for option in found.options if option.action == "hold"]
        assert len(holds) == len(set(holds))
        assert bool(holds) == bool(one.rolls_left and len(one.held) < 5)
        for hold in holds:
            assert all(one.held.count(face) <= hold.count(face) <= one.dice.count(face) for face in range(1, 7))


def test_a_position_survives_its_own_json() -> None:
    for one in samples_of("yahtzee", 20):
        position = one.position(table_named("yahtzee").game)._replace(variant="yahtzee")
        assert read_position(json.dumps(position._asdict())) == position
