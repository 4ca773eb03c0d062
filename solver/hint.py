"""Answers to one position: every option with its expected total and what it loses against the best."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cext.kernel import OUTCOME_WIN, TIE
from ..errors import PositionError
from .game import Game, lattice
from .position import Position, Scoresheet, points_so_far, read_dice, read_held, read_rolls_left, read_sheet
from .table import Table

if TYPE_CHECKING:
    from .utility_table import Goal


class Option(NamedTuple):
    """Something to do: `action` is "hold" (`dice`, then reroll the others), "write" (`points` into `category`, and
    `bonus` besides; on a sheet of several columns into that of `column`, counted from 1, whose multiplier they do not
    contain), or "win" (all dice alike on the first roll end the game).

    `expected_total`: points on the sheet and still to come, on average, with best play for points after it. `utility`:
    with a goal, the chance of reaching the target, or the expected utility, with best play for that. `loss`: how much
    less the one or, with a goal, the other is than the best option's. `best`: it is within 1e-9 of the best, or within
    the precision of the goal's table.
    """

    action: str
    expected_total: float
    loss: float
    best: bool
    dice: tuple[int, ...] | None = None
    category: str | None = None
    points: int | None = None
    bonus: int = 0
    utility: float | None = None
    column: int | None = None

    @property
    def worth(self) -> float:
        """What options are compared by."""
        return self.expected_total if self.utility is None else self.utility


class Hint(NamedTuple):
    """The options of a position, best first; equally good ones in the order of docs/solver.md, "Ties".

    With a goal, those that are equally good for it stand in the order of their expected totals. `bound`: where the
    expected totals are estimates, what no play makes more than on average; None where they are exact.
    """

    position: Position
    dice: tuple[int, ...]
    rolls_left: int
    points_so_far: int
    options: tuple[Option, ...]
    bound: float | None = None

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def expected_total(self) -> float:
        return self.best.expected_total


class Score(NamedTuple):
    """What a roll makes in an open box: `points`, and the `bonus` that comes with them; on a sheet of several columns
    in that of `column`, counted from 1, before its multiplier."""

    category: str
    points: int
    bonus: int
    column: int | None = None


def roll_number(game: Game, dice: tuple[int, ...]) -> int:
    """The kernel's number of a roll."""
    return hold_number(game, dice) - int(game.lattice.first[game.rules.dice])


def hold_number(game: Game, dice: tuple[int, ...]) -> int:
    """The lattice's number of some dice."""
    hold = 0
    for face in dice:
        hold = int(game.lattice.above[hold, face - 1])
    return hold


def scores(game: Game, sheet: Scoresheet, dice: tuple[int, ...], *, served: bool) -> list[Score]:
    """What the dice make in every box that may be written."""
    lower, upper, _ = game.layout.place(sheet.points)
    writes, bonus = game.kernel.writes(lower, upper, roll_number(game, dice), served)
    return [Score(game.rules.categories[box].id, int(game.points_of[outcome]), int(bonus)) for box, outcome in writes]


def can_win_at_once(game: Game, sheet: Scoresheet, dice: tuple[int, ...]) -> bool:
    """Whether these dice, served, end the game."""
    lower, upper, _ = game.layout.place(sheet.points)
    return roll_number(game, dice) in game.alike and bool(game.kernel.can_win(lower, upper))


def hint(table: Table, position: Position, goal: "Goal | None" = None) -> Hint:
    """All options of a position, exactly, for the expected score or for a `goal`; raises `PositionError` when the
    position cannot occur."""
    game = table.game
    sheet = read_sheet(table.variant, game, position.sheet)
    dice = read_dice(position.dice, game.rules.dice)
    rolls_left = read_rolls_left(game, position.rolls_left)
    held = read_held(game, position.held, dice, rolls_left)
    if sheet.is_full:
        raise PositionError("sheet: expected an open box to write, found every box written")
    so_far = points_so_far(game, sheet)
    found = _options(table, sheet, so_far, dice, rolls_left, held)
    if goal:
        utilities = np.concatenate(goal.table.turn(sheet, goal.need(so_far), rolls_left))
        found = [
            option._replace(utility=float(utilities[place]))
            for option, place in zip(found, places(game, sheet, dice, rolls_left, found), strict=True)
        ]
    return Hint(position, dice, rolls_left, so_far, ranked(found, goal.margin if goal else TIE))


def ranked(found: list[Option], margin: float) -> tuple[Option, ...]:
    """The options best first, with what they lose against the best; those within `margin` of it are equally good."""
    worth = [option.worth for option in found]
    best = max(worth)
    options = [  # `_replace` takes several times as long
        Option(
            o.action,
            o.expected_total,
            max(0.0, best - value),
            value >= best - margin,
            o.dice,
            o.category,
            o.points,
            o.bonus,
            o.utility,
            o.column,
        )
        for o, value in zip(found, worth, strict=True)
    ]
    if found[0].utility is None:
        return tuple(sorted(options, key=lambda option: 0.0 if option.best else option.loss))
    return tuple(sorted(options, key=lambda option: (0.0 if option.best else option.loss, -option.expected_total)))


def _options(
    table: Table, sheet: Scoresheet, so_far: int, dice: tuple[int, ...], rolls_left: int, held: tuple[int, ...]
) -> list[Option]:
    """Every option with its expected total, equal ones in the order they are to be listed."""
    game = table.game
    lower, upper, total = game.layout.place(sheet.points)
    values = table.read(game.kernel.next_lowers(lower, upper))
    holds = np.empty(len(game.lattice.count))
    outcomes = np.empty(len(game.points_of))
    game.kernel.turn(values, lower, upper, total, rolls_left, holds, outcomes)
    served = rolls_left == game.rules.rolls - 1
    found: list[Option] = []
    if served and can_win_at_once(game, sheet, dice):
        found.append(Option("win", float(so_far + (game.win_points or 0)), 0.0, False, points=game.win_points))
    writes, bonus = game.kernel.writes(lower, upper, roll_number(game, dice), served)
    for box, outcome in sorted(writes, key=lambda write: bool(game.points_of[write[1]] == 0)):
        worth, points = so_far + float(outcomes[outcome] + bonus), int(game.points_of[outcome])
        category = game.rules.categories[box].id
        found.append(Option("write", worth, 0.0, False, category=category, points=points, bonus=int(bonus)))
    return found + (hold_options(game, so_far, dice, held, holds) if rolls_left else [])


def hold_options(
    game: Game, so_far: int, dice: tuple[int, ...], held: tuple[int, ...], holds: npt.NDArray[np.float64]
) -> list[Option]:
    """Every hold with its expected total, from the value of each hold of the lattice."""
    all_dice, aside = hold_number(game, dice), hold_number(game, held)
    numbers = sorted(game.kernel.holds_within(all_dice, aside), reverse=True)
    if numbers:
        first = game.kernel.best_hold(all_dice, aside, holds)
        numbers.sort(key=lambda number: number != first)
    faces, values = faces_of(game.rules.dice), holds[numbers].tolist()
    return [
        Option("hold", so_far + value, 0.0, False, faces[number]) for number, value in zip(numbers, values, strict=True)
    ]


@lru_cache
def faces_of(dice: int) -> list[tuple[int, ...]]:
    """The faces of every hold of the lattice of so many dice, ascending."""
    return [
        tuple(face for face, count in enumerate(counts, 1) for _ in range(count))
        for counts in lattice(dice).count.tolist()
    ]


def places(game: Game, sheet: Scoresheet, dice: tuple[int, ...], rolls_left: int, options: list[Option]) -> list[int]:
    """Where the numbers of each option stand in an array of one per hold, followed by one per outcome (those with the
    bonus for a further five after the others)."""
    lower, upper, _ = game.layout.place(sheet.points)
    writes, bonus = game.kernel.writes(lower, upper, roll_number(game, dice), rolls_left == game.rules.rolls - 1)
    outcomes = len(game.lattice.count)
    place = {"": outcomes + OUTCOME_WIN}
    for box, outcome in writes:
        place[game.rules.categories[box].id] = outcomes + outcome + (len(game.points_of) if bonus else 0)
    return [
        hold_number(game, option.dice or ()) if option.action == "hold" else place[option.category or ""]
        for option in options
    ]
