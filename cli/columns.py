"""Sheets of several columns on the command line. Their solver is loaded where it is used: others do not wait for it."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..data.language import Language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.hint import Hint, Score
from ..solver.position import Position, read_entries
from ..solver.solve import Limits, Progress
from ..solver.store import Store
from ..solver.utility import Objective
from .common import progress_bar

if TYPE_CHECKING:
    from ..solver.column_hint import ColumnHints


def is_several(variant: Variant) -> bool:
    """Whether the sheet has several columns."""
    return len(variant.rules.columns) > 1


def refuse_objective(variant: Variant, objective: Objective) -> None:
    """Sheets of several columns are played for points."""
    if objective is not None:
        raise PositionError(
            f"objective: expected score for {variant.id}, a sheet of several columns, found another; leave it out"
        )


def hint_of(variant: Variant, position: Position, limits: Limits, folder: Path | None, threads: int | None) -> Hint:
    """The options of a position."""
    with progress_bar(variant.id) as report:
        return _hints(variant, limits, folder, threads, report).hint(position)


def value_of(
    variant: Variant, sheet: str, limits: Limits, folder: Path | None, threads: int | None
) -> tuple[int, float]:
    """Points on a sheet, and those still to come."""
    from ..solver.column_hint import read_sheets, total_so_far

    sheets = read_sheets(variant, read_entries(sheet))
    with progress_bar(variant.id) as report:
        value = _hints(variant, limits, folder, threads, report).value(sheets)
    return total_so_far(variant, sheets), value


def scores_of(variant: Variant, sheet: str, dice: tuple[int, ...], served: bool) -> list[Score]:
    """What the dice make in every box that may be written."""
    from ..solver.column_hint import column_scores, read_sheets

    return column_scores(variant, read_sheets(variant, read_entries(sheet)), dice, served=served)


def _hints(
    variant: Variant, limits: Limits, folder: Path | None, threads: int | None, progress: Progress
) -> "ColumnHints":
    """The solver, with the table of the whole game where there is one."""
    from ..solver.column_hint import ColumnHints

    store = Store(folder)
    stored = store.open_columns(variant) if store.path(variant).exists() else None
    return ColumnHints(variant, stored=stored, limits=limits, threads=threads, progress=progress)


def box_label(variant: Variant, category: str, column: int | None, words: Language) -> str:
    """What a box is called, with its column (counted from 1) where there are several."""
    label = words.label(variant, category)
    if column is None:
        return label
    from ..solver.column_hint import column_names

    name = column_names(variant.rules)[column - 1]
    return f"{label} ({words.texts.get(f'column_{name}', name)})"
