"""The exact chance of every final total under optimal play, and what becomes of each box."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..cext.kernel import OUTCOME_WIN
from .position import Scoresheet, points_so_far
from .spans import span_rows
from .table import Table
from .totals import Totals, greatest_final
from .utility_table import Goal


@dataclass(frozen=True)
class BoxOutlook:
    """What optimal play makes of one box that is still open.

    `mean_points`: on average over all games, the bonus for a further five not included. `written`: the chance that it
    is written at all (an outright win may come before). `zero`, `full`: the chances that it is scratched, and that
    it gets the most points it can. `mean_turn`: the turn of the game, counted from 1, in which it is written, on
    average over the games in which it is.
    """

    category: str
    mean_points: float
    written: float
    zero: float
    full: float
    mean_turn: float


@dataclass(frozen=True)
class Distribution(Totals):
    """The final total as optimal play makes it from one sheet.

    `chance[t]`: the chance of exactly t points in all. `win`: the chance of an outright win. `fives`: bonuses for
    further fives to come, on average. `upper_bonus`: the chance of having the upper bonus in the end.
    """

    boxes: tuple[BoxOutlook, ...]
    win: float
    fives: float
    upper_bonus: float


def distribution(table: Table, sheet: Scoresheet, goal: Goal | None = None) -> Distribution:
    """The chances of all final totals when play from `sheet` on is optimal for the expected score, or for a `goal` and,
    where nothing is left to decide for that, for the score.

    Exact in float64: no simulation, and no chance is left out. Options that are equally good may differ in how they
    spread the total; which is taken is told in docs/solver.md, "Ties". With a goal whose table is in float32, options
    that are better by less than its error may be taken for the best.
    """
    game, layout = table.game, table.game.layout
    lower, upper, total = layout.place(sheet.points)
    so_far = points_so_far(game, sheet)
    written = sum(points is not None for points in sheet.points)
    rows = [np.ascontiguousarray(rows) for rows in layout.rows_by_layer(game.order)[written:]]
    chance = np.zeros(greatest_final(game, so_far) + 1)
    tally = np.zeros((len(rows), 2 * len(game.points_of)))
    if goal is None:
        game.kernel.distribution(table.values, lower, upper, total, so_far, rows, chance, tally)
    else:
        lane, layers = layout.lane(upper, total), span_rows(game, sheet)
        points = so_far if lane == layout.live[upper] else so_far - total
        place = (lower, upper, lane, points)
        spans = goal.table.read_all().parts
        goal.table.aim.distribution(spans, table.values, goal.need(0), *place, layers, rows, chance, tally)
    return _describe(table, sheet, chance, tally, written)


def _describe(
    table: Table, sheet: Scoresheet, chance: npt.NDArray[np.float64], tally: npt.NDArray[np.float64], written: int
) -> Distribution:
    game, rules = table.game, table.game.rules
    outcomes = len(game.points_of)
    fives = float(tally[:, outcomes:].sum())
    tally = tally[:, :outcomes] + tally[:, outcomes:]
    turns = written + 1 + np.arange(len(tally))
    boxes = []
    for i, category in enumerate(rules.categories):
        if sheet.points[i] is not None:
            continue
        first, points = game.first_outcome[i], game.outcome_points[i]
        per_turn = tally[:, first : first + len(points)]
        often, total = per_turn.sum(axis=0), float(per_turn.sum())
        mean_turn = float(per_turn.sum(axis=1) @ turns) / total if total else float("nan")
        boxes.append(
            BoxOutlook(category.id, float(often @ points), total, float(often[0]), float(often[-1]), mean_turn)
        )
    found = Distribution(chance, tuple(boxes), float(tally[:, OUTCOME_WIN].sum()), fives, 0.0)
    if rules.upper_bonus is None or rules.upper_bonus.points == 0:
        return found
    # what is left of the mean when everything else is taken off
    five_points = fives * (rules.five.bonus if rules.five else 0)
    boxes_points = sum(points or 0 for points in sheet.points) + sum(box.mean_points for box in boxes)
    earned = sheet.bonuses * (rules.five.bonus if rules.five else 0)
    rest = found.mean - boxes_points - earned - five_points - found.win * (game.win_points or 0)
    bonus = min(1.0, max(0.0, rest / rules.upper_bonus.points))
    return Distribution(chance, tuple(boxes), found.win, fives, bonus)
