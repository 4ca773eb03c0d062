"""Tables for objectives that look at the final total: to reach a target, or a utility (docs/objectives.md)."""

import json
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from ..errors import PositionError
from ..version import VERSION
from .file import FromFile, TableFile, add_values, new_table_file
from .game import Game
from .position import Scoresheet, points_so_far
from .solve import Progress
from .spans import Spans, aim_of, solve_spans
from .table import describe_game, layout_arrays
from .utility import Objective, Target, Utility, table_name

INDEX = (
    "values[start[row] + min(max(need - low[row], 0), width[row] - 1)]: the greatest chance to make `need` points or "
    "more from a sheet, or the greatest expected utility when need = last total of the utility - points so far; "
    "row = lower * slots + slot[upper] + lane, numbered as in a table of scores; width 0 where no game leads."
)
ROW_ARRAYS = ("start", "low", "width")


class UtilityTable(FromFile):
    """The greatest chances of reaching every total, from every sheet of one variant, or the greatest expected values of
    one utility of the final total. Safe to use from several threads.

    Values are float64 in small tables, float32 in large ones: `error` bounds by how much they may be off.
    """

    def __init__(
        self, variant: Variant, game: Game, utility: Utility | None, spans: Spans, file: TableFile | None = None
    ):
        self.variant, self.game, self.utility, self.spans = variant, game, utility, spans
        self.aim = aim_of(game, utility)
        self._file = file
        self._lock = threading.Lock()
        self._read = np.full(len(spans.values) if file else 0, fill_value=False)

    @property
    def error(self) -> float:
        """The most by which a value may be off: rounding where values are kept as float32."""
        return self.spans.error * (self.utility.scale if self.utility else 1.0)

    def read(self, begin: npt.NDArray[np.int64], length: npt.NDArray[np.int64]) -> None:
        """Makes sure that these parts of the values, in ascending order, have been read from the file."""
        if not self._file:
            return
        with self._lock:
            for first, count in zip(begin.tolist(), length.tolist(), strict=True):
                if not self._read[first : first + count].all():
                    self._file.read(first, first + count, self.spans.values)
                    self._read[first : first + count] = True

    def row(self, sheet: Scoresheet) -> tuple[int, int, int, int]:
        """(lower, upper, lane) of a sheet, and the number of its row."""
        lower, upper, lane = row = self.game.layout.row(sheet.points)
        number = int(self.game.layout.numbers(np.array([row], np.int64))[0])
        if not self.spans.width[number]:
            raise PositionError("sheet: expected one that a game can lead to, found one that none does")
        return lower, upper, lane, number

    def value(self, sheet: Scoresheet, need: int) -> float:
        """The chance to make `need` points more, or the expected utility with that need, at the start of a turn."""
        row = self.row(sheet)[-1]
        self.read(self.spans.start[[row]], self.spans.width[[row]].astype(np.int64))
        return self.spans.at(row, need)

    def turn(self, sheet: Scoresheet, need: int, rolls_left: int) -> tuple[npt.NDArray[np.float64], ...]:
        """The values of holding each hold with so many rerolls to come, and of writing each outcome, those with the
        bonus for a further five after the others."""
        lower, upper, lane, _ = self.row(sheet)
        self.read(*self.aim.places(self.spans.parts, lower, upper, lane))
        holds, outcomes = np.empty(len(self.game.lattice.count)), np.empty(self.aim.outcomes)
        self.aim.turn(self.spans.parts, lower, upper, lane, need, rolls_left, holds, outcomes)
        return holds, outcomes

    def read_all(self) -> Spans:
        """All values, read from the file where need be."""
        self.read(np.array([0]), np.array([len(self.spans.values)]))
        return self.spans

    def check(self) -> None:
        """Reads the whole file, which checks its checksums, and compares what it says about itself with what it should
        say; raises `TableFormatError`."""
        self.read_all()
        if self._file:
            self._file.check_description(describe(self), layout_arrays(self.game))

    def save(self, path: Path) -> None:
        """Writes the table to `path`: whole and synced to disk, or not at all (`OSError`)."""
        shape = (self.game.layout.lowers, self.game.layout.slots)
        rows = {name: getattr(self.spans, name).reshape(shape) for name in ROW_ARRAYS}
        size = self.read_all().values.nbytes + sum(array.nbytes for array in rows.values())
        with new_table_file(path, describe(self), size) as file:
            for name, array in layout_arrays(self.game).items():
                file.create_dataset(name, data=array, chunks=array.shape, fletcher32=True)
            for name, array in rows.items():
                add_values(file, name, array)
            add_values(file, "values", self.spans.values)


class Goal(NamedTuple):
    """What a position is played for: a table of target chances and the total to reach, or the table of a utility."""

    table: UtilityTable
    target: int | None = None

    @property
    def word(self) -> str:
        """What its values are: "chance" for a target, else "utility"."""
        return "utility" if self.table.utility else "chance"

    @property
    def margin(self) -> float:
        """Values this close count as equally good."""
        return max(1e-9, self.table.error)

    def need(self, points: int) -> int:
        """The need of a sheet with so many points."""
        return (self.table.utility.last if self.table.utility else self.target or 0) - points

    def value(self, sheet: Scoresheet) -> float:
        """The chance, or the expected utility, of a sheet at the start of a turn."""
        return self.table.value(sheet, self.need(points_so_far(self.table.game, sheet)))


def goal(table: UtilityTable, objective: Objective) -> Goal:
    """The goal of an objective, from its table."""
    return Goal(table, objective.total if isinstance(objective, Target) else None)


def describe(table: UtilityTable) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    found: dict[str, str | int | float] = {
        **describe_game(table.variant, table.game),
        "objective": table_name(table.utility),
        "dtype": str(table.spans.values.dtype),
        "index": INDEX,
        "error": table.error,
        "made_by": f"servida {VERSION}: exact backward induction over all sheets and needs",
    }
    return found | ({"utility": json.dumps(table.utility)} if table.utility else {})


def solve_utility(
    variant: Variant,
    game: Game,
    utility: Utility | None = None,
    *,
    dtype: Any = None,
    start: Scoresheet | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> UtilityTable:
    """The table of all target chances (utility None) or of a utility, in memory; see `solve_spans`."""
    spans = solve_spans(game, utility, dtype=dtype, start=start, threads=threads, progress=progress)
    return UtilityTable(variant, game, utility, spans)


def read_utility_table(path: Path, variant: Variant, game: Game, utility: Utility | None) -> UtilityTable:
    """The table stored at `path`; raises as `read_table` does."""
    file = TableFile(path, variant, table_name(utility))
    shape = (game.layout.lowers, game.layout.slots)
    kinds = {"start": np.int64, "low": np.int32, "width": np.int32}
    rows = {name: file.array(name, shape, kind).reshape(-1) for name, kind in kinds.items()}
    ends = rows["start"] + rows["width"]
    kind = np.float32 if file.values.dtype == np.float32 else np.float64
    file.expect((int(ends.max()),), kind)
    if rows["start"].min() < 0 or rows["width"].min() < 0:
        file.fail("rows within the values", "others")
    return UtilityTable(variant, game, utility, Spans(np.empty(int(ends.max()), kind), **rows), file)
