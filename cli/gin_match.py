"""servida gin match: the sheet of a match."""

import sys
from pathlib import Path
from typing import Any

import click

from ..data.language import Language, language
from ..errors import HandError, StorageError
from ..solver.gin.match import Match, Played, read_match
from .common import PathType, json_option, language_option, print_json
from .render import show_table

NO_TEXT = "input: expected UTF-8 text, found other bytes"


@click.command("match")
@click.argument("file", type=PathType(path_type=Path, dir_okay=False, allow_dash=True))
@click.option(
    "--live", is_flag=True, help="Add the hands typed in (or piped in) to the file, and print the sheet after each."
)
@json_option
@language_option
def match(file: Path, live: bool, as_json: bool, lang: str) -> None:
    """Prints the cumulative table of a match: who dealt, how each hand ended, the points of both.

    \b
    Example:
      servida gin match friday.txt
    """
    words = language(lang)
    if live:
        played = play_live(file, words, as_json)
    else:
        played = read_match(_read(file))
        if not as_json:
            show(played, words)
    if as_json:
        print_json(as_object(played))


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HandError(f"match: expected the file of a match, found none at {file}") from None
    except UnicodeDecodeError:
        raise HandError(NO_TEXT) from None
    except OSError as error:
        raise StorageError(f"match: expected a file that can be read, found: {error.strerror}") from None


def read_line() -> str:
    """The next line of stdin, "" at its end. Raises `HandError` where it is no text."""
    try:
        return sys.stdin.readline()
    except UnicodeDecodeError:
        raise HandError(NO_TEXT) from None


def play_live(file: Path, words: Language, quiet: bool) -> Match:
    """Reads lines from stdin, writes the good ones to the file, and prints the sheet after each hand; bad lines are
    told and forgotten."""
    if str(file) == "-":
        raise click.UsageError("live: expected a file to add hands to, found -")
    text = _read(file) if file.exists() else ""
    played = read_match(text)
    if text and not text.endswith("\n"):
        _append(file, "\n")
    while played.winner is None:
        if sys.stdin.isatty():
            click.echo("> ", nl=False)
        line = read_line()
        if not line:
            break
        try:
            after = played.line(line)
        except HandError as error:
            click.echo(f"error: {error}", err=True)
            continue
        _append(file, line.rstrip("\r\n") + "\n")
        if len(after.hands) > len(played.hands) and not quiet:
            show(after, words)
        played = after
    return played


def _append(file: Path, text: str) -> None:
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(text)
    except UnicodeEncodeError:
        raise HandError(NO_TEXT) from None
    except OSError as error:
        raise StorageError(f"match: expected to write {file}, found: {error.strerror}") from None


def as_object(played: Match) -> dict[str, Any]:
    """A match as it stands in JSON."""

    def name(player: int | None) -> str | None:
        return None if player is None else played.players[player]

    return {
        "players": played.players,
        "to": played.goal,
        "hands": [
            {
                "dealer": name(hand.dealer),
                "result": hand.result,
                "knocker": name(hand.knocker),
                "winner": name(hand.winner),
                "knocker_deadwood": hand.knocker_deadwood,
                "defender_deadwood": hand.defender_deadwood,
                "points": hand.points,
                "totals": hand.totals,
            }
            for hand in played.hands
        ],
        "totals": played.totals,
        "winner": name(played.winner),
        "next_dealer": None if played.winner is not None else name(played.dealer),
    }


def show(played: Match, words: Language) -> None:
    """Prints the sheet for a person. Only the winner's column changes from row to row."""
    titles = [words.text(key) for key in ("hand", "dealer", "result", "knocker", "deadwood", "points")]
    rows, number = [], 0
    for hand in played.hands:
        number += hand.winner is not None
        rows.append(_row(played, hand, str(number) if hand.winner is not None else "–", words))
    show_table([*titles, *played.players], rows, right={0, 4, 5, 6, 7})
    if played.winner is not None:
        totals = f"{max(played.totals)} – {min(played.totals)}"
        click.echo(f"{words.text('match_won')}: {played.players[played.winner]} ({totals})")
    else:
        click.echo(f"{words.text('next_dealer')}: {played.players[played.dealer]}")


def _row(played: Match, hand: Played, number: str, words: Language) -> list[str]:
    if hand.knocker is None:
        ended = ["", "", ""]
    else:
        ended = [played.players[hand.knocker], f"{hand.knocker_deadwood} : {hand.defender_deadwood}", str(hand.points)]
    return [number, played.players[hand.dealer], words.text(hand.result), *ended, *map(str, hand.totals)]
