"""servida grade: a played game, decision by decision."""

from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.grade import Decision, Grade, GradedTurn, grade, read_game
from .common import FileType, folder_option, json_option, language_option, print_json, table_of, threads_option
from .hint import describe, option_object
from .render import show_table


@click.command("grade")
@click.argument("file", type=FileType(encoding="utf-8-sig"))
@click.option("--all", "every", is_flag=True, help="Show every decision, not only those that lose something.")
@json_option
@language_option
@folder_option
@threads_option
def command(file: Any, every: bool, as_json: bool, lang: str, folder: Path | None, threads: int | None) -> None:
    """Grades a played game: what every decision lost, and what luck gave.

    FILE holds the game (docs/games.md describes the two formats); - stands for stdin.

    \b
    Example:
      servida grade game.txt
    """
    record = read_game(_read(file))
    variant = load(record.variant)
    graded = grade(table_of(variant, folder, threads), record)
    if as_json:
        print_json(as_object(variant, graded))
    else:
        show(variant, graded, every, language(lang))


def _read(file: Any) -> str:
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise PositionError("game: expected UTF-8 text, found other bytes") from None
    except OSError as error:
        raise PositionError(f"game: expected a file that can be read, found: {error.strerror}") from None


def as_object(variant: Variant, graded: Grade) -> dict[str, Any]:
    """The grade as it stands in JSON."""
    turns = [_turn_object(number, turn) for number, turn in enumerate(graded.turns, 1)]
    return {"variant": variant.id, **graded._asdict(), "turns": turns}


def _turn_object(number: int, turn: GradedTurn) -> dict[str, Any]:
    written = turn.written and option_object(turn.written)
    decisions = [_decision_object(decision) for decision in turn.decisions]
    return {"turn": number, **turn._asdict(), "written": written, "decisions": decisions}


def _decision_object(decision: Decision) -> dict[str, Any]:
    chosen = decision.chosen and option_object(decision.chosen)
    return {**decision._asdict(), "best": option_object(decision.best), "chosen": chosen}


def show(variant: Variant, graded: Grade, every: bool, words: Language) -> None:
    """Prints the grade for a person."""
    click.echo(words.name(variant))
    _show_decisions(variant, graded, every, words)
    if graded.turns:
        titles = [words.text(key) for key in ("turn", "dice", "category", "points", "luck", "loss")]
        rows = [_turn_row(variant, number, turn, words) for number, turn in enumerate(graded.turns, 1)]
        show_table(titles, rows, right={0, 3, 4, 5})
        click.echo()
    total = f"{words.text('expected_total')}: {graded.expected_total:.4f}"
    parts = (
        f"{words.text('expected_at_start')}: {graded.expected_at_start:.4f}",
        f"{words.text('luck')}: {graded.luck:+z.4f}",
        f"{words.text('loss')}: {graded.loss:.4f}",
        f"{words.text('total')}: {graded.points_so_far}" if graded.finished else total,
    )
    click.echo(" · ".join(parts))


def _show_decisions(variant: Variant, graded: Grade, every: bool, words: Language) -> None:
    """Prints the decisions that lost something, or all, in a table."""
    shown = [
        (number, decision)
        for number, turn in enumerate(graded.turns, 1)
        for decision in turn.decisions
        if every or (decision.chosen and not decision.chosen.best)
    ]
    if not shown:
        return
    titles = [words.text(key) for key in ("turn", "dice", "rolls_left", "chosen", "best", "loss")]
    rows = [
        (
            str(number),
            " ".join(map(str, decision.dice)),
            str(decision.rolls_left),
            describe(variant, decision.chosen, words) if decision.chosen else "",
            describe(variant, decision.best, words),
            f"{decision.loss:.4f}",
        )
        for number, decision in shown
    ]
    strong = {i for i, (_, decision) in enumerate(shown) if decision.chosen and decision.chosen.best}
    show_table(titles, rows, right={0, 2, 5}, strong=strong)
    click.echo()


def _turn_row(variant: Variant, number: int, turn: GradedTurn, words: Language) -> tuple[str, ...]:
    written = turn.written
    box = points = ""
    if written:
        box = words.label(variant, written.category) if written.category else words.text("win")
        points = str((written.points or 0) + written.bonus)
    dice = " ".join(map(str, turn.decisions[-1].dice))
    return str(number), dice, box, points, f"{turn.luck:+z.4f}", f"{turn.loss:.4f}"
