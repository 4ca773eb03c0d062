"""servida tables: building, listing, checking, exporting and removing value tables."""

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from ..data.catalog import load, variant_ids
from ..data.rules import Variant
from ..errors import MissingTableError, ServidaError, TableFormatError
from ..solver.bound_table import BoundTable
from ..solver.column_table import ColumnTable, columns_to_solve
from ..solver.column_table import estimate as columns_estimate
from ..solver.duel_table import DuelTable, estimate, is_solvable, whole_match
from ..solver.game import game_of
from ..solver.position import Scoresheet
from ..solver.store import Store, read_any
from ..solver.table import Table
from ..solver.utility import Objective, Win
from ..solver.utility_table import goal
from .common import (
    PathType,
    SizeType,
    cluster_of,
    folder_option,
    json_option,
    print_json,
    progress_bar,
    scheduler_option,
    table_objective_option,
    threads_option,
)
from .render import show_table

if TYPE_CHECKING:
    from ..solver.store import AnyTable


@click.group("tables")
def command() -> None:
    """Builds and looks after the tables that answers are read from.

    \b
    Example:
      servida tables build yahtzee generala
    """


def _variants(names: tuple[str, ...], every: bool) -> list[Variant]:
    if every == bool(names):
        raise click.UsageError("variants: expected names or --all, found " + ("both" if every else "neither"))
    found = [load(name) for name in (names or variant_ids())]
    return [variant for variant in found if len(variant.rules.columns) == 1] if every else found


@command.command("build")
@click.argument("variants", nargs=-1, metavar="[VARIANT]...")
@click.option("--all", "every", is_flag=True, help="Every variant that comes along and can be solved.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Tables to build at a time.")
@click.option("--force", is_flag=True, help="Build anew where a table is there already.")
@click.option(
    "--ties/--no-ties",
    default=True,
    help="Duels: store the chance of a tie besides (default), or values alone in half the time.",
)
@click.option(
    "--memory", type=SizeType(), help="Several columns: values held in memory while they are solved (default: 12G)."
)
@click.option(
    "--keep",
    type=SizeType(every=True),
    help="Several columns: how much of the levels to keep for later answers, or all (default: 1G).",
)
@scheduler_option
@table_objective_option
@threads_option
@folder_option
def build(
    variants: tuple[str, ...],
    every: bool,
    jobs: int,
    force: bool,
    ties: bool,
    memory: float | None,
    keep: float | None,
    scheduler: str | None,
    objective: Objective,
    threads: int | None,
    folder: Path | None,
) -> None:
    """Solves variants and stores their tables.

    \b
    Example:
      servida tables build --all --jobs 2
    """
    from concurrent.futures import ThreadPoolExecutor

    store = Store(folder)

    def one(variant: Variant) -> tuple[bool, float]:
        started = perf_counter()
        with progress_bar(variant.id) as report:
            shown = report if jobs == 1 else None
            built = store.build(
                variant,
                objective,
                force=force,
                ties=ties,
                memory=memory,
                keep=keep,
                threads=threads,
                cluster=cluster,
                progress=shown,
            )
        return built, perf_counter() - started

    chosen = _variants(variants, every)
    if isinstance(objective, Win):
        chosen = [variant for variant in chosen if not every or is_solvable(variant, game_of(variant))]
    for variant in chosen:
        if force or not store.path(variant, objective).exists():
            _tell_effort(variant, objective, ties, memory, keep, threads)
    if scheduler and objective is not None:
        raise click.UsageError("scheduler: expected it for the objective score, found another; leave one of them out")
    with cluster_of(scheduler) as cluster, ThreadPoolExecutor(jobs) as pool:
        for variant, (built, seconds) in zip(chosen, pool.map(one, chosen), strict=True):
            what = f"built in {seconds:.2f} s" if built else "was there"
            with _opened(store, variant, objective) as table:
                click.echo(f"{variant.id}: {what}, {_summary(table, objective)}")


def _tell_effort(
    variant: Variant,
    objective: Objective,
    ties: bool,
    memory: float | None,
    keep: float | None,
    threads: int | None,
) -> None:
    """Says beforehand what solving whole games of two, or sheets of several columns, takes."""
    if isinstance(objective, Win):
        match = whole_match(variant, game_of(variant), ties=ties)
        click.echo(f"{variant.id}: {estimate(match, threads)}", err=True)
    elif objective is None and len(variant.rules.columns) > 1:
        columns = columns_to_solve(variant)
        click.echo(f"{variant.id}: {columns_estimate(columns, threads, memory, keep)}", err=True)


def _opened(store: Store, variant: Variant, objective: Objective) -> "AnyTable":
    """A stored table of any kind."""
    several = objective is None and len(variant.rules.columns) > 1
    return store.open_columns(variant) if several else store.open(variant, objective)


def _summary(table: "AnyTable", objective: Objective) -> str:
    """What a table says of the empty sheet."""
    if isinstance(table, BoundTable):
        made = f"{table.measured.mean:.3f} ± {table.measured.error:.3f} in {table.measured.games:,} games"
        return f"policy {made}, no play more than {table.bound(table.relaxation.empty):.3f}"
    if isinstance(table, Table | ColumnTable):
        return f"expected total {table.expected_total:.6f}"
    if isinstance(table, DuelTable):
        value, tie = table.first_player
        return f"first player's value {value:.6f}" + (f", ties {tie:.6f}" if table.match.ties else ", values alone")
    aim, empty = goal(table, objective), Scoresheet((None,) * len(table.game.rules.categories))
    return f"expected utility {aim.value(empty):.6f}" if table.utility else f"{len(table.spans.values):,} chances"


@command.command("list")
@json_option
@folder_option
def list_(as_json: bool, folder: Path | None) -> None:
    """Lists the tables in the folder.

    \b
    Example:
      servida tables list
    """
    store = Store(folder)
    entries = store.entries()
    if as_json:
        print_json(
            [
                {
                    "variant": entry.variant,
                    "objective": entry.objective,
                    "expected_total": entry.expected_total,
                    "bytes": entry.size,
                    "state": entry.state,
                    "path": str(entry.path),
                }
                for entry in entries
            ]
        )
        return
    if not entries:
        click.echo(f"no tables in {store.folder}")
        return
    rows = [
        (e.variant, e.objective, "" if e.expected_total is None else f"{e.expected_total:.6f}", f"{e.size:,}", e.state)
        for e in entries
    ]
    show_table(("variant", "objective", "expected total", "bytes", "state"), rows, right={2, 3})


@command.command("verify")
@click.argument("variants", nargs=-1, metavar="[VARIANT]...")
@click.option("--all", "every", is_flag=True, help="Every table that is there.")
@click.option("--rows", type=click.IntRange(1), default=200, help="Rows of sheets to solve again.")
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the random choice of rows.")
@table_objective_option
@folder_option
def verify(
    variants: tuple[str, ...], every: bool, rows: int, seed: int, objective: Objective, folder: Path | None
) -> None:
    """Checks tables: checksums, the hash of the rules, and on a random sample that every value is the turn solved anew.

    \b
    Example:
      servida tables verify yahtzee
    """
    from ..solver.verify import verify as check

    store, failures = Store(folder), 0
    if every and not variants:
        tables = [(path.name, partial(read_any, path)) for path in store.files()]
    else:
        tables = [(variant.id, partial(_opened, store, variant, objective)) for variant in _variants(variants, every)]
    for name, open_table in tables:
        try:
            with open_table() as table:
                click.echo(f"{name}: good, {check(table, rows=rows, seed=seed)} values solved again")
        except MissingTableError:
            raise
        except ServidaError as error:
            failures += 1
            click.echo(f"{name}: {error}")
    if failures:
        raise TableFormatError(f"{failures} of {len(tables)} tables are no good; the lines above say what to do")


@command.command("export")
@click.argument("variant")
@click.option("--format", "kind", type=click.Choice(("npz", "csv", "parquet", "json")), default="npz")
@click.option("-o", "--output", type=PathType(path_type=Path), help="File to write (default: VARIANT.FORMAT).")
@folder_option
@threads_option
def export(variant: str, kind: str, output: Path | None, folder: Path | None, threads: int | None) -> None:
    """Writes a table in another format: a row per sheet (csv, parquet) or the arrays and their index (npz, json).

    \b
    Example:
      servida tables export generala --format csv -o generala.csv
    """
    from ..solver.export import export as write
    from .common import table_of

    found = load(variant)
    target = output or Path(f"{found.id}.{kind}")
    write(table_of(found, folder, threads), kind, target)
    click.echo(f"wrote {target}")


@command.command("path")
@click.argument("variant", required=False)
@table_objective_option
@folder_option
def path(variant: str | None, objective: Objective, folder: Path | None) -> None:
    """Tells where the table of a variant is or would be; without a variant, the folder.

    \b
    Example:
      servida tables path yahtzee
    """
    store = Store(folder)
    click.echo(store.path(load(variant), objective) if variant else store.folder)


@command.command("remove")
@click.argument("variants", nargs=-1, metavar="[VARIANT]...")
@click.option("--all", "every", is_flag=True, help="Every variant that comes along.")
@folder_option
def remove(variants: tuple[str, ...], every: bool, folder: Path | None) -> None:
    """Deletes the tables of variants, for all objectives.

    \b
    Example:
      servida tables remove yahtzee
    """
    store = Store(folder)
    for variant in _variants(variants, every):
        removed = store.remove(variant)
        if removed or not every:
            click.echo(f"{variant.id}: {'removed' if removed else 'no table was there'}")
