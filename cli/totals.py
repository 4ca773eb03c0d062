"""What is shown of final totals, whether they were computed or played: percentiles, bars, a plot."""

from pathlib import Path
from typing import Any

import click

from ..data.language import Language
from ..errors import ServidaError
from ..solver.totals import Totals
from .common import PathType
from .render import show_bars

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


def _check_suffix(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in (".png", ".svg"):
        raise ServidaError(f"{path}: expected a file name that ends in .png or .svg")
    return path


plot_option = click.option(
    "--plot",
    type=PathType(path_type=Path, dir_okay=False),
    callback=_check_suffix,
    help="Draw it to a file, .png or .svg (needs matplotlib).",
)


def percentiles_object(totals: Totals) -> dict[str, Any]:
    """The percentiles as they stand in JSON."""
    return {str(percent): totals.percentile(percent) for percent in PERCENTILES}


def show_percentiles(totals: Totals, words: Language) -> None:
    """Prints a line of percentiles."""
    percentiles = " · ".join(f"{percent} %: {totals.percentile(percent)}" for percent in PERCENTILES)
    click.echo(f"{words.text('percentiles')}: {percentiles}")


def show_totals(totals: Totals) -> None:
    """Prints bars: the totals between the 0.1th and the 99.9th percentile in bins of ten, or of a round number of
    tens."""
    low, high = totals.percentile(0.1), totals.percentile(99.9)
    width = 10 * max(1, round((high - low) / 250))
    starts = range(low // width * width, high + 1, width)
    chances = [float(totals.chance[start : start + width].sum()) for start in starts]
    show_bars([f"{start}–{start + width - 1}" for start in starts], chances)
