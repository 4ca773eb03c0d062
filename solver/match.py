"""Two players in turn, each sees the other's sheet: the chance to win, exactly, from any position (cext/pairs.h)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cext.duel import Duel
from ..cext.utility import compact
from .game import Game
from .solve import Crew, Progress
from .spans import aim_of

ME, THEM = 0, 1
TIE = {"half": 0.5, "win": 1.0}  # my share of a tie
DECIDING = 0.9  # of the differences that can be made up, about the part in which play decides more than nothing
LANES_PER_SECOND = {True: 3e6, False: 6e6}  # needs that one core of a common machine solves; with ties, without
LOCKED_EFFORT = 7  # how many times more of it locked holds take
# this close to decided counts as decided
MARGIN = {np.dtype(np.float64): 1e-13, np.dtype(np.float32): 3e-7}
MOST_ROWS = 20_000  # sheets of one player after so many boxes; their pairs would fill no memory there is

Row = tuple[int, int, int]  # lower, upper, lane
Numbers = npt.NDArray[np.float64]


class Turn(NamedTuple):
    """One turn of the rest of a game: who moves, and how many boxes each has written by then since its beginning."""

    mover: int
    written: tuple[int, int]


@dataclass(frozen=True)
class Pairs:
    """Solved pairs of sheets of one turn, numbered mover's row * rows of the other + other's row.

    values[start[pair] + clamp(need - low[pair], 0, width[pair] - 1)] is the chance to win (a tie counted by its share)
    of the player who moved last, and `ties` the chance of a tie, None if not asked for; `need` are the points that
    player lacks.
    """

    values: npt.NDArray[Any]
    ties: npt.NDArray[Any] | None
    start: npt.NDArray[np.int64]
    low: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]

    def at(self, pair: int, need: int) -> tuple[float, float]:
        """Value and tie of one pair; the tie is nan if it was not asked for."""
        place = int(self.start[pair]) + min(max(need - int(self.low[pair]), 0), int(self.width[pair]) - 1)
        return float(self.values[place]), float("nan") if self.ties is None else float(self.ties[place])


class TooLargeError(Exception):
    """More sheets than anybody would solve in pairs."""


class Side:
    """The sheets one player can come to: rows (lower, upper, lane) after 0, 1, 2 … more boxes.

    Sheets with the same future are one: whether a box holds points is forgotten once nothing asks for it any more.
    """

    def __init__(self, game: Game, row: Row, boxes: int):
        self.game, aim = game, aim_of(game, None)
        self.layers = [game.layout.rows(forget(game, game.layout.numbers(np.array([row], np.int64))))]
        self.raw: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
        for _ in range(boxes):
            numbers = aim.successors(self.layers[-1])
            self.raw.append(numbers)
            self.layers.append(game.layout.rows(np.unique(forget(game, numbers))))
            if len(self.layers[-1]) > MOST_ROWS:
                raise TooLargeError

    def index(self, layer: int) -> npt.NDArray[np.int32]:
        """The place in a layer of every row that a turn leads to, by row number."""
        layout = self.game.layout
        numbers = layout.numbers(self.layers[layer])
        index = np.zeros(layout.lowers * layout.slots, np.int32)
        index[self.raw[layer]] = np.searchsorted(numbers, forget(self.game, self.raw[layer]))
        return index

    def place(self, layer: int, row: Row) -> int | None:
        """Where a sheet stands in a layer."""
        number = forget(self.game, self.game.layout.numbers(np.array([row], np.int64)))[0]
        found = np.flatnonzero(self.game.layout.numbers(self.layers[layer]) == number)
        return int(found[0]) if len(found) else None


def forget(game: Game, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Row numbers of the sheets that stand for these: a box that others require, and no other rule asks about, counts
    as scratched once all those are written."""
    layout, rules = game.layout, game.rules
    asked = {rule.category for rule in (rules.five, rules.outright_win) if rule}
    lower, slot = np.divmod(numbers, layout.slots)
    upper = layout.upper_of(slot)
    for box, category in enumerate(rules.categories):
        asking = [other for other, c in enumerate(rules.categories) if c.requires == category.id]
        if not asking or category.id in asked:
            continue
        done = np.logical_and.reduce([layout.written(other, lower, upper) for other in asking])
        holding = lower // layout.stride[box] % layout.base[box] == layout.base[box] - 1
        lower = lower - np.where(done & holding, layout.stride[box], 0)
    found: npt.NDArray[np.int64] = lower * layout.slots + slot
    return found


def turns(boxes: tuple[int, int]) -> Iterator[Turn]:
    """The turns of a game in which I move first and so many boxes are open; who has none left is passed over."""
    written, mover = [0, 0], ME
    while written != list(boxes):
        if written[mover] < boxes[mover]:
            yield Turn(mover, (written[ME], written[THEM]))
            written[mover] += 1
        mover = THEM - mover


class Match:
    """The rest of a game between two sheets; ME is the one to move.

    `share` is what a tie counts for ME; the other player gets the rest of it. `solve` fills `solved`: the pairs of
    every turn, by its number. `ties`: with the chance of a tie besides, which takes twice the time and memory.
    """

    def __init__(
        self, game: Game, rows: tuple[Row, Row], boxes: tuple[int, int], *, share: float = 0.5, ties: bool = True
    ):
        self.game, self.duel, self.share, self.ties = game, Duel(game.kernel), share, ties
        mine = Side(game, rows[ME], boxes[ME])
        same = rows[ME] == rows[THEM]
        self.sides = (mine, mine if same else Side(game, rows[THEM], boxes[THEM]))
        self.turns = list(turns(boxes))
        self.solved: dict[int, Pairs] = {}

    def find(self, rows: tuple[Row, Row], share: float) -> int | None:
        """The turn in which a player with the first of these sheets meets the second, if it has been solved, and a tie
        counts this share for the player."""
        for number, turn in enumerate(self.turns):
            own = self.share if turn.mover == ME else 1 - self.share
            mover, other = turn.mover, THEM - turn.mover
            if own != share or number not in self.solved or number + 1 not in self.solved:
                continue
            if self.place(turn, mover, rows[0]) is not None and self.place(turn, other, rows[1]) is not None:
                return number
        return None

    def place(self, turn: Turn, player: int, row: Row) -> int | None:
        """Where a sheet stands among those a player can have at a turn."""
        return self.sides[player].place(turn.written[player], row)

    def value(self, number: int, row: Row, other: Row, need: int) -> tuple[float, float]:
        """The value of the mover's sheet against the other one before that turn, and the chance of a tie (nan if it was
        not asked for)."""
        turn = self.turns[number]
        own, against = self.place(turn, turn.mover, row), self.place(turn, THEM - turn.mover, other)
        assert own is not None
        assert against is not None
        pair = own * len(self.rows(turn, THEM - turn.mover)) + against
        if not self.turned(number):
            return self.solved[number].at(pair, need)
        value, tie = self.solved[number].at(pair, -need)
        return 1 - value, tie

    def turned(self, number: int) -> bool:
        """Whether the pairs of a turn are kept as the player sees them who does not move."""
        return number > 0 and self.turns[number - 1].mover != self.turns[number].mover

    def turn(self, number: int, row: Row, other: Row, need: int, rerolls: int) -> tuple[Numbers, Numbers]:
        """Value and tie (nan if not asked for), shape (n, 2), of every hold with so many rerolls to come, and of every
        outcome."""
        against = self.place(self.turns[number], THEM - self.turns[number].mover, other)
        layout = self.game.layout
        number_of = forget(self.game, layout.numbers(np.array([row], np.int64)))
        lower, upper, lane = layout.rows(number_of)[0].tolist()
        holds, outcomes = np.empty((len(self.game.lattice.count), 2)), np.empty((self.duel.outcomes, 2))
        self.duel.turn(self.following(number), lower, upper, lane, against or 0, need, rerolls, holds, outcomes)
        if not self.ties:
            holds[:, 1] = outcomes[:, 1] = np.nan
        return holds, outcomes

    def rows(self, turn: Turn, player: int) -> npt.NDArray[np.int64]:
        """The sheets a player can have at a turn."""
        return self.sides[player].layers[turn.written[player]]

    def pairs(self, number: int) -> int:
        """How many pairs of sheets a turn has."""
        turn = self.turns[number]
        return len(self.rows(turn, ME)) * len(self.rows(turn, THEM))

    def lanes(self) -> int:
        """About how many needs there are to solve, in all pairs: those between the least and the greatest difference
        that can still be made up, less what cannot happen."""
        total = 0.0
        for turn in self.turns:
            mine, theirs = self.rows(turn, ME), self.rows(turn, THEM)
            swing = most_to_come(self.game, mine).mean() + most_to_come(self.game, theirs).mean()
            total += len(mine) * len(theirs) * swing * DECIDING
        return int(total)

    def seconds(self) -> float:
        """About how long solving takes one core of a common machine."""
        return self.lanes() / LANES_PER_SECOND[self.ties] * (LOCKED_EFFORT if self.game.rules.hold == "locked" else 1)

    def end(self, kind: np.dtype[Any]) -> Pairs:
        """What the end of the game is worth to who moved last: by need -1, 0, 1."""
        last = self.turns[-1].mover
        even = self.share if last == ME else 1 - self.share
        one = np.ones(1, np.int32)
        ties = np.array([0, 1, 0], kind) if self.ties else None
        return Pairs(np.array([1, even, 0], kind), ties, np.zeros(1, np.int64), -one, 3 * one)

    def solve(
        self,
        dtype: Any = np.float64,
        *,
        keep: int | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        after: Callable[[int], object] | None = None,
    ) -> None:
        """Solves turn by turn from the end. Turns are kept up to number `keep` (None: all), later ones forgotten. Turns
        that are in `solved` already are not solved again; `after` is called with the number of each that was."""
        kind, last = np.dtype(dtype), len(self.turns)
        first = min(self.solved, default=last)  # turns up to here are still to be solved
        self.solved.setdefault(last, self.end(kind))
        keep = last if keep is None else keep
        with Crew(threads, sum(self.pairs(number) for number in range(first)), progress) as crew:
            for number in reversed(range(first)):
                self.solved[number] = self.solve_turn(crew, number, kind)
                if keep < number + 1 < last:
                    del self.solved[number + 1]
                if after:
                    after(number)

    def following(self, number: int) -> tuple[Any, ...]:
        """The pairs that a turn leads to, as the kernel takes them."""
        turn, after = self.turns[number], self.solved[number + 1]
        mover, other = turn.mover, THEM - turn.mover
        index = self.sides[mover].index(turn.written[mover] + 1)
        step = (0, 0)
        if number + 1 < len(self.turns):
            own = len(self.sides[mover].layers[turn.written[mover] + 1])
            passed = self.turns[number + 1].mover == mover
            step = (1, len(self.rows(turn, other))) if passed else (own, 1)
        return (after.values, after.ties, after.start, after.low, after.width, index, *step)

    def solve_turn(
        self, crew: Crew, number: int, kind: np.dtype[Any], chosen: npt.NDArray[np.int64] | None = None
    ) -> Pairs:
        """The pairs of a turn, from those of the next; `chosen`: of these of the mover's sheets only."""
        turn, pairs = self.turns[number], self.following(number)
        rows, others = self.rows(turn, turn.mover), len(self.rows(turn, THEM - turn.mover))
        rows = rows if chosen is None else np.ascontiguousarray(rows[chosen])
        turned = self.turned(number)
        low, width = np.zeros(len(rows) * others, np.int32), np.zeros(len(rows) * others, np.int32)

        def bound(begin: int, end: int) -> None:
            self.duel.bounds(pairs, rows, others, begin, end, low, width)

        crew.share(len(rows), bound, weight=0, smallest=1)
        place = np.cumsum(width, dtype=np.int64) - width
        values = np.empty(int(width.sum(dtype=np.int64)), kind)
        ties = np.empty_like(values) if self.ties else None

        def solve(begin: int, end: int) -> None:
            arrays = (low, width, place, values, ties)
            self.duel.solve(pairs, rows, others, begin, end, *arrays, turned, MARGIN[kind])

        crew.share(len(rows), solve, weight=others, smallest=1)
        start = np.empty(len(width), np.int64)
        for numbers in (values, ties):
            if numbers is not None:
                numbers.resize(compact(numbers, 0, place, width, start), refcheck=False)
        return Pairs(values, ties, start, low, width)


def most_to_come(game: Game, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The most points that sheets, rows (lower, upper, lane), can still make; shape (n,)."""
    layout, rules = game.layout, game.rules
    most = np.zeros(len(rows), np.int64)
    for box, points in enumerate(game.greatest):
        written = layout.written(box, rows[:, 0], rows[:, 1])
        most += np.where(written, 0, points + (rules.five.bonus if rules.five else 0))
    if rules.upper_bonus:
        most += np.where(rows[:, 2] < layout.live[rows[:, 1]], rules.upper_bonus.points, 0)
    return most
