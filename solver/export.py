"""Tables in formats other programs read."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ServidaError, StorageError
from .file import whole_file
from .table import LAYOUT_ARRAYS, Table, describe

STATES = ("open", "scratched", "holding", "written")


def export(table: Table, kind: str, path: Path) -> None:
    """Writes the table to `path` as "npz", "csv", "parquet" or "json"; whole or not at all.

    npz and json hold the arrays `values`, `slot`, `lane_low`, `live` and the text `index` that explains them; csv and
    parquet one row per sheet: the state of every box, `upper_total` ("settled" lanes leave it empty) and `value`.
    """
    data = {"npz": _npz, "json": _json, "csv": _csv, "parquet": _parquet}[kind](table)
    try:
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise StorageError(f"{path}: expected a place to write to, found: {error.strerror or error}") from None


def _description(table: Table) -> dict[str, Any]:
    """What a reader of the arrays needs to know, as JSON-ready values."""
    found = describe(table.variant, table.game, table.expected_total)
    return {**found, "boxes": json.loads(str(found["boxes"])), "rules": json.loads(str(found["rules"]))}


def _npz(table: Table) -> bytes:
    out, layout = io.BytesIO(), table.game.layout
    np.savez_compressed(
        out,
        values=table.values,
        slot=layout.slot,
        lane_low=layout.lane_low,
        live=layout.live,
        description=np.array(json.dumps(_description(table))),
    )
    return out.getvalue()


def _json(table: Table) -> bytes:
    layout = table.game.layout
    rows = [[None if value != value else value for value in row] for row in table.values.tolist()]
    arrays = {name: getattr(layout, name).tolist() for name in LAYOUT_ARRAYS}
    return json.dumps({**_description(table), **arrays, "values": rows}, allow_nan=False).encode()


def columns(table: Table) -> dict[str, npt.NDArray[Any]]:
    """One entry per sheet that can occur: per box its state (a word of `STATES`), the upper total, the value."""
    game, layout = table.game, table.game.layout
    rows = np.concatenate(layout.rows_by_layer(game.order))
    counts = layout.live[rows[:, 1]] + 1
    lower, upper = np.repeat(rows[:, 0], counts), np.repeat(rows[:, 1], counts)
    lane = np.arange(len(lower)) - np.repeat(np.cumsum(counts) - counts, counts)
    found: dict[str, npt.NDArray[Any]] = {}
    for i, category in enumerate(game.rules.categories):
        digit = lower // layout.stride[i] % layout.base[i]
        watched = layout.base[i] == (2 if layout.upper_bit[i] else 3)
        written = (upper & layout.upper_bit[i]) > 0 if layout.upper_bit[i] else digit > 0
        holding = digit == layout.base[i] - 1
        state = np.where(written, np.where(holding, 2, 1) if watched else 3, 0)
        found[category.id] = np.array(STATES)[state]
    live = lane < layout.live[upper]
    found["upper_total"] = np.where(live, layout.lane_low[upper] + lane, -1)
    found["value"] = table.values[lower, layout.slot[upper] + lane]
    return found


def _csv(table: Table) -> bytes:
    found = columns(table)
    names = list(found)
    lists = [found[name].tolist() for name in names]
    lists[names.index("upper_total")] = ["" if total < 0 else total for total in lists[names.index("upper_total")]]
    lines = [",".join(names), *(",".join(map(str, row)) for row in zip(*lists, strict=True))]
    return ("\n".join(lines) + "\n").encode()


def _parquet(table: Table) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ServidaError(
            "parquet: expected the package pyarrow, found none; install it with pip install 'servida[parquet]'"
        ) from None
    found = columns(table)
    totals = found.pop("upper_total")
    value = found.pop("value")
    arrays = {name: pa.array(words.tolist()).dictionary_encode() for name, words in found.items()}
    arrays["upper_total"] = pa.array(totals, mask=totals < 0, type=pa.int32())
    arrays["value"] = pa.array(value)
    out = io.BytesIO()
    pq.write_table(pa.table(arrays), out)
    return out.getvalue()
