"""servida grade: a played game, decision by decision."""

from pathlib import Path
from typing import Any

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.grade import Decision, Grade, GradedTurn, grade, read_game
from ..solver.utility import Objective
from ..solver.utility_table import Goal
from .common import (
    FileType,
    folder_option,
    goal_of,
    json_option,
    language_option,
    objective_option,
    print_json,
    table_of,
    threads_option,
)
from .hint import describe, option_object
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
    goal = goal_of(variant, objective, folder, threads)
    graded = grade(table_of(variant, folder, threads), record, goal)
    if as_json:
        print_json(as_object(variant, graded, goal))
    else:
        show(variant, graded, every, language(lang), goal)


def _read(file: Any) -> str:
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise PositionError("game: expected UTF-8 text, found other bytes") from None
    except OSError as error:
        raise PositionError(f"game: expected a file that can be read, found: {error.strerror}") from None


def as_object(variant: Variant, graded: Grade, goal: Goal | None = None) -> dict[str, Any]:
    """The grade as it stands in JSON."""
    turns = [_turn_object(number, turn, goal) for number, turn in enumerate(graded.turns, 1)]
    value = {"variant": variant.id, **_renamed(graded._asdict(), goal), "turns": turns}
    return value | ({"error_bound": goal.table.error} if goal else {})


def _renamed(value: dict[str, Any], goal: Goal | None) -> dict[str, Any]:
    """Under a goal, what is expected is a chance or a utility, and is called so."""
    if goal is None:
        return value
    names = {"expected_total": goal.word, "expected_at_start": f"{goal.word}_at_start"}
    return {names.get(key, key): field for key, field in value.items()}


def _turn_object(number: int, turn: GradedTurn, goal: Goal | None) -> dict[str, Any]:
    written = turn.written and option_object(turn.written, goal=goal)
    decisions = [_decision_object(decision, goal) for decision in turn.decisions]
    return {"turn": number, **_renamed(turn._asdict(), goal), "written": written, "decisions": decisions}


def _decision_object(decision: Decision, goal: Goal | None) -> dict[str, Any]:
    chosen = decision.chosen and option_object(decision.chosen, goal=goal)
    return {**decision._asdict(), "best": option_object(decision.best, goal=goal), "chosen": chosen}


def show(variant: Variant, graded: Grade, every: bool, words: Language, goal: Goal | None = None) -> None:
    """Prints the grade for a person."""
    click.echo(words.name(variant) + (f" · {goal_text(goal, words)}" if goal else ""))
    _show_decisions(variant, graded, every, words)
    if graded.turns:
        titles = [words.text(key) for key in ("turn", "dice", "category", "points", "luck", "loss")]
        rows = [_turn_row(variant, number, turn, words) for number, turn in enumerate(graded.turns, 1)]
        show_table(titles, rows, right={0, 3, 4, 5})
        click.echo()
    word = goal.word if goal else "expected_total"
    parts = [
        f"{words.text(f'{goal.word}_at_start' if goal else 'expected_at_start')}: {graded.expected_at_start:.4f}",
        f"{words.text('luck')}: {graded.luck:+z.4f}",
        f"{words.text('loss')}: {graded.loss:.4f}",
    ]
    if goal or not graded.finished:
        parts.append(f"{words.text(word)}: {graded.expected_total:.4f}")
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
