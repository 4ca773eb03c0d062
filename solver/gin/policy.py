"""Policies that play gin rummy, and matches between them."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...cext import gin as kernel
from ...errors import HandError, nearest, quoted
from ..solve import thread_count
from .match import GOAL

# What the numbers mean is told at sv_player in cext/ginplay.h.
_NAMES = ("keen", "next", "gin", "danger", "take", "early", "limit", "chase", "outs")
POLICIES: dict[str, dict[str, float]] = {
    "simple": dict.fromkeys(_NAMES, 0),
    "keen": dict(zip(_NAMES, (1, 3, 15, 12, 0.5, 5, 4, 20, 2), strict=True)),
}
MOST_MATCHES = 10**7
MOST_SEED = 2**64 - 1
CHUNK = 100  # matches a thread plays at a time; even, so that pairs of mirrored deals stay together


def policy(name: str) -> dict[str, float]:
    """A policy by its name. Raises `HandError`."""
    if name not in POLICIES:
        raise HandError(f"policy: expected {' or '.join(POLICIES)}, found {quoted(name)}{nearest(name, POLICIES)}")
    return POLICIES[name]


@dataclass(frozen=True)
class Matches:
    """What became of matches between two policies in mirrored deals: matches 2k and 2k + 1 have the same deals, with
    the cards and the first deal changed over.

    `winner`: 0 or 1, for each match; `points`: of both, int16 (n, 2). `hands`, `void`, `knocks`, `undercuts`: how many
    in all; a gin counts as a knock.
    """

    winner: npt.NDArray[np.uint8]
    points: npt.NDArray[np.int16]
    hands: int
    void: int
    knocks: int
    undercuts: int

    @property
    def share(self) -> float:
        """The share of matches that the first policy won."""
        return 1 - float(self.winner.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of the share, from the pairs of mirrored matches; with a single pair, at most 1/2."""
        pairs = 1 - self.winner.reshape(-1, 2).mean(axis=1)
        return 0.5 if len(pairs) < 2 else float(pairs.std(ddof=1)) / math.sqrt(len(pairs))


def play_matches(
    first: str, second: str, matches: int = 1000, seed: int = 0, goal: int = GOAL, threads: int | None = None
) -> Matches:
    """Plays matches of policy `first` against policy `second`: the same for the same seed on any number of threads.

    `matches`: an even number, as deals are mirrored; `goal`: points a match goes to (1: one hand, the first that
    scores). Raises `HandError`.
    """
    if matches < 2 or matches % 2 or matches > MOST_MATCHES:
        raise HandError(
            f"matches: expected an even number from 2 to {MOST_MATCHES}, as deals are mirrored, found {matches}"
        )
    if not 1 <= goal <= 9999:
        raise HandError(f"goal: expected 1 to 9999 points, found {goal}")
    if not 0 <= seed <= MOST_SEED:
        raise HandError(f"seed: expected 0 to {MOST_SEED}, found {seed}")
    ours, theirs = policy(first), policy(second)
    winner, points = np.empty(matches, np.uint8), np.empty((matches, 2), np.int16)

    def play(begin: int) -> tuple[int, int, int, int]:
        part = slice(begin, begin + CHUNK)
        return kernel.play_matches(ours, theirs, seed, begin, goal, winner[part], points[part])

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        counts = list(pool.map(play, range(0, matches, CHUNK)))
    hands, void, knocks, undercuts = (sum(column) for column in zip(*counts, strict=True))
    return Matches(winner, points, hands, void, knocks, undercuts)
