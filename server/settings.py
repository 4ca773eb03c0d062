"""What whoever runs a server may choose."""

import json
from pathlib import Path
from typing import NamedTuple

from ..solver.solve import Limits
from ..solver.store import Store

VISITORS = "visitors"  # the folder, within that of tables, for house rules and utilities that were sent


class Settings(NamedTuple):
    """The choices. `folder`: of tables, None for the usual one. `solvers`: processes that compute what no open table
    answers. `seconds`, `memory`: what one answer may take, of a core, and in bytes. `patience`: seconds a request waits
    before it is told to ask for the job. `line`: questions that may wait for a solver. `visitors`: how many tables of
    house rules and utilities are kept. `errors`: how many faulty requests a second are answered at once."""

    folder: str | None = None
    solvers: int = 2
    threads: int | None = None
    seconds: float = Limits().seconds
    memory: float = Limits().memory
    patience: float = 2.0
    line: int = 32
    visitors: int = 32
    errors: float = 50.0
    origins: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """What solving may take."""
        return Limits(self.seconds, self.memory)

    def store(self, own: bool = False) -> Store:
        """Where tables are kept: those of variants that come along, or those of what visitors sent (`own`)."""
        store = Store(self.folder)
        return Store(store.folder / VISITORS) if own else store

    def to_json(self) -> str:
        """The choices as text for another process."""
        return json.dumps(self._replace(folder=str(Path(self.folder).absolute()) if self.folder else None))

    @classmethod
    def from_json(cls, text: str) -> "Settings":
        """The choices that `to_json` wrote."""
        found = cls._make(json.loads(text))
        return found._replace(origins=tuple(found.origins))
