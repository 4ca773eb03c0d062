"""Reading dice, sheets and positions, and what a single call refuses."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from servida import Position, PositionError, RulesError, Scoresheet, Variant, hint, load, open_table, variant_ids
from servida.data.language import LANGUAGES, language
from servida.solver.game import Game, compile_rules
from servida.solver.position import (
    points_so_far,
    read_dice,
    read_entries,
    read_held,
    read_position,
    read_rolls_left,
    read_sheet,
)

SINGLE = [name for name in variant_ids() if len(load(name).rules.columns) == 1]


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
        ([3, 3, 3, 6, True], "true"),
        ([3, 3, 3, 6, None], "null"),
        ([3, 3, 3, 6, float("nan")], "NaN"),
        ([3, 3, 3, 6, float("-inf")], "-Infinity"),
        ([3, 3, 3, 6, ["6", None]], '["6", null]'),
        ([3, 3, 3, 6, {6}], "{6}"),
        ([3, 3, 3, 6, "x" * 5000], f"'{'x' * 59}…"),
        ([3, 3, 3, 6, [6]], "[6]"),
        (["33366"], "'33366'"),
    ],
)
def test_what_is_no_die_is_named(value: Any, found: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_dice(value, 5)
    assert str(caught.value) == f"dice: expected 5 dice with faces 1 to 6, found {found}"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("3336", "4: 3336"),
        ("333666", "6: 333666"),
        ("", "0: none"),
        ([], "0: none"),
        ("3" * 5000, f"5000: {'3' * 60}"),
    ],
)
def test_too_few_and_too_many_dice_are_counted(value: Any, found: str) -> None:
    with pytest.raises(PositionError, match=rf"^dice: expected 5 dice, found {found}$"):
        read_dice(value, 5)


# rolls left, held dice


def test_rolls_left_are_those_of_a_first_roll_unless_given() -> None:
    game = game_of("yahtzee")[1]
    assert [read_rolls_left(game, value) for value in (None, 0, 1, 2)] == [2, 0, 1, 2]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (-1, "-1"),
        (3, "3"),
        (10**30, "1000000000000000000000000000000"),
        (10**100, f"1{'0' * 59}…"),
        (1.0, "1.0"),
        ("1", "'1'"),
        (True, "true"),
        (float("nan"), "NaN"),
        ([1], "[1]"),
    ],
)
def test_rolls_left_out_of_range(value: Any, found: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_rolls_left(game_of("yahtzee")[1], value)
    assert str(caught.value) == f"rolls_left: expected a whole number from 0 to 2, found {found}"


def test_held_dice_are_among_the_dice_where_holds_are_locked() -> None:
    game = game_of("generala-classic")[1]
    dice = (3, 3, 3, 6, 6)
    assert read_held(game, "63", dice, 1) == (3, 6)
    assert read_held(game, [], dice, 1) == ()
    assert read_held(game, dice, dice, 1) == dice
    for held in ("4", "666", "333366"):
        with pytest.raises(PositionError, match=r"^held: expected some of the dice 33366, found "):
            read_held(game, held, dice, 1)
    with pytest.raises(PositionError, match=r"^held: expected dice with faces 1 to 6, found '7'$"):
        read_held(game, "7", dice, 1)


def test_nothing_is_held_where_holds_are_free() -> None:
    game = game_of("generala")[1]
    assert read_held(game, "", (3, 3, 3, 6, 6), 1) == ()
    with pytest.raises(PositionError, match=r"^held: expected nothing, since this variant"):
        read_held(game, "3", (3, 3, 3, 6, 6), 1)


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
    [
        "ones",
        "ones=",
        "ones=x",
        "ones=-3",
        "ones=+3",
        "ones=3.0",
        "ones=1234567",
        "ones==3",
        "ones:3",
        "ones=3=4",
        "ones=３",
        "ones=٣",
        "ones=³",
        "ones=३",
    ],
)
def test_entries_that_are_none(word: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_entries(f"twos=4 {word}")
    assert str(caught.value) == f"sheet: expected entries like ones=3, found {word!r}"


def test_an_entry_that_is_none_is_not_repeated_at_length() -> None:
    with pytest.raises(PositionError) as caught:
        read_entries(f"ones={'3' * 5000}")
    assert str(caught.value) == f"sheet: expected entries like ones=3, found 'ones={'3' * 54}…"


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
            names = (label, label.upper(), label.replace(" ", "_"))
            for name in (*names, *(unicodedata.normalize("NFD", name) for name in names)):
                sheet = read_sheet(found, game, {name: possible[-1]})
                assert sheet.points[game.rules.box[category.id]] == possible[-1]


@pytest.mark.parametrize("name", ["full_house", "Full_House", "FULL_HOUSE", "Full House", "풀 하우스", "풀_하우스"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_boxes_are_known_in_any_letter_case_and_normal_form(name: str, form: Any) -> None:
    assert read_sheet(*game_of("yahtzee"), {unicodedata.normalize(form, name): 25}).points[8] == 25


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
    (
        "generala",
        unicodedata.normalize("NFD", "Póker=40 PÓKER=40"),
    ): "sheet: expected every box once, found four_of_a_kind",
    ("generala", "four_of_a_kind=40 Four_of_a_Kind=40"): "sheet: expected every box once, found four_of_a_kind twice",
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
    with pytest.raises(PositionError, match=r"found 'ful_house' \(did you mean 'full_house'\?\)$"):
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
    "[]": "position: expected a JSON object, found []",
    "null": "position: expected a JSON object, found null",
    "NaN": "position: expected a JSON object, found NaN",
    '"33366"': "position: expected a JSON object, found '33366'",
    "[" + "1, " * 5000 + "1]": f"position: expected a JSON object, found [{'1, ' * 19}1,…",
    "{}": "position: expected a variant name under 'variant', found null",
    '{"variant": null}': "position: expected a variant name under 'variant', found null",
    '{"variant": 3}': "position: expected a variant name under 'variant', found 3",
    '{"variant": ["yahtzee"]}': "position: expected a variant name under 'variant', found [\"yahtzee\"]",
    '{"variant": "yahtzee", "variant": "yahtzee"}': "position: expected every key once, found 'variant' twice",
    '{"variant": "yahtzee", "sheet": {"ones": 1, "ones": 1}}': "position: expected every key once, found 'ones' twice",
    '{"varient": "yahtzee"}': "position: expected the keys variant, dice, rolls_left, sheet, held, found 'varient' "
    "(did you mean 'variant'?)",
    '{"variant": "yahtzee", "dice": 33366}': "position: expected dice as text or a list of faces, found 33366",
    '{"variant": "yahtzee", "dice": null}': "position: expected dice as text or a list of faces, found null",
    '{"variant": "yahtzee", "dice": {"3": 3}}': 'position: expected dice as text or a list of faces, found {"3": 3}',
    '{"variant": "yahtzee", "dice": NaN}': "position: expected dice as text or a list of faces, found NaN",
    '{"variant": "yahtzee", "held": 3}': "position: expected held as text or a list of faces, found 3",
    '{"variant": "yahtzee", "held": true}': "position: expected held as text or a list of faces, found true",
    '{"variant": "yahtzee", "sheet": []}': "position: expected sheet as an object of points per box, found []",
    '{"variant": "yahtzee", "sheet": null}': "position: expected sheet as an object of points per box, found null",
    '{"variant": "yahtzee", "sheet": 1e999}': "position: expected sheet as an object of points per box, found Infinity",
    '{"variant": "yahtzee", "sheet": "ones"}': "sheet: expected entries like ones=3, found 'ones'",
}


@pytest.mark.parametrize("text", ODD_JSON, ids=lambda text: text[:40])
def test_json_that_is_no_position(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position(text)
    assert str(caught.value).startswith(ODD_JSON[text])
    assert "\n" not in str(caught.value)


# the single call


def test_several_columns_have_answers_of_their_own() -> None:
    boxes = [category.id for category in load("yahtzee-three-column").rules.categories]
    full = {f"{column}.{box}": 5 if box == "chance" else 0 for column in (1, 2) for box in boxes}
    found = hint(Position("yahtzee-three-column", "33366", 0, full))
    assert found.best.column == 3
    with pytest.raises(RulesError, match=r"^yahtzee-three-column: expected a sheet of one column, found 3; several"):
        open_table("yahtzee-three-column")


def test_a_full_sheet_has_no_hint() -> None:
    game = game_of("generala")[1]
    full = {c.id: 0 for c in game.rules.categories}
    with pytest.raises(PositionError, match=r"^sheet: expected an open box to write, found every box written$"):
        hint(Position("generala", "33366", 0, full))


def test_nothing_is_held_on_the_first_roll() -> None:
    for rolls_left in (None, 2):
        with pytest.raises(
            PositionError,
            match=r"^held: expected nothing on the first roll, found some; say how many rerolls are left$",
        ):
            hint(Position("generala-classic", "33366", rolls_left, {}, "3"))


@settings(deadline=None)
@given(st.permutations([1, 2, 2, 5, 6]), st.integers(0, 2))
def test_the_order_of_dice_is_irrelevant(dice: list[int], rolls_left: int) -> None:
    assert hint(Position("yahtzee", dice, rolls_left)).options == hint(Position("yahtzee", "12256", rolls_left)).options
