"""What a question is about: the variant and the objective, which never lead to a file of the server's."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..data.catalog import load_named
from ..data.parse import parse, variant_from
from ..data.rules import Variant
from ..errors import PositionError, RulesError, nearest, quoted
from ..solver.utility import Objective, Target, Utility, Win, read_total, utility_from

LONGEST_ID = 64
LONGEST_RULES = 16_384  # characters of a rule file
LONGEST_UTILITY = 20_000  # lines of a utility
MOST_KNOWN = 64
_known: dict[tuple[str, bool], None] = {}

OBJECTIVES = ("score", "target", "utility", "duel")


class Asked(NamedTuple):
    """A variant that was asked for; `key` tells it from all others, `own`: its rules came with the question."""

    variant: Variant
    key: str
    own: bool


def asked(ask: Mapping[str, Any]) -> Asked:
    """The variant of a question: one that comes along, by its name, or house rules."""
    name, rules = ask.get("variant"), ask.get("rules")
    if (name is None) == (rules is None):
        found = "neither" if name is None else "both"
        raise PositionError(f"variant: expected either it or house rules under 'rules', found {found}")
    if name is not None:
        return _named(name)
    return _own(*_text(rules))


def _text(rules: Any) -> tuple[str, bool]:
    """House rules as text, and whether that is JSON."""
    return (rules, False) if isinstance(rules, str) else (json.dumps(rules), True)


def is_known(ask: Mapping[str, Any]) -> bool:
    """Whether the house rules of a question have led to an answer before. Others are left to the solvers: reading a
    rule file takes longer than a hint."""
    return _text(ask["rules"]) in _known


def remember(ask: Mapping[str, Any]) -> None:
    """The house rules of this question led to an answer."""
    _known[_text(ask["rules"])] = None
    while len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]


@lru_cache(1024)
def _named(name: str) -> Asked:
    variant = load_named(name)
    return Asked(variant, variant.id, False)


@lru_cache(MOST_KNOWN)
def _own(text: str, is_json: bool) -> Asked:
    if len(text) > LONGEST_RULES:
        raise RulesError(f"rules: expected at most {LONGEST_RULES} characters, found {len(text)}")
    variant = variant_from(json.loads(text), "rules") if is_json else parse(text, "rules")
    if len(variant.id) > LONGEST_ID:
        raise RulesError(f"rules: id: expected at most {LONGEST_ID} characters, found {len(variant.id)}")
    return Asked(variant, hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest(), True)


def objective_of(ask: Mapping[str, Any]) -> Objective:
    """What a question is to be answered for."""
    text = ask.get("objective", "score")
    word, colon, rest = text.partition(":")
    if "utility" in ask and text != "utility":
        raise PositionError(f"utility: expected it with the objective utility, found {quoted(text)}")
    if word == "target" and colon:
        return Target(read_total(rest))
    if colon or word not in OBJECTIVES or word == "target":
        meant = "" if word in OBJECTIVES else nearest(word, OBJECTIVES)
        raise PositionError(f"objective: expected score, target:POINTS, utility or duel, found {quoted(text)}{meant}")
    if word == "utility":
        return _utility(ask.get("utility"))
    return Win() if word == "duel" else None


def _utility(value: str | dict[str, Any] | None) -> Utility:
    if value is None:
        raise PositionError("utility: expected lines total,utility beside the objective utility, found nothing")
    if isinstance(value, str):
        rows = [line.split(",") for line in value.splitlines()]
    else:
        rows = [[total, str(worth)] for total, worth in value.items()]
    if len(rows) > LONGEST_UTILITY:
        raise PositionError(f"utility: expected at most {LONGEST_UTILITY} lines, found {len(rows)}")
    return utility_from(rows, "utility")
