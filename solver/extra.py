"""What the parts of a sheet miss of each other, learned from play (docs/bound.md, "The policy")."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .parts import Floats, Parts, States
from .solve import Crew

CHUNK = 512  # games in the least share of a thread
RIDGE = 30.0  # games that speak for no extra worth
LEARNED = 20_000  # games of one round
ROUNDS, BOLD = 10, 4  # rounds of learning, and how many of them go all the way: later ones go half, or they swing


class Record(NamedTuple):
    """What came up in `games` games, per game and turn: `written` boxes before it (games, turns, columns), as bits;
    what the values say before it (`worth`) and as the mean over its dice (`ahead`); points `gained` in it."""

    written: npt.NDArray[np.uint32]
    worth: Floats
    ahead: Floats
    gained: Floats

    @property
    def slack(self) -> Floats:
        """By how much the values before each turn are short of what they say a turn later (games, turns)."""
        return self.ahead - self.worth

    @property
    def expected(self) -> Floats:
        """Per game, the total less the luck of its dice: the same mean, and much closer to it."""
        expected: Floats = self.worth[:, 0] + self.slack.sum(axis=1)
        return expected


def play(
    parts: Parts,
    values: list[Floats],
    extra: Floats | None,
    games: int,
    seed: int,
    crew: Crew,
    *,
    turn: int = 0,
    states: States | None = None,
    record: bool = False,
) -> tuple[Floats, Record | None]:
    """The points made in each of the games from a position on (None: empty sheets), and what came up on the way."""
    team, turns, columns = parts.team(values, extra), parts.turns, len(parts.rules.columns)
    start = np.zeros((len(parts.parts), 3), np.int64) if states is None else states
    points = np.zeros(games)
    seen = None
    if record:
        tables = [np.zeros((games, turns)) for _ in range(3)]
        seen = Record(np.zeros((games, turns, columns), np.uint32), *tables)

    def act(begin: int, end: int) -> None:
        own = np.repeat(start[None], end - begin, axis=0)
        kept = (
            (seen.written[begin:end], seen.worth[begin:end], seen.ahead[begin:end], seen.gained[begin:end])
            if seen
            else None
        )
        team.play(seed, begin, turn, turns, own, points[begin:end], None, None, kept)

    crew.share(games, act, weight=0, smallest=CHUNK)
    return points, seen


def open_columns(parts: Parts, written: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """The columns where each category is open, as bits: (..., columns) to (..., categories)."""
    found = np.zeros((*written.shape[:-1], len(parts.rules.categories)), np.int64)
    for k in range(len(parts.rules.columns)):
        for b in range(found.shape[-1]):
            found[..., b] |= ((written[..., k] >> b & 1) ^ 1).astype(np.int64) << k
    return found


def learn_extra(parts: Parts, values: list[Floats], rounds: int, crew: Crew, done: Callable[[], None]) -> Floats:
    """The extra worth, of all that came up in so many rounds, that the policy made most with, less the luck of the
    dice."""
    extra = np.zeros((parts.turns + 1, len(parts.rules.categories), 1 << len(parts.rules.columns)))
    best, most = extra, -np.inf
    for number in range(rounds):
        _, record = play(parts, values, extra, LEARNED, 1000 + number, crew, record=True)
        assert record is not None
        if record.expected.mean() > most:
            best, most = extra, float(record.expected.mean())
        learned = learn(parts, record, extra)
        extra = learned if number < BOLD else (extra + learned) / 2
        done()
    return best


def learn(parts: Parts, record: Record, extra: Floats) -> Floats:
    """The extra worth (turns + 1, categories, 2**columns) after one round more: per turn, the least squares fit, by the
    columns where each category is open, of what the values turned out to be short of from there on."""
    short = record.slack[:, ::-1].cumsum(axis=1)[:, ::-1]
    choices = 1 << len(parts.rules.columns)
    learned = extra.copy()
    for turn in range(parts.turns):
        places = open_columns(parts, record.written[:, turn]) + choices * np.arange(extra.shape[1])
        marks = np.zeros((len(short), extra.shape[1] * choices), np.float32)
        np.put_along_axis(marks, places, 1, axis=1)
        middle, mean = marks.mean(axis=0, dtype=np.float64), short[:, turn].mean()
        marks -= middle.astype(np.float32)
        square = (marks.T @ marks).astype(float) + RIDGE * np.eye(marks.shape[1])
        weights = np.linalg.solve(square, marks.T @ (short[:, turn] - mean))
        learned[turn] += weights.reshape(extra.shape[1:])
        learned[turn, 0] += mean - middle @ weights
    return learned
