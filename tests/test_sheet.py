"""Score sheets to print: what stands on them, on how many pages, and in which letters."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from clitools import TOY, good, one_line
from conftest import Cli
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from servida import load, variant_ids
from servida.cli.sheet import sheet_of
from servida.cli.sheet_draw import Row, Sheet
from servida.data.language import LANGUAGES, language

TEXT = re.compile(r"<!-- (.*?) -->")


def rows(variant: str, lang: str = "en") -> dict[str, Row]:
    return {row.label: row for row in sheet_of(load(variant), language(lang)).rows}


def pays(variant: str, lang: str = "en") -> dict[str, str]:
    return {label: row.pays for label, row in rows(variant, lang).items()}


def texts(path: Path) -> list[str]:
    """The texts of an SVG file, which stand beside their outlines."""
    return TEXT.findall(path.read_text(encoding="utf-8"))


def pages(path: Path) -> int:
    return len(re.findall(rb"/Type /Page\b", path.read_bytes()))


def font_file(path: Path, letters: str, *, cff: bool = False) -> Path:
    """A font whose letters are all squares."""
    names = [".notdef", *(f"letter{ord(letter)}" for letter in letters)]
    builder = FontBuilder(1000, isTTF=not cff)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): f"letter{ord(letter)}" for letter in letters})
    pen: Any = T2CharStringPen(600, None) if cff else TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in ((50, 700), (550, 700), (550, 0)):
        pen.lineTo(corner)
    pen.closePath()
    if cff:
        builder.setupCFF("Squares", {}, dict.fromkeys(names, pen.getCharString()), {})
    else:
        builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with matplotlib's own fonts only."""
    from matplotlib import font_manager

    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [])
    own = [entry for entry in font_manager.fontManager.ttflist if "mpl-data" in entry.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)


def test_what_boxes_pay() -> None:
    found = pays("generala")
    assert found["Sixes"] == "sum of 6s"
    assert found["Full house"] == "30 · served: 35"
    assert found["Double generala"] == "100 · needs Generala"
    assert list(found)[-1] == "Total"
    found = pays("yahtzee", "de")
    assert list(found)[6:8] == ["Summe oben", "Oberer Bonus"]
    assert found["Oberer Bonus"] == "≥ 63: 35"
    assert found["Chance"] == "Summe aller Würfel"
    assert found["Yahtzee-Bonus"] == "je 100"
    assert pays("generala-classic")["Generala"] == "60 · served: win at once"
    assert pays("yatzy", "es")["Pareja"] == "suma de los dados que cuentan"
    assert pays("chaser", "ko")["식스 빈즈"] == "6의 합"


def test_columns_have_their_orders_multipliers_and_totals() -> None:
    three = sheet_of(load("yahtzee-three-column"), language("es"))
    assert three.columns == ("abajo", "arriba", "libre")
    assert [row.label for row in three.rows[-2:]] == ["Total de la columna", "Total"]
    triple = sheet_of(load("yahtzee-triple"), language("en"))
    assert triple.columns == ("×1", "×2", "×3")
    assert triple.rows[-2] == Row("Multiplied", is_sum=True, marks=("×1", "×2", "×3"))
    assert triple.rows[-1].wide
    assert sheet_of(load("generala-obligada"), language("de")).columns == ("abwärts",)
    assert sheet_of(load("generala"), language("de")).columns == ()


def test_house_rules(cli: Cli, tmp_path: Path) -> None:
    house = TOY.replace('id = "toy"', 'id = "toy"\nnames = { en = "Our $x^2$\\n  rules" }')
    house = house.replace(
        "[upper_bonus]", '[[category]]\nid = "all"\npattern = { any = true }\nscore = 7\n[upper_bonus]'
    )
    house += 'categories = ["ones", "all"]\n[[column]]\n[[column]]\n'
    (tmp_path / "toy.toml").write_text(house)
    found = sheet_of(load(str(tmp_path / "toy.toml")), language("en"))
    assert found.title == "Our $x^2$ rules"
    assert found.columns == ("1", "2")
    labels = ["Ones", "Sixes", "all", "Upper total", "Upper bonus", "Column total", "Total"]
    assert [row.label for row in found.rows] == labels
    assert found.rows[3].pays == "Ones + all"
    good(cli("sheet", tmp_path / "toy.toml", "-o", tmp_path / "toy.svg", "--players", 1))
    drawn = texts(tmp_path / "toy.svg")
    assert drawn.count("Name") == 1
    assert {"Our $x^2$ rules", "≥ 13: 9", "7", *labels} <= set(drawn)


def test_long_words_are_written_on_two_lines(cli: Cli, tmp_path: Path) -> None:
    words = "even dice of any number that show the same face or another one, whatever they were before"
    house = TOY.replace('[6] }\nscore = "sum_matched"', f'[6] }}\nscore = 5\nlabels = {{ en = "{words}" }}')
    house = house.replace('id = "toy"', f'id = "toy"\nnames = {{ en = "{"endless " * 60}" }}')
    (tmp_path / "toy.toml").write_text(house)
    good(cli("sheet", tmp_path / "toy.toml", "-o", tmp_path / "toy.svg", "--players", 6))
    drawn = texts(tmp_path / "toy.svg")
    assert drawn[0].endswith("…")
    assert any(f"{first} {second}" == words for first in drawn for second in drawn)


@pytest.mark.parametrize("variant", variant_ids())
def test_every_variant_has_a_sheet(cli: Cli, variant: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.svg"
    assert good(cli("sheet", variant, "--players", 3, "-o", path)) == f"wrote {path}\n"
    drawn, sheet = texts(path), sheet_of(load(variant), language("en"))
    assert drawn.count("Name") == 3
    assert {sheet.title, *sheet.columns, *(row.label for row in sheet.rows)} <= set(drawn)
    for lang in LANGUAGES:
        assert isinstance(sheet_of(load(variant), language(lang)), Sheet)


def test_pages_and_paper(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = {}
    for players, paper, said in ((6, "a4", ""), (10, "a4", ""), (20, "letter", " (2 pages)")):
        call = cli("sheet", "yahtzee", "--players", players, "--paper", paper)
        assert good(call) == f"wrote yahtzee.pdf{said}\n"
        data = Path("yahtzee.pdf").read_bytes()
        assert b"/Type3" not in data
        assert b"/FontFile2" in data
        found[players] = re.findall(rb"/MediaBox \[ 0 0 (\d+)\S* (\d+)", data)
    assert found == {6: [(b"595", b"841")], 10: [(b"841", b"595")], 20: [(b"792", b"612")] * 2}
    good(cli("sheet", "yahtzee-triple", "--players", 4))
    assert pages(Path("yahtzee-triple.pdf")) == 1
    good(cli("sheet", "yahtzee-triple", "--players", 9))
    assert pages(Path("yahtzee-triple.pdf")) == 2


def test_the_same_call_writes_the_same_bytes(cli: Cli, tmp_path: Path) -> None:
    for kind in ("pdf", "svg", "png"):
        path, old = tmp_path / f"a.{kind}", b"old"
        path.write_bytes(old)
        good(cli("sheet", "chaser", "-o", path))
        first = path.read_bytes()
        assert first != old
        good(cli("sheet", "chaser", "-o", path))
        assert path.read_bytes() == first


def test_what_cannot_be_written_is_refused(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "none" / "a.pdf"
    assert one_line(cli("sheet", "yahtzee", "-o", gone), 1).startswith(f"{gone}: expected a place to write to, found:")
    bad = one_line(cli("sheet", "yahtzee", "-o", "a.jpg"))
    assert bad == "a.jpg: expected a file name that ends in .pdf, .svg or .png"
    path = tmp_path / "a.svg"
    assert "expected a sheet of one page, found 2 for 20 players" in one_line(
        cli("sheet", "yahtzee", "--players", 20, "-o", path)
    )
    one_line(cli("sheet", "yahtzee", "--players", 0))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = one_line(cli("sheet", "yahtzee", "-o", path))
    assert told == "sheet: expected the package matplotlib, found none; install it with pip install 'servida[plot]'"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_fonts")
def test_letters_that_no_font_has_are_never_boxes(cli: Cli, tmp_path: Path) -> None:
    told = one_line(cli("sheet", "chaser", "--lang", "ko", "-o", tmp_path / "a.pdf"))
    assert re.fullmatch(r"font: expected a font with the letters .+…, found none; name one with --font", told)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("cff", [False, True])
def test_a_font_of_ones_own_is_embedded(cli: Cli, tmp_path: Path, cff: bool) -> None:
    letters = "".join(sorted(set(sheet_of(load("chaser"), language("ko")).texts)))
    font, path = font_file(tmp_path / "squares.otf", letters, cff=cff), tmp_path / "a.pdf"
    good(cli("sheet", "chaser", "--lang", "ko", "--font", font, "-o", path))
    data = path.read_bytes()
    assert b"/Type3" not in data
    assert b"/FontFile2" in data
    assert re.search(rb"/BaseFont /\w+\+Squares", data)
    assert b"DejaVu" not in data
    font_file(font, letters.replace("추", ""), cff=cff)
    told = one_line(cli("sheet", "chaser", "--lang", "ko", "--font", font, "-o", path))
    assert told == f"font: expected a font with the letters 추, found none of them in {font}"


def test_an_installed_font_is_found(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import font_manager

    letters = "".join(sorted(set(sheet_of(load("chaser"), language("ko")).texts)))
    found = [str(font_file(tmp_path / "lacking.ttf", letters[:-1])), str(font_file(tmp_path / "b.ttf", letters))]
    (tmp_path / "broken.ttf").write_bytes(b"\0\1\0\0")
    found += [str(tmp_path / "broken.ttf"), str(tmp_path / "gone.ttf")]
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: found)
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [])
    monkeypatch.setattr("servida.cli.fonts._own_has", lambda own, letters: False)
    good(cli("sheet", "chaser", "--lang", "ko", "-o", tmp_path / "a.pdf"))
    assert b"Squares" in (tmp_path / "a.pdf").read_bytes()


def test_files_that_are_no_fonts(cli: Cli, tmp_path: Path) -> None:
    other, broken = tmp_path / "a.ttf", tmp_path / "b.ttf"
    other.write_text("no font")
    broken.write_bytes(b"\0\1\0\0 and then nothing")
    for path in (other, broken, tmp_path):
        told = one_line(cli("sheet", "yahtzee", "--font", path, "-o", tmp_path / "a.pdf"))
        assert told == f"font: expected a font file (.ttf, .otf or .ttc), found another at {path}"
    gone = tmp_path / "gone.ttf"
    told = one_line(cli("sheet", "yahtzee", "--font", gone, "-o", tmp_path / "a.pdf"))
    assert told == f"font: expected a font file, found no file {gone}"
