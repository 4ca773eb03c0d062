"""Every mistake on the command line is one line and an exit code."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from clitools import FULL, TOY, one_line
from conftest import Cli
from servida.cli import run

BOXES = (
    "ones, twos, threes, fours, fives, sixes, three_of_a_kind, four_of_a_kind, full_house, small_straight, "
    "large_straight, yahtzee, chance, yahtzee_bonus"
)

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
    "an unknown variant": (["hint", "yahtze", "33366"], "found 'yahtze' (did you mean 'yahtzee'?); 'servida "),
    "an unknown korean variant": (
        ["hint", "헤네럴라", "33366"],
        "found '헤네럴라' (did you mean '헤네랄라'?); 'servida variants' lists them",
    ),
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
        f"sheet: expected a box of yahtzee ({BOXES}), found 'full_huose' (did you mean 'full_house'?)",
    ),
    "a box twice": (
        ["hint", "yahtzee", "33366", "--sheet", "ones=3 ones=3"],
        "sheet: expected every box once, found ones twice",
    ),
    "a box twice by two names": (
        ["hint", "generala", "33366", "--sheet", "four_of_a_kind=40 Póker=40"],
        "sheet: expected every box once, found four_of_a_kind twice",
    ),
    "a box twice in two letter cases": (
        ["hint", "generala", "33366", "--sheet", "ones=3 ONES=3"],
        "sheet: expected every box once, found ones twice",
    ),
    "full-width points": (
        ["value", "yahtzee", "--sheet", "ones=３"],
        "sheet: expected entries like ones=3, found 'ones=３'",
    ),
    "arabic points": (["value", "yahtzee", "--sheet", "ones=٣"], "sheet: expected entries like ones=3, found 'ones=٣'"),
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
        "held: expected nothing on the first roll, found some; say how many rerolls are left",
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
        f"{args[-1]} three columns": (
            [*args, "yahtzee-triple", *rest],
            "yahtzee-triple: expected a sheet of one column",
        )
        for args, rest in (
            (["simulate"], []),
            (["distribution"], []),
            (["target"], ["300"]),
            (["duel"], []),
            (["tables", "export"], []),
        )
    },
    # options and commands
    "no such command": (
        ["hnt"],
        "command: expected one that 'servida --help' lists, found 'hnt' (did you mean 'hint'?)",
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
    "rules of nothing as JSON": (["rules", "--json"], "Missing argument 'VARIANT'."),
    "rules with no such option": (["rules", "--jsn", "yahtzee"], "No such option '--jsn'"),
    "new rules from nothing": (["rules", "new", "x.toml"], "Missing option '--from'."),
    "new rules from no variant": (
        ["rules", "new", "x.toml", "--from", "chser"],
        "found 'chser' (did you mean 'chaser'?); 'servida variants' lists them",
    ),
    "new rules of another kind": (
        ["rules", "new", "x.txt", "--from", "chaser"],
        "expected a file name that ends in .toml",
    ),
    # at length
    "a variant at length": (["value", "x" * 5000], f"(.toml), found '{'x' * 59}…; 'servida variants' lists them"),
    "a box at length": (["value", "yahtzee", "--sheet", f"{'x' * 5000}=3"], f"yahtzee_bonus), found '{'x' * 59}…"),
    "a word at length": (["value", "yahtzee", "--sheet", "x" * 5000], f"entries like ones=3, found '{'x' * 59}…"),
    "dice at length": (["score", "yahtzee", "3" * 5000], f"dice: expected 5 dice, found 5000: {'3' * 60}"),
    # odd characters
    "a lone surrogate as a command": (["\ud800"], "command: expected one that 'servida --help' lists, found"),
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
    "a line break in a variant": (["value", "yahtzee\n"], "found 'yahtzee\\n' (did you mean 'yahtzee'?); 'servida"),
    "full-width dice": (["score", "yahtzee", "３３３６６"], "dice: expected 5 dice with faces 1 to 6, found '３'"),
    "a right-to-left mark": (["score", "yahtzee", "\u202e33366"], "dice: expected 5 dice with faces 1 to 6, found"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line(cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args, message = MISTAKES[name]
    assert message in one_line(cli(*args))
    assert list(tmp_path.iterdir()) == []


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
    TOY + "extra = 1\n": "upper_bonus.extra: expected one of the keys categories, points, threshold, found 'extra'",
    TOY.replace(
        "dice = 2", "dices = 2"
    ): "turn.dices: expected one of the keys dice, hold, rolls (did you mean 'dice'?), found 'dices'",
    TOY.replace("dice = 2", "dice = true"): "turn.dice: expected a whole number from 1 to 6, found true",
    TOY.replace("dice = 2", "dice = nan"): "turn.dice: expected a whole number from 1 to 6, found NaN",
    TOY.replace("dice = 2", 'dice = [2, "two", false]'): "turn.dice: expected a whole number from 1 to 6, "
    'found [2, "two", false]',
    TOY.replace('id = "toy"', f'id = "{"X" * 5000}"'): "id: expected lower-case letters, digits and hyphens, "
    f"found '{'X' * 59}…",
}


@pytest.mark.parametrize("text", RULE_FILES, ids=RULE_FILES.values())
@pytest.mark.parametrize("command", [["hint", "{}", "33"], ["rules", "{}"], ["tables", "build", "{}"]], ids="-".join)
def test_a_fault_in_a_rule_file_is_one_line(cli: Cli, tmp_path: Path, command: list[str], text: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    message = one_line(cli(*[word.format(path) for word in command]))
    assert message.startswith(f"{path}: {RULE_FILES[text]}")
    assert len(message) < len(str(path)) + 250


def test_rule_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(bytes(range(256)))
    assert one_line(cli("hint", path, "33366")) == f"{path}: expected a UTF-8 text file, found other bytes"
    message = one_line(cli("hint", tmp_path / "none.toml", "33366"))
    assert message == f"{tmp_path / 'none.toml'}: expected a readable rule file, found: No such file or directory"


def test_what_cannot_be_written_is_one_line_and_exit_code_1(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    inside = tmp_path / "file" / "inside"
    new = tmp_path / "none" / "x.toml"
    for args, message in (
        (["value", "generala", "--tables", inside], f"{inside}: expected a folder that tables can be kept in, found: "),
        (["tables", "build", "yatzy", "--tables", inside], f"{inside}: expected a folder that tables can be kept in, "),
        (["tables", "export", "generala", "-o", tmp_path], f"{tmp_path}: expected a place to write to, found: "),
        (["rules", "new", new, "--from", "generala"], f"{new}: expected a place to write to, found: "),
    ):
        assert one_line(cli(*args), 1).startswith(message)
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


JSON = ["hint", "yahtzee", "--position", "-"]
LONG: dict[str, tuple[list[str], str, str]] = {
    "a command": (["x" * 5000], "", "command: "),
    "dice": (["hint", "yahtzee", "3" * 5000], "", "dice: "),
    "a word for dice": (JSON, json.dumps({"dice": ["3" * 5000]}), "dice: "),
    "held dice": (["hint", "generala-classic", "33366", "--rolls-left", "1", "--held", "3" * 5000], "", "held: "),
    "a box": (["value", "yahtzee", "--sheet", f"{'x' * 5000}=3"], "", "sheet: expected a box"),
    "a box twice": (["value", "yahtzee", "--sheet", f"{'x' * 5000}=3 {'x' * 5000}=3"], "", "sheet: expected every box"),
    "a box without points": (JSON, json.dumps({"sheet": {"x" * 5000: None}}), "sheet: expected whole points"),
    "points": (JSON, json.dumps({"sheet": {"ones": "3" * 5000}}), "sheet: expected whole points"),
    "points of many digits": (JSON, f'{{"sheet": {{"ones": {"9" * 4000}}}}}', "sheet: expected ones"),
    "bonuses of many digits": (
        JSON,
        f'{{"sheet": {{"yahtzee": 50, "yahtzee_bonus": {"9" * 4000}}}}}',
        "sheet: expected yahtzee_bonus",
    ),
    "a key": (JSON, json.dumps({"x" * 5000: 1}), "position: expected the keys"),
    "a list for a position": (JSON, json.dumps([3] * 5000), "position: expected a JSON object"),
}


@pytest.mark.parametrize("name", LONG)
def test_no_mistake_is_repeated_at_length(cli: Cli, name: str) -> None:
    args, stdin, start = LONG[name]
    message = one_line(cli(*args, stdin=stdin))
    assert message.startswith(start)
    assert len(message) < 300


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device here that is always full")
@pytest.mark.parametrize("args", [["variants"], ["rules", "yahtzee", "--json"], ["--version"]], ids="-".join)
def test_output_to_a_full_device_is_one_line_and_exit_code_1(args: list[str]) -> None:
    code = "import sys; from servida.cli import main; main(sys.argv[1:])"
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-c", code, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert process.stderr == f"error: output: expected to write it, found: {os.strerror(errno.ENOSPC)}\n"
    assert process.returncode == 1


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
