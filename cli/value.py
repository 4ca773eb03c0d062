"""servida value: what a sheet is worth."""

from pathlib import Path

import click

from ..data.catalog import load
from ..data.language import language
from ..solver.position import points_so_far, read_entries, read_sheet
from .common import folder_option, json_option, language_option, print_json, sheet_option, table_of, threads_option


@click.command("value")
@click.argument("variant")
@sheet_option
@json_option
@language_option
@folder_option
@threads_option
def command(variant: str, sheet: str, as_json: bool, lang: str, folder: Path | None, threads: int | None) -> None:
    """Tells the expected total of best play from a sheet, before the next turn.

    \b
    Example:
      servida value yahtzee --sheet "ones=3 full_house=0"
    """
    found = load(variant)
    table = table_of(found, folder, threads)
    scoresheet = read_sheet(found, table.game, read_entries(sheet))
    so_far, value = points_so_far(table.game, scoresheet), table.value(scoresheet)
    if as_json:
        print_json({"variant": found.id, "expected_total": so_far + value, "points_so_far": so_far, "value": value})
        return
    words = language(lang)
    click.echo(f"{words.name(found)} · {words.text('expected_total')}: {so_far + value:.6f}")
    click.echo(f"{words.text('points_so_far')}: {so_far} · {words.text('value')}: {value:.6f}")
