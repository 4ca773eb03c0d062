"""The command line's answers: hint, value and score, and the command itself."""

import json
import unicodedata
from pathlib import Path

import pytest
from clitools import FULL, SINGLE, good, good_json
from conftest import Cli
from servida import Position, hint, load
from servida.cli import main
from servida.data.language import LANGUAGES, language
from servida.version import VERSION

HINT_KEYS = ["variant", "dice", "rolls_left", "points_so_far", "expected_total", "best", "options"]
OPTION_KEYS = {
    "hold": {"action", "expected_total", "loss", "best", "dice"},
    "write": {"action", "expected_total", "loss", "best", "category", "points"},
    "win": {"action", "expected_total", "loss", "best", "points"},
}
VALUE_KEYS = ["variant", "expected_total", "points_so_far", "value"]
SCORE_KEYS = ["variant", "dice", "served", "win", "scores"]


# the command itself


@pytest.mark.parametrize("args", [["-h"], ["--help"], ["hint", "-h"], ["tables", "build", "--help"], ["rules", "-h"]])
def test_help(cli: Cli, args: list[str]) -> None:
    assert good(cli(*args)).startswith("Usage: servida ")


@pytest.mark.parametrize("args", [[], ["tables"], ["rules"]])
def test_without_a_command_there_is_help(cli: Cli, args: list[str]) -> None:
    result = cli(*args)
    assert result.code == 2
    assert "Commands:" in result.out + result.err


def test_version(cli: Cli) -> None:
    assert good(cli("--version")) == f"servida, version {VERSION}\n"


def test_main_exits_with_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    for args, code in ((["--version"], 0), (["hunt"], 2)):
        with pytest.raises(SystemExit) as caught:
            main(args)
        assert caught.value.code == code
    assert capsys.readouterr().err.startswith("error: command: ")


# hint


@pytest.mark.parametrize("dice", [["33366"], ["6", "3", "3", "6", "3"], ["3,3,3,6,6"], ["3,3,3", "66"], ["36 363"]])
def test_hint_takes_dice_in_any_notation(cli: Cli, dice: list[str]) -> None:
    assert cli("hint", "yahtzee", *dice) == cli("hint", "yahtzee", "33366")


def test_hint_for_people(cli: Cli) -> None:
    lines = good(cli("hint", "yahtzee", "33366")).splitlines()
    assert lines[0] == "Yahtzee · 3 3 3 6 6 · rolls left: 2 · points so far: 0"
    assert lines[1].split() == ["option", "points", "expected", "total", "loss"]
    assert lines[2].split() == ["hold", "3", "3", "3", "259.6460", "0.0000"]
    assert lines[5].split() == ["write", "Full", "house", "25", "253.9092", "5.7368"]
    assert len(lines) == 7


def test_hint_on_a_terminal_shows_the_same(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    plain, drawn = cli("hint", "yahtzee", "33366"), cli("hint", "yahtzee", "33366", tty=True)
    words = good(plain).split()
    assert [word for word in good(drawn).split() if set(word) != {"─"}] == words


@pytest.mark.parametrize("rolls_left", [0, 1, 2])
def test_hint_is_what_the_library_answers(cli: Cli, rolls_left: int) -> None:
    args = ("hint", "generala", "11145", "--rolls-left", rolls_left, "--sheet", "ones=3, full_house=0")
    answer = good_json(cli(*args, "--json"))
    expected = hint(Position("generala", "11145", rolls_left, {"ones": 3, "full_house": 0}))
    assert list(answer) == HINT_KEYS
    assert (answer["variant"], answer["dice"]) == ("generala", [1, 1, 1, 4, 5])
    assert (answer["rolls_left"], answer["points_so_far"]) == (rolls_left, 3)
    assert answer["expected_total"] == expected.expected_total
    assert answer["best"] == answer["options"][0]
    assert len(answer["options"]) == len(expected.options)
    for got, option in zip(answer["options"], expected.options, strict=True):
        assert set(got) == OPTION_KEYS[option.action]
        for key, value in got.items():
            field = getattr(option, key)
            assert value == (list(field) if isinstance(field, tuple) else field)
            assert type(value) is type(list(field) if isinstance(field, tuple) else field)


def test_hint_without_rerolls_holds_nothing(cli: Cli) -> None:
    answer = good_json(cli("hint", "yahtzee", "33366", "--rolls-left", 0, "--json"))
    assert {option["action"] for option in answer["options"]} == {"write"}


def test_hint_may_roll_all_dice_again(cli: Cli) -> None:
    assert "reroll all dice" in good(cli("hint", "yahtzee", "12346", "--top", 100))


def test_hint_counts_the_bonus_for_a_further_five(cli: Cli) -> None:
    args = ("hint", "yahtzee", "44444", "--sheet", "yahtzee=50 fours=20 yahtzee_bonus=1")
    answer = good_json(cli(*args, "--json"))
    assert answer["points_so_far"] == 170
    assert answer["best"]["category"] == "large_straight"
    for option in answer["options"]:
        extra = {"bonus"} if option["action"] == "write" else set()
        assert set(option) == OPTION_KEYS[option["action"]] | extra
    assert (answer["best"]["points"], answer["best"]["bonus"]) == (40, 100)
    assert good(cli(*args)).splitlines()[2].split()[:4] == ["write", "Large", "straight", "140"]


def test_hint_offers_to_win_at_once(cli: Cli) -> None:
    answer = good_json(cli("hint", "generala-classic", "33333", "--json"))
    assert set(answer["best"]) == OPTION_KEYS["win"]
    assert (answer["best"]["action"], answer["best"]["points"], answer["best"]["expected_total"]) == ("win", 370, 370.0)
    assert "win at once" in good(cli("hint", "generala-classic", "33333"))
    later = good_json(cli("hint", "generala-classic", "33333", "--rolls-left", 1, "--json"))
    assert all(option["action"] != "win" for option in later["options"])


@pytest.mark.parametrize("held", ["3", "33", "6 3", "3,3,3,6,6", ""])
def test_hint_keeps_what_is_held_where_holds_are_locked(cli: Cli, held: str) -> None:
    answer = good_json(cli("hint", "generala-classic", "33366", "--rolls-left", 1, "--held", held, "--json"))
    holds = [option["dice"] for option in answer["options"] if option["action"] == "hold"]
    faces = [int(face) for face in held if face.isdigit()]
    assert all(hold.count(face) >= faces.count(face) for hold in holds for face in faces)
    assert len(holds) == {"3": 8, "33": 5, "6 3": 5, "3,3,3,6,6": 0, "": 11}[held]


@pytest.mark.parametrize("top", [1, 2, 5, 1000])
def test_hint_shows_as_many_options_as_asked_for(cli: Cli, top: int) -> None:
    every = good_json(cli("hint", "yahtzee", "33366", "--json"))["options"]
    assert len(every) == 24
    assert good_json(cli("hint", "yahtzee", "33366", "--json", "--top", top))["options"] == every[:top]
    assert len(good(cli("hint", "yahtzee", "33366", "--top", top)).splitlines()) == 2 + min(top, 24)


def test_hint_reads_a_position(cli: Cli, tmp_path: Path) -> None:
    position = {"variant": "chaser", "dice": [3, 3, 3, 3, 6], "rolls_left": 1, "sheet": {"ones": 2, "초이스": 20}}
    expected = cli("hint", "chaser", "33336", "--rolls-left", 1, "--sheet", "ones=2 choice=20", "--json")
    text = json.dumps(position)
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    assert cli("hint", "--position", path, "--json") == expected
    assert cli("hint", "--position", "-", "--json", stdin=text) == expected
    assert cli("hint", "추격자", "--position", "-", "--json", stdin=text) == expected
    del position["variant"]
    assert cli("hint", "chaser", "--position", "-", "--json", stdin=json.dumps(position)) == expected
    assert (
        cli("hint", "chaser", "--position", "-", "--json", "--top", 1, stdin=json.dumps(position)).out != expected.out
    )


def test_hint_reads_a_position_written_as_text(cli: Cli) -> None:
    text = '{"variant": "generala-classic", "dice": "33366", "rolls_left": 1, "sheet": "ones=3", "held": "3"}'
    assert cli("hint", "--position", "-", stdin=text) == cli(
        "hint", "generala-classic", "33366", "--rolls-left", 1, "--sheet", "ones=3", "--held", "3"
    )


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("헤네랄라", "generala"),
        (unicodedata.normalize("NFD", "헤네랄라"), "generala"),
        ("추격자", "chaser"),
        ("yams", "yahtzee-plain"),
        ("YAHTZEE", "yahtzee"),
        ("Generala Clásica", "generala-classic"),
        (unicodedata.normalize("NFD", "GENERALA CLÁSICA"), "generala-classic"),
        ("Generala-Classic", "generala-classic"),
        ("obligada", "generala-obligada"),
        ("Kniffel", "kniffel"),
        ("요트 다이스", "yacht-dice"),
    ],
)
def test_variants_are_known_by_other_names(cli: Cli, name: str, variant: str) -> None:
    answer = good_json(cli("hint", name, "33366", "--json"))
    assert answer["variant"] == variant
    assert good_json(cli("value", name, "--json"))["variant"] == variant


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hint_speaks_the_language(cli: Cli, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, variant = language(lang), load("generala")
    out = good(cli("hint", "generala", "33366", "--lang", lang, "--top", 100))
    for key in ("option", "points", "expected_total", "loss", "hold", "write", "rolls_left", "points_so_far"):
        assert words.text(key) in out
    for category in variant.rules.categories[:-1]:
        assert f"{words.text('write')} {words.label(variant, category.id)}" in out
    rows = out.splitlines()[1:]
    assert len({width(row) for row in rows}) == 1  # right-aligned columns end at one place
    monkeypatch.setenv("SERVIDA_LANG", lang)
    assert good(cli("hint", "generala", "33366", "--top", 100)) == out
    assert good(cli("hint", "generala", "33366", "--json")) == good(
        cli("hint", "generala", "33366", "--json", "--lang", "en")
    )


def width(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.mark.parametrize(
    "sheet",
    [
        "ONES=3 Four_Of_A_Kind=40",
        "Aces=3 PÓKER_(FOUR_OF_A_KIND)=40",
        "unos=3 Póker=40",
        unicodedata.normalize("NFD", "UNOS=3 PÓKER=40"),
        unicodedata.normalize("NFD", "에이스=3 포커=40"),
    ],
)
def test_boxes_are_known_in_any_letter_case_and_normal_form(cli: Cli, sheet: str) -> None:
    assert cli("value", "generala", "--sheet", sheet) == cli("value", "generala", "--sheet", "ones=3 four_of_a_kind=40")
    position = json.dumps({"dice": "33366", "sheet": sheet})
    expected = good(cli("hint", "generala", "33366", "--sheet", "ones=3 four_of_a_kind=40"))
    assert good(cli("hint", "generala", "--position", "-", stdin=position)) == expected


def test_the_count_of_bonuses_is_known_in_any_letter_case(cli: Cli) -> None:
    assert cli("value", "yahtzee", "--sheet", "YAHTZEE=50 ONES=5 YAHTZEE_BONUS=1") == cli(
        "value", "yahtzee", "--sheet", "yahtzee=50 ones=5 yahtzee_bonus=1"
    )


def test_hint_for_a_house_rule(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "my-table.toml"
    good(cli("rules", "new", path, "--from", "generala"))
    path.write_text(path.read_text(encoding="utf-8").replace('id = "generala"', 'id = "ours"', 1), encoding="utf-8")
    answer = good_json(cli("hint", path, "33366", "--json"))
    assert answer["variant"] == "ours"
    assert answer["options"] == good_json(cli("hint", "generala", "33366", "--json"))["options"]
    position = json.dumps({"variant": str(path), "dice": "33366"})
    assert good_json(cli("hint", "--position", "-", "--json", stdin=position)) == answer


def test_tables_are_stored_where_asked_for(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down"
    good(cli("hint", "generala-obligada", "33366", "--tables", folder, "--threads", 2))
    good(cli("value", "generala-obligada", "--tables", folder, "--threads", 1))
    assert [entry["variant"] for entry in good_json(cli("tables", "list", "--tables", folder, "--json"))] == [
        "generala-obligada"
    ]


def test_a_bar_shows_progress_on_a_terminal(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("servida.cli.common.PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    result = cli("value", "generala", "--tables", tmp_path, tty=True)
    assert result.code == 0
    assert "generala" in result.err
    assert "generala" not in cli("value", "generala", "--tables", tmp_path / "quiet").err


# value


@pytest.mark.parametrize("variant", SINGLE)
def test_value_of_the_empty_sheet(cli: Cli, variant: str) -> None:
    answer = good_json(cli("value", variant, "--json"))
    assert list(answer) == VALUE_KEYS
    assert answer["variant"] == variant
    assert answer["points_so_far"] == 0
    assert answer["value"] == answer["expected_total"]
    assert isinstance(answer["value"], float)
    known = load(variant).about.known_value
    assert known is None or answer["expected_total"] == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_value_for_people(cli: Cli, lang: str) -> None:
    words = language(lang)
    assert good(cli("value", "yahtzee", "--sheet", FULL, "--lang", lang)).splitlines() == [
        f"{words.name(load('yahtzee'))} · {words.text('expected_total')}: 283.000000",
        f"{words.text('points_so_far')}: 283 · {words.text('value')}: 0.000000",
    ]


def test_value_adds_up(cli: Cli) -> None:
    answer = good_json(cli("value", "yahtzee", "--sheet", "ones=3 yahtzee=50 full_house=25 yahtzee_bonus=1", "--json"))
    assert answer["points_so_far"] == 178
    assert answer["expected_total"] == answer["points_so_far"] + answer["value"]


# score


def test_score(cli: Cli) -> None:
    answer = good_json(cli("score", "generala", "3", "3", "3", "6,6", "--sheet", "threes=9 ones=0", "--json"))
    assert list(answer) == SCORE_KEYS
    assert answer["variant"] == "generala"
    assert answer["dice"] == [3, 3, 3, 6, 6]
    assert (answer["served"], answer["win"]) == (False, False)
    assert [list(score) for score in answer["scores"]] == [["category", "points", "bonus"]] * 9
    assert {score["category"]: score["points"] for score in answer["scores"]} == {
        "twos": 0,
        "fours": 0,
        "fives": 0,
        "sixes": 12,
        "straight": 0,
        "full_house": 30,
        "four_of_a_kind": 0,
        "generala": 0,
        "double_generala": 0,
    }


@pytest.mark.parametrize(("variant", "win"), [("generala", False), ("generala-classic", True)])
def test_score_when_served(cli: Cli, variant: str, win: bool) -> None:
    answer = good_json(cli("score", variant, "33366", "--served", "--json"))
    assert (answer["served"], answer["win"]) == (True, False)
    assert {"category": "full_house", "points": 35, "bonus": 0} in answer["scores"]
    answer = good_json(cli("score", variant, "33333", "--served", "--json"))
    assert answer["win"] is win
    assert good_json(cli("score", variant, "33333", "--json"))["win"] is False
    assert ("win at once" in good(cli("score", variant, "33333", "--served"))) is win


def test_score_of_a_further_five(cli: Cli) -> None:
    args = ("score", "yahtzee", "44444", "--sheet", "yahtzee=50 fours=16")
    assert good_json(cli(*args, "--json"))["scores"] == [
        {"category": "three_of_a_kind", "points": 20, "bonus": 100},
        {"category": "four_of_a_kind", "points": 20, "bonus": 100},
        {"category": "full_house", "points": 25, "bonus": 100},
        {"category": "small_straight", "points": 30, "bonus": 100},
        {"category": "large_straight", "points": 40, "bonus": 100},
        {"category": "chance", "points": 20, "bonus": 100},
    ]
    assert "Large straight   40 + 100\n" in good(cli(*args))


def test_score_in_order(cli: Cli) -> None:
    answer = good_json(cli("score", "obligada", "33366", "--sheet", "ones=0 twos=0", "--json"))
    assert answer["scores"] == [{"category": "threes", "points": 9, "bonus": 0}]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_score_speaks_the_language(cli: Cli, lang: str) -> None:
    words, variant = language(lang), load("chaser")
    lines = good(cli("score", "chaser", "33366", "--served", "--lang", lang)).splitlines()
    assert lines[0] == f"{words.name(variant)} · 3 3 3 6 6 · {words.text('served')}"
    assert lines[1].split() == [words.text("category"), words.text("points")]
    labels = [words.label(variant, category.id) for category in variant.rules.categories]
    assert [line.rsplit(maxsplit=1)[0] for line in lines[2:]] == labels
