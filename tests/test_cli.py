"""The command line: what every command answers, and that every mistake is one line and an exit code."""

import csv
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Cli, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st
from servida import Position, hint, load, variant_ids
from servida.cli import main, run
from servida.data.language import LANGUAGES, language
from servida.version import VERSION

SINGLE = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
FULL = (
    "ones=3 twos=6 threes=9 fours=12 fives=15 sixes=18 three_of_a_kind=20 four_of_a_kind=0 full_house=25 "
    "small_straight=30 large_straight=40 yahtzee=50 chance=20"
)
BOXES = (
    "ones, twos, threes, fours, fives, sixes, three_of_a_kind, four_of_a_kind, full_house, small_straight, "
    "large_straight, yahtzee, chance, yahtzee_bonus"
)

HINT_KEYS = ["variant", "dice", "rolls_left", "points_so_far", "expected_total", "best", "options"]
OPTION_KEYS = {
    "hold": {"action", "expected_total", "loss", "best", "dice"},
    "write": {"action", "expected_total", "loss", "best", "category", "points"},
    "win": {"action", "expected_total", "loss", "best", "points"},
}
VALUE_KEYS = ["variant", "expected_total", "points_so_far", "value"]
SCORE_KEYS = ["variant", "dice", "served", "win", "scores"]
VARIANT_KEYS = ["variant", "name", "aliases", "columns", "boxes", "known_value", "source"]
RULES_KEYS = ["variant", "name", "source", "known_value", "rules", "rules_sha256"]
TABLE_KEYS = ["variant", "objective", "expected_total", "bytes", "state", "path"]


def good(result: Result) -> str:
    """What a call printed that went well."""
    assert result.err == ""
    assert result.code == 0
    return result.out


def good_json(result: Result) -> Any:
    """The JSON on the one line that a call printed."""
    out = good(result)
    assert out.count("\n") == 1
    return json.loads(out)


def one_line(result: Result, code: int = 2) -> str:
    """The message of a call that failed: nothing on stdout, one line on stderr."""
    assert result.out == ""
    assert result.code == code
    assert result.err.startswith("error: ")
    assert result.err.endswith("\n")
    assert len(result.err.splitlines()) == 1
    return result.err.removeprefix("error: ").removesuffix("\n")


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
        ("추격자", "chaser"),
        ("yams", "yahtzee-plain"),
        ("YAHTZEE", "yahtzee"),
        ("Generala Clásica", "generala-classic"),
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


# variants and rules


def test_variants(cli: Cli) -> None:
    answer = good_json(cli("variants", "--json"))
    assert [entry["variant"] for entry in answer] == variant_ids()
    assert all(list(entry) == VARIANT_KEYS for entry in answer)
    by_id = {entry["variant"]: entry for entry in answer}
    assert (by_id["yahtzee-triple"]["columns"], by_id["yahtzee-triple"]["boxes"]) == (3, 39)
    assert "yams" in by_id["yahtzee-plain"]["aliases"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_variants_speak_the_language(cli: Cli, lang: str) -> None:
    words = language(lang)
    lines = good(cli("variants", "--lang", lang)).splitlines()
    assert len(lines) == 1 + len(variant_ids())
    assert [entry["name"] for entry in good_json(cli("variants", "--json", "--lang", lang))] == [
        words.name(load(variant)) for variant in variant_ids()
    ]
    for line, variant in zip(lines[1:], variant_ids(), strict=True):
        assert line.split()[0] == variant
        assert words.name(load(variant)) in line


@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("show", [["rules", "show"], ["rules"]])
def test_rules(cli: Cli, show: list[str], variant: str) -> None:
    answer = good_json(cli(*show, variant, "--json"))
    assert list(answer) == RULES_KEYS
    found = load(variant)
    assert answer["rules_sha256"] == found.rules.digest
    for category in answer["rules"]["categories"]:
        assert category.pop("label") == language("en").label(found, category["id"])
    assert answer["rules"] == json.loads(found.rules.canonical)
    out = good(cli(*show, variant))
    assert out.splitlines()[0] == f"{answer['name']} ({variant})"
    for category in found.rules.categories:
        assert f"\n{category.id} " in out
    for line in (
        f"\nsource: {found.about.source}\n",
        f"\ndice 5, rolls 3, hold {found.rules.hold}, ties {found.rules.ties}\n",
    ):
        assert line in out


def test_rules_tell_what_is_special(cli: Cli) -> None:
    assert "\nupper bonus: 35 points at 63 in ones twos threes fours fives sixes\n" in good(cli("rules", "yahtzee"))
    assert "\nfive: box yahtzee, bonus 100, joker forced\n" in good(cli("rules", "yahtzee"))
    assert "\noutright win: all dice alike when served, box generala, worth" in good(cli("rules", "generala-classic"))
    assert "\ncolumn: order down, multiplier 1\n" in good(cli("rules", "obligada"))
    assert good(cli("rules", "yahtzee-triple")).count("\ncolumn: ") == 3
    assert "\nknown value: 254.587" in good(cli("rules", "yahtzee"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_speak_the_language(cli: Cli, lang: str) -> None:
    words, variant = language(lang), load("generala")
    out = good(cli("rules", "generala", "--lang", lang))
    for category in variant.rules.categories:
        assert words.label(variant, category.id) in out
    for key in ("category", "name", "score", "served", "source"):
        assert words.text(key) in out


@pytest.mark.parametrize("variant", variant_ids())
def test_a_new_rule_file_is_the_old_one(cli: Cli, tmp_path: Path, variant: str) -> None:
    path = tmp_path / "mine.toml"
    assert good(cli("rules", "new", path, "--from", variant)).startswith(f"wrote {path}; ")
    assert load(str(path)) == load(variant)


def test_a_new_rule_file_in_this_folder(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = good(cli("rules", "new", "mine.toml", "--from", "추격자"))
    assert out == f"wrote mine.toml; change it, then use it: servida hint .{os.sep}mine.toml 33366\n"
    good(cli("hint", f".{os.sep}mine.toml", "33366"))
    before = Path("mine.toml").read_bytes()
    assert "found one that exists" in one_line(cli("rules", "new", "mine.toml", "--from", "yahtzee"))
    assert Path("mine.toml").read_bytes() == before


# tables


@pytest.fixture(scope="module")
def built(cli: Cli, tables: Path) -> str:
    """What building the tables of all variants printed; they are in the usual folder then."""
    return good(cli("tables", "build", "--all", "--jobs", 2))


def test_build_all_tables(cli: Cli, built: str) -> None:
    for line, variant in zip(built.splitlines(), SINGLE, strict=True):
        total = good_json(cli("value", variant, "--json"))["expected_total"]
        assert re.fullmatch(rf"{variant}: (built in \d+\.\d\d s|was there), expected total {total:.6f}", line)


def test_build_again(cli: Cli, tmp_path: Path) -> None:
    build = ("tables", "build", "generala-obligada", "헤네랄라", "--tables", tmp_path)
    good(cli(*build))
    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.h5")}
    assert good(cli(*build)) == (
        "generala-obligada: was there, expected total 77.952214\ngenerala: was there, expected total 162.469468\n"
    )
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.h5")} == old
    assert good(cli(*build, "--force", "--threads", 1)).count(": built in ") == 2
    assert all(path.stat().st_mtime_ns > before for path, before in old.items())


@pytest.mark.usefixtures("built")
def test_list_tables(cli: Cli) -> None:
    answer = good_json(cli("tables", "list", "--json"))
    assert {entry["variant"] for entry in answer} >= set(SINGLE)
    for entry in answer:
        assert list(entry) == TABLE_KEYS
        assert (entry["objective"], entry["state"]) == ("score", "ok")
        assert Path(entry["path"]).stat().st_size == entry["bytes"]
    lines = good(cli("tables", "list")).splitlines()
    assert lines[0].split() == ["variant", "objective", "expected", "total", "bytes", "state"]
    assert [line.split()[0] for line in lines[1:]] == [entry["variant"] for entry in answer]


def test_list_no_tables(cli: Cli, tmp_path: Path) -> None:
    assert good(cli("tables", "list", "--tables", tmp_path)) == f"no tables in {tmp_path}\n"
    assert good(cli("tables", "list", "--tables", tmp_path / "none")) == f"no tables in {tmp_path / 'none'}\n"
    assert good_json(cli("tables", "list", "--tables", tmp_path, "--json")) == []


def test_list_what_is_no_table(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "yahtzee.score.0123456789ab.h5"
    path.write_bytes(b"no table")
    (entry,) = good_json(cli("tables", "list", "--tables", tmp_path, "--json"))
    assert list(entry) == TABLE_KEYS
    assert entry["expected_total"] is None
    assert "expected an intact value table" in entry["state"]
    assert "yahtzee" in good(cli("tables", "list", "--tables", tmp_path))


@pytest.mark.usefixtures("built")
def test_verify_tables(cli: Cli) -> None:
    lines = good(cli("tables", "verify", "--all", "--rows", 3, "--seed", 7)).splitlines()
    assert {line.partition(":")[0] for line in lines} >= set(SINGLE)
    assert all(": good, " in line and line.endswith(" values solved again") for line in lines)
    one = ("tables", "verify", "yahtzee", "--rows", 2)
    assert cli(*one, "--seed", 1) == cli(*one, "--seed", 1)
    assert good(cli("tables", "verify", "chaser")) == "chaser: good, 200 values solved again\n"


def test_verify_a_damaged_table(cli: Cli, tmp_path: Path) -> None:
    good(cli("tables", "build", "generala", "chaser", "--tables", tmp_path))
    path = Path(good(cli("tables", "path", "generala", "--tables", tmp_path)).strip())
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    result = cli("tables", "verify", "generala", "chaser", "--tables", tmp_path)
    assert result.code == 2
    assert "damaged" in result.out
    assert "servida tables build generala --force" in result.out
    assert "\nchaser: good, " in result.out
    assert result.err.startswith("error: 1 of the tables ")
    assert result.err.count("\n") == 1
    good(cli("tables", "build", "generala", "--force", "--tables", tmp_path))
    good(cli("tables", "verify", "--all", "--tables", tmp_path))


def test_verify_a_table_that_is_missing(cli: Cli, tmp_path: Path) -> None:
    message = one_line(cli("tables", "verify", "yahtzee", "--tables", tmp_path))
    assert message.endswith("found no file; make it with 'servida tables build yahtzee'")


def test_table_paths(cli: Cli, tmp_path: Path, tables: Path) -> None:
    assert good(cli("tables", "path")) == f"{tables}\n"
    assert good(cli("tables", "path", "--tables", tmp_path)) == f"{tmp_path}\n"
    path = Path(good(cli("tables", "path", "yams", "--tables", tmp_path)).strip())
    assert path.parent == tmp_path
    assert path.name.startswith("yahtzee-plain.score.")
    assert not path.exists()
    good(cli("tables", "build", "yams", "--tables", tmp_path))
    assert path.exists()


def test_remove_tables(cli: Cli, tmp_path: Path) -> None:
    folder = ("--tables", tmp_path)
    good(cli("tables", "build", "generala", "chaser", "generala-obligada", *folder))
    assert good(cli("tables", "remove", "generala", *folder)) == "generala: removed\n"
    assert good(cli("tables", "remove", "generala", *folder)) == "generala: no table was there\n"
    assert good(cli("tables", "remove", "--all", *folder)) == "chaser: removed\ngenerala-obligada: removed\n"
    assert good(cli("tables", "remove", "--all", *folder)) == ""
    assert list(tmp_path.glob("*.h5")) == []


def exported(cli: Cli, kind: str, path: Path) -> Path:
    """The table of generala in another format."""
    assert good(cli("tables", "export", "generala", "--format", kind, "-o", path)) == f"wrote {path}\n"
    return path


def test_export_arrays(cli: Cli, tmp_path: Path) -> None:
    with np.load(exported(cli, "npz", tmp_path / "t.npz")) as found:
        assert set(found) == {"values", "slot", "lane_low", "live", "description"}
        values = found["values"]
        description = json.loads(str(found["description"]))
    text = json.loads(exported(cli, "json", tmp_path / "t.json").read_text())
    assert set(description) == {"variant", "rules_sha256", "expected_total", "index", "boxes"}
    assert {key: text[key] for key in description} == description
    assert description["rules_sha256"] == load("generala").rules.digest
    assert values[0, 0] == description["expected_total"] == pytest.approx(162.4694684, abs=1e-6)
    assert np.array_equal(np.array(text["values"], float), values, equal_nan=True)


def test_export_rows(cli: Cli, tmp_path: Path) -> None:
    with open(exported(cli, "csv", tmp_path / "t.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ids = [category.id for category in load("generala").rules.categories]
    assert list(rows[0]) == [*ids, "upper_total", "value"]
    assert all(rows[0][name] == "open" for name in ids)
    assert float(rows[0]["value"]) == pytest.approx(162.4694684, abs=1e-6)
    assert len(rows) == 2**10 * 3  # ten boxes written or not, the generala also with points
    parquet = pytest.importorskip("pyarrow.parquet").read_table(exported(cli, "parquet", tmp_path / "t.parquet"))
    assert parquet.column_names == [*ids, "upper_total", "value"]
    assert parquet["value"].to_pylist() == [float(row["value"]) for row in rows]
    for name in ids:
        assert parquet[name].to_pylist() == [row[name] for row in rows]


def test_export_of_totals_under_a_bonus(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(TOY, encoding="utf-8")
    good(cli("tables", "export", path, "--format", "csv", "-o", tmp_path / "toy.csv"))
    rows = (tmp_path / "toy.csv").read_text().splitlines()
    assert rows[0] == "ones,sixes,upper_total,value"
    assert {row.split(",")[2] for row in rows[1:]} >= {"", "1", "12"}


def test_export_has_a_default_file(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert good(cli("tables", "export", "헤네랄라")) == "wrote generala.npz\n"
    assert good(cli("tables", "export", "obligada", "--format", "json")) == "wrote generala-obligada.json\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["generala-obligada.json", "generala.npz"]


TOY = """format = 1
id = "toy"
[turn]
dice = 2
[[category]]
id = "ones"
pattern = { faces = [1] }
score = "sum_matched"
[[category]]
id = "sixes"
pattern = { faces = [6] }
score = "sum_matched"
[upper_bonus]
threshold = 13
points = 9
"""


# mistakes

MISTAKES: dict[str, tuple[list[str], str]] = {
    # dice
    "no dice": (["hint", "yahtzee"], "dice: expected 5 dice, found 0: none"),
    "too few dice": (["hint", "yahtzee", "3336"], "dice: expected 5 dice, found 4: 3336"),
    "too many dice": (["hint", "yahtzee", "333666"], "dice: expected 5 dice, found 6: 333666"),
    "a seven": (["hint", "yahtzee", "33367"], "dice: expected 5 dice with faces 1 to 6, found '7'"),
    "a nought": (["score", "yahtzee", "03366"], "dice: expected 5 dice with faces 1 to 6, found '0'"),
    "a letter": (["score", "yahtzee", "x3366"], "dice: expected 5 dice with faces 1 to 6, found 'x'"),
    "score without dice": (["score", "yahtzee"], "Missing argument 'DICE...'."),
    # rolls left
    "3 rolls left": (
        ["hint", "yahtzee", "33366", "--rolls-left", "3"],
        "rolls_left: expected a whole number from 0 to 2, found 3",
    ),
    "-1 rolls left": (
        ["hint", "yahtzee", "33366", "--rolls-left", "-1"],
        "rolls_left: expected a whole number from 0 to 2, found -1",
    ),
    "x rolls left": (["hint", "yahtzee", "33366", "--rolls-left", "x"], "Invalid value for '--rolls-left'"),
    # variants
    "no variant": (["hint"], "variant: expected VARIANT and DICE, found neither"),
    "no variant to value": (["value"], "Missing argument 'VARIANT'."),
    "an unknown variant": (["hint", "yahtze", "33366"], "found 'yahtze'; did you mean 'yahtzee'?"),
    "an unknown korean variant": (["hint", "헤네럴라", "33366"], "found '헤네럴라'; did you mean '헤네랄라'?"),
    "a variant like no other": (["value", "xyz"], "variant: expected an id, a name or the path of a rule file (.toml)"),
    "no rule file": (["value", "./none.toml"], "none.toml: expected a readable rule file, found: No such file"),
    "a folder": (["value", "./"], "expected a readable rule file, found: Is a directory"),
    "an empty name": (["value", ""], "variant: expected an id, a name or the path of a rule file (.toml), found ''"),
    # sheets
    "7 on ones": (
        ["hint", "yahtzee", "33366", "--sheet", "ones=7"],
        "sheet: expected ones to hold one of 0, 1, 2, 3, 4, 5, found 7",
    ),
    "20 on a full house": (
        ["value", "yahtzee", "--sheet", "full_house=20"],
        "sheet: expected full_house to hold one of 0, 25, found 20",
    ),
    "a sum no roll has": (
        ["score", "yahtzee", "33366", "--sheet", "three_of_a_kind=31"],
        "sheet: expected three_of_a_kind to hold one of 0, 5, 6, 7,",
    ),
    "an unknown box": (
        ["hint", "yahtzee", "33366", "--sheet", "full_huose=25"],
        f"sheet: expected a box of yahtzee ({BOXES}), found 'full_huose'; did you mean 'full_house'?",
    ),
    "a box twice": (
        ["hint", "yahtzee", "33366", "--sheet", "ones=3 ones=3"],
        "sheet: expected every box once, found ones twice",
    ),
    "a box twice by two names": (
        ["hint", "generala", "33366", "--sheet", "four_of_a_kind=40 Póker=40"],
        "sheet: expected every box once, found four_of_a_kind twice",
    ),
    "a box without points": (
        ["hint", "yahtzee", "33366", "--sheet", "ones"],
        "sheet: expected entries like ones=3, found 'ones'",
    ),
    "points below nothing": (
        ["hint", "yahtzee", "33366", "--sheet", "ones=-3"],
        "sheet: expected entries like ones=3, found 'ones=-3'",
    ),
    "a bonus without a yahtzee": (
        ["hint", "yahtzee", "33366", "--sheet", "yahtzee_bonus=1"],
        "sheet: expected yahtzee to hold points before yahtzee_bonus, found yahtzee_bonus=1",
    ),
    "a bonus after a scratched yahtzee": (
        ["hint", "yahtzee", "33366", "--sheet", "yahtzee=0 ones=5 yahtzee_bonus=1"],
        "sheet: expected yahtzee to hold points before yahtzee_bonus, found yahtzee_bonus=1",
    ),
    "a bonus too many": (
        ["value", "yahtzee", "--sheet", "yahtzee=50 ones=5 yahtzee_bonus=2"],
        "sheet: expected yahtzee_bonus of at most 1, the boxes that a further yahtzee can have filled, found 2",
    ),
    "a bonus where there is none": (
        ["value", "yahtzee-plain", "--sheet", "yahtzee=50 yahtzee_bonus=1"],
        "sheet: expected a box of yahtzee-plain (",
    ),
    "a doble without generala": (
        ["hint", "generala", "33366", "--sheet", "double_generala=100"],
        "sheet: expected generala to hold points before double_generala can, found double_generala=100 without it",
    ),
    "a sheet out of order": (
        ["hint", "generala-obligada", "33366", "--sheet", "ones=0 threes=9"],
        "sheet: expected the boxes in order (twos before threes), found threes written and twos open",
    ),
    "a full sheet": (
        ["hint", "yahtzee", "33366", "--sheet", FULL],
        "sheet: expected an open box to write, found every box written",
    ),
    # held dice
    "held where holds are free": (
        ["hint", "yahtzee", "33366", "--rolls-left", "1", "--held", "3"],
        "held: expected nothing, since this variant lets held dice be released; leave it out",
    ),
    "held on the first roll": (
        ["hint", "generala-classic", "33366", "--held", "3"],
        "held: expected nothing on the first roll, found dice set aside; give --rolls-left too",
    ),
    "held and not there": (
        ["hint", "generala-classic", "33366", "--rolls-left", "1", "--held", "34"],
        "held: expected some of the dice 33366, found 34",
    ),
    "held more than there are": (
        ["hint", "generala-classic", "33366", "--rolls-left", "1", "--held", "666"],
        "held: expected some of the dice 33366, found 666",
    ),
    "held seven": (
        ["hint", "generala-classic", "33366", "--rolls-left", "1", "--held", "7"],
        "held: expected dice with faces 1 to 6, found '7'",
    ),
    # several columns
    **{
        f"{args[-1]} three columns": ([*args, "yahtzee-triple", *dice], "expected a sheet of one column, found 3")
        for args, dice in (
            (["hint"], ["33366"]),
            (["value"], []),
            (["score"], ["33366"]),
            (["tables", "build"], []),
            (["tables", "export"], []),
        )
    },
    # options and commands
    "no such command": (
        ["hnt"],
        "command: expected one of hint, value, score, variants, rules, tables, found 'hnt'; did",
    ),
    "no such tables command": (["tables", "biuld"], "No such command 'biuld'."),
    "no such option": (["hint", "yahtzee", "33366", "--rolls"], "No such option '--rolls'"),
    "an option without its value": (["hint", "yahtzee", "--sheet"], "Option '--sheet' requires an argument."),
    "a flag with a value": (["variants", "--json=1"], "Option '--json' does not take a value."),
    "no such language": (["variants", "--lang", "fr"], "Invalid value for '--lang': 'fr' is not one of 'en', 'es'"),
    "no options to show": (
        ["hint", "yahtzee", "33366", "--top", "0"],
        "Invalid value for '--top': 0 is not in the range",
    ),
    "no threads": (["value", "yahtzee", "--threads", "0"], "Invalid value for '--threads': 0 is not in the range"),
    "no jobs": (["tables", "build", "yahtzee", "--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range"),
    "no rows": (["tables", "verify", "yahtzee", "--rows", "0"], "Invalid value for '--rows': 0 is not in the range"),
    "no such format": (
        ["tables", "export", "yahtzee", "--format", "xls"],
        "Invalid value for '--format': 'xls' is not",
    ),
    "arguments too many": (["variants", "yahtzee"], "Got unexpected extra argument (yahtzee)"),
    "build nothing": (["tables", "build"], "variants: expected names or --all, found neither"),
    "verify nothing": (["tables", "verify"], "variants: expected names or --all, found neither"),
    "remove all and one": (["tables", "remove", "--all", "chaser"], "variants: expected names or --all, found both"),
    "rules of nothing": (["rules", "show"], "Missing argument 'VARIANT'."),
    "new rules from nothing": (["rules", "new", "x.toml"], "Missing option '--from'."),
    "new rules from no variant": (["rules", "new", "x.toml", "--from", "chser"], "did you mean 'chaser'?"),
    "new rules of another kind": (
        ["rules", "new", "x.txt", "--from", "chaser"],
        "expected a file name that ends in .toml",
    ),
    # odd characters
    "a lone surrogate as a command": (["\ud800"], "command: expected one of hint,"),
    "a lone surrogate as an option": (["hint", "--\ud800"], "No such option '--\\ud800'"),
    "a lone surrogate as a variant": (["hint", "\ud800", "33366"], "variant: expected an id,"),
    "a lone surrogate as a die": (["hint", "yahtzee", "3336\udcff"], "dice: expected 5 dice with faces 1 to 6, found"),
    "a lone surrogate as a box": (["value", "yahtzee", "--sheet", "\ud800=3"], "sheet: expected a box of yahtzee ("),
    "a lone surrogate as a held die": (
        ["hint", "generala-classic", "33366", "--rolls-left", "1", "--held", "\udcff"],
        "held: expected dice with faces 1 to 6, found",
    ),
    "a nul in a variant": (["hint", "yahtzee\0", "33366"], "variant: expected an id,"),
    "a line break in a die": (["score", "yahtzee", "3336", "\n", "x"], "dice: expected 5 dice"),
    "a line break in a variant": (["value", "yahtzee\n"], "found 'yahtzee\\n'; did you mean 'yahtzee'?"),
    "full-width dice": (["score", "yahtzee", "３３３６６"], "dice: expected 5 dice with faces 1 to 6, found '３'"),
    "a right-to-left mark": (["score", "yahtzee", "\u202e33366"], "dice: expected 5 dice with faces 1 to 6, found"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args, message = MISTAKES[name]
    assert message in one_line(cli(*args))
    assert list(tmp_path.iterdir()) == []


POSITIONS: dict[str, str] = {
    "": "position: expected a JSON object, found text that is not JSON",
    "{": "position: expected a JSON object, found text that is not JSON",
    '{"variant": "yahtzee", "dice": "333': "position: expected a JSON object, found text that is not JSON",
    '{"variant": "yahtzee", "dice": "33366"}}': "position: expected a JSON object, found text that is not JSON",
    "[" * 100_000: "position: expected a JSON object, found text that is not JSON",
    '{"sheet":' * 100_000: "position: expected a JSON object, found text that is not JSON",
    "[]": "position: expected a JSON object, found ",
    '[{"variant": "yahtzee", "dice": "33366"}]': "position: expected a JSON object, found ",
    "null": "position: expected a JSON object, found ",
    "true": "position: expected a JSON object, found ",
    "NaN": "position: expected a JSON object, found ",
    '"33366"': "position: expected a JSON object, found ",
    "{}": "position: expected a variant name under 'variant', found ",
    '{"dice": "33366"}': "position: expected a variant name under 'variant', found ",
    '{"variant": 7, "dice": "33366"}': "position: expected a variant name under 'variant', found 7",
    '{"variant": ["yahtzee"], "dice": "33366"}': "position: expected a variant name under 'variant', found ",
    '{"variant": "yahtzee"}': "dice: expected 5 dice, found 0: none",
    '{"variant": "yahtze", "dice": "33366"}': "did you mean 'yahtzee'?",
    '{"variant": "\\ud800", "dice": "33366"}': "variant: expected an id, a name",
    '{"variant": "yahtzee", "dice": "33366", "dice": "33366"}': "position: expected every key once, found 'dice' twice",
    '{"variant": "yahtzee", "dice": "33366", "roll_left": 1}': "found 'roll_left'; did you mean 'rolls_left'?",
    '{"variant": "yahtzee", "dice": 33366}': "position: expected dice as text or a list of faces, found 33366",
    '{"variant": "yahtzee", "dice": null}': "position: expected dice as text or a list of faces, found ",
    '{"variant": "yahtzee", "dice": {"3": 5}}': "position: expected dice as text or a list of faces, found ",
    '{"variant": "yahtzee", "dice": NaN}': "position: expected dice as text or a list of faces, found ",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, NaN]}': "dice: expected 5 dice with faces 1 to 6, found nan",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 1e999]}': "dice: expected 5 dice with faces 1 to 6, found inf",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 6.0]}': "dice: expected 5 dice with faces 1 to 6, found 6.0",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, true]}': "dice: expected 5 dice with faces 1 to 6, found ",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, null]}': "dice: expected 5 dice with faces 1 to 6, found ",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, [6]]}': "dice: expected 5 dice with faces 1 to 6, found [6]",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 7]}': "dice: expected 5 dice with faces 1 to 6, found 7",
    f'{{"variant": "yahtzee", "dice": [3, 3, 3, 6, {"9" * 4000}]}}': "dice: expected 5 dice with faces 1 to 6, found 9",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 3}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 1.0}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": "1"}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": true}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": [1]}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": NaN}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 1e999}': "rolls_left: expected a whole number from 0 to 2",
    '{"variant": "yahtzee", "dice": "33366", "sheet": []}': "position: expected sheet as an object of points per box",
    '{"variant": "yahtzee", "dice": "33366", "sheet": null}': "position: expected sheet as an object of points per box",
    '{"variant": "yahtzee", "dice": "33366", "sheet": 3}': "position: expected sheet as an object of points per box",
    '{"variant": "yahtzee", "dice": "33366", "sheet": "x"}': "sheet: expected entries like ones=3, found 'x'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": null}}': "sheet: expected whole points for ones, found ",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": "3"}}': "sheet: expected whole points for ones, found ",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 3.0}}': "sheet: expected whole points for ones, found ",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": true}}': "sheet: expected whole points for ones, found ",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": -1}}': "sheet: expected whole points for ones, found -1",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1e999}}': "sheet: expected whole points for ones, ",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1, "ones": 1}}': "expected every key once, found 'ones'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1, "Ones": 1}}': "expected every box once, found ones",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"": 1}}': "sheet: expected a box of yahtzee (",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"\\ud800": 1}}': "sheet: expected a box of yahtzee (",
    f'{{"variant": "yahtzee", "dice": "33366", "sheet": {{"ones": {"9" * 4000}}}}}': "sheet: expected ones to hold one",
    '{"variant": "yahtzee", "dice": "33366", "held": [3]}': "held: expected nothing, since this variant",
    '{"variant": "yahtzee", "dice": "33366", "held": 3}': "position: expected held as text or a list of faces, found 3",
    '{"variant": "yahtzee", "dice": "33366", "held": null}': "position: expected held as text or a list of faces",
    '{"variant": "generala-classic", "dice": "33366", "rolls_left": 1, "held": ["33"]}': "held: expected dice with",
}


@pytest.mark.parametrize("text", POSITIONS, ids=lambda text: text[:70] + "…" * (len(text) > 70))
def test_json_that_is_no_position_is_one_line(cli: Cli, text: str) -> None:
    assert POSITIONS[text] in one_line(cli("hint", "--position", "-", stdin=text))


def test_a_position_is_given_in_one_way(cli: Cli) -> None:
    text = '{"variant": "yahtzee", "dice": "33366"}'
    for args in (["yahtzee", "33366"], ["--sheet", "ones=3"], ["--held", "3"], ["--rolls-left", "1"]):
        message = one_line(cli("hint", *args, "--position", "-", stdin=text))
        assert message.startswith("position: expected the whole position in the JSON")
    assert one_line(cli("hint", "generala", "--position", "-", stdin=text)).startswith("position: expected the variant")


def test_position_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)))
    assert one_line(cli("hint", "--position", binary)) == "position: expected UTF-8 text, found other bytes"
    assert one_line(cli("hint", "--position", "-", stdin=b"\xff\xfe{}")) == one_line(cli("hint", "--position", binary))
    assert "No such file or directory" in one_line(cli("hint", "--position", tmp_path / "none.json"))
    assert "Invalid value for '--position'" in one_line(cli("hint", "--position", tmp_path))


RULE_FILES = {
    "": "format: expected 1 (the rule-file format this program reads), found nothing",
    "format = 1\nformat = 2\n": "expected a TOML file, found a syntax error: ",
    "format = 2\n": "format: expected 1 (the rule-file format this program reads), found 2",
    "format = 1\n": "id: expected lower-case letters, digits and hyphens, found nothing",
    TOY.replace("dice = 2", "dice = 7"): "turn.dice: expected a whole number from 1 to 6, found 7",
    TOY.replace('score = "sum_matched"', 'score = "sum"', 1): "category[1].score: expected 'sum_all', 'sum_matched' or",
    TOY.replace("id = ", "name = ", 1): "id: expected lower-case letters, digits and hyphens, found nothing",
    TOY.replace('"sixes"', '"ones"'): "category[1].id: expected every box once, found 'ones'",
    TOY.replace(
        "points = 9", "point = 9"
    ): "upper_bonus.points: expected a whole number from 0 to 10000, found nothing",
    TOY + "extra = 1\n": "upper_bonus.extra: expected one of the keys categories, points, threshold",
}


@pytest.mark.parametrize("text", RULE_FILES, ids=RULE_FILES.values())
@pytest.mark.parametrize("command", [["hint", "{}", "33"], ["rules", "{}"], ["tables", "build", "{}"]], ids="-".join)
def test_a_fault_in_a_rule_file_is_one_line(cli: Cli, tmp_path: Path, command: list[str], text: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    message = one_line(cli(*[word.format(path) for word in command]))
    assert message.startswith(f"{path}: {RULE_FILES[text]}")


def test_rule_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(bytes(range(256)))
    assert one_line(cli("hint", path, "33366")) == f"{path}: expected a UTF-8 text file, found other bytes"
    message = one_line(cli("hint", tmp_path / "none.toml", "33366"))
    assert message == f"{tmp_path / 'none.toml'}: expected a readable rule file, found: No such file or directory"


def test_what_cannot_be_written_is_one_line_and_exit_code_1(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    inside = tmp_path / "file" / "inside"
    for args in (
        ["value", "generala", "--tables", inside],
        ["tables", "build", "generala", "--tables", inside],
        ["tables", "export", "generala", "-o", tmp_path],
        ["rules", "new", tmp_path / "none" / "x.toml", "--from", "generala"],
    ):
        assert "to, found: " in one_line(cli(*args), 1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_parquet_without_its_package(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = one_line(cli("tables", "export", "generala", "--format", "parquet", "-o", tmp_path / "x.parquet"))
    assert (
        message == "parquet: expected the package pyarrow, found none; install it with pip install 'servida[parquet]'"
    )


FAULTS: dict[str, tuple[list[str], str]] = {
    "a variant named at length": (["value", "x" * 5000], ""),
    "a nul in a rule file's name": (["value", "a/\0.toml"], ""),
    "a nul in the folder of tables": (["tables", "list", "--tables", "\0"], ""),
    "a nul in a file to write": (["rules", "new", "\0.toml", "--from", "chaser"], ""),
    "a nul in a file to export to": (["tables", "export", "generala", "-o", "\0"], ""),
    "a nul in a file to read": (["hint", "--position", "\0"], ""),
    "a lone surrogate in a rule file's name": (["value", "\ud800.toml"], ""),
    "a lone surrogate in the folder of tables": (["value", "generala", "--tables", "\ud800"], ""),
    "a line break in a rule file's name": (["value", "a\nb.toml"], ""),
    "a seed below nothing": (["tables", "verify", "generala", "--seed", "-1"], ""),
    "a number of 5,000 digits": (["hint", "yahtzee", "--position", "-"], f'{{"rolls_left": {"9" * 5000}}}'),
    "a line break in the name of a box": (["hint", "yahtzee", "--position", "-"], '{"sheet": {"on\\nes": null}}'),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_odd_mistake_is_one_line(cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args, stdin = FAULTS[name]
    one_line(cli(*args, stdin=stdin))


def test_an_export_below_a_file_is_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    message = one_line(cli("tables", "export", "generala", "-o", tmp_path / "file" / "inside"), 1)
    assert "expected a place to write to" in message


# what is nobody's mistake


def test_an_internal_error_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("servida.cli.value.load", fail)
    message = one_line(cli("value", "yahtzee"), 1)
    assert message.startswith("internal error (RuntimeError: first line); set SERVIDA_DEBUG=1 ")
    monkeypatch.setenv("SERVIDA_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run(["value", "yahtzee"])


def test_an_interruption_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("servida.cli.value.load", interrupt)
    result = cli("value", "yahtzee")  # click ends the line of the ^C first
    assert (result.code, result.out, result.err.lstrip("\n")) == (130, "", "error: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes break in another way there")
def test_nothing_is_said_when_nobody_reads_on() -> None:
    code = "import sys; from servida.cli import main; sys.stdin.read(); main(['variants', '--json'])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


# anything at all

ODD = st.one_of(
    st.text(max_size=12),
    st.text("123456 ,", max_size=9),
    st.text("0123456789=, \n\0\ud800-{}[]\"'", max_size=12),
)
WORDS = st.sampled_from(
    ["ones", "Ones", "threes", "full_house", "yahtzee", "yahtzee_bonus", "generala", "double_generala", "풀 하우스"]
)
NUMBERS = st.one_of(st.integers(-2, 60), st.integers(), st.floats(), st.booleans(), st.none())
JSON = st.recursive(
    NUMBERS | ODD, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(ODD, inner, max_size=4), max_leaves=8
)
FUZZ = settings(deadline=None, max_examples=60, derandomize=True)


def survives(result: Result) -> None:
    """Asserts an answer, or one line about a mistake."""
    if result.code:
        one_line(result)
    else:
        good(result)


@FUZZ
@given(st.sampled_from(["yahtzee", "generala-classic", "generala-obligada"]), ODD, ODD, ODD)
@example("yahtzee", "33366", "", "")
def test_any_text_as_dice_sheet_and_held(cli: Cli, variant: str, dice: str, sheet: str, held: str) -> None:
    survives(cli("hint", variant, "--held", held, "--sheet", sheet, "--rolls-left", 1, "--", dice))
    survives(cli("score", variant, f"--sheet={sheet}", "--", dice))


@FUZZ
@given(st.lists(st.tuples(WORDS, st.integers(0, 60)), max_size=5), st.text("123456", min_size=5, max_size=5))
def test_any_points_on_any_sheet(cli: Cli, entries: list[tuple[str, int]], dice: str) -> None:
    sheet = " ".join(f"{name}={points}" for name, points in entries)
    for variant in ("yahtzee", "generala"):
        survives(cli("hint", variant, dice, "--sheet", sheet))
        survives(cli("value", variant, "--sheet", sheet))


@FUZZ
@given(st.one_of(ODD, st.text(), JSON.map(json.dumps)))
def test_any_text_as_a_position(cli: Cli, text: str) -> None:
    survives(cli("hint", "--position", "-", stdin=text))
    survives(cli("hint", "yahtzee", "--position", "-", stdin=text))


@FUZZ
@given(st.binary(max_size=40))
def test_any_bytes_as_a_position(cli: Cli, content: bytes) -> None:
    survives(cli("hint", "--position", "-", stdin=content))


@FUZZ
@given(
    st.fixed_dictionaries(
        {"variant": st.sampled_from(["yahtzee", "generala-classic", "추격자"]) | JSON},
        optional={
            "dice": st.lists(st.integers(1, 6), min_size=5, max_size=5) | JSON,
            "rolls_left": st.integers(0, 2) | JSON,
            "sheet": st.dictionaries(WORDS | ODD, NUMBERS, max_size=4) | JSON,
            "held": st.lists(st.integers(1, 6), max_size=2) | JSON,
        },
    )
)
def test_any_json_as_a_position(cli: Cli, position: dict[str, Any]) -> None:
    survives(cli("hint", "--position", "-", stdin=json.dumps(position)))
