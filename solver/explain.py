"""Why an option is good: how likely the turn is to end in each way, and what the sheet is then worth."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .hint import Hint, Option, hold_number
from .position import points_so_far, read_sheet
from .table import Table

if TYPE_CHECKING:
    from .utility_table import Goal


class Outcome(NamedTuple):
    """One way the turn may end when play goes on optimally: `points` in `category` and `bonus` besides, with this
    `chance`; `expected_total` is the mean final total after it."""

    category: str
    points: int
    bonus: int
    chance: float
    expected_total: float
    utility: float | None = None


def explain(table: Table, hint: Hint, option: Option, goal: "Goal | None" = None) -> tuple[Outcome, ...]:
    """How the turn may end after an option of `hint` (which was asked for that goal), the likeliest outcome first.

    The chances sum to 1, and the mean of what the outcomes are worth is that of the option. Where options later in the
    turn are equally good, one is taken by the rule in docs/solver.md, "Ties".
    """
    if option.action != "hold":
        category, points = option.category or "", option.points or 0
        return (Outcome(category, points, option.bonus, 1.0, option.expected_total, option.utility),)
    game = table.game
    sheet = read_sheet(table.variant, game, hint.position.sheet)
    lower, upper, total = game.layout.place(sheet.points)
    values = table.read(game.kernel.next_lowers(lower, upper))
    outcomes = np.empty(len(game.points_of))
    game.kernel.turn(values, lower, upper, total, 0, np.empty(len(game.lattice.count)), outcomes)
    lane, hold = game.layout.lane(upper, total), hold_number(game, option.dice or ())
    so_far, left, n = points_so_far(game, sheet), hint.rolls_left - 1, len(outcomes)
    worth = None
    if goal:
        need = goal.need(so_far)
        _, worth = goal.table.turn(sheet, need, 0)
        chances = goal.table.aim.outcome_chances(goal.table.spans.parts, lower, upper, lane, need, hold, left)
    else:
        chances = np.concatenate(game.kernel.outcome_chances(values, lower, upper, lane, hold, left))
    found = []
    for number in np.flatnonzero(chances).tolist():
        outcome = number % n
        bonus = game.rules.five.bonus if game.rules.five and number >= n else 0
        category = game.rules.categories[sum(outcome >= first for first in game.first_outcome) - 1].id
        total_after = so_far + float(outcomes[outcome]) + bonus
        utility = None if worth is None else float(worth[number])
        points = int(game.points_of[outcome])
        found.append(Outcome(category, points, bonus, float(chances[number]), total_after, utility))
    return tuple(sorted(found, key=lambda outcome: -outcome.chance))
