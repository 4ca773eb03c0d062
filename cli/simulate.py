"""servida simulate: games played with random dice."""

from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..solver.position import read_entries, read_sheet
from ..solver.simulate import MOST_GAMES, MOST_SEED, Simulation, check_policy, simulate
from .common import (
    cluster_of,
    folder_option,
    json_option,
    language_option,
    print_json,
    progress_bar,
    scheduler_option,
    sheet_option,
    table_of,
    threads_option,
)
from .totals import percentiles_object, plot_option, show_percentiles, show_totals


class PolicyType(click.ParamType):  # type: ignore[type-arg]
    """The name of a policy."""

    name = "policy"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        check_policy(value)
        return value


@click.command("simulate")
@click.argument("variant")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100_000, help="Games to play (default: 100000).")
@click.option("--seed", type=click.IntRange(0, MOST_SEED), default=0, help="Seed of the dice (default: 0).")
@click.option(
    "--policy",
    type=PolicyType(),
    default="score",
    metavar="POLICY",
    help="How decisions are made: score (default), greedy, or bot:LEVEL (docs/bots.md).",
)
@scheduler_option
@sheet_option
@plot_option
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str,
    games: int,
    seed: int,
    policy: str,
    scheduler: str | None,
    sheet: str,
    plot: Path | None,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Plays games with random dice, the same ones for the same seed, and tells what totals they came to.

    \b
    Example:
      servida simulate yahtzee --games 1000000 --seed 7
    """
    found = load(variant)
    table = table_of(found, folder, threads)
    scoresheet = read_sheet(found, table.game, read_entries(sheet))
    with cluster_of(scheduler) as cluster, progress_bar(found.id) as report:
        played = simulate(
            table, games, seed, policy=policy, sheet=scoresheet, threads=threads, cluster=cluster, progress=report
        )
    if plot is not None:
        from .plot import plot_totals

        plot_totals(played, language(lang).name(found), language(lang), plot)
    if as_json:
        print_json(as_object(found, played))
    else:
        show(found, played, language(lang))


def as_object(variant: Variant, played: Simulation) -> dict[str, Any]:
    """The simulation as it stands in JSON."""
    low, high = played.span
    return {
        "variant": variant.id,
        "policy": played.policy,
        "games": played.games,
        "seed": played.seed,
        "mean": played.mean,
        "standard_error": played.standard_error if played.games > 1 else None,
        "sd": played.sd,
        "expected_total": played.expected_total,
        "percentiles": percentiles_object(played),
        "wins": played.wins,
        "lowest": low,
        "count": played.count[low : high + 1].tolist(),
    }


def show(variant: Variant, played: Simulation, words: Language) -> None:
    """Prints the simulation for a person."""
    low, high = played.span
    error = f" ± {played.standard_error:.4f}" if played.games > 1 else ""
    click.echo(
        f"{words.name(variant)} · {words.text('mean')} {played.mean:.4f}{error} · {words.text('sd')} {played.sd:.4f}"
    )
    click.echo(
        f"{words.text('games')}: {played.games} · {words.text('seed')}: {played.seed} · "
        f"{words.text('policy')}: {played.policy}"
    )
    if played.expected_total is not None:
        click.echo(f"{words.text('expected_total')}: {played.expected_total:.6f}")
    click.echo(f"{words.text('seen')}: {low} – {high}")
    show_percentiles(played, words)
    if variant.rules.outright_win:
        click.echo(f"{words.text('win')}: {played.wins} ({played.wins / played.games:.6f})")
    show_totals(played)
