"""A game of several players at one table, people and bots, with numbered dice (docs/games.md, "Playing")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..errors import PositionError, ServidaError, quoted
from .bot import OBJECTIVES, Bot
from .dice import fraction, throw
from .game import Game
from .grade import WIN, grade
from .hint import Option
from .position import Position, bonus_key, points_so_far, read_sheet
from .record import GameRecord, TurnRecord, read_game, them_line, turn_text
from .table import Table

BOT = "bot"
LONGEST_NAME = 30
GOOD_NAME = re.compile(r"[^\s,#:](?:[^,#:]*[^\s,#:])?")


class Player(NamedTuple):
    """Who sits at the table: `bot` is None for a person."""

    name: str
    bot: Bot | None = None


@dataclass
class Seat:
    """A player, the sheet as points per box, the turns played, and whether the game was won at once."""

    player: Player
    entries: dict[str, int] = field(default_factory=dict)
    turns: list[TurnRecord] = field(default_factory=list)
    won: bool = False


class Outcome(NamedTuple):
    """How a game ended: "won" by `players`, a "draw" between them, or "extra", a tie that one extra round settles."""

    how: str
    players: tuple[str, ...]


def read_players(text: str, most: int, folder: str | Path | None = None) -> list[Player]:
    """Players from "me,bot:hard,Anna": people by name, bots by level, or "bot:LEVEL:win" for one that plays to win.

    `most`: how many may play. Raises `ServidaError` where something is wrong.
    """
    words = [word.strip() for word in text.split(",")]
    if not 1 <= len(words) <= most:
        raise ServidaError(f"players: expected 1 to {most} names, found {len(words)}")
    found: list[Player] = []
    for word in words:
        is_bot = word.split(":")[0].casefold() == BOT
        name = word
        if is_bot and words.count(word) > 1:
            name = f"{word}#{sum(player.name.startswith(f'{word}#') for player in found) + 1}"
        elif not is_bot and (not GOOD_NAME.fullmatch(word) or len(word) > LONGEST_NAME or not word.isprintable()):
            raise ServidaError(
                f"players: expected names of 1 to {LONGEST_NAME} characters without ':' and '#', found {quoted(word)}"
            )
        if any(player.name.casefold() == name.casefold() for player in found):
            raise ServidaError(f"players: expected every name once, found {quoted(name)} twice")
        found.append(Player(name, _read_bot(word, folder) if is_bot else None))
    return found


def _read_bot(word: str, folder: str | Path | None) -> Bot:
    _, level, *rest = [*word.split(":"), *([] if ":" in word else ["normal"])]
    if len(rest) > 1 or (rest and rest[0] not in OBJECTIVES):
        raise ServidaError(f"players: expected bot:LEVEL or bot:LEVEL:win, found {quoted(word)}")
    return Bot(level, objective=rest[0] if rest else "score", folder=folder)


class Party:
    """The game as it stands. Dice follow from `seed`, the player's place at the table, the turn and the roll, so a game
    that is taken up again has the dice it would have had."""

    def __init__(self, table: Table, name: str, players: Sequence[Player], seed: int):
        self.table, self.game, self.name, self.seed = table, table.game, name, seed
        self.seats = [Seat(player) for player in players]
        self.rolls: list[tuple[int, ...]] = []
        self.holds: list[tuple[int, ...]] = []
        self.start_at(0)

    @property
    def seat(self) -> Seat:
        """The player to move."""
        return self.seats[self.mover]

    @property
    def over(self) -> bool:
        boxes = len(self.game.rules.categories)
        return any(seat.won for seat in self.seats) or all(len(seat.turns) == boxes for seat in self.seats)

    @property
    def rolls_left(self) -> int:
        return self.game.rules.rolls - len(self.rolls)

    @property
    def position(self) -> Position:
        """What the player to move looks at."""
        held = self.holds[-1] if self.holds and self.game.rules.hold == "locked" else ()
        return Position(self.name, self.rolls[-1], self.rolls_left, dict(self.seat.entries), held)

    def points(self, seat: Seat) -> int:
        """The points of a player, those for an outright win included."""
        found = points_so_far(self.game, read_sheet(self.table.variant, self.game, seat.entries))
        return found + (self.game.win_points or 0 if seat.won else 0)

    def bot_option(self) -> Option:
        """What the bot to move does."""
        assert self.seat.player.bot
        them = [seat.entries for seat in self.seats if seat is not self.seat]
        bot, number = self.seat.player.bot, len(self.rolls) - 1
        random = fraction(self.seed, self.mover, len(self.seat.turns), number)
        return bot.choose(self.position, them, table=self.table, fraction=random)

    def take(self, option: Option) -> TurnRecord | None:
        """Does what an option of the position says; the turn, if that ends it."""
        if option.action == "hold":
            self.holds.append(option.dice or ())
            self._roll()
            return None
        seat = self.seat
        write = WIN if option.action == "win" else option.category
        turn = TurnRecord(tuple(self.rolls), tuple(self.holds), write, option.points, self._them())
        seat.turns.append(turn)
        write_option(self.game, seat, option)
        self.start_at((self.mover + 1) % len(self.seats))
        return turn

    def start_at(self, mover: int) -> None:
        """Begins the turn of a player, if the game is not over."""
        self.mover, self.rolls, self.holds = mover, [], []
        if not self.over:
            self._roll()

    def _them(self) -> dict[str, int] | None:
        """The sheet of the other player, of two."""
        return dict(self.seats[1 - self.mover].entries) if len(self.seats) == 2 else None

    def _roll(self) -> None:
        kept = self.holds[-1] if self.holds else ()
        number = len(self.rolls)
        thrown = throw(self.seed, self.mover, len(self.seat.turns), number, self.game.rules.dice - len(kept))
        self.rolls.append(tuple(sorted(kept + thrown)))

    def outcome(self) -> Outcome:
        """How the game ended, by the variant's rule for ties."""
        winner = [seat.player.name for seat in self.seats if seat.won]
        points = [self.points(seat) for seat in self.seats]
        top = [seat.player.name for seat, total in zip(self.seats, points, strict=True) if total == max(points)]
        if winner or len(top) == 1:
            return Outcome("won", tuple(winner or top))
        if self.game.rules.ties == "extra-round":
            return Outcome("extra", tuple(top))
        wins = self.game.rules.ties == "leaders-win" and len(top) < len(self.seats)
        return Outcome("won" if wins else "draw", tuple(top))


def write_option(game: Game, seat: Seat, option: Option) -> None:
    """Puts a box, or a win at once, on a sheet."""
    if option.action == "win":
        seat.won = True
        return
    seat.entries[option.category or ""] = option.points or 0
    key = bonus_key(game)
    if option.bonus and key:
        seat.entries[key] = seat.entries.get(key, 0) + 1


def noted(seats: Sequence[Seat]) -> int:
    """Whose game a file holds, the others' turns being comments: the first person's, else the first player's."""
    return next((i for i, seat in enumerate(seats) if seat.player.bot is None), 0)


def party_text(party: Party) -> str:
    """The game as a file: the turns of one player as `servida grade` reads them, those of the others as comments."""
    mine = noted(party.seats)
    lines = [f"variant: {party.name}", f"# players: {', '.join(seat.player.name for seat in party.seats)}"]
    lines.append(f"# seed: {party.seed}")
    for number in range(max(len(seat.turns) for seat in party.seats)):
        for i, seat in enumerate(party.seats):
            if number < len(seat.turns):
                turn = seat.turns[number]
                text = turn_text(turn)
                lines += [*them_line(turn.them), text] if i == mine else [f"# {seat.player.name}: {text}"]
    if len(party.seats) == 2 and len(party.seats[mine].turns) == len(party.game.rules.categories):
        lines += them_line(party.seats[1 - mine].entries)
    text = "\n".join(lines) + "\n"
    if read_head(text).variant != party.name:
        raise PositionError("game: expected a variant whose name a saved game can hold, found another")
    return text


class PartyHead(NamedTuple):
    """What a file of `party_text` says first: the variant's name, the players as they were given, the seed."""

    variant: str
    players: str
    seed: int


def read_head(text: str) -> PartyHead:
    """Reads the head of a saved game; `PositionError` where it is none."""
    record = read_game(text)
    players = re.search(r"^# players: (.*)$", text, re.MULTILINE)
    seed = re.search(r"^# seed: ([0-9]{1,20})$", text, re.MULTILINE)
    if not players or not seed or int(seed[1]) >= 2**64:
        raise PositionError("game: expected one saved by 'servida play', with its players and its seed, found another")
    return PartyHead(record.variant, re.sub(r"#[0-9]+", "", players[1]), int(seed[1]))


def resume(party: Party, text: str) -> None:
    """Plays the turns of a saved game again, checked by the rules."""
    mine = noted(party.seats)
    for i, seat in enumerate(party.seats):
        start = f"# {seat.player.name}: "
        others = [line.removeprefix(start) for line in text.splitlines() if line.startswith(start)]
        record = read_game(text if i == mine else "\n".join(["variant: x", *others]))
        graded = grade(party.table, GameRecord(party.name, record.turns))
        for turn, one in zip(record.turns, graded.turns, strict=True):
            if one.written is None:
                raise PositionError("game: expected turns that are over, found one that is not")
            seat.turns.append(turn)
            write_option(party.game, seat, one.written)
    counts = [len(seat.turns) for seat in party.seats]
    if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
        raise PositionError("game: expected turns in the order of the players, found some missing")
    party.start_at(counts.index(counts[-1]) if counts[-1] < counts[0] else 0)
