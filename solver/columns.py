"""Sheets of several columns: every turn writes one box of one column (cext/blocks.h).

A state of the sheet is a state of every column. The values of one column's sheets, that with the most, lie in a block;
there is a block for every combination of states of the other columns. A *level* are the blocks with so many boxes
written in the other columns; it follows from the next one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from ..cext.columns import Blocks
from ..data.rules import Rules
from ..errors import RulesError
from .game import Game, compile_rules
from .position import Scoresheet
from .spans import aim_of

Sheets = tuple[Scoresheet, ...]  # one per column
Combination = tuple[int, ...]  # a state number per other column
Block = npt.NDArray[np.float64]
Fetch = Callable[[Combination], Block]

NANOSECONDS = 600  # what one core of a common machine takes for a value
MOST_COMBINATIONS = 20_000_000  # of states of the other columns; more blocks would be solved by nobody


class ColumnStates:
    """The sheets a column can come to, from the one that has these points: rows (lower, upper, lane), those with fewer
    boxes first, and how many boxes more each has."""

    def __init__(self, game: Game):
        layout, aim = game.layout, aim_of(game, None)
        layers = [np.array([layout.row(layout.begun)], np.int64)]
        while len(layers) <= layout.begun.count(None):
            layers.append(layout.rows(aim.successors(layers[-1])))
        self.rows = np.concatenate(layers)
        self.level = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
        self._numbers = layout.numbers(self.rows)

    @cached_property
    def place(self) -> dict[int, int]:
        """Where each row stands, by its number; nobody asks where there are too many to solve."""
        return {number: place for place, number in enumerate(self._numbers.tolist())}

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Place:
    """Where a sheet stands: the combination of the other columns' states, and the row (lower, upper, lane) of the inner
    one."""

    combination: Combination
    row: tuple[int, int, int]


class Columns:
    """The sheets of several columns that follow from the one with these points (None: from the empty sheet)."""

    def __init__(self, rules: Rules, sheets: Sheets | None = None):
        if rules.outright_win:
            raise RulesError("expected one column beside an outright win, found several; leave one of them out")
        self.rules = rules
        empty = (None,) * len(rules.categories)
        begun = [empty] * len(rules.columns) if sheets is None else [sheet.points for sheet in sheets]
        self.games = [compile_rules(rules, column, points) for column, points in enumerate(begun)]
        rows = [np.concatenate(game.layout.rows_by_layer(game.order)[::-1]) for game in self.games]
        values = [int((game.layout.live[one[:, 1]] + 1).sum()) for game, one in zip(self.games, rows, strict=True)]
        self.inner = max(range(len(values)), key=lambda column: (values[column], column))
        self.others = [column for column in range(len(values)) if column != self.inner]
        self.rows = np.ascontiguousarray(rows[self.inner])  # (lower, upper) of the inner column, full ones first
        self.lanes = values[self.inner]  # how many values a block has
        self.blocks = Blocks([self.games[column].kernel for column in (self.inner, *self.others)])
        self.layout = self.games[self.inner].layout
        self._moves: dict[tuple[int, int], tuple[list[int], list[float], list[int]]] = {}

    @cached_property
    def states(self) -> list[ColumnStates]:
        """The states of the other columns."""
        return [ColumnStates(self.games[column]) for column in self.others]

    @property
    def size(self) -> int:
        """The room of a block: values that there are, and numbers that no sheet has."""
        return self.layout.lowers * self.layout.slots

    @property
    def combinations(self) -> int:
        """How many blocks there are."""
        return prod(len(states) for states in self.states)

    @property
    def values(self) -> int:
        """How many values there are to solve."""
        return self.combinations * self.lanes

    def seconds(self, threads: int) -> float:
        """About how long solving takes."""
        return self.values * NANOSECONDS * 1e-9 / threads

    @cached_property
    def levels(self) -> list[npt.NDArray[np.int64]]:
        """The combinations of every level, shape (n, other columns), in ascending order."""
        assert self.combinations <= MOST_COMBINATIONS
        level = np.zeros((1,) * len(self.states), np.int64)
        for axis, states in enumerate(self.states):
            shape = [1] * len(self.states)
            shape[axis] = len(states)
            level = level + states.level.reshape(shape)
        found = np.argwhere(level >= 0)
        order = np.argsort(level.ravel(), kind="stable")
        cuts = np.cumsum(np.bincount(level.ravel()))[:-1]
        return np.split(found[order], cuts)

    @cached_property
    def _index(self) -> npt.NDArray[np.int64]:
        index = np.empty([len(states) for states in self.states], np.int64)
        for combinations in self.levels:
            index[tuple(combinations.T)] = np.arange(len(combinations))
        return index

    def level(self, combination: Combination) -> int:
        """The level of a combination."""
        return sum(int(states.level[state]) for states, state in zip(self.states, combination, strict=True))

    def index(self, combination: Combination) -> int:
        """The number of a combination within its level."""
        return int(self._index[combination])

    def place(self, sheets: Sheets) -> Place | None:
        """Where a sheet stands; None if it does not follow from this one."""
        combination = []
        for column, states in zip(self.others, self.states, strict=True):
            layout = self.games[column].layout
            if not _follows(sheets[column], layout.begun):
                return None
            row = np.array([layout.row(sheets[column].points)], np.int64)
            found = states.place.get(int(layout.numbers(row)[0]))
            if found is None:
                return None
            combination.append(found)
        if not _follows(sheets[self.inner], self.layout.begun):
            return None
        return Place(tuple(combination), self.layout.row(sheets[self.inner].points))

    def following(self, combination: Combination) -> list[Combination]:
        """The combinations that one turn leads to, each once."""
        return sorted(set(self._elsewhere(combination)[2]))

    def _elsewhere(self, combination: Combination) -> tuple[list[int], list[float], list[Combination]]:
        """What writing a box of another column leads to: outcomes, points and combinations."""
        outcomes: list[int] = []
        points: list[float] = []
        after: list[Combination] = []
        for axis, state in enumerate(combination):
            moves = self._moves.get((axis, state)) or self._find_moves(axis, state)
            outcomes += moves[0]
            points += moves[1]
            after += [(*combination[:axis], to, *combination[axis + 1 :]) for to in moves[2]]
        return outcomes, points, after

    def _find_moves(self, axis: int, state: int) -> tuple[list[int], list[float], list[int]]:
        states = self.states[axis]
        if states.level[state] == states.level[-1]:
            found: tuple[list[int], list[float], list[int]] = ([], [], [])
        else:
            outcome, points, number = self.blocks.moves(1 + axis, *states.rows[state].tolist())
            found = (outcome.tolist(), points.tolist(), [states.place[row] for row in number.tolist()])
        self._moves[axis, state] = found
        return found

    def _turn(
        self, combination: Combination, fetch: Fetch
    ) -> tuple[npt.NDArray[np.int64], tuple[npt.NDArray[np.int32], Block, npt.NDArray[np.int64]], list[Block]]:
        """Where the other columns stand and what they offer, as the kernel takes it, and the blocks it points into."""
        outcomes, points, after = self._elsewhere(combination)
        arrays = {to: fetch(to) for to in set(after)}
        addresses = np.array([arrays[to].ctypes.data for to in after], np.int64)
        sheets = [states.rows[state, :2] for states, state in zip(self.states, combination, strict=True)]
        moves = np.array(outcomes, np.int32), np.array(points, np.float64), addresses
        return np.array(sheets, np.int64).reshape(-1, 2), moves, list(arrays.values())

    def solve_block(self, combination: Combination, fetch: Fetch) -> Block:
        """The block of a combination, from those of the next level: points still to come, NaN where no sheet is."""
        sheets, moves, keep = self._turn(combination, fetch)
        block = np.full(self.size, np.nan)
        self.blocks.solve(block, self.rows, sheets, moves)
        del keep
        return block

    def value(self, block: Block, row: tuple[int, int, int]) -> float:
        """The value of a sheet in its block."""
        return float(block[row[0] * self.layout.slots + int(self.layout.slot[row[1]]) + row[2]])

    def turn(self, place: Place, rerolls: int, fetch: Fetch) -> tuple[Block, Block]:
        """The value of every hold with so many rerolls to come, and of every outcome."""
        sheets, moves, keep = self._turn(place.combination, fetch)
        game = self.games[self.inner]
        holds, outcomes = np.empty(len(game.lattice.count)), np.empty(self.blocks.outcomes)
        block = fetch(place.combination)
        self.blocks.turn(block, *place.row, sheets, moves, rerolls, holds, outcomes)
        del keep
        return holds, outcomes


def _follows(sheet: Scoresheet, begun: tuple[int | None, ...]) -> bool:
    """Whether a column can have come from the one with these points."""
    return all(before is None or before == now for before, now in zip(begun, sheet.points, strict=True))
