"""Tables of expected scores: the values of all sheets of a variant, in memory or in a file (docs/tables.md)."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from ..version import VERSION
from .file import FromFile, TableFile, add_values, describe_variant, new_table_file
from .game import Game, game_of
from .position import Scoresheet

OBJECTIVE = "score"
LAYOUT_ARRAYS = ("slot", "lane_low", "live")
INDEX = (
    "values[lower, slot[upper] + lane]: points still to come, upper bonus not yet earned included; NaN where no game "
    "leads. lower = sum of stride * digit over the boxes; the digit of a box under the upper bonus is 1 when it is "
    "watched and holds points, else 0; of any other box 0 open, 1 written, or when watched 0 open, 1 scratched, 2 "
    "holding points. upper = sum of upper_bit over the written boxes under the bonus. lane = total - lane_low[upper] "
    "if that is from 0 to live[upper] - 1, else live[upper] (bonus earned or out of reach)."
)


class Table(FromFile):
    """The expected scores of every sheet of one variant. Safe to use from several threads.

    Made by `solve` (in memory) or `open_table` (a file, of which only the rows asked for are read).
    """

    def __init__(self, variant: Variant, game: Game, values: npt.NDArray[np.float64], file: TableFile | None = None):
        self.variant = variant
        self.game = game
        self._values = values
        self._file = file
        self._lock = threading.Lock()
        self._read = np.full(len(values), file is None)
        self._all_read = file is None

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """All values, shape (lowers, slots); see `INDEX`."""
        if not self._all_read:
            self.read(range(len(self._values)))
            self._all_read = True
        return self._values

    def read(self, lowers: Sequence[int]) -> npt.NDArray[np.float64]:
        """The array of values in which at least the rows `lowers` (ascending) have been read from the file."""
        if not self._all_read and self._file:
            with self._lock:
                missing = np.array(lowers)[~self._read[list(lowers)]]
                if len(missing):
                    for run in np.split(missing, np.flatnonzero(np.diff(missing) > 1) + 1):
                        self._file.read(int(run[0]), int(run[-1]) + 1, self._values)
                    self._read[missing] = True
        return self._values

    def check(self) -> None:
        """Reads the whole file, which checks its checksums, and compares what it says about itself with what it should
        say; raises `TableFormatError`."""
        total = float(self.values[0, self.game.layout.lane(0, 0)])
        if self._file:
            self._file.check_description(describe(self.variant, self.game, total), layout_arrays(self.game))

    def value(self, sheet: Scoresheet) -> float:
        """Points still to come from a sheet, at the start of a turn."""
        lower, upper, total = self.game.layout.place(sheet.points)
        return float(self.game.kernel.value(self.read([lower]), lower, upper, total))

    @property
    def expected_total(self) -> float:
        """The expected total of optimal play from the empty sheet, in points."""
        return self.value(Scoresheet((None,) * len(self.game.rules.categories)))

    def save(self, path: Path) -> None:
        """Writes the table to `path`: whole and synced to disk, or not at all (`OSError`)."""
        attributes = describe(self.variant, self.game, self.expected_total)
        with new_table_file(path, attributes, self.values.nbytes) as file:
            for name, array in layout_arrays(self.game).items():
                file.create_dataset(name, data=array, chunks=array.shape, fletcher32=True)
            add_values(file, "values", self.values)


def layout_arrays(game: Game) -> dict[str, npt.NDArray[np.int32]]:
    """The arrays of the layout that a file holds, by name."""
    return {name: getattr(game.layout, name) for name in LAYOUT_ARRAYS}


def describe(variant: Variant, game: Game, expected_total: float) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    return {
        **describe_game(variant, game),
        "objective": OBJECTIVE,
        "dtype": "float64",
        "index": INDEX,
        "expected_total": expected_total,
        "made_by": f"servida {VERSION}: exact backward induction over all sheets",
    }


def describe_game(variant: Variant, game: Game) -> dict[str, str | int]:
    """The attributes that tables of every objective share."""
    layout = game.layout
    boxes = [
        {"id": category.id, "base": base, "stride": stride, "upper_bit": bit}
        for category, base, stride, bit in zip(
            game.rules.categories, layout.base, layout.stride, layout.upper_bit, strict=True
        )
    ]
    return {
        **describe_variant(variant),
        "boxes": json.dumps(boxes),
        "threshold": game.rules.upper_bonus.threshold if game.rules.upper_bonus else 0,
    }


def read_table(path: Path, variant: Variant) -> Table:
    """The table of expected scores stored at `path` for `variant`.

    Raises `MissingTableError` when there is none, `TableFormatError` when the file is damaged, foreign, of another
    format version or made for other rules.
    """
    game = game_of(variant)
    file = TableFile(path, variant, OBJECTIVE)
    shape = (game.layout.lowers, game.layout.slots)
    file.expect(shape, np.float64)
    return Table(variant, game, np.empty(shape), file)
