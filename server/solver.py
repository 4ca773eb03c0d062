"""A process that computes: it reads questions from stdin, a line each, and writes progress and answers to stdout."""

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from ..errors import RulesError
from ..solver.column_hint import ColumnHints, column_game
from ..solver.duel import Duels
from ..solver.duel_table import DuelTable
from ..solver.game import game_of
from ..solver.solve import Progress
from ..solver.table import Table
from ..solver.utility import Objective, Utility, Win
from ..solver.utility_table import Goal, UtilityTable, goal
from .answers import ANSWERS
from .asked import Asked
from .encode import encode
from .faults import fault
from .settings import Settings

MOST_VALUES = 2**24  # of a table for house rules: 128 MiB
MOST_OPEN = 8  # tables of every kind
BETWEEN = 0.25  # seconds from one message about progress to the next
NICENESS = 19
OWN_MEMORY = 2e9  # bytes for the program itself and open tables


class Stored:
    """The tables of the folder, built where they are missing: what answers come from in this process."""

    def __init__(self, settings: Settings, progress: Progress):
        self.settings, self.progress = settings, progress
        self._open: dict[str, Any] = {}

    def table(self, about: Asked) -> Table:
        """The table of expected scores."""
        found: Table = self._cached(f"score {about.key}", lambda: self._ensure(about, None))
        return found

    def goal(self, about: Asked, objective: Objective) -> Goal | None:
        """The goal of an objective; tables of utilities are a visitor's."""
        if objective is None:
            return None
        own = isinstance(objective, Utility)
        name = objective.digest if isinstance(objective, Utility) else "target"
        table: UtilityTable = self._cached(f"{name} {about.key}", lambda: self._ensure(about, objective, own))
        return goal(table, objective)

    def columns(self, about: Asked) -> ColumnHints:
        """The solver of a sheet of several columns, with the table of the whole game where there is one."""
        settings, store = self.settings, self.settings.store(about.own)
        refuse_large(about)

        def hints() -> ColumnHints:
            return store.column_hints(
                about.variant, limits=settings.limits, threads=settings.threads, progress=self.progress
            )

        found: ColumnHints = self._cached(f"columns {about.key}", hints)
        return found

    def duels(self, about: Asked) -> Duels:
        """The solver of duels, with the table of the whole game where there is one."""
        settings, store = self.settings, self.settings.store(about.own)

        def stored() -> DuelTable | None:
            return store.open(about.variant, Win()) if store.path(about.variant, Win()).exists() else None

        table = self._cached(f"duel {about.key}", stored)
        return Duels(
            self.table(about),
            opening=table.match if table else None,
            limits=settings.limits,
            threads=settings.threads,
            progress=self.progress,
        )

    def _cached(self, key: str, make: Callable[[], Any]) -> Any:
        """What `make` makes, once; of those asked for longest ago all but a few are forgotten."""
        found = self._open.pop(key, None)
        if found is None:
            found = make()
        if found is not None:
            self._open[key] = found
        while len(self._open) > MOST_OPEN:
            self._open.pop(next(iter(self._open)))
        return found

    def _ensure(self, about: Asked, objective: Any, own: bool = False) -> Any:
        refuse_large(about)
        store = self.settings.store(own or about.own)
        found = store.ensure(about.variant, objective, threads=self.settings.threads, progress=self.progress)
        if own or about.own:
            self._tidy()
        return found

    def _tidy(self) -> None:
        """Deletes visitors' tables, the oldest first, until as many are left as may be kept."""
        files = self.settings.store(own=True).files()
        with suppress(OSError):  # another process tidies, too
            files.sort(key=lambda path: path.stat().st_mtime)
            for path in files[: -self.settings.visitors]:
                path.unlink(missing_ok=True)
                path.with_name(path.name + ".lock").unlink(missing_ok=True)


def refuse_large(about: Asked) -> None:
    """Raises `RulesError` for house rules with more sheets than may be stored, in any of their columns."""
    if not about.own:
        return
    columns = range(len(about.variant.rules.columns))
    games = [column_game(about.variant, column) for column in columns] if len(columns) > 1 else [game_of(about.variant)]
    for game in games:
        size = game.layout.lowers * game.layout.slots
        if size > MOST_VALUES:
            raise RulesError(f"rules: expected a game of at most {MOST_VALUES:,} sheets, found {size:,}")


def hold_memory(most: float) -> None:
    """Lets this process have so many bytes, where the system can see to that; more is a `MemoryError`."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (int(most), int(most)))


def say(*message: Any) -> None:
    """Writes a message for the server."""
    sys.stdout.write(json.dumps(message, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def progress() -> Progress:
    """A callback that tells the server how far a computation is, a few times a second."""
    told = 0.0

    def report(done: int, total: int) -> None:
        nonlocal told
        now = monotonic()
        if now - told > BETWEEN:
            told = now
            say("progress", done / max(1, total))

    return report


def answer(name: str, ask: dict[str, Any], stored: Stored) -> tuple[int, str]:
    """The status and the JSON text of the answer to a question."""
    try:
        return 200, encode(ANSWERS[name](ask, stored))
    except Exception as error:
        status, message = fault(error, stored.settings.store().folder)
        return status, encode({"error": message})


def main() -> None:
    """Answers questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)  # what is answered at once goes first
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
    settings = Settings.from_json(sys.argv[1])
    hold_memory(settings.memory + OWN_MEMORY)
    stored = Stored(settings, progress())
    with suppress(BrokenPipeError):  # the server is no more
        for line in sys.stdin:
            name, ask = json.loads(line)
            say("answer", *answer(name, ask, stored))
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # say nothing at exit


if __name__ == "__main__":
    main()
