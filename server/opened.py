"""The tables that the server itself has open, whose answers take no time."""

import asyncio
from collections import OrderedDict
from typing import NoReturn

from ..solver.table import Table
from ..solver.utility import Objective
from ..solver.utility_table import Goal
from .asked import Asked
from .settings import Settings

MOST_OPEN = 48  # tables; of those asked for longest ago are let go


class NotOpenError(Exception):
    """What no open table answers."""


class Opened:
    """Open tables of expected scores. What else a question asks for raises `NotOpenError`: solvers answer it."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Table]] = {}

    def table(self, about: Asked) -> Table:
        """An open table."""
        table = self._tables.get(about.key)
        if table is None:
            raise NotOpenError
        self._tables.move_to_end(about.key)
        return table

    def goal(self, about: Asked, objective: Objective) -> Goal | None:
        """None for the score, which is what open tables are for."""
        if objective is not None:
            raise NotOpenError
        return None

    def columns(self, about: Asked) -> NoReturn:
        """Not here."""
        raise NotOpenError

    def duels(self, about: Asked) -> NoReturn:
        """Not here."""
        raise NotOpenError

    async def open(self, about: Asked) -> bool:
        """Opens the stored table of a variant of one column, whole, beside the answers to others; False for none."""
        if about.key in self._tables:
            return True
        if len(about.variant.rules.columns) > 1:
            return False
        if not self.settings.store(about.own).path(about.variant).exists():
            return False
        task = self._opening.get(about.key)
        if task is None:
            task = self._opening[about.key] = asyncio.ensure_future(asyncio.to_thread(self._read, about))
            task.add_done_callback(lambda _: self._opening.pop(about.key, None))
        self._tables[about.key] = await asyncio.shield(task)
        while len(self._tables) > MOST_OPEN:
            self._tables.popitem(last=False)
        return True

    def _read(self, about: Asked) -> Table:
        table = self.settings.store(about.own).open(about.variant)
        _ = table.values, table.game.kernel, table.game.possible_points
        table.close()  # all of it has been read
        return table
