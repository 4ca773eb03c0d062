"""A sheet of several columns in parts that are small enough to be solved; the idea is in docs/bound.md."""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
import numpy.typing as npt

from ..cext.kernel import Kernel
from ..cext.relaxed import MAX_LOOSE, MAX_PARTS, NEVER, Team
from ..data.rules import Column, Rules
from ..errors import RulesError
from .game import Game, compile_rules
from .position import Scoresheet
from .solve import Crew

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Prices = tuple[Floats, Floats]  # for writing, for passing: (turns, rolls)
States = npt.NDArray[np.int64]  # (lower, upper, total) per part; see Part.state

LANES = 8  # states in a block of loose boxes
MOST_LOOSE = 21  # loose boxes in one part: 2 million states for every turn


@dataclass(frozen=True)
class Part:
    """Some of the boxes: number i is box `categories[i]` of column `columns[i]`.

    `game`: the boxes are all of one column, and this is the game of a sheet that has these only; None: they are loose
    (cext/relax.h), of any columns.
    """

    game: Game | None
    columns: tuple[int, ...]
    categories: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the values before one turn."""
        if self.game:
            return self.game.layout.lowers, self.game.layout.slots
        return 1, max(LANES, 1 << len(self.columns))

    def state(self, sheets: tuple[Scoresheet, ...]) -> tuple[int, int, int]:
        """The part of these sheets, one per column, as the kernel numbers it: (lower, upper, total)."""
        points = tuple(sheets[k].points[b] for k, b in zip(self.columns, self.categories, strict=True))
        if self.game:
            return self.game.layout.place(points)
        return sum(1 << i for i, value in enumerate(points) if value is not None), 0, 0

    @cached_property
    def layers(self) -> list[npt.NDArray[np.int64]]:
        """Of a sheet, its rows (lower, upper) with 0, 1, 2 … boxes written; of loose boxes, the numbers of the blocks
        of states by the least boxes written in them."""
        if self.game:
            return [np.ascontiguousarray(rows) for rows in self.game.layout.rows_by_layer(self.game.order)]
        blocks = np.arange(self.shape[1] // LANES)
        written = sum((blocks >> i & 1 for i in range(MAX_LOOSE)), np.zeros_like(blocks))
        return [np.flatnonzero(written == n) for n in range(len(self.columns) + 1)]


@dataclass(frozen=True)
class Parts:
    """All boxes of the sheets. `game`: the categories, as of one free column, for lists and numbers of outcomes."""

    rules: Rules
    game: Game
    parts: tuple[Part, ...]

    @property
    def turns(self) -> int:
        return len(self.rules.categories) * len(self.rules.columns)

    @property
    def multipliers(self) -> Floats:
        return np.array([column.multiplier for column in self.rules.columns], float)

    @property
    def rolls(self) -> int:
        """How many different rolls there are."""
        return len(self.game.lattice.chance)

    def empty_values(self) -> list[Floats]:
        """Room for the values of every part, (turns + 1, lowers, slots); those after the last turn are set."""
        values = [np.full((self.turns + 1, *part.shape), NEVER if not part.game else np.nan) for part in self.parts]
        for part, table in zip(self.parts, values, strict=True):
            if part.game:
                table[-1] = 0
            else:
                table[-1, 0, (1 << len(part.columns)) - 1] = 0
        return values

    def scale(self, i: int) -> float:
        """How many points of the total one point of part i's values is."""
        part = self.parts[i]
        return float(self.multipliers[part.columns[0]]) if part.game else 1.0

    def worth(self, values: list[Floats], turn: int, states: States) -> float:
        """The sum of what the parts are worth in these states, (parts, 3), before a turn."""
        total = 0.0
        for i, (part, table) in enumerate(zip(self.parts, values, strict=True)):
            lower, upper, points = map(int, states[i])
            if part.game:
                total += self.scale(i) * part.game.kernel.value(table[turn], lower, upper, points)
            else:
                total += float(table[turn, 0, lower])
        return total

    def states(self, sheets: tuple[Scoresheet, ...]) -> States:
        """The states of the parts, (parts, 3), of sheets, one per column."""
        return np.array([part.state(sheets) for part in self.parts], np.int64)

    def team(self, values: list[Floats], extra: Floats | None = None) -> Team:
        """All parts, playing together by these values."""
        return Team(self.game.kernel, self.multipliers, [self._listed(i, v) for i, v in enumerate(values)], None, extra)

    def alone(self, i: int, values: Floats, payments: Floats, *, solving: bool = False) -> Team:
        """Part i, relaxed, with these payments (turns, parts, rolls). Where values are solved, and not played by,
        they are in points of the part."""
        scale = self.scale(i) if solving else 1.0
        write, passing = prices(payments, i)
        return Team(self.game.kernel, self.multipliers, [self._listed(i, values)], (write / scale, passing / scale))

    def _listed(self, i: int, values: Floats) -> tuple[Kernel | None, tuple[int, ...], tuple[int, ...], Floats]:
        part = self.parts[i]
        return part.game.kernel if part.game else None, part.columns, part.categories, values

    def solve(self, payments: Floats, crew: Crew) -> list[Floats]:
        """The values of all parts with these payments (turns, parts, rolls)."""
        values = self.empty_values()
        for turn in reversed(range(self.turns)):
            self.solve_turn(turn, payments, values, crew)
        return values

    def solve_turn(self, turn: int, payments: Floats, values: list[Floats], crew: Crew) -> None:
        """Sets the values of all parts before a turn, from those before the next."""
        left = self.turns - turn
        for i, part in enumerate(self.parts):
            team, boxes = self.alone(i, values[i], payments, solving=True), len(part.columns)
            slack = 0 if part.game else 3  # boxes that states of one block may have more than the least
            for written in range(max(0, boxes - left - slack), min(turn, boxes) + 1):
                rows = part.layers[written]
                if part.game:
                    act = partial(self._solve_rows, team, turn, rows, boxes - written < left)
                else:
                    act = partial(self._solve_states, team, turn, rows)
                crew.share(len(rows), act, weight=0)

    @staticmethod
    def _solve_rows(team: Team, turn: int, rows: Longs, may_pass: bool, begin: int, end: int) -> None:
        team.solve_rows(turn, rows[begin:end], may_pass)

    @staticmethod
    def _solve_states(team: Team, turn: int, blocks: Longs, begin: int, end: int) -> None:
        team.solve_states(turn, blocks[begin:end])


def prices(payments: Floats, i: int) -> Prices:
    """What part i is paid for writing and for passing, (turns, rolls) each: who writes pays all the others."""
    return payments[:, i] - payments.sum(axis=1), np.ascontiguousarray(payments[:, i])


@lru_cache(maxsize=8)
def split(rules: Rules, by_column: bool = False) -> Parts:
    """The parts of these rules: each column's boxes under the upper bonus, and all others as loose boxes, where boxes
    neither wait for nor require others and there are not too many; else each column (always with `by_column`).
    Raises `RulesError` for rules with five bonus, joker or outright win, and for too many columns."""
    columns, names = rules.columns, [category.id for category in rules.categories]
    if rules.five and (rules.five.bonus or rules.five.joker != "none"):
        raise RulesError("expected no five bonus and no joker beside several columns, found some")
    if rules.outright_win:
        raise RulesError("expected no outright win beside several columns, found one")
    if len(columns) >= MAX_PARTS:
        raise RulesError(f"expected fewer than {MAX_PARTS} columns, found {len(columns)}")
    one = rules._replace(columns=(Column(),), five=None)
    game = compile_rules(one)
    under = [b for b, name in enumerate(names) if rules.upper_bonus and name in rules.upper_bonus.categories]
    loose = [(k, b) for b in range(len(names)) if b not in under for k in range(len(columns))]
    simple = len(columns) > 1 and all(column.order == "free" for column in columns)
    simple = simple and not any(category.requires for category in rules.categories) and len(loose) <= MOST_LOOSE
    if not simple or by_column:
        boxes = range(len(names))
        sheets = [compile_rules(one._replace(columns=(Column(column.order),))) for column in columns]
        return Parts(rules, game, tuple(Part(sheet, (k,) * len(names), tuple(boxes)) for k, sheet in enumerate(sheets)))
    parts = []
    if under:
        sheet = compile_rules(one._replace(categories=tuple(rules.categories[b] for b in under)))
        parts = [Part(sheet, (k,) * len(under), tuple(under)) for k in range(len(columns))]
    if loose:
        parts.append(Part(None, tuple(k for k, _ in loose), tuple(b for _, b in loose)))
    return Parts(rules, game, tuple(parts))
