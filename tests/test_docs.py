"""The documentation is complete and true: commands, options and JSON keys are described, and every example runs."""

import doctest
import importlib
import json
import pkgutil
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
import servida
from conftest import Cli
from servida.cli import program
from servida.data.parse import parse
from servida.errors import RulesError

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")] if path.is_file())
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"built in \d+\.\d\d s")  # no two builds take the same time
NO_MODULES = ("servida.setup", "servida.tests", "servida.bench")  # there in a checkout only


def commands(command: click.Command, name: str, ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Every command below this one with its full name, and this one."""
    yield name, command
    if isinstance(command, click.Group):
        for word in command.list_commands(ctx):
            inner = command.get_command(ctx, word)
            assert inner
            yield from commands(inner, f"{name} {word}", ctx)


COMMANDS = dict(commands(program, "servida", click.Context(program)))


def section(name: str) -> str:
    """What docs/cli.md says under the heading of a command, up to the next heading of a command."""
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    found = re.search(rf"^##+ {name}\n(.*?)(?=^##+ servida|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no heading {name!r}"
    return found[1]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "servida"])
def test_every_command_is_described(name: str) -> None:
    command, text = COMMANDS[name], section(name)
    sentence = " ".join((command.help or "").split("\n\n")[0].split())
    assert sentence
    assert sentence in text
    if not isinstance(command, click.Group):
        assert re.search(rf"^\$ .*{name.removesuffix(' show')} ?", text, re.MULTILINE), "an example is missing"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "servida"])
def test_every_option_is_described_and_no_other(name: str) -> None:
    options = [param for param in COMMANDS[name].params if isinstance(param, click.Option)]
    names = {word for option in options for word in option.opts}
    rows = re.findall(r"^\| (`-.*?) \|", section(name), re.MULTILINE)
    assert {word for row in rows for word in re.findall(r"`(-[a-z-]+)", row)} == names
    assert all(option.help or option.type.__class__ is click.Choice for option in options)


def test_the_overview_names_every_command() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        if name.count(" ") == 1:
            assert f"[`{name}`](#{name.replace(' ', '-')})" in text


# a sheet of yahtzee with two boxes open, on which a further yahtzee earns its bonus
LATE = (
    "ones=0 twos=0 threes=0 fours=16 fives=0 sixes=0 three_of_a_kind=0 four_of_a_kind=0 full_house=0 chance=5 "
    "yahtzee=50"
)
GAME = "variant: yahtzee\n44444 -> yahtzee\n44444 -> fours\n12345 hold none"  # for commands that read one
FULL = " ".join(
    f"{column}.{box}={5 if box == 'chance' else 0}"
    for column in ("down", "up")
    for box in servida.load("yahtzee-three-column").rules.box
)
TWO = """
format = 1
id = "two"
category = [
    { id = "ones", pattern = { faces = [1] }, score = "sum_matched" },
    { id = "pair", pattern = { groups = [2] }, score = 10 },
]
column = [{ order = "free" }, { order = "free", multiplier = 2 }]
[turn]
dice = 2
rolls = 2
"""
ANSWERS = {
    "servida hint": [
        "hint generala-classic 33333 --json",
        "hint yahtzee 44444 --sheet 'yahtzee=50 fours=16' --json",
        "hint ./two.toml 36 --time-limit 0 --json",
        f"hint yahtzee-three-column 11145 --sheet '{FULL}' --json",
        "hint generala 11145 --explain --json",
        "hint generala 11145 --objective target:200 --explain --json",
        "hint generala 11145 --objective utility:utility.csv --explain --json",
    ],
    "servida value": [
        "value generala --json",
        "value generala --objective target:200 --json",
        "value generala --objective utility:utility.csv --json",
        "value ./two.toml --time-limit 0 --json",
    ],
    "servida duel": ["duel generala-obligada --json", f"duel yahtzee 44444 --me '{LATE}' --them '{LATE}' --json"],
    "servida target": ["target generala 200 --compare --json"],
    "servida score": ["score generala 33366 --json", "score yahtzee-three-column 33366 --json"],
    "servida variants": ["variants --json"],
    "servida odds": ["odds pair --json", "odds --variant generala --json"],
    "servida grade": [
        "grade - --json",
        "grade game.txt --objective target:200 --json",
        "grade game.txt --objective utility:utility.csv --json",
        "grade duel.txt --objective duel --json",
    ],
    "servida distribution": [
        "distribution generala --at-least 150 --json",
        "distribution generala --objective target:200 --json",
    ],
    "servida simulate": ["simulate generala --games 1000 --json"],
    "servida rules show": ["rules generala --json"],
    "servida tables list": ["tables list --json"],
    "servida gin deadwood": ["gin deadwood A7.7.7.789JQK --json"],
    "servida gin discard": ["gin discard A289.89.9.789T --json"],
    "servida gin advise": ["gin advise 789TJ..A.6789J --seen 'Kc Qd 2h' --worlds 10 --json"],
    "servida gin simulate": ["gin simulate --matches 2 --json"],
    "servida gin match": ["gin match match.txt --json"],
    "servida gin showdown": ["gin showdown 789TJ...6789J .789T.789T.2T --json"],
}


def keys(value: object) -> set[str]:
    """The keys of an answer and of the objects in it; those of the rules are described at rule files, and numbers that
    were asked for are no keys."""
    if isinstance(value, list):
        return set().union(*map(keys, value))
    if not isinstance(value, dict):
        return set()
    return {key for key in value if not key.isdigit()}.union(
        *(keys(inner) for key, inner in value.items() if key != "rules")
    )


@pytest.mark.parametrize("name", [name for name, c in COMMANDS.items() if any("--json" in p.opts for p in c.params)])
def test_every_key_is_described_and_no_other(
    cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("utility.csv").write_text("100,0\n200,1\n")
    Path("duel.txt").write_text("variant: generala-obligada\n11123 -> ones=3\nthem: ones=3\n12345 hold none")
    Path("game.txt").write_text("variant: generala\n33333 -> generala\n12345 hold none")
    Path("match.txt").write_text("me knock 3 15")
    Path("two.toml").write_text(TWO)
    cli("tables", "build", "generala")
    if any("two.toml" in call for call in ANSWERS[name]):
        cli("tables", "build", "./two.toml", "--objective", "bound")
    found = set()
    for call in ANSWERS[name]:
        found |= keys(json.loads(cli(*shlex.split(call), stdin=GAME).out))
    text = section(name).split("### The position as JSON")[0]
    tables = re.findall(r"^\| key \|.*?(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    assert {key for table in tables for key in re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)} == found


def examples(page: Path) -> list[tuple[str, str]]:
    """The commands in the console blocks of a page, each with the output below it."""
    blocks = [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "console"]
    found = []
    for block in blocks:
        assert block.startswith("$ ")
        for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = call.partition("\n")
            found.append((line, output))
    return found


def execute(cli: Cli, line: str) -> str:
    """What a line prints: `servida …`, `echo TEXT | servida …`, or `echo TEXT > FILE` (or printf)."""
    words = shlex.split(line)
    stdin = ""
    if words[0] in ("echo", "printf"):
        text, sign, *rest = words[1:]
        text = text + "\n" if words[0] == "echo" else text.replace("\\n", "\n")
        if sign == ">":
            Path(rest[0]).write_text(text, encoding="utf-8")
            return ""
        assert sign == "|"
        stdin, words = text, rest
    assert words[0] == "servida", f"an example that cannot be run: {line}"
    result = cli(*words[1:], stdin=stdin)
    assert result.code == (2 if result.err else 0)
    return result.out + result.err


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_examples_print_what_is_written(cli: Cli, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line, output in examples(page):
        assert SECONDS.sub("built", execute(cli, line)) == SECONDS.sub("built", output), line


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_python_in_pages_prints_what_is_written(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "python"]
    source = "\n".join(text for text in blocks if ">>>" in text)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    report: list[str] = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)


FAULTS = {
    "no `format`": ("format = 1\n", ""),
    '`id = "My table"`': ('id = "my-table"', 'id = "My table"'),
    '`hold = "lock"`': ('hold = "free"', 'hold = "lock"'),
    '`score = "sum"` for the sixes': ('[6] }\nscore = "sum_matched"', '[6] }\nscore = "sum"'),
    "`serve = 25` for the straight": ("served = 25", "serve = 25"),
    "`served = 15` for the straight": ("served = 25", "served = 15"),
    '`served = "sum_all"` for the straight': ("served = 25", 'served = "sum_all"'),
    "`groups = [3, 3]` for the two pairs": ("groups = [2, 2]", "groups = [3, 3]"),
    "`pattern = { any = true, run = 4 }` for the chance": ("{ any = true }", "{ any = true, run = 4 }"),
    "`pattern = { any = true, exact = true }` for the chance": ("{ any = true }", "{ any = true, exact = true }"),
    '`requires = "generalla"`': ('requires = "generala"', 'requires = "generalla"'),
    "a second box `sixes`": (
        "[upper_bonus]",
        '[[category]]\nid = "sixes"\npattern = { faces = [6] }\nscore = "sum_matched"\n\n[upper_bonus]',
    ),
    '`categories = ["four"]` under `[upper_bonus]`': ("[upper_bonus]", '[upper_bonus]\ncategories = ["four"]'),
    '`category = "chance"` under `[five]`': ('category = "generala"', 'category = "chance"'),
    '`joker = "forced"` and `faces = [5]` for the evens': ("faces = [2, 4, 6]", "faces = [5]"),
    "one column with `multiplier = 2`": ("[upper_bonus]", "[[column]]\nmultiplier = 2\n\n[upper_bonus]"),
    "`names = { en = }`": ('names = { en = "Friday game", es = "Juego del viernes" }', "names = { en = }"),
}


def test_faults_in_rule_files_are_told_as_written() -> None:
    page = (ROOT / "docs" / "rule-files.md").read_text(encoding="utf-8")
    (complete,) = (text for kind, text in FENCE.findall(page) if kind == "toml")
    assert parse(complete, "my-table.toml").id == "my-table"
    rows = dict(re.findall(r"^\| (.*?) \| `(my-table\.toml: .*)` \|$", page, re.MULTILINE))
    assert rows.keys() == FAULTS.keys()
    for fault, (old, new) in FAULTS.items():
        assert complete.count(old) == 1
        text = complete.replace(old, new)
        if "joker" in fault:
            text = text.replace('joker = "none"', 'joker = "forced"')
        with pytest.raises(RulesError) as caught:
            parse(text, "my-table.toml")
        assert str(caught.value) == rows[fault]


def modules() -> list[str]:
    """The names of all modules of the package."""
    found = ["servida", *(module.name for module in pkgutil.walk_packages(servida.__path__, "servida."))]
    return [name for name in found if not name.startswith(NO_MODULES)]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert module.__doc__ is None or module.__doc__.strip()
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors
