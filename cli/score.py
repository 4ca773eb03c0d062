"""servida score: what a roll makes in every open box."""

from typing import Any

import click

from ..data.catalog import load
from ..data.language import language
from ..data.rules import Variant
from ..solver.game import game_of
from ..solver.hint import Score, can_win_at_once, scores
from ..solver.position import read_dice, read_entries, read_sheet
from .columns import box_label, is_several, scores_of
from .common import json_option, language_option, print_json, sheet_option
from .render import show_table


@click.command("score")
@click.argument("variant")
@click.argument("dice", nargs=-1, required=True)
@click.option("--served", is_flag=True, help="The dice lay there on the first roll and none was rerolled.")
@sheet_option
@json_option
@language_option
def command(variant: str, dice: tuple[str, ...], served: bool, sheet: str, as_json: bool, lang: str) -> None:
    """Lists the points of the dice in every box that may be written.

    \b
    Example:
      servida score generala 33366 --served --sheet "threes=9"
    """
    found, win = load(variant), False
    faces = read_dice(" ".join(dice), found.rules.dice)
    if is_several(found):
        rows = scores_of(found, sheet, faces, served)
    else:
        game = game_of(found)
        scoresheet = read_sheet(found, game, read_entries(sheet))
        rows = scores(game, scoresheet, faces, served=served)
        win = served and can_win_at_once(game, scoresheet, faces)
    if as_json:
        print_json(as_object(found, faces, served, win, rows))
        return
    words = language(lang)
    click.echo(f"{words.name(found)} · {' '.join(map(str, faces))}" + (f" · {words.text('served')}" if served else ""))
    if win:
        click.echo(words.text("win"))
    shown = [
        (box_label(found, row.category, row.column, words), f"{row.points}" + (f" + {row.bonus}" if row.bonus else ""))
        for row in rows
    ]
    show_table((words.text("category"), words.text("points")), shown, right={1})


def as_object(variant: Variant, dice: tuple[int, ...], served: bool, win: bool, rows: list[Score]) -> dict[str, Any]:
    """The answer as it stands in JSON."""
    boxes = [{key: field for key, field in row._asdict().items() if field is not None} for row in rows]
    return {"variant": variant.id, "dice": dice, "served": served, "win": win, "scores": boxes}
