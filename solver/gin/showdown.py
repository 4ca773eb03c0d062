"""The showdown: a knocker's melds, a defender's melds and lay-offs, and the score."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...cext import gin as kernel
from ...errors import HandError
from .cards import DECK, each, read_hand, write_cards
from .melds import (
    ACES,
    MOST_KNOCK,
    SUIT,
    Melded,
    check_hands,
    laid,
    read_layoff,
    read_melds,
    split_runs,
    split_sets,
)

BONUS = 25
TEN = 10  # cards in a hand


class LayOff(NamedTuple):
    """Cards laid off, one after the other, on a meld of the knocker's (both sets of cards)."""

    cards: int
    meld: int


@dataclass(frozen=True)
class Showdown:
    """Two hands laid down.

    `score`: the knocker's points; less than zero where the defender scores. `knocker`, `defender`: the hands as they
    lie, with the deadwood that counts; `layoffs`: what of the defender's hand lies on the knocker's melds.
    """

    score: int
    knocker: Melded
    defender: Melded
    layoffs: tuple[LayOff, ...]

    @property
    def result(self) -> str:
        """What the hand came to: "gin", "knock" or "undercut" (a tie is one, too)."""
        return "gin" if self.knocker.deadwood == 0 else "knock" if self.score > 0 else "undercut"


class Showdowns(NamedTuple):
    """Many showdowns: int16 (n,) and twice uint8 (n,)."""

    score: npt.NDArray[np.int16]
    knocker_deadwood: npt.NDArray[np.uint8]
    defender_deadwood: npt.NDArray[np.uint8]


def showdown(
    knocker: str | int, defender: str | int, melds: str | Iterable[str | int] | None = None, layoff: str = "joint"
) -> Showdown:
    """What a knock scores.

    `knocker`, `defender`: ten cards each, as text or as sets of cards. `melds`: the knocker's melds; without them, of
    the arrangements of least deadwood the one best for the knocker. `layoff`: "joint" is the least the defender can
    reach with melds and lay-offs; "two-order" the better of melding first and laying off first. Raises `HandError`.
    """
    two_order = read_layoff(layoff)
    hand, other = read_hand(knocker, "knocker", TEN, TEN), read_hand(defender, "defender", TEN, TEN)
    if hand & other:
        raise HandError(f"defender: expected none of the knocker's cards, found {' '.join(write_cards(hand & other))}")
    if melds is None:
        down = laid(hand, kernel.showdown(hand, other, two_order)[3])
    else:
        chosen = read_melds(melds, hand)
        left = hand & ~sum(chosen)
        down = Melded(kernel.points(left), chosen, left)
    if down.deadwood > MOST_KNOCK:
        raise HandError(f"knocker: expected deadwood of at most {MOST_KNOCK} to knock with, found {down.deadwood}")
    if down.deadwood == 0:
        reply, layoffs = laid(other, kernel.arrangements(other)[0]), ()
        return Showdown(score(0, reply.deadwood), down, reply, layoffs)
    return _defended(down, other, two_order)


def _defended(down: Melded, hand: int, two_order: bool) -> Showdown:
    runs = sum(meld for meld in down.melds if is_run(meld))
    left, sets, onto_sets, onto_runs = kernel.defend(hand, fourth_cards(down.melds), runs, two_order)
    own = laid(hand & ~onto_sets & ~onto_runs, sets)
    return Showdown(score(down.deadwood, left), down, own, tuple(_layoffs(down.melds, onto_sets, onto_runs)))


def is_run(meld: int) -> bool:
    """Whether a meld is a run, and no set."""
    return any(meld & ~(SUIT << 13 * suit) == 0 for suit in range(4))


def fourth_cards(melds: Iterable[int]) -> int:
    """The cards that can be laid off on the sets of three among melds."""
    fourth = 0
    for meld in melds:
        if not is_run(meld):
            (rank,) = {card % 13 for card in each(meld)}
            fourth |= ACES << rank & ~meld
    return fourth


def _layoffs(melds: tuple[int, ...], onto_sets: int, onto_runs: int) -> Iterator[LayOff]:
    """Lay-offs by meld; cards that reach from one run to another go on the lower one."""
    for card in split_sets(onto_sets):
        yield LayOff(card, next(meld for meld in melds if fourth_cards([meld]) & card))
    for meld in filter(is_run, melds):
        cards = sum(block for block in split_runs(onto_runs) if _extends(block, meld))
        if cards:
            onto_runs &= ~cards
            yield LayOff(cards, meld)


def _extends(block: int, run: int) -> bool:
    """Whether cards in a row go on either end of a run."""
    return is_run(block | run) and bool(block << 1 & run or run << 1 & block)


def score(knocker: int, defender: int) -> int:
    """The knocker's points for two amounts of deadwood; less than zero where the defender scores.

    >>> score(3, 15), score(0, 45), score(10, 2), score(10, 10)
    (12, 70, -33, -25)
    """
    if knocker == 0:
        return BONUS + defender
    return defender - knocker - (BONUS if defender <= knocker else 0)


def showdowns(knockers: Any, defenders: Any, layoff: str = "joint") -> Showdowns:
    """n showdowns at once: of each knocker with the defender of the same index, as `showdown` without melds.

    `knockers`, `defenders`: sets of at most 15 cards, uint64 (n,); a knocker's deadwood is not looked at. Runs without
    the GIL. Raises `HandError`.
    """
    ours, theirs = check_hands(knockers, "knockers"), check_hands(defenders, "defenders")
    if len(ours) != len(theirs):
        raise HandError(f"defenders: expected as many as knockers, {len(ours)}, found {len(theirs)}")
    shared = (ours & theirs & np.uint64(DECK)) != 0
    if shared.any():
        raise HandError(f"defenders: expected none of the knocker's cards, found some at index {int(shared.argmax())}")
    points = np.empty(len(ours), np.int16)
    of_knocker, of_defender = np.empty(len(ours), np.uint8), np.empty(len(ours), np.uint8)
    kernel.showdowns(ours, theirs, read_layoff(layoff), points, of_knocker, of_defender)
    return Showdowns(points, of_knocker, of_defender)
