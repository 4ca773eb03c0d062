"""Exact expected scores of every sheet, layer by layer from the full sheet back to the empty one."""

import os
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from .game import Game, game_of
from .table import Table

Values = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]  # rows solved, rows in all

CHUNK = 64  # rows a thread takes at a time


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
    done = 0
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for rows in reversed(layers):
            rows = np.ascontiguousarray(rows)
            chunks = [rows[i : i + CHUNK] for i in range(0, len(rows), CHUNK)]
            solved = pool.map(lambda chunk: game.kernel.solve_rows(values, chunk), chunks)
            for chunk, _ in zip(chunks, solved, strict=True):
                done += len(chunk)
                if progress:
                    progress(done, total)
    return values


def solve(variant: Variant, *, threads: int | None = None, progress: Progress | None = None) -> Table:
    """The table of a variant, in memory. `threads`: how many to use (None: all cores); `progress` is called with the
    rows solved and the rows in all. Raises `RulesError` for rules the solver cannot take."""
    game = game_of(variant)
    return Table(variant, game, solve_values(game, threads=threads, progress=progress))
