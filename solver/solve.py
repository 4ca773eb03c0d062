"""Exact expected scores of every sheet, layer by layer from the full sheet back to the empty one."""

import os
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from .game import Game, game_of
from .table import Table

Values = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]  # rows solved, rows in all
Number = TypeVar("Number", bound=np.generic)

SMALLEST = 8  # rows in the smallest part a thread takes, unless said otherwise


class Limits(NamedTuple):
    """What solving for one answer may take: `seconds` of one core, and `memory` in bytes."""

    seconds: float = 240.0
    memory: float = 4e9


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, or one for every core this process may use."""
    if threads:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """Threads that share out rows, and tell `progress` the rows done and the rows in all."""

    def __init__(self, threads: int | None, total: int, progress: Progress | None):
        from concurrent.futures import ThreadPoolExecutor  # answering from a table does without

        self.threads = thread_count(threads)
        self._pool = ThreadPoolExecutor(self.threads)
        self._done, self._total, self._progress = 0, total, progress
        self._lock = Lock()

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def share(
        self, count: int, act: Callable[[int, int], object], *, weight: int = 1, smallest: int = SMALLEST
    ) -> None:
        """Calls act(begin, end) for parts of range(count) that cover it, in all threads, and waits for the last.

        `weight`: for how much each of the rows counts in what `progress` is told; `smallest`: rows of the least part.
        """
        parts = _parts(count, self.threads, smallest)
        for finished in [self._pool.submit(self._work, parts, act, weight) for _ in range(self.threads)]:
            finished.result()

    def _work(self, parts: deque[tuple[int, int]], act: Callable[[int, int], object], weight: int) -> None:
        while parts:
            try:
                begin, end = parts.popleft()
            except IndexError:  # another thread was faster
                return
            act(begin, end)
            self.report(weight * (end - begin))

    def report(self, rows: int) -> None:
        """Tells `progress` that so many rows more are done."""
        if self._progress and rows:
            with self._lock:
                self._done += rows
                self._progress(self._done, self._total)


def solve_values(game: Game, *, threads: int | None = None, progress: Progress | None = None) -> Values:
    """The value of every sheet: float64 points still to come, shape (lowers, slots), NaN where no sheet is.

    The same bits for any number of threads: each row is computed by one thread from finished layers.
    """
    layout = game.layout
    values = np.full((layout.lowers, layout.slots), np.nan)
    layers = layout.rows_by_layer(game.order)
    with Crew(threads, sum(len(rows) for rows in layers), progress) as crew:
        for rows in map(np.ascontiguousarray, reversed(layers)):

            def act(begin: int, end: int, rows: npt.NDArray[np.int64] = rows) -> None:
                game.kernel.solve_rows(values, rows[begin:end])

            crew.share(len(rows), act)
    return values


def _parts(count: int, threads: int, smallest: int) -> deque[tuple[int, int]]:
    """range(count) in parts, large ones first, so that threads take few of them and still end together."""
    parts: deque[tuple[int, int]] = deque()
    begin = 0
    while begin < count:
        end = min(count, begin + max(smallest, (count - begin) // (4 * threads)))
        parts.append((begin, end))
        begin = end
    return parts


def cut(rows: npt.NDArray[Number], threads: int, smallest: int = SMALLEST) -> list[npt.NDArray[Number]]:
    """The rows in such parts."""
    return [rows[begin:end] for begin, end in _parts(len(rows), threads, smallest)]


def solve(variant: Variant, *, threads: int | None = None, progress: Progress | None = None) -> Table:
    """The table of a variant, in memory. `threads`: how many to use (None: all cores); `progress` is called with the
    rows solved and the rows in all. Raises `RulesError` for rules the solver cannot take."""
    game = game_of(variant)
    return Table(variant, game, solve_values(game, threads=threads, progress=progress))
