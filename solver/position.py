"""Scoresheets and positions as people write them, read and checked against the rules."""

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..data.language import LANGUAGES, folded, language
from ..data.rules import FACES, Variant
from ..errors import LONGEST, PositionError, nearest, quoted
from .game import Game


class Position(NamedTuple):
    """Dice on the table and the sheet they are to be written on.

    `dice`: the faces in any order, or text such as "33366". `rolls_left`: rerolls still allowed; None for a first
    roll. `sheet`: points per written category id; further yahtzees that earned their bonus are counted under
    "yahtzee_bonus". `held`: dice set aside earlier in the turn, where the variant locks holds.
    """

    variant: str
    dice: str | Iterable[int]
    rolls_left: int | None = None
    sheet: Mapping[str, int] = MappingProxyType({})
    held: str | Iterable[int] = ()


class Scoresheet(NamedTuple):
    """Points per box in the order of the sheet, None where it is open, and the number of bonuses for further fives."""

    points: tuple[int | None, ...]
    bonuses: int = 0

    @property
    def is_full(self) -> bool:
        return None not in self.points


def read_dice(value: str | Iterable[Any], expected: int | None, what: str = "dice") -> tuple[int, ...]:
    """The faces in ascending order from "33366", "3 3 3 6 6", "3,3,3,6,6" or numbers; `PositionError` otherwise.

    `expected` is the number of dice there must be, None for any number.
    """
    words = re.findall(r"[^\s,]", value) if isinstance(value, str) else list(value)
    count = "dice" if expected is None else f"{expected} dice"
    faces = []
    for word in words:
        face = int(word) if isinstance(word, str) and re.fullmatch("[1-6]", word) else word
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= FACES:
            raise PositionError(f"{what}: expected {count} with faces 1 to {FACES}, found {quoted(word)}")
        faces.append(face)
    if expected is not None and len(faces) != expected:
        shown = _text(faces) or "none"
        raise PositionError(f"{what}: expected {count}, found {len(faces)}: {shown}")
    return tuple(sorted(faces))


def read_rolls_left(game: Game, value: Any) -> int:
    """Rerolls still allowed, checked against the rules; None stands for the first roll."""
    most = game.rules.rolls - 1
    if value is None:
        return most
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise PositionError(f"rolls_left: expected a whole number from 0 to {most}, found {quoted(value)}")
    return value


def read_held(game: Game, value: str | Iterable[Any], dice: tuple[int, ...], rolls_left: int) -> tuple[int, ...]:
    """The dice set aside earlier in the turn, which must be among `dice`."""
    held = read_dice(value, None, "held")
    if held and game.rules.hold != "locked":
        raise PositionError("held: expected nothing, since this variant lets held dice be released; leave it out")
    if any(held.count(face) > dice.count(face) for face in held):
        raise PositionError(f"held: expected some of the dice {_text(dice)}, found {_text(held)}")
    if held and rolls_left == game.rules.rolls - 1:
        raise PositionError("held: expected nothing on the first roll, found some; say how many rerolls are left")
    return held


def _text(dice: Iterable[int]) -> str:
    return "".join(map(str, dice))[:LONGEST]


def read_entries(text: str) -> dict[str, Any]:
    """The boxes and points of a sheet written as "ones=3 full_house=0" (spaces or commas between)."""
    entries: dict[str, Any] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        if not word:
            continue
        name, equals, number = word.partition("=")
        if not equals or not re.fullmatch("[0-9]{1,6}", number):
            raise PositionError(f"sheet: expected entries like ones=3, found {quoted(word)}")
        if name in entries:
            raise PositionError(f"sheet: expected every box once, found {name[:LONGEST]} twice")
        entries[name] = int(number)
    return entries


def read_sheet(variant: Variant, game: Game, entries: Mapping[str, Any]) -> Scoresheet:
    """The sheet with these points written; `PositionError` when no game can lead to it."""
    index = game.box
    points: list[int | None] = [None] * len(index)
    bonuses = 0
    for name, value in entries.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise PositionError(f"sheet: expected whole points for {name[:LONGEST]}, found {quoted(value)}")
        category = category_id(variant, game, name)
        if category == bonus_key(game):
            bonuses = value
            continue
        box = index[category]
        if points[box] is not None:
            raise PositionError(f"sheet: expected every box once, found {game.rules.categories[box].id} twice")
        points[box] = value
        _check_points(game, box, value)
    sheet = Scoresheet(tuple(points), bonuses)
    _check_order(game, sheet)
    _check_required(game, sheet)
    _check_bonuses(game, sheet)
    return sheet


def bonus_key(game: Game) -> str | None:
    """The word that counts bonuses for further fives on a sheet, such as "yahtzee_bonus"."""
    five = game.rules.five
    return f"{five.category}_bonus" if five and five.bonus else None


def category_id(variant: Variant, game: Game, name: str) -> str:
    """The id of a box (or the word that counts bonuses) called so in any language; `PositionError` for none."""
    ids = game.box
    known = [*ids, *filter(None, [bonus_key(game)])]
    word = folded(name)
    if word in known:
        return word
    for code in LANGUAGES:
        for category in ids:
            if folded(language(code).label(variant, category)) == word.replace("_", " "):
                return category
    raise PositionError(
        f"sheet: expected a box of {variant.id} ({', '.join(known)}), found {quoted(name)}{nearest(name, known)}"
    )


def _check_points(game: Game, box: int, value: int) -> None:
    category = game.rules.categories[box]
    possible = game.possible_points[box]
    if value not in possible:
        shown = ", ".join(map(str, possible))
        raise PositionError(f"sheet: expected {category.id} to hold one of {shown}, found {quoted(value)}")


def _check_order(game: Game, sheet: Scoresheet) -> None:
    if game.order == "free":
        return
    boxes = list(zip(game.rules.categories, sheet.points, strict=True))
    missing = None
    for category, value in boxes if game.order == "down" else reversed(boxes):
        if value is None:
            missing = missing or category.id
        elif missing:
            raise PositionError(
                f"sheet: expected the boxes in order ({missing} before {category.id}), found {category.id} written and "
                f"{missing} open"
            )


def _check_required(game: Game, sheet: Scoresheet) -> None:
    for category, value in zip(game.rules.categories, sheet.points, strict=True):
        if category.requires and value and not sheet.points[game.rules.box[category.requires]]:
            raise PositionError(
                f"sheet: expected {category.requires} to hold points before {category.id} can, "
                f"found {category.id}={value} without it"
            )


def _check_bonuses(game: Game, sheet: Scoresheet) -> None:
    five = game.rules.five
    if not sheet.bonuses or not five:
        return
    key = bonus_key(game)
    if not sheet.points[game.rules.box[five.category]]:
        raise PositionError(
            f"sheet: expected {five.category} to hold points before {key}, found {key}={quoted(sheet.bonuses)}"
        )
    most = int(most_bonuses(game, np.array([[-1 if value is None else value for value in sheet.points]]))[0])
    if sheet.bonuses > most:
        raise PositionError(
            f"sheet: expected {key} of at most {most}, the boxes that a further {five.category} can have filled, "
            f"found {quoted(sheet.bonuses)}"
        )


def most_bonuses(game: Game, sheets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many boxes of each sheet, given as points per box (-1 open), can have been written with all dice alike
    after the box for them: shape (n, boxes) to (n,)."""
    rules = game.rules
    assert rules.five is not None
    most = np.zeros(len(sheets), np.int64)
    lower_full = np.all([sheets[:, b] >= 0 for b, c in enumerate(rules.categories) if not c.face], axis=0)
    for box, category in enumerate(rules.categories):
        if category.id == rules.five.category:
            continue
        values = {int(game.ordinary[box][roll]) for roll in game.alike}
        if rules.five.joker == "none":
            values |= {int(game.served[box][roll]) for roll in game.alike}
        elif isinstance(category.score, int):
            values = {category.score} if rules.five.joker == "forced" else values | {category.score}
        if category.requires:
            values |= {0}  # where the requirement was not met, a joker pays nothing
        possible = np.isin(sheets[:, box], list(values))
        if category.face and rules.five.joker == "forced" and game.order == "free":
            possible &= (sheets[:, box] > 0) | lower_full  # the joker goes there for nothing last of all
        most += possible
    return most


def points_so_far(game: Game, sheet: Scoresheet) -> int:
    """Points on the sheet: written boxes, bonuses for further fives, and the upper bonus once its threshold is met."""
    rules = game.rules
    total = sum(value or 0 for value in sheet.points)
    if rules.five:
        total += rules.five.bonus * sheet.bonuses
    if rules.upper_bonus:
        index = game.box
        upper = sum(sheet.points[index[name]] or 0 for name in rules.upper_bonus.categories)
        total += rules.upper_bonus.points if upper >= rules.upper_bonus.threshold else 0
    return total


KEYS = ("variant", "dice", "rolls_left", "sheet", "held")


def read_position(text: str, variant: str | None = None) -> Position:
    """A position from JSON text: an object with the keys variant, dice, rolls_left, sheet, held (see docs).

    `variant` is used when the text names none.
    """
    try:
        value = json.loads(text, object_pairs_hook=unique_keys)
    except PositionError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of too many digits
        raise PositionError(f"position: expected a JSON object, found text that is not JSON: {error}") from None
    return position_from(value, variant)


def position_from(value: Any, variant: str | None = None) -> Position:
    """A position from the JSON object that describes it; `variant` is used when the object names none."""
    if not isinstance(value, dict):
        raise PositionError(f"position: expected a JSON object, found {quoted(value)}")
    for key in value:
        if key not in KEYS:
            raise PositionError(
                f"position: expected the keys {', '.join(KEYS)}, found {quoted(key)}{nearest(key, KEYS)}"
            )
    name = value.get("variant", variant)
    if not isinstance(name, str):
        raise PositionError(f"position: expected a variant name under 'variant', found {quoted(name)}")
    for key in ("dice", "held"):
        if not isinstance(value.get(key, ""), str | list):
            raise PositionError(f"position: expected {key} as text or a list of faces, found {quoted(value[key])}")
    sheet = entries_from(value.get("sheet", {}), "position: expected sheet")
    return Position(name, value.get("dice", ""), value.get("rolls_left"), sheet, value.get("held", ()))


def entries_from(value: Any, expected: str = "sheet: expected it") -> dict[str, Any]:
    """The boxes and points of a sheet from JSON: an object, or text such as "ones=3 full_house=0"."""
    if isinstance(value, str):
        return read_entries(value)
    if not isinstance(value, dict):
        raise PositionError(f"{expected} as an object of points per box, found {quoted(value)}")
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise PositionError(f"position: expected every key once, found {quoted(key)} twice")
        found[key] = value
    return found
