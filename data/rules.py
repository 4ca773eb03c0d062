"""A variant's rules as plain data: what the boxes ask for, what they pay, and how a sheet is filled."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

FACES = 6
Score = int | Literal["sum_all", "sum_matched"]


class Pattern(NamedTuple):
    """What a roll must show. Exactly one of the five kinds is set.

    `faces`: at least one die of these faces; `groups`: sizes of groups of equal dice, of different faces when
    `distinct`, no larger than asked when `exact`; `sequence`: one of these sets of faces; `run`: that many
    consecutive faces; `any`: every roll.
    """

    faces: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    distinct: bool = False
    exact: bool = False
    sequence: tuple[tuple[int, ...], ...] = ()
    run: int = 0
    any: bool = False


class Category(NamedTuple):
    """One box. `score` counts when the pattern holds, `served` instead of it on the first roll of a turn.

    A box with `requires` pays nothing unless the box named there holds points.
    """

    id: str
    pattern: Pattern
    score: Score
    served: Score | None = None
    requires: str | None = None

    @property
    def face(self) -> int | None:
        """The face a face box counts, None for any other box."""
        return self.pattern.faces[0] if len(self.pattern.faces) == 1 and self.score == "sum_matched" else None


class Column(NamedTuple):
    """A column of the sheet: the order its boxes are written in, and what its total is multiplied by."""

    order: Literal["free", "down", "up"] = "free"
    multiplier: int = 1


class UpperBonus(NamedTuple):
    """Points added once the boxes in `categories` sum to at least `threshold`."""

    threshold: int
    points: int
    categories: tuple[str, ...]


class Five(NamedTuple):
    """What all dice alike mean once the box for them (`category`) is written: a bonus while it holds points, and
    the joker rule."""

    category: str
    bonus: int = 0
    joker: Literal["none", "forced", "free-choice"] = "none"


class OutrightWin(NamedTuple):
    """All dice alike on the first roll end the game, unless `category` has been scratched.

    `win_points` is what such a hand scores; None stands for the sheet's greatest possible total.
    """

    category: str
    win_points: int | None = None


class Rules(NamedTuple):
    """One variant. Everything that decides play is in here; names and sources are in `About`."""

    categories: tuple[Category, ...]
    dice: int = 5
    rolls: int = 3
    hold: Literal["free", "locked"] = "free"
    columns: tuple[Column, ...] = (Column(),)
    upper_bonus: UpperBonus | None = None
    five: Five | None = None
    outright_win: OutrightWin | None = None
    ties: Literal["half", "leaders-win", "extra-round"] = "half"

    @property
    def box(self) -> dict[str, int]:
        """The number of each box on the sheet, by category id."""
        return {category.id: i for i, category in enumerate(self.categories)}

    @property
    def canonical(self) -> str:
        """The rules as JSON text: equal for equal rules, whatever the file looked like."""
        return json.dumps(_plain(self), sort_keys=True, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """SHA-256 of `canonical`, in hexadecimal."""
        return _digest(self)


def _plain(value: Any) -> Any:
    """A value of this module as the dicts and lists JSON knows."""
    if hasattr(value, "_asdict"):
        return {name: _plain(field) for name, field in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def rules_from(canonical: str) -> Rules:
    """The rules whose `canonical` text this is."""
    value = json.loads(canonical)
    categories = [
        Category(**{**category, "pattern": Pattern(**{k: _tupled(v) for k, v in category["pattern"].items()})})
        for category in value["categories"]
    ]
    upper, five, win = value["upper_bonus"], value["five"], value["outright_win"]
    return Rules(
        **{
            **value,
            "categories": tuple(categories),
            "columns": tuple(Column(**column) for column in value["columns"]),
            "upper_bonus": upper and UpperBonus(**{**upper, "categories": tuple(upper["categories"])}),
            "five": five and Five(**five),
            "outright_win": win and OutrightWin(**win),
        }
    )


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


@lru_cache(maxsize=64)
def _digest(rules: Rules) -> str:
    return hashlib.sha256(rules.canonical.encode()).hexdigest()


class About(NamedTuple):
    """Everything about a variant that does not change play: names, labels, where the rules come from."""

    names: Mapping[str, str] = MappingProxyType({})
    labels: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    aliases: tuple[str, ...] = ()
    source: str = ""
    players: tuple[int, int] = (1, 6)
    known_value: float | None = None
    known_source: str = ""


class Variant(NamedTuple):
    """A rule file that has been read: its id, its rules, and what is known about it."""

    id: str
    rules: Rules
    about: About = About()
