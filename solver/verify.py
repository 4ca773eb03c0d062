"""Checking a stored table: every checksum, and a sample of sheets solved again from their successors."""

import numpy as np

from ..errors import TableFormatError
from .table import Table


def verify(table: Table, *, rows: int = 200, seed: int = 0) -> int:
    """Reads the whole table (which checks its checksums and was opened only if its rules hash fits), then solves a
    random sample of rows anew from the values of the sheets one box further and compares every bit.

    Returns the number of values compared; raises `TableFormatError` for the first that differs.
    """
    table.check()
    values = table.values
    game, layout = table.game, table.game.layout
    every = np.concatenate(layout.rows_by_layer(game.order))
    chosen = every[np.random.default_rng(seed).permutation(len(every))[:rows]]
    again, compared = values.copy(), 0
    for lower, upper in chosen:
        lanes = slice(int(layout.slot[upper]), int(layout.slot[upper] + layout.live[upper] + 1))
        stored = values[lower, lanes]
        game.kernel.solve_rows(again, np.array([[lower, upper]]))
        solved = again[lower, lanes].copy()
        again[lower, lanes] = stored
        if stored.tobytes() != solved.tobytes():
            lane = int(np.flatnonzero(stored.view(np.int64) != solved.view(np.int64))[0])
            raise TableFormatError(
                f"{table.path or table.variant.id}: expected {float(solved[lane])!r} for lower {lower}, upper {upper}, "
                f"lane {lane} (solved from its successors), found {float(stored[lane])!r}; rebuild it with "
                f"'servida tables build {table.variant.id} --force'"
            )
        compared += len(stored)
    return compared
