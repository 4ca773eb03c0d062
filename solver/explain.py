"""Why an option is good: how likely the turn is to end in each way, and what the sheet is then worth."""

from typing import NamedTuple

import numpy as np

from .hint import Hint, Option, hold_number
from .position import points_so_far, read_sheet
from .table import Table


class Outcome(NamedTuple):
    """One way the turn may end when play goes on optimally: `points` in `category` and `bonus` besides, with this
    `chance`; `expected_total` is the mean final total after it."""

    category: str
    points: int
    bonus: int
    chance: float
    expected_total: float


def explain(table: Table, hint: Hint, option: Option) -> tuple[Outcome, ...]:
    """How the turn may end after an option of `hint`, the likeliest outcome first.

    The chances sum to 1, and the mean of the expected totals is that of the option. Where options later in the turn
    are equally good, one is taken by the rule in docs/solver.md, "Ties".
    """
    if option.action != "hold":
        category, points = option.category or "", option.points or 0
        return (Outcome(category, points, option.bonus, 1.0, option.expected_total),)
    game = table.game
    sheet = read_sheet(table.variant, game, hint.position.sheet)
    lower, upper, total = game.layout.place(sheet.points)
    values = table.read(game.kernel.next_lowers(lower, upper))
    outcomes = np.empty(len(game.points_of))
    game.kernel.turn(values, lower, upper, total, 0, np.empty(len(game.lattice.count)), outcomes)
    lane = game.layout.lane(upper, total)
    hold = hold_number(game, option.dice or ())
    chances = game.kernel.outcome_chances(values, lower, upper, lane, hold, hint.rolls_left - 1)
    so_far = points_so_far(game, sheet)
    found = []
    for bonus, weights in zip((0, game.rules.five.bonus if game.rules.five else 0), chances, strict=True):
        for number in np.flatnonzero(weights).tolist():
            box = sum(number >= first for first in game.first_outcome) - 1
            category = game.rules.categories[box].id
            worth = so_far + float(outcomes[number]) + bonus
            found.append(Outcome(category, int(game.points_of[number]), bonus, float(weights[number]), worth))
    return tuple(sorted(found, key=lambda outcome: -outcome.chance))
