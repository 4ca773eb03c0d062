"""servida distribution: the chance of every final total."""

from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..solver.distribution import Distribution, distribution
from ..solver.position import read_entries, read_sheet
from ..solver.utility import Objective
from .common import (
    folder_option,
    goal_of,
    json_option,
    language_option,
    objective_option,
    print_json,
    sheet_option,
    table_of,
    threads_option,
)
from .render import goal_text, show_table
from .totals import percentiles_object, plot_option, show_percentiles, show_totals


@click.command("distribution")
@click.argument("variant")
@sheet_option
@click.option(
    "--at-least",
    "targets",
    type=click.IntRange(0, 100_000),
    multiple=True,
    help="Chance of T or more; may be repeated.",
)
@objective_option
@plot_option
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str,
    sheet: str,
    targets: tuple[int, ...],
    objective: Objective,
    plot: Path | None,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Tells the exact chance of every final total under optimal play, and what becomes of each box.

    \b
    Example:
      servida distribution generala --at-least 150 --at-least 200
    """
    found = load(variant)
    table = table_of(found, folder, threads)
    scoresheet = read_sheet(found, table.game, read_entries(sheet))
    goal = goal_of(found, objective, folder, threads)
    outlook = distribution(table, scoresheet, goal)
    if plot is not None:
        from .plot import plot_totals

        plot_totals(outlook, language(lang).name(found), language(lang), plot)
    if as_json:
        print_json(as_object(found, outlook, targets) | ({"error_bound": goal.table.error} if goal else {}))
    else:
        if goal:
            click.echo(goal_text(goal, language(lang)))
        show(found, outlook, targets, language(lang))


def as_object(variant: Variant, outlook: Distribution, targets: tuple[int, ...]) -> dict[str, Any]:
    """The distribution as it stands in JSON."""
    low, high = outlook.span
    return {
        "variant": variant.id,
        "mean": outlook.mean,
        "sd": outlook.sd,
        "percentiles": percentiles_object(outlook),
        "at_least": {str(target): outlook.at_least(target) for target in targets},
        "win": outlook.win,
        "five_bonuses": outlook.fives,
        "upper_bonus": outlook.upper_bonus,
        "lowest": low,
        "chance": outlook.chance[low : high + 1].tolist(),
        "boxes": [
            {
                "category": box.category,
                "mean_points": box.mean_points,
                "written": box.written,
                "zero": box.zero,
                "full": box.full,
                "mean_turn": None if box.mean_turn != box.mean_turn else box.mean_turn,
            }
            for box in outlook.boxes
        ],
    }


def show(variant: Variant, outlook: Distribution, targets: tuple[int, ...], words: Language) -> None:
    """Prints the distribution for a person."""
    low, high = outlook.span
    click.echo(f"{words.name(variant)} · {words.text('mean')} {outlook.mean:.4f} · {words.text('sd')} {outlook.sd:.4f}")
    click.echo(f"{words.text('possible')}: {low} – {high}")
    show_percentiles(outlook, words)
    for target in targets:
        click.echo(f"≥ {target}: {outlook.at_least(target):.6f}")
    if variant.rules.upper_bonus:
        click.echo(f"{words.text('upper_bonus')}: {outlook.upper_bonus:.4f}")
    if variant.rules.outright_win:
        click.echo(f"{words.text('win')}: {outlook.win:.6f}")
    show_totals(outlook)
    rows = [
        (
            words.label(variant, box.category),
            f"{box.mean_points:.4f}",
            f"{box.zero:.4f}",
            f"{box.full:.4f}",
            f"{box.mean_turn:.2f}",
        )
        for box in outlook.boxes
    ]
    titles = [words.text(key) for key in ("category", "points", "zero", "full", "turn")]
    show_table(titles, rows, right={1, 2, 3, 4})
