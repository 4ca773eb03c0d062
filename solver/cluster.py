"""More than one machine: blocks of a table, whole tables and batches of games on a Dask cluster (extra `distributed`).

What a task computes depends on nothing but what it is handed, so the results are those of local threads, bit by bit,
whichever worker computes them and however often one is lost.
"""

import logging
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant, rules_from
from ..errors import ServidaError, quoted
from ..version import VERSION
from .column_table import ColumnTable
from .columns import Block, Columns, Combination
from .game import compile_rules
from .position import Scoresheet
from .simulate import play_of
from .solve import Values, solve_values
from .table import Table

TRIES = 3  # times that a task may be lost with its worker
PATIENCE = 10.0  # seconds to wait for a scheduler
GAMES = 2**18  # games of one task


class Cluster:
    """A Dask cluster, reached by its scheduler's address, such as tcp://127.0.0.1:8786."""

    def __init__(self, address: str):
        try:
            from distributed import Client
        except ImportError:
            raise ServidaError(
                "scheduler: expected the package distributed, found none; install it with "
                "pip install 'servida[distributed]'"
            ) from None
        logging.getLogger("distributed.client").setLevel(logging.ERROR)  # what is lost is asked for again
        try:
            self.client: Any = Client(address, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError, TypeError) as error:
            raise ServidaError(
                f"scheduler: expected a Dask scheduler at {quoted(address)}, found none ({type(error).__name__}); "
                "start one with 'dask scheduler' and workers with 'dask worker'"
            ) from None
        self._check_workers()

    def _check_workers(self) -> None:
        found = self.client.run(_version)
        if not found:
            self.close()
            raise ServidaError("scheduler: expected workers, found none; start some with 'dask worker ADDRESS'")
        for worker, version in found.items():
            if version != VERSION:
                self.close()
                raise ServidaError(f"scheduler: expected servida {VERSION} on {worker}, found {version}")

    def close(self) -> None:
        """Leaves the cluster."""
        self.client.close()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, calls: dict[Any, "Call"]) -> Iterator[tuple[Any, Any]]:
        """The name and the result of every call, as they come. A task that is lost with its worker is submitted again,
        `TRIES` times."""
        from distributed import as_completed

        names = {call.submit(self.client): (name, 1) for name, call in calls.items()}
        queue = as_completed(list(names), with_results=True, raise_errors=False)
        for future, result in queue:
            name, tries = names.pop(future)
            if future.status == "finished":
                yield name, result
                continue
            if tries == TRIES or (future.status == "error" and not _is_loss(result)):
                raise ServidaError(f"scheduler: expected a result of every task, found a failure: {_text(result)}")
            again = calls[name].submit(self.client)
            names[again] = (name, tries + 1)
            queue.add(again)

    def solve_values(self, variant: Variant) -> Values:
        """The values of a variant, as `servida.solver.solve.solve_values` gives them."""
        (_, values), *_ = self.run({variant.id: Call(_solve_values, variant.rules.canonical)})
        found: Values = values
        return found

    def count_games(
        self, table: Table, policy: str, sheet: Scoresheet, seed: int, games: int, played: Callable[[int], None]
    ) -> Iterator[tuple[npt.NDArray[np.int64], int]]:
        """How many of so many games made 0, 1, 2 … points from a sheet on, and how many were won, batch by batch."""
        rules = table.variant.rules.canonical
        calls = {
            first: Call(_count_games, rules, policy, tuple(sheet), seed, first, min(first + GAMES, games))
            for first in range(0, games, GAMES)
        }
        for first, found in self.run(calls):
            yield found
            played(min(GAMES, games - first) * sheet.points.count(None))

    def solve_level(self, table: ColumnTable, number: int, report: Callable[[int], None]) -> None:
        """Fills a level of a table of several columns from the next one, a task for every block."""
        columns, level = table.columns, table.levels[number]
        combinations = [tuple(combination) for combination in columns.levels[number].tolist()]
        inputs: dict[Combination, Any] = {}

        def at_hand(combination: Combination) -> Any:
            future = inputs.get(combination)
            if future is None or future.status in ("lost", "cancelled", "error"):
                future = inputs[combination] = self.client.scatter(table.fetch(combination))
            return future

        rules = table.variant.rules.canonical
        calls = {
            place: Call(_solve_block, rules, combination, inputs=(columns.following(combination), at_hand))
            for place, combination in enumerate(combinations)
        }
        for place, block in self.run(calls):
            level.put(place, block)
            report(columns.lanes)


class Call:
    """A function and its arguments. `inputs`: names of blocks, and what hands them over when the call is submitted."""

    def __init__(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        inputs: tuple[list[Combination], Callable[[Combination], Any]] | None = None,
    ):
        self.function, self.arguments, self.inputs = function, arguments, inputs

    def submit(self, client: Any) -> Any:
        """The future of the call's result."""
        arguments = list(self.arguments)
        if self.inputs:
            names, at_hand = self.inputs
            arguments += [names, [at_hand(name) for name in names]]
        return client.submit(self.function, *arguments, pure=False)


def _is_loss(error: object) -> bool:
    """Whether a task failed since its worker, or one that held what it needs, was lost."""
    from distributed.scheduler import KilledWorker

    return isinstance(_raised(error), KilledWorker)


def _raised(error: object) -> object:
    """What a task raised: it comes by itself, or as the three things that sys.exc_info() gives."""
    return error[1] if isinstance(error, tuple) else error


def _text(error: object) -> str:
    return (str(_raised(error)).splitlines() or [type(_raised(error)).__name__])[0]


# What workers do; rules travel as their canonical text.


def _version() -> str:
    return VERSION


@lru_cache(maxsize=4)
def _columns(rules: str) -> Columns:
    return Columns(rules_from(rules))


@lru_cache(maxsize=2)
def _table(rules: str) -> Table:
    read = rules_from(rules)
    game = compile_rules(read)
    return Table(Variant("", read), game, solve_values(game, threads=1))


def _solve_values(rules: str) -> Values:
    return solve_values(compile_rules(rules_from(rules)), threads=1)


def _solve_block(rules: str, combination: Combination, names: list[Combination], blocks: list[Block]) -> Block:
    after = dict(zip(map(tuple, names), map(np.ascontiguousarray, blocks), strict=True))
    return _columns(rules).solve_block(tuple(combination), after.__getitem__)


def _count_games(
    rules: str, policy: str, sheet: tuple[Any, ...], seed: int, first: int, last: int
) -> tuple[npt.NDArray[np.int64], int]:
    table = _table(rules)
    play, _ = play_of(table, policy)
    score, wins = play(sheet=Scoresheet(*sheet), seed=seed, numbers=range(first, last), threads=1)
    return np.bincount(score), wins
