"""Exact expected scores of every sheet, layer by layer from the full sheet back to the empty one."""

import os
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from .game import Game, game_of
from .table import Table

Values = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]  # rows solved, rows in all
Number = TypeVar("Number", bound=np.generic)

SMALLEST = 8  # rows in the smallest chunk a thread takes


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, or one for every core this process may use."""
    if threads:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solve_values(game: Game, *, threads: int | None = None, progress: Progress | None = None) -> Values:
    """The value of every sheet: float64 points still to come, shape (lowers, slots), NaN where no sheet is.

    The same bits for any number of threads: each row is computed by one thread from finished layers.
    """
    from concurrent.futures import ThreadPoolExecutor  # answering from a table does without

    layout = game.layout
    values = np.full((layout.lowers, layout.slots), np.nan)
    layers = layout.rows_by_layer(game.order)
    total = sum(len(rows) for rows in layers)
    threads = thread_count(threads)
    done, lock = 0, Lock()

    def work(chunks: deque[npt.NDArray[np.int64]]) -> None:
        nonlocal done
        while chunks:
            try:
                chunk = chunks.popleft()
            except IndexError:  # another thread was faster
                return
            game.kernel.solve_rows(values, chunk)
            if progress:
                with lock:
                    done += len(chunk)
                    progress(done, total)

    with ThreadPoolExecutor(threads) as pool:
        for rows in reversed(layers):
            chunks = cut(np.ascontiguousarray(rows), threads)
            for finished in [pool.submit(work, chunks) for _ in range(threads)]:
                finished.result()
    return values


def cut(rows: npt.NDArray[Number], threads: int, smallest: int = SMALLEST) -> deque[npt.NDArray[Number]]:
    """The rows in chunks, large ones first, so that threads take few of them and still end together."""
    chunks: deque[npt.NDArray[Number]] = deque()
    while len(rows):
        size = max(smallest, len(rows) // (4 * threads))
        chunks.append(rows[:size])
        rows = rows[size:]
    return chunks


def solve(variant: Variant, *, threads: int | None = None, progress: Progress | None = None) -> Table:
    """The table of a variant, in memory. `threads`: how many to use (None: all cores); `progress` is called with the
    rows solved and the rows in all. Raises `RulesError` for rules the solver cannot take."""
    game = game_of(variant)
    return Table(variant, game, solve_values(game, threads=threads, progress=progress))
