"""servida hint: what to hold or write."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.explain import Outcome
from ..solver.explain import explain as explain_option
from ..solver.hint import Hint, Option
from ..solver.hint import hint as answer
from ..solver.position import Position, read_entries, read_position
from ..solver.solve import Limits
from ..solver.table import Table
from ..solver.utility import Objective, Win
from .columns import bound_text, exactness, hint_of, is_several, refuse_objective
from .common import (
    FileType,
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
from .options import TOP, Outcomes, describe, option_object
from .render import goal_text, show_table

if TYPE_CHECKING:
    from ..solver.utility_table import Goal


@click.command("hint")
@click.argument("variant", required=False)
@click.argument("dice", nargs=-1)
@click.option("--rolls-left", type=int, help="Rerolls still allowed (default: all, a first roll).")
@sheet_option
@click.option("--held", default="", metavar="DICE", help="Dice already set aside, where holds are locked.")
@click.option("--top", type=click.IntRange(1), help=f"Options to show (default: {TOP}; with --json all).")
@click.option(
    "--position", type=FileType(encoding="utf-8-sig"), help="Read the position as JSON: a file, or - for stdin."
)
@limit_options
@objective_option
@click.option("--them", multiple=True, metavar="SHEET", help="With the objective duel: the other's written boxes.")
@click.option("--explain", is_flag=True, help="Tell how the turn may end after the best options.")
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str | None,
    dice: tuple[str, ...],
    rolls_left: int | None,
    sheet: str,
    held: str,
    top: int | None,
    position: Any,
    time_limit: float,
    memory_limit: float,
    objective: Objective,
    them: tuple[str, ...],
    explain: bool,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Ranks every hold and every box for the dice on the table.

    \b
    Examples:
      servida hint yahtzee 33366
      servida hint generala 1 1 1 4 5 --rolls-left 1 --sheet "ones=3 full_house=0"
      servida hint yatzy 44456 --objective target:250
      echo '{"variant": "chaser", "dice": [3, 3, 3, 3, 6]}' | servida hint --position -
    """
    if position is not None:
        if dice or sheet or held or rolls_left is not None:
            raise PositionError("position: expected the whole position in the JSON, found dice or options beside it")
        asked = read_position(_read(position), variant)
        if variant is not None and load(variant).id != load(asked.variant).id:
            raise PositionError(f"position: expected the variant {variant!r}, found {asked.variant!r} in the JSON")
    elif variant is None:
        raise click.UsageError("variant: expected VARIANT and DICE, found neither; try 'servida hint yahtzee 33366'")
    else:
        asked = Position(variant, " ".join(dice), rolls_left, read_entries(sheet), held)
    found, limits = load(asked.variant), Limits(time_limit, memory_limit * 1e9)
    if them and not isinstance(objective, Win):
        raise click.UsageError(
            "them: expected it with --objective duel, found another objective; leave one of them out"
        )
    if is_several(found):
        refuse_objective(found, objective)
        if explain:
            raise click.UsageError(f"explain: expected a sheet of one column, found {found.id}; leave it out")
        tell(found, hint_of(found, asked, limits, folder, threads), top, as_json, lang)
        return
    table = table_of(found, folder, threads)
    if isinstance(objective, Win):
        _duel(table, asked, them, explain, top, as_json, lang, limits, folder, threads)
        return
    goal = goal_of(found, objective, folder, threads)
    reply = answer(table, asked, goal)
    explained = [option for option in reply.options[: top or TOP] if explain and option.best]
    outcomes = {option: explain_option(table, reply, option, goal) for option in explained}
    tell(found, reply, top, as_json, lang, outcomes, goal)


def tell(
    variant: Variant,
    reply: Hint,
    top: int | None,
    as_json: bool,
    lang: str,
    outcomes: Outcomes | None = None,
    goal: "Goal | None" = None,
) -> None:
    """Prints the answer, as JSON or for a person."""
    if as_json:
        print_json(as_object(variant, reply, top, outcomes or {}, goal))
        return
    show(variant, reply, top or TOP, language(lang), goal)
    for option, ends in (outcomes or {}).items():
        show_outcomes(variant, option, ends, language(lang), goal)


def _duel(
    table: Table,
    asked: Position,
    them: tuple[str, ...],
    explain: bool,
    top: int | None,
    as_json: bool,
    lang: str,
    limits: Limits,
    folder: Path | None,
    threads: int | None,
) -> None:
    """What `servida duel` answers to the same position."""
    from ..solver.contest import Contest, read_player
    from . import duel

    if explain:
        raise click.UsageError("explain: expected it with another objective, found duel; leave one of them out")
    me = read_player(table, asked.sheet)
    others = [read_player(table, read_entries(sheet)) for sheet in them or ("",)]
    contest = Contest(me, tuple(others))
    duel.tell(
        table.variant, duel.answer_of(table, contest, asked, limits, folder, threads), contest, top, as_json, lang
    )


def _read(file: Any) -> str:
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise PositionError("position: expected UTF-8 text, found other bytes") from None
    except OSError as error:
        raise PositionError(f"position: expected a file that can be read, found: {error.strerror}") from None


def as_object(
    variant: Variant, reply: Hint, top: int | None, outcomes: Outcomes, goal: "Goal | None" = None
) -> dict[str, Any]:
    """The answer as it stands in JSON."""
    of_goal = {goal.word: reply.best.worth, "error_bound": goal.table.error} if goal else {}
    word = goal.word if goal else None
    return {
        "variant": variant.id,
        "dice": reply.dice,
        "rolls_left": reply.rolls_left,
        "points_so_far": reply.points_so_far,
        "expected_total": reply.expected_total,
        **of_goal,
        **(exactness(reply.expected_total, reply.bound) if is_several(variant) else {}),
        "best": option_object(reply.best, outcomes, word),
        "options": [option_object(option, outcomes, word) for option in reply.options[:top]],
    }


def show(variant: Variant, reply: Hint, top: int, words: Language, goal: "Goal | None" = None) -> None:
    """Prints the answer for a person."""
    parts = (
        words.name(variant),
        " ".join(map(str, reply.dice)),
        f"{words.text('rolls_left')}: {reply.rolls_left}",
        f"{words.text('points_so_far')}: {reply.points_so_far}",
    )
    click.echo(" · ".join((*parts, goal_text(goal, words)) if goal else parts))
    if reply.bound is not None:
        click.echo(bound_text(reply.expected_total, reply.bound, words))
    rows = [
        (
            describe(variant, option, words),
            "" if option.points is None else str(option.points + option.bonus),
            *([f"{option.worth:.6f}", f"{option.loss:.6f}"] if goal else []),
            f"{option.expected_total:.4f}",
            *([] if goal else [f"{option.loss:.4f}"]),
        )
        for option in reply.options[:top]
    ]
    strong = {i for i, option in enumerate(reply.options[:top]) if option.best}
    keys = (goal.word, "loss", "expected_total") if goal else ("expected_total", "loss")
    titles = [words.text(key) for key in ("option", "points", *keys)]
    show_table(titles, rows, right=set(range(1, len(titles))), strong=strong)


def show_outcomes(
    variant: Variant, option: Option, outcomes: tuple[Outcome, ...], words: Language, goal: "Goal | None" = None
) -> None:
    """Prints how the turn may end after an option."""
    click.echo(f"{describe(variant, option, words)}:")
    rows = [
        (
            f"{outcome.chance:.4%}",
            words.label(variant, outcome.category) if outcome.category else words.text("win"),
            str(outcome.points + outcome.bonus),
            *([] if outcome.utility is None else [f"{outcome.utility:.6f}"]),
            f"{outcome.expected_total:.4f}",
        )
        for outcome in outcomes
    ]
    titles = [words.text(key) for key in ("chance", "category", "points")]
    titles += [words.text(f"{goal.word}_after")] if goal else []
    show_table([*titles, words.text("expected_total")], rows, right={0, 2, 3, 4})
