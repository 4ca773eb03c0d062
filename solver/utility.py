"""What a game can be played for besides its expected score: to reach a total, or any utility of the final total."""

import csv
import hashlib
import json
from collections.abc import Iterable
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from ..errors import PositionError, nearest, quoted

GREATEST_TOTAL = 100_000


class Target(NamedTuple):
    """To reach `total` points or more in the end; an outright win counts as reaching any total."""

    total: int


class Utility(NamedTuple):
    """`values[i]` is what the final total `first + i` is worth, fewer points as much as the first of them, more as much
    as the last; `win` what an outright win is worth."""

    first: int
    values: tuple[float, ...]
    win: float

    @property
    def last(self) -> int:
        """The least total that is worth as much as all greater ones."""
        return self.first + len(self.values) - 1

    @property
    def scale(self) -> float:
        """The greatest utility there is, by its absolute value."""
        return max(map(abs, (*self.values, self.win)))

    @property
    def rises(self) -> bool:
        """Whether more points are never worth less, nor a win at once less than any total."""
        return all(a <= b for a, b in pairwise((*self.values, self.win)))

    @classmethod
    def from_json(cls, text: str) -> "Utility":
        """The utility whose fields, as a JSON list, this is."""
        first, values, win = json.loads(text)
        return cls(int(first), tuple(map(float, values)), float(win))

    @property
    def digest(self) -> str:
        """SHA-256 of what it says, in hexadecimal."""
        return hashlib.sha256(repr(tuple(self)).encode()).hexdigest()


class Win(NamedTuple):
    """To win against another player: "duel"."""


class Bound(NamedTuple):
    """A bound on what any play makes, and a policy: for sheets of several columns that are too many to solve."""


Objective = Target | Utility | Win | Bound | None  # None: the expected score


def utility_of(objective: Target | Utility) -> Utility | None:
    """What the table of an objective is solved for; None for all targets at once."""
    return objective if isinstance(objective, Utility) else None


def table_name(utility: Utility | None) -> str:
    """The objective of a table as it stands in file names: "target", or "utility-" and a hash."""
    return "target" if utility is None else f"utility-{utility.digest[:12]}"


def read_objective(text: str) -> Objective:
    """The objective written as "score", "duel", "target:250" or "utility:FILE"; `PositionError` for anything else."""
    word, colon, rest = text.partition(":")
    if word in ("score", "duel") and not colon:
        return Win() if word == "duel" else None
    if word == "target" and colon:
        return Target(read_total(rest))
    if word == "utility" and rest:
        return read_utility(Path(rest))
    words = ("score", "duel", "target", "utility")
    meant = "" if word in words else nearest(word, words)
    raise PositionError(f"objective: expected score, target:POINTS, utility:FILE or duel, found {quoted(text)}{meant}")


def read_total(text: str) -> int:
    """A total to reach, a whole number."""
    if not text.isascii() or not text.isdigit() or len(text) > 6 or int(text) > GREATEST_TOTAL:
        raise PositionError(f"target: expected whole points from 0 to {GREATEST_TOTAL}, found {quoted(text)}")
    return int(text)


def read_utility(path: Path) -> Utility:
    """The utility in a CSV file of lines total,utility (docs/objectives.md); `PositionError` naming the line."""
    return utility_from(_rows(path), str(path))


def utility_from(rows: Iterable[list[str]], name: str) -> Utility:
    """The utility in the rows of such a file, which errors call `name`."""
    points, win = {}, None
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells[0].casefold() == "total"):
            continue
        where = f"{name}, line {number}"
        if len(cells) != 2:
            raise PositionError(f"{where}: expected total,utility, found {quoted(','.join(row))}")
        value = _number(where, cells[1])
        if cells[0].casefold() == "win":
            win = value
            continue
        if not (cells[0].isascii() and cells[0].isdigit()) or len(cells[0]) > 6 or int(cells[0]) > GREATEST_TOTAL:
            raise PositionError(f"{where}: expected a total from 0 to {GREATEST_TOTAL}, found {quoted(cells[0])}")
        if int(cells[0]) in points:
            raise PositionError(f"{where}: expected every total once, found {cells[0]} again")
        points[int(cells[0])] = value
    if not points:
        raise PositionError(f"{name}: expected lines total,utility, found none")
    totals = sorted(points)
    values = [points[totals[0]]]
    for low, high in pairwise(totals):  # in between, along a straight line
        step = (points[high] - points[low]) / (high - low)
        values += [points[low] + step * i for i in range(1, high - low)] + [points[high]]
    return Utility(totals[0], tuple(values), max(values) if win is None else win)


def _rows(path: Path) -> list[list[str]]:
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            return list(csv.reader(file))
    except UnicodeDecodeError:
        raise PositionError(f"{path}: expected UTF-8 text, found other bytes") from None
    except csv.Error as error:
        raise PositionError(f"{path}: expected lines total,utility, found: {error}") from None
    except (OSError, ValueError) as error:
        raise PositionError(f"{path}: expected a CSV file, found: {getattr(error, 'strerror', error)}") from None


def _number(where: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or abs(value) > 1e9:
        raise PositionError(f"{where}: expected a utility, a number of at most 1e9, found {quoted(text)}")
    return value
