"""servida sheet: score sheets to print."""

from pathlib import Path

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Category, Rules, Score, Variant
from ..errors import ServidaError
from .common import PathType, language_option
from .fonts import clean
from .sheet_draw import PAPERS, Row, Sheet, draw


def _check_suffix(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in (".pdf", ".svg", ".png"):
        raise ServidaError(f"{path}: expected a file name that ends in .pdf, .svg or .png")
    return path


@click.command("sheet")
@click.argument("variant")
@click.option(
    "--players", type=click.IntRange(1, 99), default=4, help="Players to have a place on the sheet (default: 4)."
)
@click.option(
    "-o",
    "--output",
    type=PathType(path_type=Path, dir_okay=False),
    callback=_check_suffix,
    help="File to write, .pdf, .svg or .png (default: VARIANT.pdf).",
)
@click.option("--paper", type=click.Choice(tuple(PAPERS)), default="a4", help="Size of the paper.")
@click.option(
    "--font",
    type=PathType(path_type=Path),
    help="Font file to write with (default: matplotlib's own, or an installed one that has the letters).",
)
@language_option
def command(variant: str, players: int, output: Path | None, paper: str, font: Path | None, lang: str) -> None:
    """Draws a score sheet to print: the boxes, what they pay, and a column for every player.

    \b
    Example:
      servida sheet yahtzee --players 6 -o sheet.pdf
    """
    found, words = load(variant), language(lang)
    target = output or Path(f"{found.id}.pdf")
    pages = draw(sheet_of(found, words), players, paper, font, target)
    click.echo(f"wrote {target}" + (f" ({pages} pages)" if pages > 1 else ""))


def sheet_of(variant: Variant, words: Language) -> Sheet:
    """Everything that stands on the sheet of a variant."""
    rows = [
        Row(clean(row.label), clean(row.pays), row.is_sum, tuple(map(clean, row.marks)), row.wide)
        for row in (*_boxes(variant, words), *_totals(variant.rules, words))
    ]
    columns = tuple(clean(name) for name in _columns(variant.rules, words))
    return Sheet(clean(words.name(variant)), clean(_begun(words.text("name"))), tuple(rows), columns)


def _boxes(variant: Variant, words: Language) -> list[Row]:
    """The boxes in their order, the sum and the bonus of the upper ones behind these where they stand together."""
    rules, rows, upper = variant.rules, [], variant.rules.upper_bonus
    bonus = []
    if upper:
        boxes = upper.categories
        bonus = [
            Row(_begun(words.text("sheet_subtotal")), is_sum=True),
            Row(_begun(words.text("upper_bonus")), f"≥ {upper.threshold}: {upper.points}", is_sum=True),
        ]
        if {category.id for category in rules.categories[: len(boxes)]} != set(boxes):
            names = " + ".join(words.label(variant, box) for box in boxes)
            bonus[0] = bonus[0]._replace(pays=names)
    for number, category in enumerate(rules.categories):
        rows.append(Row(words.label(variant, category.id), pays(variant, category, words)))
        if upper and not bonus[0].pays and number + 1 == len(upper.categories):
            rows += bonus
    if upper and bonus[0].pays:
        rows += bonus
    if rules.five and rules.five.bonus:
        label = words.text("sheet_five_bonus").format(box=words.label(variant, rules.five.category))
        rows.append(Row(label, words.text("sheet_each").format(points=rules.five.bonus)))
    return rows


def _totals(rules: Rules, words: Language) -> list[Row]:
    """The lines at the end."""
    total = _begun(words.text("total"))
    if len(rules.columns) == 1:
        return [Row(total, is_sum=True)]
    rows = [Row(_begun(words.text("sheet_column_total")), is_sum=True)]
    if any(column.multiplier > 1 for column in rules.columns):
        marks = tuple(f"×{column.multiplier}" for column in rules.columns)
        rows.append(Row(_begun(words.text("sheet_multiplied")), is_sum=True, marks=marks))
    return [*rows, Row(total, is_sum=True, wide=True)]


def _columns(rules: Rules, words: Language) -> list[str]:
    """What stands above the columns: their orders and multipliers, as far as there are any, else numbers."""
    orders = any(column.order != "free" for column in rules.columns)
    multipliers = any(column.multiplier > 1 for column in rules.columns)
    if not orders and not multipliers:
        return [str(number + 1) for number in range(len(rules.columns))] if len(rules.columns) > 1 else []
    return [
        " ".join([words.text(f"column_{column.order}")] * orders + [f"×{column.multiplier}"] * multipliers)
        for column in rules.columns
    ]


def pays(variant: Variant, category: Category, words: Language) -> str:
    """What a box pays, in few words."""
    parts = [_points(category, category.score, words)]
    win = variant.rules.outright_win
    if win and win.category == category.id:
        parts.append(f"{words.text('served')}: {words.text('win')}")
    elif category.served is not None:
        parts.append(f"{words.text('served')}: {_points(category, category.served, words)}")
    if category.requires:
        parts.append(words.text("sheet_requires").format(box=words.label(variant, category.requires)))
    return " · ".join(parts)


def _points(category: Category, score: Score, words: Language) -> str:
    if isinstance(score, int):
        return str(score)
    if score == "sum_all":
        return words.text("sheet_sum_all")
    if category.pattern.any or not category.pattern.faces:
        return words.text("sheet_sum_all" if category.pattern.any else "sheet_sum_matched")
    faces = ", ".join(words.text("sheet_face").format(face=face) for face in category.pattern.faces)
    return words.text("sheet_sum_faces").format(faces=faces)


def _begun(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
