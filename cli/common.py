"""What several commands share: their options, and the table of a variant with a progress bar while it is built."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from ..data.language import LANGUAGES
from ..data.rules import Variant
from ..errors import PositionError, quoted
from ..solver.solve import Limits
from ..solver.store import Store
from ..solver.table import Table
from ..solver.utility import Bound, Objective, Target, Win, read_objective

if TYPE_CHECKING:
    from ..solver.cluster import Cluster
    from ..solver.utility_table import Goal

PATIENCE = 0.5  # seconds before a progress bar appears


class PathType(click.Path):
    """A path that a file or folder can have."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_file_name(value), param, ctx)


class FileType(click.File):
    """A file to read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_file_name(value), param, ctx)


def _file_name(value: Any) -> Any:
    """The value, unless it is text that no file can be called."""
    try:
        if "\0" not in os.fspath(value) and os.fsencode(value):
            return value
    except ValueError:
        pass
    raise click.BadParameter(f"expected the name of a file, found {quoted(value)}")


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/cli.md lists the keys).")
language_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", envvar="SERVIDA_LANG", help="Language of names and texts."
)
folder_option = click.option(
    "--tables", "folder", type=PathType(path_type=Path), help="Folder of tables (default: SERVIDA_TABLES or a cache)."
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 1024), help="Threads to solve with (default: all cores)."
)


def limit_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that say what solving for one answer may take."""
    seconds, gigabytes = Limits().seconds, Limits().memory / 1e9
    command = click.option(
        "--memory-limit", type=click.FloatRange(0), default=gigabytes, help="Gigabytes to solve a position in."
    )(command)
    return click.option(
        "--time-limit", type=click.FloatRange(0), default=seconds, help="Seconds of one core to solve a position in."
    )(command)


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Dask scheduler to work with, such as tcp://HOST:8786 (default: threads here).",
)
sheet_option = click.option(
    "--sheet", default="", metavar="SHEET", help='Written boxes, as "ones=3 full_house=0"; the others are open.'
)


class SizeType(click.ParamType):  # type: ignore[type-arg]
    """Bytes, such as "12G" or "500M"; or "all", if that is allowed, for any number of them."""

    name = "size"

    def __init__(self, every: bool = False):
        self.every = every

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if self.every and value == "all":
            return float("inf")
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([KMGT])B?", value.strip(), re.IGNORECASE)
        if not found:
            raise click.BadParameter(f"expected a size like 12G or 500M{' or all' * self.every}, found {quoted(value)}")
        return float(found[1]) * 1000.0 ** (1 + "KMGT".index(found[2].upper()))


class ObjectiveType(click.ParamType):  # type: ignore[type-arg]
    """What is played for: "score", "target:POINTS", "utility:FILE" or "duel"; `of_table`: or what a table is for
    besides, "target" for all of them and "bound"."""

    name = "objective"

    def __init__(self, of_table: bool = False):
        self.of_table = of_table

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        of_tables: dict[str, Objective] = {"target": Target(0), "bound": Bound()}
        return of_tables[value] if self.of_table and value in of_tables else read_objective(value)


objective_option = click.option(
    "--objective",
    type=ObjectiveType(),
    default="score",
    metavar="OBJECTIVE",
    help="What is played for: score, target:POINTS, or utility:FILE (docs/objectives.md).",
)
table_objective_option = click.option(
    "--objective",
    type=ObjectiveType(of_table=True),
    default="score",
    metavar="OBJECTIVE",
    help="What the table is for: score, target, utility:FILE, duel or bound (docs/tables.md).",
)


@contextmanager
def cluster_of(address: str | None) -> "Iterator[Cluster | None]":
    """The cluster at an address, None without one."""
    if address is None:
        yield None
        return
    from ..solver.cluster import Cluster

    with Cluster(address) as cluster:
        yield cluster


def print_json(value: Any) -> None:
    """Prints a value as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False))


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A callback for the solver; it draws a bar on stderr once the work has taken a moment, if that is a terminal."""
    started = monotonic()
    bar = task = None

    def report(done: int, total: int) -> None:
        nonlocal bar, task
        if bar is None and sys.stderr.isatty() and monotonic() - started > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            task = bar.add_task(label, total=total)
            bar.start()
        if bar is not None and task is not None:
            bar.update(task, completed=done)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()


def goal_of(variant: Variant, objective: Objective, folder: Path | None, threads: int | None) -> "Goal | None":
    """The goal of an objective, from its stored table, which is built first where it is missing; None for the score."""
    if objective is None:
        return None
    if isinstance(objective, Win | Bound):
        raise PositionError("objective: expected score, target:POINTS or utility:FILE, found duel; see servida duel")
    from ..solver.utility_table import goal

    with progress_bar(variant.id) as report:
        return goal(Store(folder).ensure(variant, objective, threads=threads, progress=report), objective)


def table_of(variant: Variant, folder: Path | None, threads: int | None) -> Table:
    """The stored table of a variant; it is built first where it is missing."""
    with progress_bar(variant.id) as report:
        return Store(folder).ensure(variant, threads=threads, progress=report)
