"""Answers to one position: every option with its expected total and what it loses against the best."""

from typing import Any, NamedTuple

import numpy as np

from ..cext.kernel import TIE
from ..errors import PositionError
from .game import Game
from .position import Position, Scoresheet, points_so_far, read_dice, read_held, read_rolls_left, read_sheet
from .table import Table


class Option(NamedTuple):
    """Something to do: `action` is "hold" (`dice`, then reroll the others), "write" (`points` into `category`, and
    `bonus` besides), or "win" (all dice alike on the first roll end the game).

    `expected_total`: points on the sheet and still to come, on average, with best play after it. `loss`: how much
    less that is than the best option's. `best`: it is within 1e-9 of the best.
    """

    action: str
    expected_total: float
    loss: float
    best: bool
    dice: tuple[int, ...] | None = None
    category: str | None = None
    points: int | None = None
    bonus: int = 0


class Hint(NamedTuple):
    """The options of a position, best first; equally good ones in the order of docs/solver.md, "Ties"."""

    position: Position
    dice: tuple[int, ...]
    rolls_left: int
    points_so_far: int
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def expected_total(self) -> float:
        return self.best.expected_total


class Score(NamedTuple):
    """What a roll makes in an open box: `points`, and the `bonus` that comes with them."""

    category: str
    points: int
    bonus: int


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


def hint(table: Table, position: Position) -> Hint:
    """All options of a position, exactly; raises `PositionError` when it cannot occur."""
    game = table.game
    sheet = read_sheet(table.variant, game, position.sheet)
    dice = read_dice(position.dice, game.rules.dice)
    rolls_left = read_rolls_left(game, position.rolls_left)
    held = read_held(game, position.held, dice, rolls_left)
    if sheet.is_full:
        raise PositionError("sheet: expected an open box to write, found every box written")
    so_far = points_so_far(game, sheet)
    found = [(option, so_far + value) for option, value in _options(table, sheet, dice, rolls_left, held)]
    best = max(total for _, total in found)
    options = tuple(
        Option(expected_total=total, loss=max(0.0, best - total), best=total >= best - TIE, **option)
        for option, total in found
    )
    ranked = sorted(options, key=lambda option: 0.0 if option.best else option.loss)
    return Hint(position, dice, rolls_left, so_far, tuple(ranked))


def _options(
    table: Table, sheet: Scoresheet, dice: tuple[int, ...], rolls_left: int, held: tuple[int, ...]
) -> list[tuple[dict[str, Any], float]]:
    """Every option with its value, equal ones in the order they are to be listed."""
    game = table.game
    lower, upper, total = game.layout.place(sheet.points)
    values = table.read(game.kernel.next_lowers(lower, upper))
    holds = np.empty(len(game.lattice.count))
    outcomes = np.empty(len(game.points_of))
    game.kernel.turn(values, lower, upper, total, rolls_left, holds, outcomes)
    served = rolls_left == game.rules.rolls - 1
    found: list[tuple[dict[str, Any], float]] = []
    if served and can_win_at_once(game, sheet, dice):
        found.append(({"action": "win", "points": game.win_points}, float(game.win_points or 0)))
    writes, bonus = game.kernel.writes(lower, upper, roll_number(game, dice), served)
    for box, outcome in sorted(writes, key=lambda write: bool(game.points_of[write[1]] == 0)):
        option = {
            "action": "write",
            "category": game.rules.categories[box].id,
            "points": int(game.points_of[outcome]),
            "bonus": int(bonus),
        }
        found.append((option, float(outcomes[outcome] + bonus)))
    if rolls_left:
        all_dice, aside = hold_number(game, dice), hold_number(game, held)
        numbers = sorted(game.kernel.holds_within(all_dice, aside), reverse=True)
        if numbers:
            first = game.kernel.best_hold(all_dice, aside, holds)
            numbers.sort(key=lambda number: number != first)
        for number in numbers:
            faces = tuple(f + 1 for f in range(6) for _ in range(game.lattice.count[number, f]))
            found.append(({"action": "hold", "dice": faces}, float(holds[number])))
    return found
