"""The final total as something uncertain: its mean, its spread, its percentiles."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .game import Game


@dataclass(frozen=True)
class Totals:
    """How likely every final total is. `chance[t]`: the chance of exactly t points in all."""

    chance: npt.NDArray[np.float64]

    @cached_property
    def mean(self) -> float:
        return float(self.chance @ np.arange(len(self.chance)))

    @cached_property
    def sd(self) -> float:
        """The standard deviation, in points."""
        return float(np.sqrt(self.chance @ (np.arange(len(self.chance)) - self.mean) ** 2))

    def percentile(self, percent: float) -> int:
        """The least total t such that at most t is reached in `percent` of 100 games or more."""
        return int(np.searchsorted(np.cumsum(self.chance), percent / 100 - 1e-15))

    def at_least(self, total: int) -> float:
        """The chance of that total or more."""
        return float(self.chance[max(0, total) :].sum())

    @property
    def span(self) -> tuple[int, int]:
        """The least and the greatest total that can come about."""
        possible = np.flatnonzero(self.chance)
        return int(possible[0]), int(possible[-1])


def greatest_final(game: Game, so_far: int) -> int:
    """Points that no final total exceeds, when the sheet holds `so_far` already."""
    return so_far + game.greatest_total + (game.win_points or 0)
