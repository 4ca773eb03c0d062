"""servida value: what a sheet is worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..data.catalog import load
from ..data.language import language
from ..data.rules import Variant
from ..solver.position import points_so_far, read_entries, read_sheet
from ..solver.solve import Limits
from ..solver.utility import Objective
from .columns import bound_text, exactness, is_several, refuse_objective, value_of
from .common import (
    folder_option,
    goal_of,
    json_option,
    language_option,
    limit_options,
    objective_option,
    print_json,
    sheet_option,
    table_of,
    threads_option,
)
from .render import goal_text

if TYPE_CHECKING:
    from ..solver.utility_table import Goal


@click.command("value")
@click.argument("variant")
@sheet_option
@limit_options
@objective_option
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str,
    sheet: str,
    time_limit: float,
    memory_limit: float,
    objective: Objective,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Tells the expected total of best play from a sheet, before the next turn.

    \b
    Example:
      servida value yahtzee --sheet "ones=3 full_house=0"
    """
    found, goal, bound = load(variant), None, None
    if is_several(found):
        refuse_objective(found, objective)
        limits = Limits(time_limit, memory_limit * 1e9)
        so_far, value, bound = value_of(found, sheet, limits, folder, threads)
    else:
        table = table_of(found, folder, threads)
        scoresheet = read_sheet(found, table.game, read_entries(sheet))
        so_far, value = points_so_far(table.game, scoresheet), table.value(scoresheet)
        goal = goal_of(found, objective, folder, threads)
    worth = goal.value(scoresheet) if goal else None
    if as_json:
        print_json(as_object(found, so_far, value, goal, worth, bound))
        return
    words = language(lang)
    click.echo(f"{words.name(found)} · {words.text('expected_total')}: {so_far + value:.6f}")
    click.echo(f"{words.text('points_so_far')}: {so_far} · {words.text('value')}: {value:.6f}")
    if bound is not None:
        click.echo(bound_text(so_far + value, bound, words))
    if goal:
        click.echo(f"{goal_text(goal, words)} · {words.text(goal.word)}: {worth:.6f}")


def as_object(
    variant: Variant,
    so_far: int,
    value: float,
    goal: "Goal | None" = None,
    worth: float | None = None,
    bound: float | None = None,
) -> dict[str, Any]:
    """The answer as it stands in JSON; `worth`: what the sheet is worth for a goal; `bound`: on a sheet of several
    columns, where the value is an estimate, what no play makes more than in all."""
    total = {"expected_total": so_far + value, "points_so_far": so_far, "value": value}
    of_goal = {goal.word: worth, "error_bound": goal.table.error} if goal else {}
    of_columns = exactness(so_far + value, bound) if is_several(variant) else {}
    return {"variant": variant.id, **total, **of_goal, **of_columns}
