"""Many unrelated positions answered in one call."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import PositionError
from .game import Game
from .position import bonus_key, most_bonuses, read_dice, read_held, read_rolls_left, read_sheet
from .table import Table

Numbers = npt.NDArray[np.int64]

HOLD = -1
WIN = -2


@dataclass(frozen=True)
class Hints:
    """The best option of each of n positions (of equally good ones the first by docs/solver.md, "Ties").

    `category`: index of the box to write, -1 to hold and reroll, -2 to win at once; `hold`: dice held per face, shape
    (n, 6); `points` written, `bonus` for a further five included; `expected_total` of the option, in points.
    """

    category: npt.NDArray[np.int32]
    hold: npt.NDArray[np.uint8]
    points: npt.NDArray[np.float64]
    expected_total: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.category)


class _Batch(NamedTuple):
    """Checked input: dice and held dice as hold numbers, sheets as points per box (-1 open)."""

    roll: npt.NDArray[np.int32]
    held: npt.NDArray[np.int32]
    rolls_left: npt.NDArray[np.uint8]
    sheets: Numbers
    bonuses: Numbers


def hints(table: Table, dice: Any, rolls_left: Any, sheets: Any, bonuses: Any = 0, held: Any = None) -> Hints:
    """The best option of n positions.

    `dice`: faces, shape (n, dice). `rolls_left`: rerolls still allowed, shape (n,) or one number. `sheets`: points per
    box in the order of the sheet, -1 for open boxes, shape (n, boxes). `bonuses`: bonuses for further fives, shape
    (n,) or one number. `held`: dice set aside per position, 0 for none, shape (n, dice); locked holds only.
    Raises `PositionError` naming the first position that cannot occur.
    """
    game = table.game
    batch = _check(table, dice, rolls_left, sheets, bonuses, held)
    n = len(batch.roll)
    lower, upper, total, so_far = place_sheets(game, batch.sheets, batch.bonuses)
    category, hold = np.empty(n, np.int32), np.empty(n, np.int32)
    points, value = np.empty(n), np.empty(n)
    order = np.argsort(batch.rolls_left, kind="stable")
    first = int(game.lattice.first[game.rules.dice])
    turn = (batch.roll - first, batch.held, batch.rolls_left)
    game.kernel.hints(table.values, lower, upper, total, *turn, order, category, hold, points, value)
    counts = game.lattice.count[np.maximum(hold, 0)]
    return Hints(category, np.where((category == HOLD)[:, None], counts, 0).astype(np.uint8), points, so_far + value)


def place_sheets(game: Game, sheets: Numbers, bonuses: Numbers) -> tuple[Any, Any, Any, Any]:
    """lower, upper and total (see `Layout`) and the points so far of each sheet: points per box, -1 for open ones, and
    bonuses for further fives."""
    layout, rules = game.layout, game.rules
    n = len(sheets)
    lower, upper, total = np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n, np.int32)
    so_far = np.zeros(n)
    for box, bit in enumerate(layout.upper_bit):
        points = sheets[:, box]
        written, holding = points >= 0, points > 0
        so_far += np.where(written, points, 0)
        if bit:
            upper += np.where(written, bit, 0).astype(np.int32)
            total += np.where(written, points, 0).astype(np.int32)
            lower += np.where(holding, layout.stride[box] * (layout.base[box] - 1), 0)
        else:
            lower += written * layout.stride[box]
            lower += (holding & (layout.base[box] == 3)) * layout.stride[box]
    if rules.upper_bonus:
        so_far += np.where(total >= rules.upper_bonus.threshold, rules.upper_bonus.points, 0)
    if rules.five:
        so_far += rules.five.bonus * bonuses
    return lower, upper, total, so_far


def _check(table: Table, dice: Any, rolls_left: Any, sheets: Any, bonuses: Any, held: Any) -> _Batch:
    game = table.game
    n_dice, boxes = game.rules.dice, len(game.rules.categories)
    dice = _whole(dice, "dice", (None, n_dice))
    n = len(dice)
    rolls_left = _whole(rolls_left, "rolls_left", (n,))
    sheets = _whole(sheets, "sheets", (n, boxes))
    bonuses = _whole(bonuses, "bonuses", (n,))
    held = _whole(0 if held is None else held, "held", (n, n_dice))
    good = ((dice >= 1) & (dice <= 6)).all(axis=1) & ((held >= 0) & (held <= 6)).all(axis=1)
    good &= (rolls_left >= 0) & (rolls_left < game.rules.rolls) & (sheets < 0).any(axis=1)
    good &= _possible_sheets(game, sheets, bonuses)
    roll, inside = _hold_numbers(game, np.clip(dice, 1, 6)), _hold_numbers(game, np.clip(held, 0, 6))
    count = game.lattice.count
    good &= (count[inside] <= count[roll]).all(axis=1)
    locked = game.rules.hold == "locked"
    good &= (inside == 0) | (locked & (rolls_left < game.rules.rolls - 1))
    if not good.all():
        _report(table, int(np.argmin(good)), dice, rolls_left, sheets, bonuses, held)
    return _Batch(roll, inside, rolls_left.astype(np.uint8), sheets, bonuses)


def _whole(values: Any, name: str, shape: tuple[int | None, ...]) -> npt.NDArray[np.int64]:
    """The values as whole numbers of this shape (None: any length; a single number is repeated)."""
    array = np.asarray(values)
    text = " x ".join("n" if size is None else str(size) for size in shape)
    if array.dtype.kind not in "iu":
        raise PositionError(f"{name}: expected whole numbers, found an array of {array.dtype}")
    if array.ndim == 0 and None not in shape:
        array = np.full([size or 0 for size in shape], array)
    if array.ndim != len(shape) or any(want not in (None, size) for want, size in zip(shape, array.shape, strict=True)):
        raise PositionError(f"{name}: expected an array of shape {text}, found {' x '.join(map(str, array.shape))}")
    whole: Numbers = np.minimum(array, np.iinfo(np.int64).max).astype(np.int64)  # a large unsigned one must not wrap
    return whole


def _hold_numbers(game: Game, faces: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The lattice's number of each row of faces; 0 stands for no die."""
    hold = np.zeros(len(faces), np.int32)
    for column in faces.T:
        hold = np.where(column > 0, game.lattice.above[hold, column - 1], hold).astype(np.int32)
    return hold


def _possible_sheets(game: Game, sheets: Numbers, bonuses: Numbers) -> npt.NDArray[np.bool_]:
    """Which sheets can occur: the vectorised counterpart of `read_sheet`, which words the errors."""
    rules = game.rules
    good = (sheets >= -1).all(axis=1) & (bonuses >= 0)
    for box, category in enumerate(rules.categories):
        known = np.zeros(game.greatest[box] + 2, bool)
        known[[0, *(value + 1 for value in game.possible_points[box])]] = True
        good &= known[np.clip(sheets[:, box] + 1, 0, len(known) - 1)] & (sheets[:, box] + 1 < len(known))
        if category.requires:
            good &= (sheets[:, box] <= 0) | (sheets[:, rules.box[category.requires]] > 0)
    if game.order != "free":
        written = (sheets >= 0) if game.order == "down" else (sheets >= 0)[:, ::-1]
        good &= (np.diff(written.astype(np.int8), axis=1) <= 0).all(axis=1)
    if bonus_key(game) and rules.five and bonuses.any():
        earned = (sheets[:, rules.box[rules.five.category]] > 0) & (bonuses <= most_bonuses(game, sheets))
        good &= (bonuses == 0) | earned
    elif not bonus_key(game):
        good &= bonuses == 0
    return good


def _report(table: Table, i: int, dice: Any, rolls_left: Any, sheets: Any, bonuses: Any, held: Any) -> None:
    """Raises the error that the single position i would raise."""
    game = table.game
    entries = {c.id: int(v) for c, v in zip(game.rules.categories, sheets[i], strict=True) if v != -1}
    try:
        if bonuses[i]:
            key = bonus_key(game)
            if key is None:
                raise PositionError(f"bonuses: expected 0, since this variant has none, found {bonuses[i]}")
            entries[key] = int(bonuses[i])
        sheet = read_sheet(table.variant, game, entries)
        if sheet.is_full:
            raise PositionError("sheet: expected an open box to write, found every box written")
        faces = read_dice(dice[i].tolist(), game.rules.dice)
        left = read_rolls_left(game, int(rolls_left[i]))
        read_held(game, held[i][held[i] != 0].tolist(), faces, left)
        raise PositionError("expected a sheet that a game can lead to, found one that none does")
    except PositionError as error:
        raise PositionError(f"position {i}: {error}") from None
