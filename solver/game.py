"""A variant's rules turned into the arrays the kernel works on."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cext.kernel import FIRST_OUTCOME, Kernel, Lattice
from ..data.rules import FACES, Category, Rules, Variant
from ..errors import RulesError
from . import points
from .layout import Layout, lay_out

ORDER = {"free": 0, "down": 1, "up": -1}
JOKER = {"none": 0, "forced": 1, "free-choice": 2}


@lru_cache
def lattice(dice: int) -> Lattice:
    """The holds of so many dice."""
    return Lattice(dice)


@dataclass(frozen=True)
class Game:
    """Rules, the points of every roll, and the numbering of sheets, for one column of the sheet.

    `ordinary` and `served` hold points, shape (boxes, rolls); rolls are in the order of the lattice.
    """

    rules: Rules
    ordinary: npt.NDArray[np.int64]
    served: npt.NDArray[np.int64]
    layout: Layout
    column: int = 0

    @property
    def lattice(self) -> Lattice:
        return lattice(self.rules.dice)

    @property
    def order(self) -> str:
        return self.rules.columns[self.column].order

    @cached_property
    def box(self) -> dict[str, int]:
        """The number of each box on the sheet, by category id."""
        return self.rules.box

    @cached_property
    def outcome_points(self) -> tuple[npt.NDArray[np.int64], ...]:
        """Per box the different points it can pay, ascending from the scratch (0)."""
        return tuple(np.array(sorted({0, *values})) for values in self.possible_points)

    @cached_property
    def first_outcome(self) -> tuple[int, ...]:
        """Per box the kernel's number of its scratch; its other outcomes follow. Columns have numbers of their own."""
        sizes = [len(values) for values in self.outcome_points]
        first = FIRST_OUTCOME + self.column * sum(sizes)
        return tuple(first + sum(sizes[:i]) for i in range(len(sizes)))

    @cached_property
    def points_of(self) -> npt.NDArray[np.float64]:
        """Points of every outcome the kernel knows, those of the other columns 0."""
        own = np.concatenate(self.outcome_points)
        every = np.zeros(FIRST_OUTCOME + len(own) * len(self.rules.columns))
        every[self.first_outcome[0] : self.first_outcome[0] + len(own)] = own
        return every

    @cached_property
    def possible_points(self) -> tuple[tuple[int, ...], ...]:
        """Per box the points that can stand in it, ascending."""
        found = []
        for i, category in enumerate(self.rules.categories):
            values = {*self.ordinary[i].tolist(), *self.served[i].tolist()}
            found.append(tuple(sorted(values | {0} if category.requires else values)))
        return tuple(found)

    @property
    def greatest(self) -> list[int]:
        """The most points each box can pay."""
        return [int(values[-1]) for values in self.outcome_points]

    @cached_property
    def win_points(self) -> int | None:
        """What winning at once scores; None where the rules know no outright win."""
        win = self.rules.outright_win
        return None if win is None else self.greatest_total if win.win_points is None else win.win_points

    @property
    def greatest_total(self) -> int:
        """The sum of the greatest points of all boxes and of all bonuses."""
        total = sum(self.greatest)
        if self.rules.upper_bonus:
            total += self.rules.upper_bonus.points
        if self.rules.five:
            total += self.rules.five.bonus * (len(self.rules.categories) - 1)
        return total

    @cached_property
    def alike(self) -> tuple[int, ...]:
        """The roll number of all dice alike, per face."""
        counts = self.lattice.count[self.lattice.first[self.rules.dice] :]
        return tuple(int(np.flatnonzero(counts[:, f] == self.rules.dice)[0]) for f in range(FACES))

    @cached_property
    def kernel(self) -> Kernel:
        """The C side of this game."""
        rules = self.rules
        index = rules.box
        face_box = [-1] * FACES
        for category in reversed(rules.categories):
            if category.face:
                face_box[category.face - 1] = index[category.id]
        # with neither bonus nor joker the box for all dice alike is like any other
        five = rules.five if rules.five and (rules.five.bonus or rules.five.joker != "none") else None
        win = rules.outright_win
        return Kernel(
            self.lattice,
            rolls=rules.rolls,
            locked=rules.hold == "locked",
            order=ORDER[self.order],
            boxes=[self._box(i, category) for i, category in enumerate(rules.categories)],
            points=self.points_of,
            alike=self.alike,
            face_box=face_box,
            five=index[five.category] if five else -1,
            joker=JOKER[five.joker] if five else 0,
            five_bonus=five.bonus if five else 0,
            win_box=index[win.category] if win else -1,
            win_points=self.win_points or 0,
            win_terms=_terms(np.array(self.alike), np.ones(FACES)) if win else _terms([], []),
            upper_bonus=rules.upper_bonus.points if rules.upper_bonus else 0,
            threshold=rules.upper_bonus.threshold if rules.upper_bonus else 0,
            slot=self.layout.slot,
            lane_low=self.layout.lane_low,
            live=self.layout.live,
            multiplier=rules.columns[self.column].multiplier,
            begun=sum(1 << box for box, points in enumerate(self.layout.begun) if points is not None),
            begun_holding=sum(1 << box for box, points in enumerate(self.layout.begun) if points),
        )

    def _box(self, i: int, category: Category) -> dict[str, Any]:
        values, first = self.outcome_points[i], self.first_outcome[i]
        ordinary = np.searchsorted(values, self.ordinary[i]).astype(np.uint8)
        served = np.searchsorted(values, self.served[i]).astype(np.uint8)
        fixed = isinstance(category.score, int)
        changed = np.flatnonzero(served != ordinary).tolist()
        plain = [roll for roll in changed if roll not in self.alike]
        changed = plain + [roll for roll in changed if roll in self.alike]
        scored = np.flatnonzero(ordinary)
        every = np.arange(len(ordinary))
        return {
            "outcome": first,
            "outcomes": len(values),
            "fixed": fixed,
            "requires": self.rules.box[category.requires] if category.requires else -1,
            "upper_bit": self.layout.upper_bit[i],
            "base": self.layout.base[i],
            "stride": self.layout.stride[i],
            "ordinary": ordinary,
            "served": served,
            "joker": [
                int(np.searchsorted(values, category.score)) if fixed else int(ordinary[roll]) for roll in self.alike
            ],
            "scored": _terms(scored, first + ordinary[scored].astype(int)),
            "first_roll": _terms(changed, first + served[changed].astype(int)),
            "first_roll_plain": len(plain),
            "every": _terms(every, first + ordinary.astype(int)),
            "every_served": _terms(every, first + served.astype(int)),
        }


def _terms(rolls: Any, outcomes: Any) -> npt.NDArray[np.uint16]:
    return np.ascontiguousarray(np.column_stack([rolls, outcomes]), dtype=np.uint16).reshape(-1, 2)


@lru_cache(maxsize=32)
def compile_rules(rules: Rules, column: int | None = None, begun: tuple[int | None, ...] | None = None) -> Game:
    """The game for these rules, or for one column of theirs; with points `begun`, for the sheets that have those. Rules
    the solver cannot take raise `RulesError`."""
    if column is None and len(rules.columns) > 1:
        raise RulesError(
            f"expected a sheet of one column, found {len(rules.columns)}; several are for 'servida hint', 'value', "
            "'score', 'variants', 'rules' and 'tables'"
        )
    t = lattice(rules.dice)
    counts = t.count[t.first[rules.dice] :].astype(np.int64)
    ordinary = np.array([points.scored(category.score, category.pattern, counts) for category in rules.categories])
    served = ordinary.copy()
    for i, category in enumerate(rules.categories):
        if category.served is not None:
            served[i] = points.scored(category.served, category.pattern, counts)
    greatest = [int(max(a.max(), b.max())) for a, b in zip(ordinary, served, strict=True)]
    return Game(rules, ordinary, served, lay_out(rules, greatest, begun), column or 0)


def game_of(variant: Variant) -> Game:
    """The game of a variant; `RulesError`, naming the variant, for rules the solver cannot take."""
    try:
        return compile_rules(variant.rules)
    except RulesError as error:
        raise RulesError(f"{variant.id}: {error}") from None
