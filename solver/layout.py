"""How the scoresheets of a variant are numbered; the picture is at the top of cext/sheet.h."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..data.rules import Rules
from ..errors import RulesError

MAX_VALUES = 2**29  # doubles in one table: 4 GiB


class Layout(NamedTuple):
    """The index of a value table: values[lower, slot[upper] + lane].

    Per box: `begun`, the points that stand in it on every sheet, None where it is to be written; `upper_bit` in the
    upper mask (0 for none), `base` and `stride` of its digit in `lower`; those begun have neither bit nor digit, and
    `start` is what they sum to under the bonus. Per upper mask:
    the first `slot`, the total under the bonus of its first lane (`lane_low`) and the number of live lanes (`live`);
    the lane after those is the settled one.
    """

    upper_bit: tuple[int, ...]
    base: tuple[int, ...]
    stride: tuple[int, ...]
    slot: npt.NDArray[np.int32]
    lane_low: npt.NDArray[np.int32]
    live: npt.NDArray[np.int32]
    lowers: int
    begun: tuple[int | None, ...]
    start: int

    @property
    def slots(self) -> int:
        return int(self.slot[-1] + self.live[-1] + 1)

    def place(self, points: tuple[int | None, ...]) -> tuple[int, int, int]:
        """(lower, upper, total) of a sheet given as points per box, None for open."""
        lower, upper, total = 0, 0, self.start
        boxes = zip(points, self.upper_bit, self.base, self.stride, self.begun, strict=True)
        for value, bit, base, stride, begun in boxes:
            if value is None or begun is not None:
                continue
            if bit:
                upper |= bit
                total += value
                lower += stride if base == 2 and value > 0 else 0
            else:
                lower += 2 * stride if base == 3 and value > 0 else stride
        return lower, upper, total

    def row(self, points: tuple[int | None, ...]) -> tuple[int, int, int]:
        """(lower, upper, lane) of a sheet given as points per box, None for open."""
        lower, upper, total = self.place(points)
        return lower, upper, self.lane(upper, total)

    def numbers(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """One number per row (lower, upper, lane)."""
        found: npt.NDArray[np.int64] = rows[:, 0] * self.slots + self.slot[rows[:, 1]] + rows[:, 2]
        return found

    def rows(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The rows (lower, upper, lane) with these numbers, shape (n, 3)."""
        lower, slot = np.divmod(numbers, self.slots)
        upper = self.upper_of(slot)
        return np.ascontiguousarray(np.column_stack([lower, upper, slot - self.slot[upper]]))

    def upper_of(self, slot: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The upper mask that each slot belongs to."""
        return np.searchsorted(self.slot, slot, side="right") - 1

    def written(self, box: int, lower: npt.NDArray[np.int64], upper: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether a box is written, per sheet."""
        if self.begun[box] is not None:
            return np.ones(np.broadcast(lower, upper).shape, bool)
        if self.upper_bit[box]:
            return (upper & self.upper_bit[box]) > 0
        written: npt.NDArray[np.bool_] = lower // self.stride[box] % self.base[box] > 0
        return written

    def lane(self, upper: int, total: int) -> int:
        """The lane of a total under `upper`: its own while the bonus is undecided, else the settled one."""
        lane = total - int(self.lane_low[upper])
        live = int(self.live[upper])
        return lane if 0 <= lane < live else live

    def rows_by_layer(self, order: str) -> list[npt.NDArray[np.int64]]:
        """The rows (lower, upper) with 0, 1, 2 … boxes written, each of shape (n, 2); rows that no order of writing
        leads to are left out."""
        lowers = np.arange(self.lowers)
        uppers = np.arange(len(self.slot))
        filled = np.zeros((self.lowers, len(self.slot)), np.int64)
        possible = np.ones_like(filled, dtype=bool)
        open_before = np.zeros_like(possible)
        boxes = range(len(self.base))
        for b in boxes if order != "up" else reversed(boxes):
            written = np.broadcast_to(self.written(b, lowers[:, None], uppers[None, :]), filled.shape)
            if self.upper_bit[b]:
                possible &= written | (lowers // self.stride[b] % self.base[b] == 0)[:, None]
            filled += written
            if order != "free":
                possible &= ~(written & open_before)
                open_before |= ~written
        return [np.argwhere(possible & (filled == n)) for n in range(len(self.base) + 1)]


def lay_out(rules: Rules, greatest: list[int], begun: tuple[int | None, ...] | None = None) -> Layout:
    """The layout for a variant; `greatest` are the most points each box can pay. With points `begun`, for the sheets
    that have those."""
    begun = begun or (None,) * len(greatest)
    watched = {category.requires for category in rules.categories}
    watched |= {rule.category for rule in (rules.five, rules.outright_win) if rule}
    under = rules.upper_bonus.categories if rules.upper_bonus else ()
    upper_bit, bases, strides = [], [], []
    lowers = bit = 1
    for category, points in zip(rules.categories, begun, strict=True):
        is_upper = category.id in under and points is None
        upper_bit.append(bit if is_upper else 0)
        bit <<= is_upper
        base = 1 if points is not None else (1 if is_upper else 2) + (category.id in watched)
        bases.append(base)
        strides.append(lowers)
        lowers *= base
    start = sum(begun[rules.box[name]] or 0 for name in under)
    low, live = _lanes(rules, [greatest[rules.box[name]] for name in under if begun[rules.box[name]] is None], start)
    slot = np.concatenate([[0], np.cumsum(live + 1)[:-1]])
    if lowers * int(slot[-1] + live[-1] + 1) > MAX_VALUES:
        raise RulesError(
            f"{len(rules.categories)} boxes: expected a sheet of at most {MAX_VALUES} values, found "
            f"{lowers * int(slot[-1] + live[-1] + 1)}; use fewer boxes or a smaller upper bonus threshold"
        )
    return Layout(
        tuple(upper_bit),
        tuple(bases),
        tuple(strides),
        slot.astype(np.int32),
        low.astype(np.int32),
        live.astype(np.int32),
        lowers,
        begun,
        start,
    )


def _lanes(rules: Rules, greatest: list[int], start: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """First live total and number of live totals per upper mask, from `start` on: those that can be there and leave the
    bonus open."""
    threshold = rules.upper_bonus.threshold if rules.upper_bonus else 0
    masks = np.arange(1 << len(greatest))
    most = sum(((masks >> i & 1) * points for i, points in enumerate(greatest)), np.zeros_like(masks))
    low = np.maximum(start, threshold - (sum(greatest) - most))
    return low, np.maximum(0, np.minimum(threshold - 1, start + most) - low + 1)
