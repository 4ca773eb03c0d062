"""Played games as people note them: read and written as text or JSON (docs/games.md)."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..errors import LONGEST, PositionError, nearest, quoted
from .position import read_dice, read_entries

Dice = tuple[int, ...]
Entries = Mapping[str, int]  # points per box, by id or label, as on a sheet
NONE = "none"  # what a player holds who rerolls all dice


class TurnRecord(NamedTuple):
    """A turn as it was played: the rolls, and the dice held after each but the last; faces ascend. `write`: the box the
    last roll went to, by id or label, or "win"; None for a turn that is not over, which may end with a hold. `points`:
    what was written, None where nobody noted it. `them`: the sheet of the other player before the turn, None where it
    was not noted."""

    rolls: tuple[Dice, ...]
    holds: tuple[Dice, ...] = ()
    write: str | None = None
    points: int | None = None
    them: Entries | None = None


class GameRecord(NamedTuple):
    """A game as it was played on one sheet, to its end or not. `variant`: an id, a name or the path of a rule file.
    `them`: the sheet of the other player after the last turn, None where it was not noted."""

    variant: str
    turns: tuple[TurnRecord, ...] = ()
    them: Entries | None = None


def text_of(dice: Dice) -> str:
    return "".join(map(str, dice))[:LONGEST] or NONE


@contextmanager
def named(where: str) -> Iterator[None]:
    """Says where a mistake was found."""
    try:
        yield
    except PositionError as error:
        raise PositionError(f"{where}: {error}") from None


def read_game(text: str) -> GameRecord:
    """A game from JSON (text that begins with "{") or from the notation with a turn a line (docs/games.md)."""
    is_json = text.lstrip().startswith("{")
    variant, turns, them = _from_json(text) if is_json else _from_lines(text)
    found = []
    for number, turn in enumerate(turns, 1):
        with named(f"turn {number}"):
            found.append(_read_turn(turn if is_json else _from_line(*turn)))
    with named("game"):
        return GameRecord(variant, tuple(found), _read_them(them))


def to_json(record: GameRecord) -> str:
    """The game as one line of JSON."""
    turns = []
    for turn in record.turns:
        rolls, holds = (["".join(map(str, dice)) for dice in many] for many in turn[:2])
        value = {"rolls": rolls, "holds": holds, "write": turn.write, "points": turn.points}
        turns.append(value | ({} if turn.them is None else {"them": dict(turn.them)}))
    game = {"variant": record.variant, "turns": turns}
    return json.dumps(game | ({} if record.them is None else {"them": dict(record.them)}), ensure_ascii=False)


def to_text(record: GameRecord) -> str:
    """The game with a turn a line; `PositionError` for a name that would not be read as it was, such as "a # b"."""
    lines = [f"variant: {record.variant}"]
    for turn in record.turns:
        lines += them_line(turn.them)
        lines.append(turn_text(turn))
    text = "\n".join([*lines, *them_line(record.them)]) + "\n"
    if read_game(text) != record:
        raise PositionError("game: expected names that the text notation can hold, found others; write JSON")
    return text


def turn_text(turn: TurnRecord) -> str:
    """A turn as a line, such as "33366 hold 333, 33312 -> threes=9"."""
    holds = [*(f" hold {text_of(hold)}" for hold in turn.holds), ""]
    steps = ", ".join(text_of(roll) + hold for roll, hold in zip(turn.rolls, holds, strict=False))
    points = "" if turn.points is None else f"={turn.points}"
    return steps + ("" if turn.write is None else f" -> {turn.write}{points}")


def them_line(them: Entries | None) -> list[str]:
    """The line of the other's sheet, if there is one."""
    return [] if them is None else [" ".join(["them:", *(f"{name}={points}" for name, points in them.items())])]


def _from_lines(text: str) -> tuple[str, list[Any], str | None]:
    lines = [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines()) if line]
    first = lines[0] if lines else ""
    found = re.fullmatch(r"variant\s*:\s*(.+)", first, re.IGNORECASE)
    if not found:
        raise PositionError(f"game: expected a first line like 'variant: yahtzee', found {quoted(first)}")
    turns, them = [], None
    for line in lines[1:]:
        other = re.fullmatch(r"them\s*:(.*)", line, re.IGNORECASE)
        if other:
            them = other[1]
        else:
            turns.append((line, them))
            them = None
    return found[1], turns, them


def _from_line(line: str, them: str | None) -> dict[str, Any]:
    """A turn as JSON has it, from "33366 hold 333, 33312 -> threes=9" and the line of the other's sheet before it."""
    play, arrow, end = line.partition("->")
    turn: dict[str, Any] = {"rolls": [], "holds": [], "them": them}
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


def _from_json(text: str) -> tuple[str, list[Any], Any]:
    with named("game"):
        try:
            value = _keyed(json.loads(text, object_pairs_hook=_object), GameRecord._fields)
        except PositionError:
            raise
        except (ValueError, RecursionError) as error:  # ValueError: also numbers of too many digits
            raise PositionError(f"expected a JSON object, found text that is not JSON: {error}") from None
        variant, turns = value.get("variant"), value.get("turns", [])
        if not isinstance(variant, str) or not isinstance(turns, list):
            raise PositionError(f"expected a variant and a list of turns, found {quoted(variant)}, {quoted(turns)}")
    return variant, turns, value.get("them")


def _read_them(value: Any) -> Entries | None:
    """The other's sheet, from a text or an object of points per box."""
    if value is None:
        return None
    entries = read_entries(value) if isinstance(value, str) else value
    if not isinstance(entries, dict) or not all(isinstance(points, int) for points in entries.values()):
        raise PositionError(f"expected them as a sheet, text or an object of points per box, found {quoted(value)}")
    return entries


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
    return TurnRecord(dice["rolls"], dice["holds"], write, points, _read_them(turn.get("them")))
