"""Tables of sheets of several columns: the whole game solved level by level, in files that can be kept."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..data.rules import Variant
from ..errors import RulesError
from ..version import VERSION
from .columns import Block, Columns, Combination, Place, Sheets
from .file import FromFile, TableFile, add_values, describe_variant, levels_folder, new_table_file
from .levels import Level, StoredLevel, is_stored, level_path, new_level
from .position import Scoresheet
from .solve import Crew, Progress, thread_count
from .table import OBJECTIVE

if TYPE_CHECKING:
    from .cluster import Cluster

MEMORY = 12e9  # bytes of values that are held at a time, unless said otherwise
KEEP = 1e9  # bytes of levels that stay after a build, unless said otherwise
MOST_VALUES = 50_000_000_000  # values that anybody would solve


class ColumnTable(FromFile):
    """The expected scores of sheets of several columns, from the one they begin with on: those of the levels that are
    there. Safe to use from several threads."""

    def __init__(self, variant: Variant, columns: Columns, levels: dict[int, Level], file: TableFile | None = None):
        self.variant, self.columns, self.levels, self._file = variant, columns, levels, file

    def find(self, sheets: Sheets) -> Place | None:
        """Where a sheet stands, if the table can answer for it."""
        place = self.columns.place(sheets)
        if place is None:
            return None
        level = self.columns.level(place.combination)
        last = level + 1 == len(self.columns.levels)
        return place if level in self.levels and (last or level + 1 in self.levels) else None

    def fetch(self, combination: Combination) -> Block:
        """The block of a combination, of a level that is there."""
        return self.levels[self.columns.level(combination)].get(self.columns.index(combination))

    def value(self, place: Place) -> float:
        """Points still to come from a sheet, at the start of a turn."""
        return self.columns.value(self.fetch(place.combination), place.row)

    def turn(self, place: Place, rerolls: int) -> tuple[Block, Block]:
        """The value of every hold with so many rerolls to come, and of every outcome (points included)."""
        return self.columns.turn(place, rerolls, self.fetch)

    def check(self) -> None:
        """Reads all levels that are there, which checks their checksums, and compares what the file says about itself
        with what it should say; raises `TableFormatError`."""
        for number, level in self.levels.items():
            for place in range(len(self.columns.levels[number])):
                level.get(place)
        if self._file:
            self._file.check_description(describe(self.variant, self.expected_total, len(self.levels)), {})

    @property
    def expected_total(self) -> float:
        """The expected total of optimal play from the empty sheet."""
        place = self.columns.place(empty_sheets(self.variant))
        assert place is not None
        return self.value(place)

    def close(self) -> None:
        """Closes the files, if there are any."""
        for level in self.levels.values():
            if isinstance(level, StoredLevel):
                level.close()
        super().close()


def empty_sheets(variant: Variant) -> Sheets:
    """The sheet with no box written."""
    return tuple(Scoresheet((None,) * len(variant.rules.categories)) for _ in variant.rules.columns)


def columns_of(variant: Variant, sheets: Sheets | None = None) -> Columns:
    """The sheets that follow from one; `RulesError`, naming the variant, for rules the solver cannot take."""
    try:
        return Columns(variant.rules, sheets)
    except RulesError as error:
        raise RulesError(f"{variant.id}: {error}") from None


def solve_from(
    variant: Variant, columns: Columns, *, threads: int | None = None, progress: Progress | None = None
) -> ColumnTable:
    """All sheets that follow, in memory; the first two levels are kept, which answer for the sheet they begin with."""
    levels = columns.levels
    table = ColumnTable(variant, columns, {})
    with Crew(threads, columns.values, progress) as crew:
        for number in reversed(range(len(levels))):
            table.levels[number] = Level(columns.size)
            solve_level(table, number, crew)
            if number + 1 > 1:
                table.levels.pop(number + 1, None)
    return table


def solve_level(table: ColumnTable, number: int, crew: Crew) -> None:
    """Fills a level from the next one."""
    combinations, level = table.columns.levels[number].tolist(), table.levels[number]

    def act(begin: int, end: int) -> None:
        for place in range(begin, end):
            level.put(place, table.columns.solve_block(tuple(combinations[place]), table.fetch))

    crew.share(len(combinations), act, weight=table.columns.lanes, smallest=1)


def estimate(columns: Columns, threads: int | None, memory: float | None, keep: float | None) -> str:
    """What solving will take, in words."""
    memory, keep = MEMORY if memory is None else memory, KEEP if keep is None else keep
    largest = max(len(level) for level in columns.levels) * columns.size * 8
    held, kept = min(memory, 2 * largest), kept_levels(columns, keep)
    stored = sum(len(columns.levels[number]) for number in range(kept)) * columns.size * 8
    seconds = columns.seconds(thread_count(threads))
    return (
        f"{columns.values:,} values in {columns.combinations:,} blocks: about {seconds:,.0f} s, {held / 1e9:.1f} GB of "
        f"memory, {max(stored, 2 * largest) / 1e9:.1f} GB of disk while it runs and {stored / 1e9:.1f} GB after it"
    )


def kept_levels(columns: Columns, keep: float) -> int:
    """How many levels, from the first on, so many bytes hold; at least the first two."""
    sizes = np.cumsum([len(level) * columns.size * 8 for level in columns.levels])
    return max(min(2, len(sizes)), int(np.searchsorted(sizes, keep, side="right")))


def columns_to_solve(variant: Variant) -> Columns:
    """The sheets of a variant; `RulesError` where solving them would take weeks."""
    columns = columns_of(variant)
    if columns.values > MOST_VALUES:
        raise RulesError(
            f"{variant.id}: expected a sheet of at most {MOST_VALUES:,} values, found about {columns.values:.0e}; "
            f"'servida tables build {variant.id} --objective bound' stores a policy and a bound instead"
        )
    return columns


def build(
    path: Path,
    variant: Variant,
    *,
    memory: float | None = None,
    keep: float | None = None,
    threads: int | None = None,
    cluster: "Cluster | None" = None,
    progress: Progress | None = None,
) -> None:
    """Solves the whole game level by level and stores the first levels, up to `keep` bytes of them (at least two).

    Every level is written when it is done, and those not to be kept are deleted when the next one is; a build that was
    interrupted goes on from the last one. `memory`: bytes of values held at a time, the rest is read from the files.
    None stands for `KEEP` and `MEMORY`. `cluster`: solve the blocks there, and not in local threads.
    """
    columns = columns_to_solve(variant)
    folder, kept = levels_folder(path), kept_levels(columns, KEEP if keep is None else keep)
    room = (MEMORY if memory is None else memory) / 2
    levels = columns.levels
    stored = partial(_stored, folder, variant, columns)
    first = next((n for n in range(len(levels)) if stored(n) and all(map(stored, range(n + 1, kept)))), len(levels))
    table = ColumnTable(variant, columns, {})
    if first < len(levels):
        table.levels[first] = StoredLevel(folder, variant, first, len(levels[first]), columns.size, room)
    work = columns.lanes * sum(map(len, levels[:first]))
    with table, Crew(threads, work, progress) as crew:
        for number in reversed(range(first)):
            with new_level(folder, variant, number, len(levels[number]), columns.size, room) as level:
                table.levels[number] = level
                if cluster:
                    cluster.solve_level(table, number, crew.report)
                else:
                    solve_level(table, number, crew)
            table.levels[number] = _reopened(table, folder, number, level)
            _drop(table, folder, number + 1, number + 1 < kept)
        _write(path, table, kept)
    for number in range(kept, len(levels)):
        level_path(folder, number).unlink(missing_ok=True)


def _stored(folder: Path, variant: Variant, columns: Columns, number: int) -> bool:
    return is_stored(folder, variant, number, len(columns.levels[number]), columns.size)


def _reopened(table: ColumnTable, folder: Path, number: int, level: Level) -> StoredLevel:
    """A level whose file was written, to be read from it; its blocks in memory stay there."""
    columns = table.columns
    blocks = len(columns.levels[number])
    again = StoredLevel(folder, table.variant, number, blocks, columns.size, level.room)
    again.take(level)
    return again


def _drop(table: ColumnTable, folder: Path, number: int, keep: bool) -> None:
    """Lets go of a level that is not needed any more."""
    level = table.levels.pop(number, None)
    if isinstance(level, StoredLevel):
        level.close()
    if not keep:
        level_path(folder, number).unlink(missing_ok=True)


def describe(variant: Variant, expected_total: float, kept: int) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    return {
        **describe_variant(variant),
        "objective": OBJECTIVE,
        "dtype": "float64",
        "expected_total": expected_total,
        "levels": kept,
        "made_by": f"servida {VERSION}: exact backward induction over all sheets",
    }


def _write(path: Path, table: ColumnTable, kept: int) -> None:
    """The file of the table: what it says about itself, and the combinations of the levels kept."""
    levels = table.columns.levels[:kept]
    described = describe(table.variant, table.expected_total, kept)
    with new_table_file(path, described, sum(array.nbytes for array in levels)) as file:
        for number, combinations in enumerate(levels):
            add_values(file, f"combinations_{number}", combinations)


def read_column_table(path: Path, variant: Variant) -> ColumnTable:
    """The table stored at `path`; raises as `read_table` does."""
    columns = columns_of(variant)
    file = TableFile(path, variant, OBJECTIVE)
    with file.reading():
        kept = int(file.attributes["levels"])
    folder, levels = levels_folder(path), columns.levels
    table = ColumnTable(variant, columns, {}, file)
    for number in range(kept):
        table.levels[number] = StoredLevel(folder, variant, number, len(levels[number]), columns.size, MEMORY / 2)
    return table
