"""Checking a stored table: every checksum, and a sample of sheets solved again from their successors."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import TableFormatError
from .bound_table import BoundTable
from .column_table import ColumnTable
from .duel_table import DuelTable
from .match import Pairs
from .solve import Crew
from .spans import margin_of, span_rows
from .utility_table import UtilityTable

if TYPE_CHECKING:
    from .store import AnyTable

Numbers = npt.NDArray[np.int64]


def verify(table: "AnyTable", *, rows: int = 200, seed: int = 0) -> int:
    """Reads the whole table (which checks its checksums and was opened only if its rules hash fits), then solves a
    random sample of rows anew from the values of the sheets one box further and compares every bit.

    Returns the number of values compared; raises `TableFormatError` for the first that differs.
    """
    table.check()
    if isinstance(table, UtilityTable):
        return _verify_spans(table, rows, seed)
    if isinstance(table, DuelTable):
        return _verify_pairs(table, rows, seed)
    if isinstance(table, BoundTable):
        return table.check_turn(int(np.random.default_rng(seed).integers(table.relaxation.divisions[0].parts.turns)))
    if isinstance(table, ColumnTable):
        return _verify_columns(table, rows, seed)
    values = table.values
    game, layout = table.game, table.game.layout
    every = np.concatenate(layout.rows_by_layer(game.order))
    chosen = _sample(every, rows, seed)
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


def _sample(every: Numbers, rows: int, seed: int) -> Numbers:
    chosen: Numbers = every[np.random.default_rng(seed).permutation(len(every))[:rows]]
    return chosen


def _verify_spans(table: UtilityTable, rows: int, seed: int) -> int:
    spans, compared = table.spans, 0
    every = np.concatenate(span_rows(table.game)[:-1])
    for row in _sample(every, rows, seed):
        low, width, place = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int64)
        table.aim.bounds(spans.parts, row[None], low, width)
        again = np.zeros(width[0], spans.values.dtype)
        table.aim.solve(spans.parts, row[None], low, width, place, again, margin_of(again.dtype, table.utility))
        number = table.game.layout.numbers(row[None])[0]
        start, length = int(spans.start[number]), int(spans.width[number])
        stored = spans.values[start : start + length]
        if (spans.low[number], length) != (low[0], width[0]) or stored.tobytes() != again[: width[0]].tobytes():
            raise TableFormatError(
                f"{table.path or table.variant.id}: expected the values of lower {row[0]}, upper {row[1]}, lane "
                f"{row[2]} as solved from their successors, found others; build it anew with --force"
            )
        compared += length
    return compared


def _verify_pairs(table: DuelTable, rows: int, seed: int) -> int:
    """The pairs of some of the mover's sheets in every turn whose next turn is stored, too."""
    match, compared = table.match, 0
    for number in (n for n in match.solved if n + 1 in match.solved and n + 1 < len(match.turns)):
        mine = len(match.rows(match.turns[number], match.turns[number].mover))
        others = match.pairs(number) // mine
        chosen = np.random.default_rng(seed).permutation(mine)[: max(1, rows // others)]
        stored = match.solved[number]
        with Crew(None, 0, None) as crew:
            again = match.solve_turn(crew, number, stored.values.dtype, chosen)
        pairs = (chosen[:, None] * others + np.arange(others)).ravel()
        for pair, new in zip(pairs.tolist(), range(len(pairs)), strict=True):
            if _needs(stored, pair) != _needs(again, new):
                raise TableFormatError(
                    f"{table.path or table.variant.id}: expected the values of pair {pair} of turn {number} as solved "
                    "from the next turn, found others; build it anew with --force"
                )
            compared += int(again.width[new])
    return compared


def _verify_columns(table: ColumnTable, rows: int, seed: int) -> int:
    """Some blocks of every level whose next level is stored, too: about so many rows of each."""
    columns, compared = table.columns, 0
    for number in (n for n in table.levels if n + 1 in table.levels or n + 1 == len(columns.levels)):
        blocks = np.random.default_rng(seed).permutation(len(columns.levels[number]))[: 1 + rows // len(columns.rows)]
        for place in blocks.tolist():
            combination = tuple(columns.levels[number][place].tolist())
            again, stored = columns.solve_block(combination, table.fetch), table.fetch(combination)
            if again.tobytes() != stored.tobytes():
                raise TableFormatError(
                    f"{table.path or table.variant.id}: expected the values of block {place} of level {number} as "
                    "solved from the next level, found others; build it anew with --force"
                )
            compared += columns.lanes
    return compared


def _needs(pairs: Pairs, pair: int) -> tuple[int, bytes, bytes]:
    part = slice(int(pairs.start[pair]), int(pairs.start[pair]) + int(pairs.width[pair]))
    ties = b"" if pairs.ties is None else pairs.ties[part].tobytes()
    return int(pairs.low[pair]), pairs.values[part].tobytes(), ties
