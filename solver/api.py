"""The short way in: answers from stored tables, opened once and built where they are missing."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from ..data.catalog import load
from ..data.rules import Variant
from ..errors import PositionError, quoted
from . import batch
from .hint import Hint
from .hint import hint as _hint
from .position import Position
from .solve import Limits, Progress
from .store import Store
from .table import Table
from .utility import Target, Utility, Win, read_objective

if TYPE_CHECKING:
    from .column_hint import ColumnHints
    from .duel import Duels
    from .utility_table import Goal

Key = tuple[Path, str]
T = TypeVar("T")
_open: dict[Key, Table] = {}
_columns: "dict[Key, ColumnHints]" = {}
_lock = Lock()


def open_table(variant: str | Variant, *, folder: str | Path | None = None, threads: int | None = None) -> Table:
    """The table of a variant (an id, a name, the path of a rule file, or a `Variant`).

    It is read from `folder` (default: SERVIDA_TABLES, else the platform's cache folder); where it is missing it is
    solved and stored first, with `threads` threads (None: all cores). A table opened before is not opened again.
    """
    found = load(variant) if isinstance(variant, str) else variant
    return _once(_open, found, Store(folder), lambda store: store.ensure(found, threads=threads))


def _once(opened: dict[Key, T], variant: Variant, store: Store, make: Callable[[Store], T]) -> T:
    """What is made for a variant of that folder the first time it is asked for."""
    key = (store.path(variant).absolute(), variant.id)
    with _lock:
        if key not in opened:
            opened[key] = make(store)
        return opened[key]


def open_goal(
    variant: str | Variant,
    objective: str | Target | Utility,
    *,
    folder: str | Path | None = None,
    threads: int | None = None,
) -> "Goal":
    """What a variant is played for: "target:250", "utility:FILE", or the same as objects (docs/objectives.md).

    Its table is read from `folder`, or solved and stored first, as by `open_table`.
    """
    from .utility_table import goal

    if isinstance(objective, str):
        read = read_objective(objective)
        if not isinstance(read, Target | Utility):
            raise PositionError(f"objective: expected target:POINTS or utility:FILE here, found {quoted(objective)}")
        objective = read
    found = load(variant) if isinstance(variant, str) else variant
    return goal(Store(folder).ensure(found, objective, threads=threads), objective)


def open_duels(
    table: Table,
    *,
    limits: Limits = Limits(),  # noqa: B008 (a tuple of numbers)
    folder: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> "Duels":
    """The solver of duels in a variant, with the table of the whole game where one is stored in `folder`."""
    from .duel import Duels

    store = Store(folder)
    opening = store.open(table.variant, Win()).match if store.path(table.variant, Win()).exists() else None
    return Duels(table, opening=opening, limits=limits, threads=threads, progress=progress)


def hint(position: Position, goal: "Goal | None" = None, *, folder: str | Path | None = None) -> Hint:
    """All options of a position, best first, for the expected score or for a goal, from the table of its variant (see
    `open_table`). On a sheet of several columns, see `servida.ColumnHints`."""
    variant = load(position.variant)
    if len(variant.rules.columns) > 1:
        if goal:
            raise PositionError(f"goal: expected none for {variant.id}, a sheet of several columns, found one")
        return column_hints(variant, folder=folder).hint(position)
    return _hint(open_table(position.variant, folder=folder), position, goal)


def column_hints(variant: str | Variant, *, folder: str | Path | None = None) -> "ColumnHints":
    """What answers for a variant of several columns, with what is stored for it in `folder` (as for `open_table`). One
    that was made before is given back, with what it has solved."""
    found = load(variant) if isinstance(variant, str) else variant
    return _once(_columns, found, Store(folder), lambda store: store.column_hints(found))


def hints(
    variant: str | Variant,
    dice: Any,
    rolls_left: Any,
    sheets: Any,
    bonuses: Any = 0,
    held: Any = None,
    *,
    folder: str | Path | None = None,
) -> batch.Hints:
    """The best option of many positions in one call; the arrays are described at `servida.solver.batch.hints`."""
    return batch.hints(open_table(variant, folder=folder), dice, rolls_left, sheets, bonuses, held)
