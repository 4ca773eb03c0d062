"""servida duel: the chance to win against others, and what to do for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.api import open_duels
from ..solver.contest import Contest, read_player
from ..solver.duel import Chances, DuelHint, DuelOption, Duels
from ..solver.match import TIE
from ..solver.position import Position, read_entries
from ..solver.solve import Limits, Progress
from ..solver.table import Table
from ..solver.utility import GREATEST_TOTAL
from .common import (
    folder_option,
    json_option,
    language_option,
    limit_options,
    print_json,
    progress_bar,
    table_of,
    threads_option,
)
from .options import TOP, describe, option_object
from .render import show_table

TOTAL = click.IntRange(0, GREATEST_TOTAL)


@click.command("duel")
@click.argument("variant")
@click.argument("dice", nargs=-1)
@click.option("--me", default="", metavar="SHEET", help='My written boxes, as "ones=3 full_house=0".')
@click.option("--them", multiple=True, metavar="SHEET", help="The other's boxes; once for each opponent.")
@click.option("--me-total", type=TOTAL, help="My points in all, if not those the boxes make.")
@click.option("--them-total", type=TOTAL, multiple=True, help="The other's points in all; once for each opponent.")
@click.option("--turn", type=click.Choice(("me", "them")), default="me", help="Who is to move.")
@click.option("--rolls-left", type=int, help="Rerolls still allowed (default: all, a first roll).")
@click.option("--held", default="", metavar="DICE", help="Dice already set aside, where holds are locked.")
@click.option("--tie", type=click.Choice(tuple(TIE)), help="What a tie counts: half a win (default) or a win.")
@click.option("--top", type=click.IntRange(1), help=f"Options to show (default: {TOP}; with --json all).")
@limit_options
@json_option
@language_option
@folder_option
@threads_option
def command(
    variant: str,
    dice: tuple[str, ...],
    me: str,
    them: tuple[str, ...],
    me_total: int | None,
    them_total: tuple[int, ...],
    turn: str,
    rolls_left: int | None,
    held: str,
    tie: str | None,
    top: int | None,
    time_limit: float,
    memory_limit: float,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Tells the chance to win against another player who plays as well as can be, and ranks what to do for it.

    \b
    Examples:
      servida duel chaser --me "ones=3" --them "sixes=18"
      servida duel generala-obligada 33366 --rolls-left 1
    """
    found = load(variant)
    table = table_of(found, folder, threads)
    others = [read_entries(sheet) for sheet in them or ("",)]
    contest = contest_of(table, read_entries(me), others, me_total, them_total, turn == "me", tie)
    if dice == () and (rolls_left is not None or held):
        raise click.UsageError("dice: expected some beside --rolls-left or --held, found none")
    position = Position(variant, " ".join(dice), rolls_left, read_entries(me), held) if dice else None
    answer = answer_of(table, contest, position, Limits(time_limit, memory_limit * 1e9), folder, threads)
    tell(found, answer, contest, top, as_json, lang)


def tell(variant: Variant, answer: DuelHint, contest: Contest, top: int | None, as_json: bool, lang: str) -> None:
    """Prints the answer, as JSON or for a person."""
    if as_json:
        print_json(as_object(variant, answer, contest, top))
    else:
        show(variant, answer, contest, top or TOP, language(lang))


def answer_of(
    table: Table,
    contest: Contest,
    position: Position | None,
    limits: Limits,
    folder: Path | None,
    threads: int | None,
) -> DuelHint:
    """The answer for a position, from the table of the whole game where there is one."""
    with progress_bar(table.variant.id) as report:
        duels = duels_of(table, limits, folder, threads, report)
        return duels.hint(contest, position) if position else duels.chances(contest)


def duels_of(table: Table, limits: Limits, folder: Path | None, threads: int | None, progress: Progress) -> Duels:
    """The solver, with the table of the whole game where there is one."""
    return open_duels(table, limits=limits, folder=folder, threads=threads, progress=progress)


def contest_of(
    table: Table,
    me: Mapping[str, Any],
    them: Sequence[Mapping[str, Any]],
    me_total: int | None,
    them_total: Sequence[int],
    mine: bool,
    tie: str | None,
) -> Contest:
    """The position that sheets and totals describe; a tie counts half of a win unless `tie` says otherwise."""
    if them_total and len(them_total) != len(them):
        raise PositionError(f"them-total: expected as many as sheets ({len(them)}), found {len(them_total)}")
    others = [read_player(table, sheet) for sheet in them]
    if them_total:
        others = [other._replace(total=total) for other, total in zip(others, them_total, strict=True)]
    myself = read_player(table, me)
    myself = myself if me_total is None else myself._replace(total=me_total)
    return Contest(myself, tuple(others), mine, tie or "half")


def as_object(variant: Variant, answer: DuelHint, contest: Contest, top: int | None) -> dict[str, Any]:
    """The answer as it stands in JSON."""
    return {
        "variant": variant.id,
        "me_total": contest.me.total,
        "them_total": [player.total for player in contest.others],
        **answer.chances._asdict(),
        "exact": answer.exact,
        "error_bound": answer.error,
        "options": [_option_object(option) for option in answer.options[:top]],
    }


def _option_object(option: DuelOption) -> dict[str, Any]:
    value = option_object(option.option)
    return {**value, **option.chances._asdict(), "loss_of_value": option.loss, "best": option.best}


def show(variant: Variant, answer: DuelHint, contest: Contest, top: int, words: Language) -> None:
    """Prints the answer for a person."""
    totals = ", ".join(str(player.total) for player in contest.others)
    click.echo(f"{words.name(variant)} · {contest.me.total} : {totals} · {chances_text(answer.chances, words)}")
    click.echo(words.text("exact_duel" if answer.exact else "approximate_duel"))
    if not answer.options:
        return
    rows = [
        (
            describe(variant, option.option, words),
            "" if option.option.points is None else str(option.option.points + option.option.bonus),
            f"{option.chances.value:.6f}",
            f"{option.loss:.6f}",
            f"{option.option.expected_total:.4f}",
        )
        for option in answer.options[:top]
    ]
    strong = {i for i, option in enumerate(answer.options[:top]) if option.best}
    titles = [words.text(key) for key in ("option", "points", "win_chance", "loss", "expected_total")]
    show_table(titles, rows, right={1, 2, 3, 4}, strong=strong)


def chances_text(chances: Chances, words: Language) -> str:
    """The chances in one line."""
    parts = [("win_chance", chances.value), ("wins", chances.win), ("ties", chances.tie), ("losses", chances.loss)]
    return " · ".join(f"{words.text(key)}: {value:.6f}" for key, value in parts if value is not None)
