"""Anything at all on the command line is answered, or refused in one line."""

import json
from typing import Any

import pytest
from clitools import good, one_line
from conftest import Cli, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

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


@FUZZ
@given(ODD, ODD | st.sampled_from(["target:", "target:1", "utility:", "score", "duel"]))
def test_any_text_as_a_target_and_an_objective(cli: Cli, score: str, objective: str) -> None:
    survives(cli("target", "generala-obligada", "--", score))
    survives(cli("value", "generala-obligada", f"--objective={objective}"))
    survives(cli("hint", "generala-obligada", "33366", f"--objective={objective}", "--top", 1))


@FUZZ
@given(
    st.binary(max_size=30)
    | st.text("0123456789,.-\nwinae ", max_size=40).map(str.encode)
    | st.lists(st.tuples(st.integers(-1, 500), st.floats() | st.integers())).map(
        lambda rows: "\n".join(f"{total},{value}" for total, value in rows).encode()
    )
)
def test_any_file_as_a_utility(cli: Cli, tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("utility") / "u.csv"
    path.write_bytes(content)
    folder = path.parent
    survives(cli("value", "generala-obligada", "--objective", f"utility:{path}", "--tables", folder))


@FUZZ
@given(ODD, st.integers() | ODD, ODD)
def test_anything_in_a_duel(cli: Cli, them: str, total: object, dice: str) -> None:
    survives(cli("duel", "generala-obligada", f"--them={them}", f"--me-total={total}", "--", dice))
