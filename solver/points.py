"""What every roll is worth in every box, for all rolls at once."""

from itertools import permutations

import numpy as np
import numpy.typing as npt

from ..data.rules import FACES, Pattern, Score

Counts = npt.NDArray[np.int64]  # shape (rolls, 6): dice per face

FACE = np.arange(1, FACES + 1)


def matched(pattern: Pattern, counts: Counts) -> npt.NDArray[np.int64]:
    """The greatest sum of the dice that make up the pattern, per roll; -1 where the pattern does not hold."""
    if pattern.any:
        return counts @ FACE
    if pattern.faces:
        shown = counts[:, np.array(pattern.faces) - 1]
        return np.where(shown.any(axis=1), shown @ np.array(pattern.faces), -1)
    best = np.full(len(counts), -1)
    if pattern.groups:
        for need in _face_needs(pattern):
            wanted = np.array(need)
            enough = counts[:, wanted > 0] == wanted[wanted > 0] if pattern.exact else counts >= wanted
            np.maximum(best, np.where(enough.all(axis=1), wanted @ FACE, -1), out=best)
        return best
    runs = [range(low, low + pattern.run) for low in range(1, FACES + 2 - pattern.run)] if pattern.run else []
    for faces in (*pattern.sequence, *runs):
        chosen = np.array(list(faces))
        shows_all = (counts[:, chosen - 1] > 0).all(axis=1)
        np.maximum(best, np.where(shows_all, chosen.sum(), -1), out=best)
    return best


def _face_needs(pattern: Pattern) -> set[tuple[int, ...]]:
    """The dice needed per face for each way to give every group a face."""
    needs: set[tuple[int, ...]] = {(0,) * FACES}
    if pattern.distinct:
        padded = pattern.groups + (0,) * (FACES - len(pattern.groups))
        return set(permutations(padded[:FACES])) if len(pattern.groups) <= FACES else set()
    for size in pattern.groups:
        needs = {(*need[:f], need[f] + size, *need[f + 1 :]) for need in needs for f in range(FACES)}
    return needs


def scored(score: Score, pattern: Pattern, counts: Counts) -> npt.NDArray[np.int64]:
    """Points per roll for a pattern that pays `score`; 0 where the pattern does not hold."""
    match = matched(pattern, counts)
    if score == "sum_matched":
        return np.maximum(match, 0)
    return np.where(match >= 0, counts @ FACE if score == "sum_all" else score, 0)
