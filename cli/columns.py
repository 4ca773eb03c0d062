"""Sheets of several columns on the command line. Their solver is loaded where it is used: others do not wait for it."""

from pathlib import Path
from typing import Any

from ..data.language import Language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.hint import Hint, Score
from ..solver.position import Position, read_entries
from ..solver.solve import Limits
from ..solver.store import Store
from ..solver.utility import Objective
from .common import progress_bar


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
        hints = Store(folder).column_hints(variant, limits=limits, threads=threads, progress=report)
        return hints.hint(position)


def value_of(
    variant: Variant, sheet: str, limits: Limits, folder: Path | None, threads: int | None
) -> tuple[int, float, float | None]:
    """Points on a sheet, those still to come, and the bound on both where they are an estimate."""
    from ..solver.column_hint import read_sheets, total_so_far

    sheets = read_sheets(variant, read_entries(sheet))
    with progress_bar(variant.id) as report:
        hints = Store(folder).column_hints(variant, limits=limits, threads=threads, progress=report)
        worth, so_far = hints.value(sheets), total_so_far(variant, sheets)
    return so_far, worth.value, None if worth.bound is None else so_far + worth.bound


def exactness(expected_total: float, bound: float | None) -> dict[str, Any]:
    """How good an expected total is, as it stands in JSON."""
    if bound is None:
        return {"exact": True}
    return {"exact": False, "bound": bound, "gap": bound - expected_total}


def bound_text(expected_total: float, bound: float, words: Language) -> str:
    """The same for a person."""
    return words.text("approximate_columns").format(bound=f"{bound:.4f}", gap=f"{bound - expected_total:.4f}")


def scores_of(variant: Variant, sheet: str, dice: tuple[int, ...], served: bool) -> list[Score]:
    """What the dice make in every box that may be written."""
    from ..solver.column_hint import column_scores, read_sheets

    return column_scores(variant, read_sheets(variant, read_entries(sheet)), dice, served=served)


def box_label(variant: Variant, category: str, column: int | None, words: Language) -> str:
    """What a box is called, with its column (counted from 1) where there are several."""
    label = words.label(variant, category)
    if column is None:
        return label
    from ..solver.column_hint import column_names

    name = column_names(variant.rules)[column - 1]
    return f"{label} ({words.texts.get(f'column_{name}', name)})"
