"""servida target: the greatest chance of reaching a total."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.position import Scoresheet, points_so_far, read_entries, read_sheet
from ..solver.utility import Target, read_total
from ..solver.utility_table import Goal
from .common import (
    folder_option,
    goal_of,
    json_option,
    language_option,
    print_json,
    sheet_option,
    table_of,
    threads_option,
)
from .render import error_text, show_table
from .totals import plot_option

if TYPE_CHECKING:
    from ..solver.distribution import Distribution

Row = tuple[int, float, float | None]  # target, greatest chance, chance when playing for points


@click.command("target")
@click.argument("variant")
@click.argument("scores", nargs=-1, metavar="[SCORE]...")
@sheet_option
@click.option("--compare", is_flag=True, help="Add the chances of play for points (takes up to a few seconds).")
@plot_option
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str,
    scores: tuple[str, ...],
    sheet: str,
    compare: bool,
    plot: Path | None,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Tells the greatest chance of a final total of SCORE or more, from play that aims at just that.

    Without a SCORE, every tenth total from the surest to the rarest is listed.

    \b
    Example:
      servida target generala 200 250
    """
    found, wanted = load(variant), [read_total(score) for score in scores]
    goal = goal_of(found, Target(0), folder, threads)
    assert goal
    scoresheet = read_sheet(found, goal.table.game, read_entries(sheet))
    if not wanted:
        wanted = tens(goal, points_so_far(goal.table.game, scoresheet), scoresheet)
    outlook = None
    if compare or plot:
        from ..solver.distribution import distribution

        outlook = distribution(table_of(found, folder, threads), scoresheet)
    rows = rows_of(goal, scoresheet, wanted, outlook)
    if plot and outlook:
        from .plot import plot_targets

        totals = range(outlook.percentile(0.01), outlook.span[1] + 1)
        curve = {score: goal._replace(target=score).value(scoresheet) for score in totals}
        plot_targets(curve, outlook, language(lang).name(found), language(lang), plot)
    if as_json:
        print_json(as_object(found, goal, points_so_far(goal.table.game, scoresheet), rows))
    else:
        show(found, goal, points_so_far(goal.table.game, scoresheet), rows, language(lang))


def tens(goal: Goal, so_far: int, scoresheet: Any) -> list[int]:
    """Every tenth total whose chance is neither 1 nor, to four digits, what stays in the end."""
    most = so_far + goal.table.game.greatest_total
    tens = range(-(-so_far // 10) * 10, most + 1, 10)
    chances = [goal._replace(target=score).value(scoresheet) for score in tens]
    shown = [score for score, chance in zip(tens, chances, strict=True) if 5e-5 <= chance - chances[-1] < 1 - 5e-5]
    if not shown:
        raise PositionError("score: expected totals that are open, found none; name one")
    return shown


def rows_of(goal: Goal, scoresheet: Scoresheet, wanted: list[int], outlook: "Distribution | None") -> list[Row]:
    """The chances of the totals wanted; `outlook`: of play for points."""
    chances = [goal._replace(target=score).value(scoresheet) for score in wanted]
    for_points = [outlook.at_least(score) if outlook else None for score in wanted]
    return list(zip(wanted, chances, for_points, strict=True))


def as_object(variant: Variant, goal: Goal, so_far: int, rows: list[Row]) -> dict[str, Any]:
    """The answer as it stands in JSON."""
    targets = []
    for score, chance, for_points in rows:
        target = {"score": score, "needed": max(0, score - so_far), "chance": chance}
        targets.append(target | ({} if for_points is None else {"for_points": for_points}))
    return {"variant": variant.id, "points_so_far": so_far, "error_bound": goal.table.error, "targets": targets}


def show(variant: Variant, goal: Goal, so_far: int, rows: list[Row], words: Language) -> None:
    """Prints the answer for a person."""
    parts = (words.name(variant), f"{words.text('points_so_far')}: {so_far}", error_text(goal))
    click.echo(" · ".join(filter(None, parts)))
    compared = any(for_points is not None for _, _, for_points in rows)
    keys = ("target", "needed", "chance", *(["for_points"] if compared else []))
    lines = [
        (str(score), str(max(0, score - so_far)), f"{chance:.6f}", *([f"{other:.6f}"] if other is not None else []))
        for score, chance, other in rows
    ]
    show_table([words.text(key) for key in keys], lines, right=set(range(len(keys))))
