"""What the tests of the command line share: judging what a call printed, and what they call it with."""

import json
from typing import Any

from conftest import Result
from servida import load, variant_ids

SINGLE = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
FULL = (
    "ones=3 twos=6 threes=9 fours=12 fives=15 sixes=18 three_of_a_kind=20 four_of_a_kind=0 full_house=25 "
    "small_straight=30 large_straight=40 yahtzee=50 chance=20"
)
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
