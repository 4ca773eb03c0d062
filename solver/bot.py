"""Players that err on purpose: how well they play is one number (docs/bots.md)."""

from collections.abc import Mapping, Sequence
from math import isfinite, pi, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from ..data.catalog import load
from ..errors import PositionError, ServidaError, nearest, quoted
from .api import open_duels, open_table
from .bot_games import pick
from .contest import Contest, read_player
from .distribution import distribution
from .duel import Duels
from .game import game_of
from .hint import Option, Score, hint, scores
from .position import Position, Scoresheet, read_dice, read_rolls_left, read_sheet
from .table import Table

# How far a level strays, in points; measured in docs/bots.md.
LEVELS = {"easy": 2.56, "normal": 0.7, "hard": 0.385, "perfect": 0.0}
OBJECTIVES = ("score", "win")
TIES = {"leaders-win": "win"}  # what a tie counts by a variant's rule; half of a win by the others
MOST = 1e6


def read_level(level: str | float) -> float:
    """The temperature of a level, which goes by its name or is the number itself; `ServidaError` for no such level."""
    if isinstance(level, str) and level in LEVELS:
        return LEVELS[level]
    try:
        temperature = float(level) if not isinstance(level, bool) else -1.0
    except (TypeError, ValueError):
        temperature = -1.0
    if not (isfinite(temperature) and 0 <= temperature <= MOST):
        known = f"{', '.join(LEVELS)} or a temperature from 0 to {MOST:.0f}"
        raise ServidaError(f"level: expected {known}, found {quoted(level)}{nearest(str(level), LEVELS)}")
    return temperature


class Bot:
    """A player of any variant with one column. An option that loses x points against the best is taken
    exp(-x / temperature) times as often as the best: at temperature 0 the play is perfect."""

    def __init__(
        self,
        level: str | float = "perfect",
        *,
        seed: int | None = None,
        objective: str = "score",
        folder: str | Path | None = None,
    ):
        if objective not in OBJECTIVES:
            known = " or ".join(OBJECTIVES)
            raise ServidaError(
                f"objective: expected {known}, found {quoted(objective)}{nearest(str(objective), OBJECTIVES)}"
            )
        self.temperature = read_level(level)
        self.objective, self.folder = objective, folder
        self._random = Random(seed)
        self._duels: dict[str, tuple[Duels, float]] = {}

    def choose(
        self,
        position: Position,
        them: Sequence[Mapping[str, int]] = (),
        *,
        table: Table | None = None,
        fraction: float | None = None,
    ) -> Option:
        """The option the bot takes. `them`: the sheets of the others, needed with the objective "win".

        `table`: the variant's, if it is at hand. `fraction`: a number from 0 to 1 that takes the place of the bot's own
        random one. Raises `PositionError` when the position cannot occur.
        """
        table = table or self._table(position.variant)
        fraction = self._random.random() if fraction is None else fraction
        if self.objective == "win":
            return self._choose_to_win(table, position, them, fraction)
        options = hint(table, position).options
        return options[self._pick([option.worth for option in options], self.temperature, fraction)]

    def _table(self, name: str) -> Table:
        variant = load(name)
        game_of(variant)  # refuses sheets of several columns
        return open_table(variant, folder=self.folder)

    def _choose_to_win(
        self, table: Table, position: Position, them: Sequence[Mapping[str, int]], fraction: float
    ) -> Option:
        if not them:
            raise PositionError("them: expected the sheets of the others to win against, found none")
        if table.variant.id not in self._duels:
            self._duels[table.variant.id] = (open_duels(table, folder=self.folder), chance_of_a_point(table))
        duels, per_point = self._duels[table.variant.id]
        others = tuple(read_player(table, entries) for entries in them)
        tie = TIES.get(table.game.rules.ties, "half")
        options = duels.hint(Contest(read_player(table, position.sheet), others, True, tie), position).options
        values = [option.chances.value for option in options]
        return options[self._pick(values, self.temperature * per_point, fraction)].option

    @staticmethod
    def _pick(worths: list[float], temperature: float, fraction: float) -> int:
        """The number of the option taken, of some with the best one first."""
        return int(pick(np.array([worths]), temperature, np.array([fraction]))[0]) if temperature else 0


def chance_of_a_point(table: Table) -> float:
    """By how much a point more raises the chance to win between equals: the density, at 0, of the difference of two
    totals, taken for normal."""
    empty = Scoresheet((None,) * len(table.game.rules.categories))
    return 1 / (2 * sqrt(pi) * max(distribution(table, empty).sd, 1.0))


def bot(
    level: str | float = "perfect",
    *,
    seed: int | None = None,
    objective: str = "score",
    folder: str | Path | None = None,
) -> Bot:
    """A bot of a level: "easy", "normal", "hard", "perfect", or a temperature in points (docs/bots.md).

    `seed` makes its choices the same every time. `objective`: "score" for points, "win" to win against others. Tables
    are kept in `folder` (see `open_table`). Raises `ServidaError` for a level or an objective that is none.
    """
    return Bot(level, seed=seed, objective=objective, folder=folder)


class TimeOut(NamedTuple):
    """What is written when the clock runs out: the dice as they lie then, and the box with its points."""

    dice: tuple[int, ...]
    score: Score


def time_out(position: Position, *, seed: int | None = None) -> TimeOut:
    """The move made for a player whose time is over: all dice are rolled once, with `seed`, if nothing was rolled yet
    (no dice in the position), and the open box that scores most is written, of several the first on the sheet."""
    variant = load(position.variant)
    game = game_of(variant)
    sheet = read_sheet(variant, game, position.sheet)
    if sheet.is_full:
        raise PositionError("sheet: expected an open box to write, found every box written")
    drawn = Random(seed)
    thrown = position.dice or [drawn.randint(1, 6) for _ in range(game.rules.dice)]
    dice = read_dice(thrown, game.rules.dice)
    served = read_rolls_left(game, position.rolls_left) == game.rules.rolls - 1
    found = sorted(scores(game, sheet, dice, served=served), key=lambda score: game.rules.box[score.category])
    return TimeOut(dice, max(found, key=lambda score: score.points))
