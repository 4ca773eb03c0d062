"""Played games: read, written, and graded decision by decision (docs/games.md)."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import fsum
from typing import Any, NamedTuple

from ..errors import LONGEST, PositionError, nearest, quoted
from .hint import Hint, Option, hint
from .position import Position, bonus_key, category_id, points_so_far, read_dice, read_sheet
from .table import Table
from .utility_table import Goal

Dice = tuple[int, ...]
WIN = "win"
NONE = "none"  # what a player holds who rerolls all dice


class TurnRecord(NamedTuple):
    """A turn as it was played: the rolls, and the dice held after each but the last; faces ascend. `write`: the box the
    last roll went to, by id or label, or "win"; None for a turn that is not over, which may end with a hold. `points`:
    what was written, None where nobody noted it."""

    rolls: tuple[Dice, ...]
    holds: tuple[Dice, ...] = ()
    write: str | None = None
    points: int | None = None


class GameRecord(NamedTuple):
    """A game as it was played on one sheet, to its end or not. `variant`: an id, a name or the path of a rule file."""

    variant: str
    turns: tuple[TurnRecord, ...] = ()


class Decision(NamedTuple):
    """A roll and what was made of it: `luck` is by how much the roll raised the expected total, `loss` by how much the
    choice lowered it. `locked`: dice held before that may not be released. `chosen`: None where nothing was yet."""

    dice: Dice
    rolls_left: int
    locked: Dice
    luck: float
    loss: float
    best: Option
    chosen: Option | None


class GradedTurn(NamedTuple):
    """The decisions of a turn, their luck and loss, and how it left the sheet: `written` is the option that ended it
    (None: it is not over), `expected_total` what best play makes from there."""

    decisions: tuple[Decision, ...]
    written: Option | None
    luck: float
    loss: float
    expected_total: float
    points_so_far: int


class Grade(NamedTuple):
    """A graded game: `expected_at_start` + `luck` - `loss` = `expected_total` (but for the rounding of floats), which
    is what best play makes from where the game stands: the total, once it is `finished`.

    Where it was played for a goal, all four are chances of reaching the target, or utilities, and so is everything in
    the turns that is called luck, loss or expected.
    """

    expected_at_start: float
    luck: float
    loss: float
    expected_total: float
    points_so_far: int
    finished: bool
    turns: tuple[GradedTurn, ...]


def grade(table: Table, record: GameRecord, goal: Goal | None = None) -> Grade:
    """Every decision of a game against the best one, for the expected score or for a `goal`; `PositionError`, naming
    the turn, where the game breaks the rules."""
    play = _Play(table, goal)
    start, turns = play.expected, []
    for number, turn in enumerate(record.turns, 1):
        with _named(f"turn {number}"):
            turns.append(play.turn(turn))
    luck, loss = fsum(turn.luck for turn in turns), fsum(turn.loss for turn in turns)
    return Grade(start, luck, loss, play.expected, play.points, play.over, tuple(turns))


class _Play:
    """A game played once more: the sheet as it stands, and the expected total at every moment."""

    def __init__(self, table: Table, goal: Goal | None):
        self.table, self.goal, self.rules = table, goal, table.game.rules
        self.entries: dict[str, int] = {}
        self.turn_of: dict[str, int] = {}  # the turn that each box was written in
        self.unfinished = False  # the last turn, that is
        self.settle()

    def settle(self) -> None:
        """Reads points and expected total off the sheet."""
        sheet = read_sheet(self.table.variant, self.table.game, self.entries)
        self.points = points_so_far(self.table.game, sheet)
        self.expected = self.goal.value(sheet) if self.goal else self.points + self.table.value(sheet)
        self.over = sheet.is_full

    def turn(self, turn: TurnRecord) -> GradedTurn:
        """Plays a turn and grades it."""
        self.check_shape(turn)
        decisions: list[Decision] = []
        for i, roll in enumerate(turn.rolls):
            before = turn.holds[i - 1] if i else ()
            dice = read_dice(roll, self.rules.dice, f"roll {i + 1}")
            if not Counter(before) <= Counter(dice):
                raise PositionError(f"roll {i + 1}: expected {_text(before)} in it, held before, found {_text(dice)}")
            locked = before if self.rules.hold == "locked" else ()
            reply = hint(self.table, Position("", dice, self.rules.rolls - 1 - i, self.entries, locked), self.goal)
            ends = i == len(turn.holds)
            chosen = self.written(turn, reply) if ends else self.held(i + 1, turn.holds[i], locked, reply)
            top = max(option.worth for option in reply.options)
            luck, loss = top - self.expected, chosen.loss if chosen else 0.0
            decisions.append(Decision(dice, reply.rolls_left, locked, luck, loss, reply.best, chosen))
            self.expected = chosen.worth if chosen else top
        written = None if self.unfinished else chosen
        if written:
            self.write(written)
        luck, loss = fsum(one.luck for one in decisions), fsum(one.loss for one in decisions)
        return GradedTurn(tuple(decisions), written, luck, loss, self.expected, self.points)

    def check_shape(self, turn: TurnRecord) -> None:
        """Checks how many rolls and holds there are, and that there is a turn to be played at all."""
        rolls, holds, most = len(turn.rolls), len(turn.holds), self.rules.rolls
        if self.over or self.unfinished:
            raise PositionError(f"expected no turn after {'the last' if self.over else 'an unfinished one'}, found one")
        self.unfinished = turn.write is None
        if not 1 <= rolls <= most:
            raise PositionError(f"expected 1 to {most} rolls, found {rolls}")
        if holds != rolls - 1 and not (self.unfinished and holds == rolls):
            raise PositionError(f"expected a hold between every two rolls, {rolls - 1} for {rolls}, found {holds}")
        if holds == most:
            raise PositionError(f"expected a box after roll {most}, found a hold")

    def held(self, number: int, hold: Dice, locked: Dice, reply: Hint) -> Option:
        """The option of holding these dice."""
        for option in reply.options:
            if option.action == "hold" and option.dice == hold:
                return option
        expected = f"some of the dice {_text(reply.dice)}, not all" + (f", with {_text(locked)}" if locked else "")
        raise PositionError(f"hold {number}: expected {expected}, found {_text(hold)}")

    def written(self, turn: TurnRecord, reply: Hint) -> Option | None:
        """The option of writing the box of this turn, or of winning."""
        if turn.write is None:
            return None
        found = {option.category or WIN: option for option in reply.options if option.action != "hold"}
        word = turn.write.casefold()
        if word not in found and word != WIN:
            word = category_id(self.table.variant, self.table.game, turn.write)
        if word in self.turn_of:
            raise PositionError(f"expected an open box, found {word}, written in turn {self.turn_of[word]}")
        if word not in found:
            allowed = ", ".join(name for name in (*self.rules.box, WIN) if name in found)
            raise PositionError(f"expected what the rules allow here ({allowed}), found {word}")
        if turn.points not in (None, found[word].points):
            raise PositionError(f"expected {found[word].points} points for {word}, found {quoted(turn.points)}")
        return found[word]

    def write(self, option: Option) -> None:
        """Puts what was chosen on the sheet."""
        if option.category is None:
            self.points, self.over = self.points + (option.points or 0), True
            return
        self.entries[option.category] = option.points or 0
        self.turn_of[option.category] = len(self.turn_of) + 1
        key = bonus_key(self.table.game)
        if option.bonus and key:
            self.entries[key] = self.entries.get(key, 0) + 1
        self.settle()


def _text(dice: Dice) -> str:
    return "".join(map(str, dice))[:LONGEST] or NONE


@contextmanager
def _named(where: str) -> Iterator[None]:
    """Says where a mistake was found."""
    try:
        yield
    except PositionError as error:
        raise PositionError(f"{where}: {error}") from None


def read_game(text: str) -> GameRecord:
    """A game from JSON (text that begins with "{") or from the notation with a turn a line (docs/games.md)."""
    is_json = text.lstrip().startswith("{")
    variant, turns = _from_json(text) if is_json else _from_lines(text)
    found = []
    for number, turn in enumerate(turns, 1):
        with _named(f"turn {number}"):
            found.append(_read_turn(turn if is_json else _from_line(turn)))
    return GameRecord(variant, tuple(found))


def to_json(record: GameRecord) -> str:
    """The game as one line of JSON."""
    turns = []
    for turn in record.turns:
        rolls, holds = (["".join(map(str, dice)) for dice in many] for many in turn[:2])
        turns.append({"rolls": rolls, "holds": holds, "write": turn.write, "points": turn.points})
    return json.dumps({"variant": record.variant, "turns": turns}, ensure_ascii=False)


def to_text(record: GameRecord) -> str:
    """The game with a turn a line; `PositionError` for a name that would not be read as it was, such as "a # b"."""
    lines = [f"variant: {record.variant}"]
    for turn in record.turns:
        holds = [*(f" hold {_text(hold)}" for hold in turn.holds), ""]
        steps = ", ".join(_text(roll) + hold for roll, hold in zip(turn.rolls, holds, strict=False))
        points = "" if turn.points is None else f"={turn.points}"
        lines.append(steps + ("" if turn.write is None else f" -> {turn.write}{points}"))
    text = "\n".join(lines) + "\n"
    if read_game(text) != record:
        raise PositionError("game: expected names that the text notation can hold, found others; write JSON")
    return text


def _from_lines(text: str) -> tuple[str, list[Any]]:
    lines = [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines()) if line]
    first = lines[0] if lines else ""
    found = re.fullmatch(r"variant\s*:\s*(.+)", first, re.IGNORECASE)
    if not found:
        raise PositionError(f"game: expected a first line like 'variant: yahtzee', found {quoted(first)}")
    return found[1], lines[1:]


def _from_line(line: str) -> dict[str, Any]:
    """A turn as JSON has it, from "33366 hold 333, 33312 -> threes=9"."""
    play, arrow, end = line.partition("->")
    turn: dict[str, Any] = {"rolls": [], "holds": []}
    steps = play.casefold().split(",")
    for number, step in enumerate(steps, 1):
        roll, word, hold = map(str.strip, step.partition("hold"))
        turn["rolls"].append(roll)
        if not hold and (word or number < len(steps)):
            raise PositionError(f"hold {number}: expected 'hold' with dice or with '{NONE}', found nothing")
        if word:
            turn["holds"].append("" if hold == NONE else hold)
    if arrow:
        found = re.fullmatch(r"([^=]*[^=\s])\s*(?:=\s*([0-9]{1,6}))?", end.strip())
        if not found:
            raise PositionError(f"expected a box like threes or threes=9 after '->', found {quoted(end.strip())}")
        turn |= {"write": found[1], "points": int(found[2]) if found[2] else None}
    return turn


def _from_json(text: str) -> tuple[str, list[Any]]:
    with _named("game"):
        try:
            value = _keyed(json.loads(text, object_pairs_hook=_object), GameRecord._fields)
        except PositionError:
            raise
        except (ValueError, RecursionError) as error:  # ValueError: also numbers of too many digits
            raise PositionError(f"expected a JSON object, found text that is not JSON: {error}") from None
        variant, turns = value.get("variant"), value.get("turns", [])
        if not isinstance(variant, str) or not isinstance(turns, list):
            raise PositionError(f"expected a variant and a list of turns, found {quoted(variant)}, {quoted(turns)}")
    return variant, turns


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise PositionError(f"expected every key once, found {quoted(key)} twice")
    return dict(pairs)


def _keyed(value: Any, known: tuple[str, ...]) -> dict[str, Any]:
    """The value, if it is an object of these keys."""
    if not isinstance(value, dict):
        raise PositionError(f"expected an object with the keys {', '.join(known)}, found {quoted(value)}")
    for key in value:
        if key not in known:
            raise PositionError(f"expected the keys {', '.join(known)}, found {quoted(key)}{nearest(key, known)}")
    return value


def _read_turn(value: Any) -> TurnRecord:
    turn, dice = _keyed(value, TurnRecord._fields), dict[str, tuple[Dice, ...]]()
    for key in ("rolls", "holds"):
        many = turn.get(key, [])
        if not isinstance(many, list) or not all(isinstance(one, str | list) for one in many):
            raise PositionError(f"expected {key} as a list of texts or lists of faces, found {quoted(many)}")
        dice[key] = tuple(read_dice(one, None, f"{key[:-1]} {i}") for i, one in enumerate(many, 1))
    write, points = turn.get("write"), turn.get("points")
    if not isinstance(write, str | None):
        raise PositionError(f"expected the name of a box under 'write', found {quoted(write)}")
    if isinstance(points, bool) or not isinstance(points, int | None) or (write is None and points is not None):
        raise PositionError(f"expected the whole points of a box under 'points', found {quoted(points)}")
    return TurnRecord(dice["rolls"], dice["holds"], write, points)
