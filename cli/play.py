"""servida play: a game at the terminal, with people and bots."""

import secrets
import sys
from pathlib import Path

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError, ServidaError, StorageError, quoted
from ..solver.file import whole_file
from ..solver.game import game_of
from ..solver.grade import WIN
from ..solver.hint import Hint, Option, hint, scores
from ..solver.party import Party, Seat, party_text, read_head, read_players, resume
from ..solver.position import bonus_key, category_id, read_dice, read_sheet
from ..solver.record import NONE, TurnRecord, text_of, turn_text
from ..solver.simulate import MOST_SEED
from .common import PathType, folder_option, language_option, table_of, threads_option
from .hint import show as show_hint
from .options import TOP
from .render import show_table

PLAYERS = "me,bot:hard"
COMMANDS = (
    "hold",
    "write",
    "win",
    "hint",
    "sheet",
    "score",
    "help",
    "quit",
)  # each may be cut short; the first that fits is taken
PIPS = ("       ", "   ●   ", " ●     ", "     ● ", " ●   ● ")
FACES = ((0, 1, 0), (2, 0, 3), (2, 1, 3), (4, 0, 4), (4, 1, 4), (4, 4, 4))  # the three rows of each face, of PIPS


@click.command("play")
@click.argument("variant", required=False)
@click.option("--players", help=f"Who plays, in order: names, and bots as bot:LEVEL (default: {PLAYERS}).")
@click.option("--seed", type=click.IntRange(0, MOST_SEED), help="Seed of the dice (default: a random one).")
@click.option("--save", type=PathType(path_type=Path), help="File that the game is kept in, for servida grade.")
@click.option("--resume", "saved", type=PathType(path_type=Path), help="Go on with a saved game, in the same file.")
@language_option
@folder_option
@threads_option
def command(
    variant: str | None,
    players: str | None,
    seed: int | None,
    save: Path | None,
    saved: Path | None,
    lang: str,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Plays a game at the terminal: people, and bots of any strength (docs/bots.md).

    \b
    Examples:
      servida play generala --players me,bot:hard --save game.txt
      servida play --resume game.txt
    """
    text = None
    if saved is not None:
        if variant is not None or players is not None or seed is not None:
            raise click.UsageError("resume: expected nothing beside it that the file tells, found VARIANT or options")
        text = _read(saved)
        variant, players, seed = read_head(text)
    if variant is None:
        raise click.UsageError("variant: expected VARIANT or --resume FILE, found neither; try 'servida play generala'")
    found = load(variant)
    game_of(found)  # refuses sheets of several columns
    sitting = read_players(players or PLAYERS, found.about.players[1], folder)
    if save is not None and save.exists():
        raise PositionError(f"{save}: expected a new file to save to, found one; --resume goes on with a saved game")
    party = Party(table_of(found, folder, threads), variant, sitting, secrets.randbits(32) if seed is None else seed)
    if text is not None:
        resume(party, text)
    play(party, language(lang), save or saved)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise PositionError(f"{path}: expected UTF-8 text, found other bytes") from None
    except OSError as error:
        raise PositionError(f"{path}: expected a file that can be read, found: {error.strerror}") from None


def keep(party: Party, path: Path | None) -> None:
    """Writes the game to its file, whole or not at all."""
    if path is None:
        return
    try:
        with whole_file(path) as file:
            file.write(party_text(party).encode())
    except OSError as error:
        raise StorageError(f"{path}: expected a place to write to, found: {error.strerror or error}") from None


def play(party: Party, words: Language, path: Path | None) -> None:
    """Plays to the end, or until somebody stops."""
    names = ", ".join(seat.player.name for seat in party.seats)
    variant = party.table.variant
    click.echo(f"{words.name(variant)} · {names} · {words.text('seed')}: {party.seed}")
    if any(seat.player.bot is None for seat in party.seats):
        click.echo(words.text("party_help"))
    keep(party, path)
    try:
        while not party.over:
            turn = play_turn(party, words)
            if turn is None:
                stop(words, path)
                return
            keep(party, path)
    except KeyboardInterrupt:
        click.echo("")
        stop(words, path)
        return
    show_sheet(party, words)
    how, winners = party.outcome()
    if len(party.seats) > 1:
        key = "party_won_several" if how == "won" and len(winners) > 1 else f"party_{how}"
        click.echo(words.text(key).format(names=", ".join(winners)))


def stop(words: Language, path: Path | None) -> None:
    """Says that the game is not over."""
    click.echo(words.text("party_saved").format(file=path) if path else words.text("party_stopped"))


def play_turn(party: Party, words: Language) -> TurnRecord | None:
    """Plays a turn; None if there is no more to read."""
    seat, turn = party.seat, None
    if seat.player.bot is None and sys.stdout.isatty():
        show_sheet(party, words)
    while turn is None:
        option = party.bot_option() if seat.player.bot else ask(party, words)
        if option is None:
            return None
        turn = party.take(option)
    click.echo(f"{seat.player.name}: {turn_text(turn)}")
    return turn


def ask(party: Party, words: Language) -> Option | None:
    """What a person wants to do about the dice; None for stopping."""
    show_dice(party, words)
    reply = hint(party.table, party.position)
    while True:
        try:
            line = read_line()
            if line is None or line.casefold() in ("quit", "q"):
                return None
            option = obey(party, reply, line, words)
        except ServidaError as error:
            click.echo(f"error: {error}", err=True)
            continue
        if option is not None:
            return option


def read_line() -> str | None:
    """The next line that somebody types, shown where it comes from elsewhere; None at the end of input."""
    click.echo("> ", nl=False)
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        raise PositionError("command: expected UTF-8 text, found other bytes") from None
    if not sys.stdin.isatty():
        click.echo(line.strip())
    return line.strip() if line else None


def obey(party: Party, reply: Hint, line: str, words: Language) -> Option | None:
    """The option that a line asks for, or None once it has shown what the line asks to see."""
    word, _, rest = (part.strip() for part in line.partition(" "))
    command = next((command for command in COMMANDS if word and command.startswith(word.casefold())), "")
    if command == "hold":
        return _held(reply, rest)
    if command in ("write", "win"):
        return _written(party, reply, WIN if command == "win" else rest)
    if command == "hint":
        show_hint(party.table.variant, reply, TOP, words)
    elif command == "score":
        show_scores(party, reply, words)
    elif command == "sheet":
        show_sheet(party, words)
    elif command == "help":
        click.echo(words.text("party_help"))
    else:
        raise PositionError(f"command: expected {', '.join(COMMANDS)}, found {quoted(line)}")
    return None


def _held(reply: Hint, text: str) -> Option:
    if not text:
        raise PositionError(f"hold: expected dice, or '{NONE}' to reroll all, found nothing")
    dice = read_dice("" if text.casefold() == NONE else text, None, "hold")
    if not reply.rolls_left:
        raise PositionError("hold: expected a box to write, since no roll is left, found dice")
    for option in reply.options:
        if option.action == "hold" and option.dice == dice:
            return option
    raise PositionError(f"hold: expected some of {text_of(reply.dice)} that may be held, found {text_of(dice)}")


def _written(party: Party, reply: Hint, text: str) -> Option:
    allowed = {option.category or WIN: option for option in reply.options if option.action != "hold"}
    name = text.casefold() if text.casefold() in allowed else ""
    if not name and text != WIN:
        name = category_id(party.table.variant, party.game, text.replace(" ", "_"))
    if name not in allowed:
        known = ", ".join(box for box in (*party.game.rules.box, WIN) if box in allowed)
        raise PositionError(f"write: expected one of {known}, found {quoted(text)}")
    return allowed[name]


def show_dice(party: Party, words: Language) -> None:
    """Shows the dice of the player to move."""
    position, seat = party.position, party.seat
    dice = party.rolls[-1]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.text import Text

        Console().print(Text(dice_picture(dice), style="bold"))
    parts = [
        f"{seat.player.name} · {words.text('turn')} {len(seat.turns) + 1}",
        " ".join(map(str, dice)),
        f"{words.text('rolls_left')}: {position.rolls_left}",
    ]
    if position.held:
        parts.append(f"{words.text('hold')} {' '.join(map(str, position.held))}")
    click.echo(" · ".join(parts))


def dice_picture(dice: tuple[int, ...]) -> str:
    """The dice, drawn."""
    rows = [" ".join("│" + PIPS[FACES[face - 1][row]] + "│" for face in dice) for row in range(3)]
    top, bottom = " ".join(["╭───────╮"] * len(dice)), " ".join(["╰───────╯"] * len(dice))
    return "\n".join([top, *rows, bottom])


def show_scores(party: Party, reply: Hint, words: Language) -> None:
    """Shows what the dice make in every box that may be written."""
    sheet = read_sheet(party.table.variant, party.game, party.seat.entries)
    served = reply.rolls_left == party.game.rules.rolls - 1
    rows = [
        (words.label(party.table.variant, score.category), str(score.points + score.bonus))
        for score in scores(party.game, sheet, reply.dice, served=served)
    ]
    show_table((words.text("category"), words.text("points")), rows, right={1})


def show_sheet(party: Party, words: Language) -> None:
    """Shows the sheets of all players, side by side."""
    variant, seats = party.table.variant, party.seats
    rows = [
        (words.label(variant, box), *(str(seat.entries.get(box, "·")) for seat in seats))
        for box in party.game.rules.box
    ]
    rows += bonus_rows(party, variant, words)
    rows.append((words.text("total"), *(str(party.points(seat)) for seat in seats)))
    titles = (words.text("category"), *(seat.player.name for seat in seats))
    show_table(titles, rows, right=set(range(1, len(titles))), strong={len(rows) - 1})


def bonus_rows(party: Party, variant: Variant, words: Language) -> list[tuple[str, ...]]:
    """The rows of the bonuses that the variant has."""
    rules, key, rows = party.game.rules, bonus_key(party.game), []
    if rules.five and key:
        bonus = rules.five.bonus
        name = f"{words.label(variant, rules.five.category)} +{bonus}"
        rows.append((name, *(str(bonus * seat.entries.get(key, 0)) for seat in party.seats)))
    if rules.upper_bonus:
        rows.append((words.text("upper_bonus"), *(str(_upper_bonus(party, seat)) for seat in party.seats)))
    return rows


def _upper_bonus(party: Party, seat: Seat) -> int:
    upper = party.game.rules.upper_bonus
    assert upper
    return upper.points if sum(seat.entries.get(box, 0) for box in upper.categories) >= upper.threshold else 0
