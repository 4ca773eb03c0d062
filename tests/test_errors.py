"""What an error shows of bad input, and the name it suggests instead."""

from typing import Any

import pytest
from servida.errors import nearest, quoted


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (3.0, "3.0"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        ("", "''"),
        ("초이스", "'초이스'"),
        ("it's", '"it\'s"'),
        ("a\nb\ud800", "'a\\nb\\ud800'"),
        ([1, "초이스", None, [True]], '[1, "초이스", null, [true]]'),
        ({"ones": 3, "twos": None}, '{"ones": 3, "twos": null}'),
        ((1, 2), "[1, 2]"),
        ({7}, "{7}"),  # nothing JSON can write
        (b"33366", "b'33366'"),
        ("x" * 58, f"'{'x' * 58}'"),
        ("x" * 59, f"'{'x' * 59}…"),
        ("x" * 5000, f"'{'x' * 59}…"),
        (10**59, f"1{'0' * 59}"),
        (10**60, f"1{'0' * 59}…"),
        ([0] * 20, f"[{'0, ' * 19}0]"),
        ([0] * 21, f"[{'0, ' * 19}0,…"),
    ],
)
def test_bad_input_is_shown_as_json_and_not_at_length(value: Any, text: str) -> None:
    assert quoted(value) == text


def test_bad_input_that_holds_itself_is_shown() -> None:
    value: list[Any] = []
    value.append(value)
    assert quoted(value) == "[[...]]"


@pytest.mark.parametrize(
    ("word", "hint_text"),
    [
        ("full_huose", " (did you mean 'full_house'?)"),
        ("FULL_HOUSE", " (did you mean 'full_house'?)"),
        ("풀하우스", " (did you mean '풀 하우스'?)"),
        ("xyz", ""),
        ("", ""),
        ("full_house" * 1000, ""),
    ],
)
def test_the_nearest_name(word: str, hint_text: str) -> None:
    assert nearest(word, ["full_house", "풀 하우스", "chance"]) == hint_text
