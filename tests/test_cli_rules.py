"""The command line about variants: the list of them, their rules, and rule files of one's own."""

import json
import os
import shlex
import unicodedata
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from servida import load, variant_ids
from servida.data.language import LANGUAGES, language

VARIANT_KEYS = ["variant", "name", "aliases", "columns", "boxes", "known_value", "source"]
RULES_KEYS = ["variant", "name", "source", "known_value", "rules", "rules_sha256"]


# variants and rules


def test_variants(cli: Cli) -> None:
    answer = good_json(cli("variants", "--json"))
    assert [entry["variant"] for entry in answer] == variant_ids()
    assert all(list(entry) == VARIANT_KEYS for entry in answer)
    by_id = {entry["variant"]: entry for entry in answer}
    assert (by_id["yahtzee-triple"]["columns"], by_id["yahtzee-triple"]["boxes"]) == (3, 39)
    assert "yams" in by_id["yahtzee-plain"]["aliases"]


@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        ("en", ["variant", "name", "boxes", "known", "value"]),
        ("es", ["variante", "nombre", "casillas", "valor", "conocido"]),
        ("ko", ["규칙", "이름", "칸", "알려진", "값"]),
        ("de", ["Variante", "Name", "Felder", "bekannter", "Wert"]),
    ],
)
def test_variants_have_titles(cli: Cli, lang: str, titles: list[str]) -> None:
    lines = good(cli("variants", "--lang", lang)).splitlines()
    assert lines[0].split() == titles
    assert lines[1 + variant_ids().index("yahtzee-triple")].split() == [
        "yahtzee-triple",
        *language(lang).name(load("yahtzee-triple")).split(),
        "39",
    ]


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


@pytest.mark.parametrize(
    "args",
    [
        ["--lang", "es", "yahtzee"],
        ["--lang=es", "yahtzee"],
        ["yahtzee", "--lang", "es"],
        ["--lang", "es", "--", "yahtzee"],
    ],
    ids=" ".join,
)
def test_rules_takes_options_before_and_after_the_variant(cli: Cli, args: list[str]) -> None:
    lines = good(cli("rules", *args)).splitlines()
    assert lines == good(cli("rules", "show", "yahtzee", "--lang", "es")).splitlines()
    assert lines[4].split() == ["casilla", "nombre", "pattern", "puntuación", "servida", "requires"]
    assert good_json(cli("rules", "--json", *args)) == good_json(cli("rules", "yahtzee", "--lang", "es", "--json"))


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
    assert out == f"wrote mine.toml; change it, and look at it with: servida rules .{os.sep}mine.toml\n"
    assert good(cli("rules", f".{os.sep}mine.toml")) == good(cli("rules", "chaser"))
    good(cli("hint", f".{os.sep}mine.toml", "33366"))
    before = Path("mine.toml").read_bytes()
    assert "found one that exists" in one_line(cli("rules", "new", "mine.toml", "--from", "yahtzee"))
    assert Path("mine.toml").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="words are quoted in another way there")
@pytest.mark.parametrize("name", ["mine.toml", "our table.toml", "it's ours.toml", "$HOME;.toml"])
def test_the_command_under_a_new_rule_file_can_be_run(
    cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, shown in ((name, f"./{name}"), (str(tmp_path / f"full {name}"), str(tmp_path / f"full {name}"))):
        out = good(cli("rules", "new", path, "--from", "generala"))
        message, command = out.removesuffix("\n").split(" with: ")
        assert message == f"wrote {path}; change it, and look at it"
        assert shlex.split(command) == ["servida", "rules", shown]
        assert good(cli(*shlex.split(command)[1:])) == good(cli("rules", "generala"))


def test_a_rule_file_may_begin_with_a_byte_order_mark(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    good(cli("rules", "new", path, "--from", "추격자"))
    content = path.read_bytes()
    assert not content.startswith(BOM_UTF8)
    path.write_bytes(BOM_UTF8 + content)
    assert load(str(path)) == load("chaser")
    assert good(cli("rules", path)) == good(cli("rules", "chaser"))
    assert good(cli("hint", path, "33366")) == good(cli("hint", "chaser", "33366"))
    path.write_bytes(BOM_UTF8 * 2 + content)
    assert "expected a TOML file, found a syntax error: " in one_line(cli("rules", path))


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_labels_of_a_rule_file_are_known_in_any_normal_form(cli: Cli, tmp_path: Path, written: Any, typed: Any) -> None:
    path = tmp_path / "mine.toml"
    good(cli("rules", "new", path, "--from", "generala"))
    text = path.read_text(encoding="utf-8")
    assert text.count('es = "Póker"') == 1
    label = unicodedata.normalize(written, 'es = "Cuádruple"')
    path.write_text(text.replace('es = "Póker"', label), encoding="utf-8")
    sheet = unicodedata.normalize(typed, "CUÁDRUPLE=40")
    assert cli("value", path, "--sheet", sheet) == cli("value", "generala", "--sheet", "four_of_a_kind=40")
