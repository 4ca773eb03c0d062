"""The folder of tables: one file per variant and objective, built once however many ask at the same time."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from ..data.catalog import load
from ..data.rules import Variant, rules_from
from ..errors import ServidaError, StorageError
from .file import damage_reported, levels_folder, read_attributes
from .game import game_of
from .solve import Progress, solve
from .table import OBJECTIVE, Table, read_table
from .utility import Bound, Objective, Target, Utility, Win, table_name, utility_of

if TYPE_CHECKING:
    from .bound_table import BoundTable
    from .cluster import Cluster
    from .column_hint import ColumnHints
    from .column_table import ColumnTable
    from .duel_table import DuelTable
    from .utility_table import UtilityTable

    AnyTable = Table | UtilityTable | DuelTable | ColumnTable | BoundTable

# The modules of other objectives than the score are loaded where they are used: a hint does not wait for them.


def default_folder() -> Path:
    """Where tables are kept: SERVIDA_TABLES if set, else the platform's cache folder."""
    named = os.environ.get("SERVIDA_TABLES")
    if named:
        return Path(named)
    import platformdirs  # not needed, and not loaded, where a folder is named

    return platformdirs.user_cache_path("servida") / "tables"


class Entry(NamedTuple):
    """One file of the folder: `state` is "ok", or in one line what is wrong with it."""

    path: Path
    variant: str
    objective: str
    expected_total: float | None
    size: int
    state: str


class Store:
    """The tables in one folder (`default_folder()` unless one is given)."""

    def __init__(self, folder: str | Path | None = None):
        self.folder = Path(folder) if folder else default_folder()

    def path(self, variant: Variant, objective: Objective = None) -> Path:
        """Where the table of a variant is or would be. The name carries the rules' hash, so that a house rule changed
        since does not meet its old table."""
        return self.folder / f"{variant.id}.{_name(objective)}.{variant.rules.digest[:12]}.h5"

    @overload
    def open(self, variant: Variant, objective: None = None) -> Table: ...
    @overload
    def open(self, variant: Variant, objective: Target | Utility) -> "UtilityTable": ...
    @overload
    def open(self, variant: Variant, objective: Win) -> "DuelTable": ...
    @overload
    def open(self, variant: Variant, objective: Bound) -> "BoundTable": ...
    @overload
    def open(self, variant: Variant, objective: Objective) -> "AnyTable": ...
    def open(self, variant: Variant, objective: Objective = None) -> "AnyTable":
        """The stored table; `MissingTableError` or `TableFormatError` when there is none that can be used."""
        path = self.path(variant, objective)
        with self._named_errors():
            if objective is None:
                return read_table(path, variant)
            return _read_other(path, variant, objective)

    def open_columns(self, variant: Variant) -> "ColumnTable":
        """The stored table of a sheet of several columns; raises as `open` does."""
        from .column_table import read_column_table

        with self._named_errors():
            return read_column_table(self.path(variant), variant)

    def column_hints(self, variant: Variant, **options: Any) -> "ColumnHints":
        """What answers for a sheet of several columns, with what is stored for it; `options` are those of
        `ColumnHints`."""
        from .column_hint import ColumnHints

        stored = self.open_columns(variant) if self.path(variant).exists() else None
        bound = self.open(variant, Bound()) if self.path(variant, Bound()).exists() else None
        return ColumnHints(variant, stored=stored, bound=bound, **options)

    @overload
    def ensure(
        self, variant: Variant, objective: None = None, *, threads: int | None = None, progress: Progress | None = None
    ) -> Table: ...
    @overload
    def ensure(
        self,
        variant: Variant,
        objective: Target | Utility,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "UtilityTable": ...
    @overload
    def ensure(
        self, variant: Variant, objective: Win, *, threads: int | None = None, progress: Progress | None = None
    ) -> "DuelTable": ...
    def ensure(
        self,
        variant: Variant,
        objective: Objective = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "AnyTable":
        """The stored table, solved and stored first where it is missing; `RulesError` for several columns."""
        game_of(variant)
        with self._named_errors():
            missing = not self.path(variant, objective).exists()
        if missing:
            self.build(variant, objective, threads=threads, progress=progress)
        return self.open(variant, objective)

    def build(
        self,
        variant: Variant,
        objective: Objective = None,
        *,
        force: bool = False,
        ties: bool = True,
        memory: float | None = None,
        keep: float | None = None,
        threads: int | None = None,
        cluster: "Cluster | None" = None,
        progress: Progress | None = None,
    ) -> bool:
        """Solves and stores a variant; False when its table was there already (and `force` is not set).

        All targets share one table. `ties`: whole games of two with the chance of a tie besides. `memory`, `keep`: for
        sheets of several columns, see `servida.solver.column_table.build`. `cluster`: solve there, for the score. A
        lock lets one process build while others that want the same table wait for it. The file appears whole or not at
        all: what a killed build leaves behind is overwritten by the next one.
        """
        path = self.path(variant, objective)
        several = len(variant.rules.columns) > 1 and objective is None
        if isinstance(objective, Bound):
            from .relaxation import divisions

            divisions(variant)  # refuses what cannot be solved before anything is touched, as the next one
        elif not several:
            game = game_of(variant)
        with self._named_errors():
            if path.exists() and not force:
                return False
        with self._writing(path):
            if path.exists() and not force:
                return False
            if several:
                from . import column_table

                if force:  # its levels are of no use without each other
                    self._delete(path)
                column_table.build(
                    path, variant, memory=memory, keep=keep, threads=threads, cluster=cluster, progress=progress
                )
            elif objective is None and cluster:
                Table(variant, game, cluster.solve_values(variant)).save(path)
            elif objective is None:
                solve(variant, threads=threads, progress=progress).save(path)
            elif isinstance(objective, Bound):
                from . import bound_table

                bound_table.build(path, variant, threads=threads, progress=progress)
            elif isinstance(objective, Win):
                from .duel_table import build

                build(path, variant, game, ties=ties, threads=threads, progress=progress)
            else:
                from .utility_table import solve_utility

                solve_utility(variant, game, utility_of(objective), threads=threads, progress=progress).save(path)
        return True

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        from filelock import FileLock

        with self._named_errors():
            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(path.with_name(path.name + ".lock")):
                yield

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Turns the system's errors into `StorageError`, which name the folder and say what to do."""
        try:
            yield
        except ServidaError:
            raise
        except OSError as error:
            where = error.filename or self.folder
            raise StorageError(
                f"{where}: expected a folder that tables can be kept in, found: {error.strerror or error}; "
                "choose another with --tables or SERVIDA_TABLES"
            ) from None

    def remove(self, variant: Variant) -> bool:
        """Deletes the tables of a variant, for every objective; False when there is none."""
        ends = f".{variant.rules.digest[:12]}.h5"
        paths = [path for path in self.files() if path.name.startswith(f"{variant.id}.") and path.name.endswith(ends)]
        for path in paths:
            with self._writing(path):
                self._delete(path)
        return bool(paths)

    def _delete(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        shutil.rmtree(levels_folder(path), ignore_errors=True)

    def entries(self) -> list[Entry]:
        """What is in the folder, by file name."""
        return [self._entry(path) for path in self.files()]

    def files(self) -> list[Path]:
        """The table files of the folder, by name."""
        with self._named_errors():
            return sorted(path for path in self.folder.glob("*.h5") if path.exists()) if self.folder.is_dir() else []

    def _entry(self, path: Path) -> Entry:
        size = path.stat().st_size
        try:
            found = read_attributes(path)
        except ServidaError as error:
            return Entry(path, path.name.split(".")[0], "", None, size, str(error).removeprefix(f"{path}: "))
        variant = found["variant"]
        state = _state(variant, found["rules_sha256"])
        return Entry(path, variant, found["objective"], found["expected_total"], size, state)


def read_any(path: Path) -> "AnyTable":
    """The table stored at `path`, whatever it is for, with the rules it holds itself; raises as `read_table` does."""
    found = read_attributes(path)
    with damage_reported(path, "delete it"):
        variant = Variant(found["variant"], rules_from(found["rules"]))
        utility = Utility.from_json(found["utility"]) if found["objective"].startswith("utility-") else None
    if len(variant.rules.columns) > 1 and found["objective"] == OBJECTIVE:
        from .column_table import read_column_table

        return read_column_table(path, variant)
    objective: Target | Utility | Win | Bound = utility or Target(0)
    for one in (Win(), Bound()):
        if found["objective"] == _name(one):
            objective = one
    return read_table(path, variant) if found["objective"] == OBJECTIVE else _read_other(path, variant, objective)


def _read_other(path: Path, variant: Variant, objective: Target | Utility | Win | Bound) -> "AnyTable":
    if isinstance(objective, Bound):
        from .bound_table import read_bound_table

        return read_bound_table(path, variant)
    if isinstance(objective, Win):
        from .duel_table import read_duel_table

        return read_duel_table(path, variant, game_of(variant))
    from .utility_table import read_utility_table

    return read_utility_table(path, variant, game_of(variant), utility_of(objective))


def _name(objective: Objective) -> str:
    """The objective as it stands in file names."""
    if objective is None:
        return OBJECTIVE
    if isinstance(objective, Bound):
        return "bound"
    return "duel" if isinstance(objective, Win) else table_name(utility_of(objective))


def _state(variant_id: str, digest: str) -> str:
    try:
        variant = load(variant_id)
    except ServidaError:
        return "ok"  # a house rule: its file is not known here
    return "ok" if variant.rules.digest == digest else "for other rules than the variant of this name that comes along"
