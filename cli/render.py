"""Tables of text for people: drawn by rich on a terminal, plain columns in a pipe."""

import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..data.language import Language
    from ..solver.utility_table import Goal

ROUNDED = 1e-9  # an error above which it is told
Row = Sequence[str]


def show_table(
    titles: Row, rows: Sequence[Row], *, right: set[int] | None = None, strong: set[int] | None = None
) -> None:
    """Prints rows under titles; columns in `right` are right-aligned, rows in `strong` stand out on a terminal."""
    right, strong = right or set(), strong or set()
    if sys.stdout.isatty():
        _show_rich(titles, rows, right, strong)
        return
    widths = [max(_width(row[i]) for row in [titles, *rows]) for i in range(len(titles))]
    for row in [titles, *rows]:
        cells = [_pad(cell, widths[i], i in right) for i, cell in enumerate(row)]
        click.echo("  ".join(cells).rstrip())


def _show_rich(titles: Row, rows: Sequence[Row], right: set[int], strong: set[int]) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, title in enumerate(titles):
        table.add_column(escape(title), justify="right" if i in right else "left", overflow="fold")
    for i, row in enumerate(rows):
        table.add_row(*map(escape, row), style="bold green" if i in strong else None)
    Console().print(table)


def _width(text: str) -> int:
    """Columns a text takes on a terminal; Korean syllables take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not unicodedata.combining(c))


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def goal_text(goal: "Goal", words: "Language") -> str:
    """What is played for, and how exact the answers are where they are rounded."""
    what = words.text("utility") if goal.target is None else f"{words.text('target')}: {goal.target}"
    return " · ".join(filter(None, [what, error_text(goal)]))


def error_text(goal: "Goal") -> str:
    """By how much values may be off; nothing where that is less than anyone sees."""
    return f"±{goal.table.error:.0e}" if goal.table.error > ROUNDED else ""


def show_bars(labels: Sequence[str], chances: Sequence[float], width: int = 48) -> None:
    """Prints a bar per label, as long as its chance."""
    most = max(chances)
    longest = max(map(_width, labels))
    for label, chance in zip(labels, chances, strict=True):
        eighths = round(8 * width * chance / most)
        bar = "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")
        click.echo(f"{_pad(label, longest, True)}  {chance:7.2%}  {bar}".rstrip())
