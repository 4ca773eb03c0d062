"""servida grade: a played game, decision by decision."""

from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.grade import Decision, Grade, GradedTurn, grade
from ..solver.record import read_game
from ..solver.solve import Limits
from ..solver.utility import Objective, Win
from .common import (
    FileType,
    folder_option,
    goal_of,
    json_option,
    language_option,
    objective_option,
    print_json,
    progress_bar,
    table_of,
    threads_option,
)
from .duel import duels_of
from .options import describe, option_object
from .render import goal_text, show_table


@click.command("grade")
@click.argument("file", type=FileType(encoding="utf-8-sig"))
@click.option("--all", "every", is_flag=True, help="Show every decision, not only those that lose something.")
@objective_option
@json_option
@language_option
@folder_option
@threads_option
def command(
    file: Any,
    every: bool,
    objective: Objective,
    as_json: bool,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Grades a played game: what every decision lost, and what luck gave.

    FILE holds the game (docs/games.md describes the two formats); - stands for stdin.

    \b
    Example:
      servida grade game.txt
    """
    record = read_game(_read(file))
    variant = load(record.variant)
    table, goal = table_of(variant, folder, threads), None
    if isinstance(objective, Win):
        with progress_bar(variant.id) as report:
            graded = grade(table, record, duels_of(table, Limits(), folder, threads, report))
    else:
        goal = goal_of(variant, objective, folder, threads)
        graded = grade(table, record, goal)
    word = "value" if isinstance(objective, Win) else goal.word if goal else None
    if as_json:
        print_json(as_object(variant, graded, word) | ({"error_bound": goal.table.error} if goal else {}))
        return
    words = language(lang)
    aim = goal_text(goal, words) if goal else words.text("exact_duel" if graded.exact else "approximate_duel")
    click.echo(words.name(variant) + (f" · {aim}" if word else ""))
    show(variant, graded, every, words, word)


def _read(file: Any) -> str:
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise PositionError("game: expected UTF-8 text, found other bytes") from None
    except OSError as error:
        raise PositionError(f"game: expected a file that can be read, found: {error.strerror}") from None


def as_object(variant: Variant, graded: Grade, word: str | None = None) -> dict[str, Any]:
    """The grade as it stands in JSON; `word`: what is expected with another objective than the score."""
    turns = [_turn_object(number, turn, word) for number, turn in enumerate(graded.turns, 1)]
    value = {"variant": variant.id, **_renamed(graded._asdict(), word), "turns": turns}
    if word != "value":
        del value["theirs"], value["exact"]
    return value


def _renamed(value: dict[str, Any], word: str | None) -> dict[str, Any]:
    """With another objective, what is expected is a chance or a utility, and is called so."""
    if word is None:
        return value
    names = {"expected_total": word, "expected_at_start": f"{word}_at_start"}
    return {names.get(key, key): field for key, field in value.items()}


def _turn_object(number: int, turn: GradedTurn, word: str | None) -> dict[str, Any]:
    written = turn.written and option_object(turn.written, word=word)
    decisions = [_decision_object(decision, word) for decision in turn.decisions]
    return {"turn": number, **_renamed(turn._asdict(), word), "written": written, "decisions": decisions}


def _decision_object(decision: Decision, word: str | None) -> dict[str, Any]:
    chosen = decision.chosen and option_object(decision.chosen, word=word)
    return {**decision._asdict(), "best": option_object(decision.best, word=word), "chosen": chosen}


def show(variant: Variant, graded: Grade, every: bool, words: Language, word: str | None = None) -> None:
    """Prints the grade for a person; `word`: what is expected with another objective than the score."""
    _show_decisions(variant, graded, every, words)
    if graded.turns:
        titles = [words.text(key) for key in ("turn", "dice", "category", "points", "luck", "loss")]
        rows = [_turn_row(variant, number, turn, words) for number, turn in enumerate(graded.turns, 1)]
        show_table(titles, rows, right={0, 3, 4, 5})
        click.echo()
    parts = [
        f"{words.text(f'{word}_at_start' if word else 'expected_at_start')}: {graded.expected_at_start:.4f}",
        f"{words.text('luck')}: {graded.luck:+z.4f}",
        f"{words.text('loss')}: {graded.loss:.4f}",
    ]
    if word == "value":
        parts.append(f"{words.text('theirs')}: {graded.theirs:+z.4f}")
    if word or not graded.finished:
        parts.append(f"{words.text(word or 'expected_total')}: {graded.expected_total:.4f}")
    if graded.finished:
        parts.append(f"{words.text('total')}: {graded.points_so_far}")
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
