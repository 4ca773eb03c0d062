"""Sheets of several columns: a proven upper bound on what any play can make, and strong play (docs/bound.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..cext.relaxed import Team
from ..data.rules import Rules, Variant
from ..errors import PositionError, RulesError, ServidaError, quoted
from .extra import ROUNDS, learn_extra, open_columns, play
from .parts import Floats, Parts, split
from .payments import first_payments, sweep
from .position import Scoresheet
from .solve import Crew, Progress

FIRST_ROUNDS = 4
SWEEPS = (0.2, 0.2, 0.1, 0.1, 0.1, 0.1)  # the size of the first step of each


@dataclass(frozen=True)
class Division:
    """The sheets divided in parts, and the payments (turns, parts, rolls) between them, in points of the total.

    `values`: per part, what it is worth before each turn; see `Parts`.
    """

    parts: Parts
    payments: Floats
    values: list[Floats]

    def bound(self, turn: int, sheets: tuple[Scoresheet, ...]) -> float:
        """No play from these sheets on makes more points, on average."""
        return self.parts.worth(self.values, turn, self.parts.states(sheets))


class Relaxation:
    """A bound and a policy for one variant.

    `payments`: (turns, parts, rolls) for each way of dividing the sheets, in the order of `divisions`; `extra`:
    (turns + 1, categories, 2**columns), what the policy adds to the values of the first of them. Both are all there is
    to store: the values are solved from the payments where `values`, one list of arrays per division, is not given.
    """

    def __init__(
        self,
        variant: Variant,
        payments: list[Floats],
        extra: Floats,
        values: list[list[Floats]] | None = None,
        *,
        threads: int | None = None,
    ):
        self.variant, self.extra, self.threads = variant, extra, threads
        ways = divisions(variant)
        if values is None:
            with Crew(threads, 0, None) as crew:
                values = [parts.solve(paid, crew) for parts, paid in zip(ways, payments, strict=True)]
        self.divisions = tuple(Division(*one) for one in zip(ways, payments, values, strict=True))

    @property
    def rules(self) -> Rules:
        return self.variant.rules

    @cached_property
    def empty(self) -> tuple[Scoresheet, ...]:
        """The sheets before the first turn."""
        return (Scoresheet((None,) * len(self.rules.categories)),) * len(self.rules.columns)

    def turn(self, sheets: tuple[Scoresheet, ...]) -> int:
        """The number of the next turn, from 0; `PositionError` for sheets that do not fit the rules."""
        if len(sheets) != len(self.rules.columns):
            raise PositionError(f"sheets: expected {len(self.rules.columns)} columns, found {len(sheets)}")
        game = self.divisions[0].parts.game
        for sheet in sheets:
            if len(sheet.points) != len(self.rules.categories):
                raise PositionError(f"sheet: expected {len(self.rules.categories)} boxes, found {len(sheet.points)}")
            for values, points in zip(game.possible_points, sheet.points, strict=True):
                if points is not None and points not in values:
                    raise PositionError(f"sheet: expected a box to hold one of {values}, found {quoted(points)}")
        return sum(points is not None for sheet in sheets for points in sheet.points)

    def bound(self, sheets: tuple[Scoresheet, ...] | None = None) -> float:
        """A proven upper bound on the expected points still to come from sheets, one per column (None: empty), before
        a turn. Points that are on the sheets, earned upper bonuses included, are not counted."""
        sheets = sheets or self.empty
        turn = self.turn(sheets)
        return min(division.bound(turn, sheets) for division in self.divisions)

    def worth(self, sheets: tuple[Scoresheet, ...]) -> float:
        """What the policy expects to come from sheets before a turn, in points: an estimate, no bound."""
        turn, division = self.turn(sheets), self.divisions[0]
        bits = [[sum(1 << b for b, value in enumerate(sheet.points) if value is not None) for sheet in sheets]]
        open_ = open_columns(division.parts, np.array(bits, np.uint32))[0]
        extra = float(self.extra[turn, np.arange(len(open_)), open_].sum())
        return division.bound(turn, sheets) + extra

    def hint_values(self, sheets: tuple[Scoresheet, ...], rolls_left: int) -> tuple[Floats, Floats]:
        """What the policy expects of one turn: `holds`, per hold of the lattice, with `rolls_left` rerolls to come (0:
        only rolls are set, what each is best written as); `outcomes`, (columns, outcomes), of writing. All in points
        still to come, an estimate; what may not be written is below -1e29."""
        division = self.divisions[0]
        if not 0 <= rolls_left < self.rules.rolls:
            raise PositionError(f"rolls_left: expected 0 to {self.rules.rolls - 1}, found {quoted(rolls_left)}")
        return self._turn(self._team, division.parts, sheets, rolls_left)

    def hint_bounds(self, sheets: tuple[Scoresheet, ...], rolls_left: int) -> tuple[Floats, Floats]:
        """Proven upper bounds on the expected points still to come once the dice lie there, laid out as `hint_values`
        does: no play makes more after that hold, or that write. What comes after the turn is bounded as by `bound`."""
        found = [
            self._turn(division.parts.team(division.values), division.parts, sheets, rolls_left)
            for division in self.divisions
        ]
        holds, outcomes = zip(*found, strict=True)
        return np.minimum.reduce(holds), np.minimum.reduce(outcomes)

    def _turn(self, team: Team, parts: Parts, sheets: tuple[Scoresheet, ...], rolls_left: int) -> tuple[Floats, Floats]:
        holds, outcomes = np.zeros(len(parts.game.lattice.count)), np.zeros((len(sheets), len(parts.game.points_of)))
        staying = team.turn(self.turn(sheets), parts.states(sheets), rolls_left, holds, outcomes)
        return holds + staying, outcomes + staying

    @cached_property
    def _team(self) -> Team:
        return self.divisions[0].parts.team(self.divisions[0].values, self.extra)

    def simulate(
        self, games: int, *, seed: int, threads: int | None = None, sheets: tuple[Scoresheet, ...] | None = None
    ) -> "Played":
        """Plays games by the policy from sheets on (None: empty). The same games for any number of threads."""
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise ServidaError(f"games: expected a whole number from 1 on, found {quoted(games)}")
        sheets = sheets or self.empty
        division, turn = self.divisions[0], self.turn(sheets)
        with Crew(threads or self.threads, 0, None) as crew:
            states = division.parts.states(sheets)
            points, record = play(
                division.parts, division.values, self.extra, games, seed, crew, turn=turn, states=states, record=True
            )
        assert record is not None
        return Played(points, record.worth[:, turn] + record.slack[:, turn:].sum(axis=1))


@dataclass(frozen=True)
class Played:
    """Games played by a policy: `totals`, the points made in each, and `expected`, the same less the luck of the dice
    (Record.expected): both have the same mean when endlessly many are played."""

    totals: Floats
    expected: Floats

    @property
    def mean(self) -> float:
        """The mean of the totals, in points."""
        return float(self.totals.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of `mean`; NaN for a single game."""
        return _standard_error(self.totals)

    @property
    def expected_mean(self) -> float:
        """The mean of `expected`: the better estimate of what the policy makes."""
        return float(self.expected.mean())

    @property
    def expected_error(self) -> float:
        """The standard error of `expected_mean`."""
        return _standard_error(self.expected)


def _standard_error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def divisions(variant: Variant) -> list[Parts]:
    """The ways to divide the sheets of a variant: by column, which play goes by, and where the rules allow it in uppers
    and loose boxes. Raises `RulesError`, naming the variant, for rules this cannot take."""
    try:
        ways = [split(variant.rules, True), split(variant.rules)]
    except RulesError as error:
        raise RulesError(f"{variant.id}: {error}") from None
    return ways[:1] if ways[0].parts == ways[1].parts else ways


def relax(
    variant: Variant,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    sweeps: tuple[float, ...] = SWEEPS,
    rounds: int = ROUNDS,
) -> Relaxation:
    """Finds payments, and what the policy adds: the same for any number of threads.

    `sweeps`: the size of the first step of each, in points; `rounds` of learning; `progress` is called with the steps
    done and the steps in all. Raises `RulesError` for rules it cannot take."""
    ways = divisions(variant)
    alone = len(ways[0].parts) == 1  # then nobody is to pay, and the values are exact
    first_rounds, rounds = (0, 0) if alone else (FIRST_ROUNDS, rounds)
    sweeps_of = [sweeps if len(parts.parts) > 1 else () for parts in ways]
    done, steps = 0, first_rounds + rounds + sum(1 + len(sizes) for sizes in sweeps_of)

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    with Crew(threads, 0, None) as crew:
        start = first_payments(ways[0], first_rounds, crew, step)
        shared = start.sum(axis=1)
        found = [_lowest(parts, shared, sizes, crew, step) for parts, sizes in zip(ways, sweeps_of, strict=True)]
        extra = learn_extra(ways[0], found[0][1], rounds, crew, step)
    return Relaxation(variant, [paid for paid, _ in found], extra, [values for _, values in found], threads=threads)


def _lowest(
    parts: Parts, start: Floats, sweeps: tuple[float, ...], crew: Crew, done: Callable[[], None]
) -> tuple[Floats, list[Floats]]:
    """The payments with the lowest bound that came up, and their values; `start` (turns, rolls) is shared out first."""
    payments = np.repeat(start[:, None], len(parts.parts), axis=1) / len(parts.parts)
    values = parts.solve(payments, crew)
    done()
    best, lowest = payments.copy(), _empty_worth(parts, values)
    for seed, size in enumerate(sweeps, 1):
        sweep(parts, payments, values, size, seed, crew)
        worth = _empty_worth(parts, values)
        if worth <= lowest:
            best, lowest = payments.copy(), worth
        done()
    return (payments, values) if np.array_equal(best, payments) else (best, parts.solve(best, crew))


def _empty_worth(parts: Parts, values: list[Floats]) -> float:
    return parts.worth(values, 0, np.zeros((len(parts.parts), 3), np.int64))
