"""Payments between the parts of a sheet that make the bound low (docs/bound.md, "How payments are found")."""

from collections.abc import Callable

import numpy as np

from ..cext.relaxed import Team
from .parts import Floats, Longs, Parts
from .solve import Crew

Done = Callable[[], None]  # called when a step is done

FIRST_GAMES, GAMES, CHUNK = 20_000, 1_000, 250  # games of first steps; of one gradient; in the least share of a thread
STEPS = 25  # gradient steps per turn and sweep
RARE = 1e-3  # a roll as rare as that is not paid for faster than one as frequent


def first_payments(parts: Parts, rounds: int, crew: Crew, done: Done) -> Floats:
    """Payments (turns, parts, rolls) to begin with: what a roll is worth to the team beyond not having it, in games
    played by the values so far, in equal shares."""
    payments = np.zeros((parts.turns, len(parts.parts), parts.rolls))
    for _ in range(rounds):
        shadow = _shadow(parts, parts.solve(payments, crew), crew)
        payments[:] = shadow[:, None, :] / len(parts.parts)
        done()
    return payments


def _shadow(parts: Parts, values: list[Floats], crew: Crew) -> Floats:
    team = parts.team(values)
    chunks = range(0, FIRST_GAMES, 10 * CHUNK)
    found = np.zeros((len(chunks), parts.turns, parts.rolls))

    def play(begin: int, end: int) -> None:
        for i in range(begin, end):
            n = min(10 * CHUNK, FIRST_GAMES - chunks[i])
            states = np.zeros((n, len(parts.parts), 3), np.int64)
            team.play(1, chunks[i], 0, parts.turns, states, np.zeros(n), found[i])

    crew.share(len(chunks), play, weight=0, smallest=1)
    shadow: Floats = found.sum(axis=0) / FIRST_GAMES
    return shadow


def sweep(parts: Parts, payments: Floats, values: list[Floats], size: float, seed: int, crew: Crew) -> None:
    """Changes payments and values in place: games of the relaxed parts show where they come before each turn; then,
    from the last turn to the first, gradient steps for its payments, and the values before it.

    `size`: of the first step, in points for a part that comes to a roll twice as often as it is written."""
    states = _reached(parts, payments, values, seed, crew)
    for turn in reversed(range(parts.turns)):
        mean = np.zeros_like(payments[turn])
        for step in range(STEPS):
            finals, writes = _frequencies(parts, turn, payments, values, states[turn], seed * 1000 + step, crew)
            wanted = writes.sum(axis=0)
            scale = (finals.mean(axis=0) + wanted) / 2 + RARE
            payments[turn] -= size / (1 + step / 8) ** 0.6 * np.clip((finals - wanted) / scale, -1, 1.5)
            if step >= STEPS // 3:
                mean += payments[turn]
        payments[turn] = mean / (STEPS - STEPS // 3)
        parts.solve_turn(turn, payments, values, crew)


def _reached(parts: Parts, payments: Floats, values: list[Floats], seed: int, crew: Crew) -> Longs:
    """States (turns, parts, games, 3) before each turn, of games that each part plays alone."""
    found = np.zeros((parts.turns, len(parts.parts), GAMES, 3), np.int64)
    for i in range(len(parts.parts)):
        team = parts.alone(i, values[i], payments)

        def play(begin: int, end: int, i: int = i, team: Team = team) -> None:
            states, points = np.zeros((end - begin, 1, 3), np.int64), np.zeros(end - begin)
            for turn in range(parts.turns):
                found[turn, i, begin:end] = states[:, 0]
                team.play(seed, (i << 40) + begin, turn, turn + 1, states, points)

        crew.share(GAMES, play, weight=0, smallest=CHUNK)
    return found


def _frequencies(
    parts: Parts, turn: int, payments: Floats, values: list[Floats], states: Longs, seed: int, crew: Crew
) -> tuple[Floats, Floats]:
    """How often each part (parts, rolls) ends a turn played from these states with a roll, and writes it."""
    count = len(parts.parts)
    chunks = range(0, GAMES, CHUNK)
    only = np.zeros_like(payments)
    only[turn] = payments[turn]
    teams = [parts.alone(i, values[i], only) for i in range(count)]
    finals = np.zeros((len(chunks), count, parts.turns, parts.rolls), np.int64)
    writes = np.zeros_like(finals)

    def play(begin: int, end: int) -> None:
        for job in range(begin, end):
            chunk, i = divmod(job, count)
            own = states[i, chunks[chunk] : chunks[chunk] + CHUNK, None].copy()
            first, tally = (i << 40) + chunks[chunk], (finals[chunk, i], writes[chunk, i])
            teams[i].play(seed, first, turn, turn + 1, own, np.zeros(len(own)), None, tally)

    crew.share(len(chunks) * count, play, weight=0, smallest=1)
    return finals[:, :, turn].sum(axis=0) / GAMES, writes[:, :, turn].sum(axis=0) / GAMES
