"""Positions that the command line reads as JSON."""

from codecs import BOM_UTF8
from pathlib import Path

import pytest
from clitools import good, one_line
from conftest import Cli

POSITIONS: dict[str, str] = {
    "": "position: expected a JSON object, found text that is not JSON",
    "{": "position: expected a JSON object, found text that is not JSON",
    '{"variant": "yahtzee", "dice": "333': "position: expected a JSON object, found text that is not JSON",
    '{"variant": "yahtzee", "dice": "33366"}}': "position: expected a JSON object, found text that is not JSON",
    "[" * 100_000: "position: expected a JSON object, found text that is not JSON",
    '{"sheet":' * 100_000: "position: expected a JSON object, found text that is not JSON",
    "[]": "position: expected a JSON object, found []",
    '[{"variant": "yahtzee", "dice": "33366"}]': "position: expected a JSON object, "
    'found [{"variant": "yahtzee", "dice": "33366"}]',
    f"[{'1, ' * 5000}1]": f"position: expected a JSON object, found [{'1, ' * 19}1,…",
    "null": "position: expected a JSON object, found null",
    "true": "position: expected a JSON object, found true",
    "NaN": "position: expected a JSON object, found NaN",
    '"33366"': "position: expected a JSON object, found '33366'",
    "{}": "position: expected a variant name under 'variant', found null",
    '{"dice": "33366"}': "position: expected a variant name under 'variant', found null",
    '{"variant": 7, "dice": "33366"}': "position: expected a variant name under 'variant', found 7",
    '{"variant": ["yahtzee"], "dice": "33366"}': "position: expected a variant name under 'variant', "
    'found ["yahtzee"]',
    '{"variant": "yahtzee"}': "dice: expected 5 dice, found 0: none",
    '{"variant": "yahtze", "dice": "33366"}': "found 'yahtze' (did you mean 'yahtzee'?); 'servida variants'",
    '{"variant": "\\ud800", "dice": "33366"}': "variant: expected an id, a name",
    '{"variant": "yahtzee", "dice": "33366", "dice": "33366"}': "position: expected every key once, found 'dice' twice",
    '{"variant": "yahtzee", "dice": "33366", "roll_left": 1}': "found 'roll_left' (did you mean 'rolls_left'?)",
    '{"variant": "yahtzee", "dice": 33366}': "position: expected dice as text or a list of faces, found 33366",
    '{"variant": "yahtzee", "dice": null}': "position: expected dice as text or a list of faces, found null",
    '{"variant": "yahtzee", "dice": {"3": 5}}': 'position: expected dice as text or a list of faces, found {"3": 5}',
    '{"variant": "yahtzee", "dice": NaN}': "position: expected dice as text or a list of faces, found NaN",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, NaN]}': "dice: expected 5 dice with faces 1 to 6, found NaN",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 1e999]}': "dice: expected 5 dice with faces 1 to 6, found Infinity",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 6.0]}': "dice: expected 5 dice with faces 1 to 6, found 6.0",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, true]}': "dice: expected 5 dice with faces 1 to 6, found true",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, null]}': "dice: expected 5 dice with faces 1 to 6, found null",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, [6]]}': "dice: expected 5 dice with faces 1 to 6, found [6]",
    '{"variant": "yahtzee", "dice": [3, 3, 3, 6, 7]}': "dice: expected 5 dice with faces 1 to 6, found 7",
    f'{{"variant": "yahtzee", "dice": [3, 3, 3, 6, {"9" * 4000}]}}': "dice: expected 5 dice with faces 1 to 6, found 9",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 3}': "rolls_left: expected a whole number from 0 to 2, "
    "found 3",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 1.0}': "rolls_left: expected a whole number from 0 to 2, "
    "found 1.0",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": "1"}': "rolls_left: expected a whole number from 0 to 2, "
    "found '1'",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": true}': "rolls_left: expected a whole number from 0 to 2, "
    "found true",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": [1]}': "rolls_left: expected a whole number from 0 to 2, "
    "found [1]",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": NaN}': "rolls_left: expected a whole number from 0 to 2, "
    "found NaN",
    '{"variant": "yahtzee", "dice": "33366", "rolls_left": 1e999}': "rolls_left: expected a whole number from 0 to 2, "
    "found Infinity",
    '{"variant": "yahtzee", "dice": "33366", "sheet": []}': "position: expected sheet as an object of points per box, "
    "found []",
    '{"variant": "yahtzee", "dice": "33366", "sheet": null}': "position: expected sheet as an object of points "
    "per box, found null",
    '{"variant": "yahtzee", "dice": "33366", "sheet": 3}': "position: expected sheet as an object of points per box, "
    "found 3",
    '{"variant": "yahtzee", "dice": "33366", "sheet": "x"}': "sheet: expected entries like ones=3, found 'x'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": null}}': "sheet: expected whole points for ones, "
    "found null",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": "3"}}': "sheet: expected whole points for ones, "
    "found '3'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": "ones=３"}': "sheet: expected entries like ones=3, "
    "found 'ones=３'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 3.0}}': "sheet: expected whole points for ones, "
    "found 3.0",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": true}}': "sheet: expected whole points for ones, "
    "found true",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": -1}}': "sheet: expected whole points for ones, found -1",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1e999}}': "sheet: expected whole points for ones, "
    "found Infinity",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1, "ones": 1}}': "expected every key once, found 'ones'",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1, "Ones": 1}}': "expected every box once, found ones",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"": 1}}': "sheet: expected a box of yahtzee (",
    '{"variant": "yahtzee", "dice": "33366", "sheet": {"\\ud800": 1}}': "sheet: expected a box of yahtzee (",
    f'{{"variant": "yahtzee", "dice": "33366", "sheet": {{"ones": {"9" * 4000}}}}}': "sheet: expected ones to hold one",
    '{"variant": "yahtzee", "dice": "33366", "held": [3]}': "held: expected nothing, since this variant",
    '{"variant": "yahtzee", "dice": "33366", "held": 3}': "position: expected held as text or a list of faces, found 3",
    '{"variant": "yahtzee", "dice": "33366", "held": null}': "position: expected held as text or a list of faces, "
    "found null",
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


def test_a_position_may_begin_with_a_byte_order_mark(cli: Cli, tmp_path: Path) -> None:
    text = '{"variant": "추격자", "dice": "33336", "rolls_left": 1}'
    expected = good(cli("hint", "chaser", "33336", "--rolls-left", 1))
    path = tmp_path / "position.json"
    path.write_bytes(BOM_UTF8 + text.encode())
    assert good(cli("hint", "--position", path)) == expected
    assert good(cli("hint", "--position", "-", stdin=BOM_UTF8 + text.encode())) == expected
    message = one_line(cli("hint", "--position", "-", stdin=BOM_UTF8 * 2 + text.encode()))
    assert message.startswith("position: expected a JSON object, found text that is not JSON: ")


def test_position_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)))
    assert one_line(cli("hint", "--position", binary)) == "position: expected UTF-8 text, found other bytes"
    assert one_line(cli("hint", "--position", "-", stdin=b"\xff\xfe{}")) == one_line(cli("hint", "--position", binary))
    assert "No such file or directory" in one_line(cli("hint", "--position", tmp_path / "none.json"))
    assert "Invalid value for '--position'" in one_line(cli("hint", "--position", tmp_path))
