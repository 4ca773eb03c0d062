"""Solving for an objective that looks at the final total: the value of every sheet for every need (cext/spans.h)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cext.utility import Aim, compact
from .game import Game
from .position import Scoresheet
from .solve import Crew, Progress
from .utility import Utility

LARGE = 2**16  # rows from which values are kept as float32
MARGIN = {np.dtype(np.float64): 1e-13, np.dtype(np.float32): 1e-9}  # this close to decided counts as decided
ERROR = {
    np.dtype(np.float64): 1e-11,
    np.dtype(np.float32): 2e-6,
}  # twice what was found, in parts of the greatest value


@dataclass(frozen=True)
class Spans:
    """values[start[row] + clamp(need - low[row], 0, width[row] - 1)] is the chance, or the expected utility, of the
    sheet with that number; row = lower * slots + slot[upper] + lane, width 0 where no game leads.

    For a target, need = target - points so far; for a utility, need = its last total - points so far.
    """

    values: npt.NDArray[Any]
    start: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]

    @property
    def parts(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The arrays, as the kernel takes them."""
        return self.values, self.start, self.low, self.width

    @property
    def error(self) -> float:
        """The most by which a value may be off, in parts of the greatest."""
        return ERROR[self.values.dtype]

    def at(self, row: int, need: int) -> float:
        """One value."""
        place = min(max(need - int(self.low[row]), 0), int(self.width[row]) - 1)
        return float(self.values[int(self.start[row]) + place])


def aim_of(game: Game, utility: Utility | None) -> Aim:
    """The kernel for a utility, None for all targets at once."""
    if utility is None:
        return Aim(game.kernel, win=1.0, strict=False, top=-1)
    return Aim(game.kernel, win=utility.win, strict=not utility.rises, top=utility.last)


def margin_of(kind: np.dtype[Any], utility: Utility | None) -> float:
    """How close to a decided value others count as decided."""
    return MARGIN[kind] * (utility.scale if utility else 1.0)


def span_rows(game: Game, start: Scoresheet | None = None) -> list[npt.NDArray[np.int64]]:
    """The rows (lower, upper, lane) that a game can come to from a sheet (None: the empty one), after 0, 1, 2 … more
    boxes, each of shape (n, 3)."""
    layout, points = game.layout, start.points if start else (None,) * len(game.rules.categories)
    aim, layers = aim_of(game, None), [np.array([layout.row(points)], np.int64)]
    for _ in range(points.count(None)):
        layers.append(layout.rows(aim.successors(layers[-1])))
    return layers


def solve_spans(
    game: Game,
    utility: Utility | None = None,
    *,
    dtype: Any = None,
    start: Scoresheet | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Spans:
    """The value of every sheet for every need: all targets at once, or one utility. With a `start`, of the sheets that
    can follow from that one.

    `dtype`: how turns are solved and values kept: float64, for large sheets float32, which is twice as fast and half
    as large (`Spans.error`). The same bits for any number of threads.
    """
    layout, layers = game.layout, span_rows(game, start)
    rows_in_all = sum(map(len, layers))
    kind = np.dtype(dtype or (np.float32 if rows_in_all > LARGE else np.float64))
    numbers = layout.lowers * layout.slots
    begin, low, width = np.zeros(numbers, np.int64), np.zeros(numbers, np.int32), np.zeros(numbers, np.int32)
    aim = aim_of(game, utility)
    values = np.array((1.0, 0.0) if utility is None else utility.values[::-1], kind)
    width[layout.numbers(layers[-1])] = len(values)
    spans = Spans(values, begin, low, width)
    margin = margin_of(kind, utility)
    with Crew(threads, rows_in_all - len(layers[-1]), progress) as crew:
        for rows in reversed(layers[:-1]):
            _solve_layer(crew, game, aim, spans, rows, margin)
    return spans


def _solve_layer(crew: Crew, game: Game, aim: Aim, spans: Spans, rows: npt.NDArray[np.int64], margin: float) -> None:
    """Adds the values of one layer behind the others."""
    low, width = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)

    def bound(begin: int, end: int) -> None:
        aim.bounds(spans.parts, rows[begin:end], low[begin:end], width[begin:end])

    crew.share(len(rows), bound, weight=0)
    solved = len(spans.values)
    place = solved + np.cumsum(width, dtype=np.int64) - width
    values = spans.values
    # in place: the system moves pages, not bytes
    values.resize(solved + int(width.sum(dtype=np.int64)), refcheck=False)

    def solve(begin: int, end: int) -> None:
        part = slice(begin, end)
        aim.solve(spans.parts, rows[part], low[part], width[part], place[part], values, margin)

    crew.share(len(rows), solve)
    start = np.empty(len(rows), np.int64)
    values.resize(compact(values, solved, place, width, start), refcheck=False)
    number = game.layout.numbers(rows)
    spans.start[number], spans.low[number], spans.width[number] = start, low, width
