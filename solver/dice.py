"""Numbered random dice, as cext/dice.h throws them: every throw of every game has a random number of its own."""

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
_LOW, _WORD = np.uint64(0xFFFFFFFF), np.uint64(32)
_LATER = 256  # blocks on, the word that stands in for one that cannot be used
_DECISIONS = 1 << 31  # the first block of numbers for decisions, far from those for throws
_DICE = 6


def _block(seed: int, games: Words, turn: int, block: int) -> tuple[Words, Words, Words, Words]:
    """Philox4x32-10 of the key `seed` and of the counters (game, turn, block): four words for each game."""
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    c0, c1 = games & _LOW, games >> _WORD
    c2, c3 = np.full_like(games, turn), np.full_like(games, block)
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (b >> _WORD) ^ c1 ^ np.uint64(k0), b & _LOW, (a >> _WORD) ^ c3 ^ np.uint64(k1), a & _LOW
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return c0, c1, c2, c3


def throws(seed: int, games: Words, turn: int, number: int, dice: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The throw of that number (0: the first) in a turn of each game: faces 1 to 6, shape (games, most dice), 0 beyond
    the `dice` that the game throws."""
    power = np.uint64(6) ** dice.astype(np.uint64)
    product = _block(seed, games, turn, number // 4)[number % 4] * power
    block = number // 4
    while (low := (product & _LOW) < ((1 << 32) - power) % power).any():  # it happens once in a million throws
        block += _LATER
        product[low] = _block(seed, games[low], turn, block)[number % 4] * power[low]
    left = (product >> _WORD).astype(np.int64)
    faces = np.zeros((len(games), int(dice.max(initial=0))), np.int64)
    for i in range(faces.shape[1]):
        faces[:, i] = np.where(i < dice, left % _DICE + 1, 0)
        left //= _DICE
    return faces


def fractions(seed: int, games: Words, turn: int, number: int) -> npt.NDArray[np.float64]:
    """A random number between 0 and 1 for the decision of that number in a turn of each game."""
    words = _block(seed, games, turn, _DECISIONS + number // 4)[number % 4]
    return np.asarray((words + 0.5) / 2**32)


def throw(seed: int, game: int, turn: int, number: int, dice: int) -> tuple[int, ...]:
    """The faces of one throw, ascending."""
    return tuple(sorted(throws(seed, np.array([game], np.uint64), turn, number, np.array([dice]))[0].tolist()))


def fraction(seed: int, game: int, turn: int, number: int) -> float:
    """The random number of one decision."""
    return float(fractions(seed, np.array([game], np.uint64), turn, number)[0])
