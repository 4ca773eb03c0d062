"""Melds of a hand: the least deadwood, the melds that achieve it, the best discards."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...cext import gin as kernel
from ...errors import HandError, quoted
from .cards import DECK, each, read_cards, read_hand, write_cards

MOST_KNOCK = 10  # deadwood that still may knock
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
SUIT = (1 << 13) - 1


@dataclass(frozen=True)
class Melded:
    """A hand laid down: `melds` as sets of cards, and what is `left` of it, worth `deadwood` points."""

    deadwood: int
    melds: tuple[int, ...]
    left: int


class Discard(NamedTuple):
    """A card (0 to 51), the least deadwood of the hand without it, and whether one may knock with that."""

    card: int
    deadwood: int
    may_knock: bool


@dataclass(frozen=True)
class Discards:
    """What may be discarded, best first; `best`: all that leave the least deadwood; `after`: the hand after the first
    of them."""

    options: tuple[Discard, ...]
    after: Melded

    @property
    def best(self) -> tuple[Discard, ...]:
        return tuple(option for option in self.options if option.deadwood == self.options[0].deadwood)


def split_sets(sets: int) -> Iterator[int]:
    """The sets in the union of sets, by rank."""
    for rank in range(13):
        if sets & ACES << rank:
            yield sets & ACES << rank


def split_runs(runs: int) -> Iterator[int]:
    """The runs in the union of runs: cards in a row are one run."""
    for suit in range(4):
        cards = runs & SUIT << 13 * suit
        while cards:
            lowest = cards & -cards
            run = cards & ~(cards + lowest)
            yield run
            cards &= ~run


def laid(hand: int, sets: int) -> Melded:
    """The hand with these cards in sets, and all others that can be in runs."""
    runs = kernel.runs(hand & ~sets)
    left = hand & ~sets & ~runs
    return Melded(kernel.points(left), (*split_sets(sets), *split_runs(runs)), left)


def deadwood(hand: str | int) -> Melded:
    """The least deadwood of a hand of 1 to 15 cards, and melds that achieve it.

    `hand`: text as `servida.solver.gin.cards.read_cards` reads it, or a set of cards. Raises `HandError`.

    >>> deadwood("2.2.234.23456").deadwood
    0
    """
    cards = read_hand(hand, "hand", 1, kernel.MOST_CARDS)
    return laid(cards, kernel.arrangements(cards)[0])


def discards(hand: str | int) -> Discards:
    """The deadwood that each discard from a hand of 11 cards leaves, the least first. Raises `HandError`.

    >>> [write_cards(1 << option.card) for option in discards("A289.89.9.789T").best]
    [['Ts']]
    """
    cards = read_hand(hand, "hand", 11, 11)
    options = [Discard(card, left := kernel.deadwood(cards & ~(1 << card)), left <= MOST_KNOCK) for card in each(cards)]
    options.sort(key=lambda option: option.deadwood)
    return Discards(tuple(options), deadwood(cards & ~(1 << options[0].card)))


def check_hands(hands: Any, what: str, least: int = 0) -> npt.NDArray[np.uint64]:
    """Hands as a contiguous array in one dimension. Raises `HandError` where one is no hand."""
    given = np.asarray(hands)
    if given.ndim != 1:
        raise HandError(f"{what}: expected an array of one dimension, found {given.ndim}")
    if given.dtype.kind not in "ui" and given.size:
        raise HandError(f"{what}: expected whole numbers (uint64), found {given.dtype}")
    array = np.ascontiguousarray(given, dtype=np.uint64)  # what is less than zero becomes too large
    count = np.bitwise_count(array)
    wrong = (array > DECK) | (count > kernel.MOST_CARDS) | (count < least)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise HandError(
            f"{what}: expected sets of {least} to {kernel.MOST_CARDS} cards (bits 0 to 51), "
            f"found {int(array[i]):#x} at index {i}"
        )
    return array


def deadwoods(hands: Any) -> npt.NDArray[np.uint8]:
    """The least deadwood of n hands at once, in points: uint8 (n,).

    `hands`: sets of at most 15 cards, uint64 (n,), bit 13 * suit + rank, suits clubs, diamonds, hearts, spades. Runs
    without the GIL: threads may share out an array. Raises `HandError`.
    """
    array = check_hands(hands, "hands")
    out = np.empty(len(array), np.uint8)
    kernel.deadwoods(array, out)
    return out


def best_discards(hands: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    """The least deadwood that a discard leaves, uint8 (n,), and the set of cards whose discard leaves it, uint64 (n,).

    `hands` as for `deadwoods`, each of at least one card. Raises `HandError`.
    """
    array = check_hands(hands, "hands", 1)
    out, cards = np.empty(len(array), np.uint8), np.empty(len(array), np.uint64)
    kernel.best_discards_of(array, out, cards)
    return out, cards


def read_melds(melds: str | Iterable[str | int], hand: int) -> tuple[int, ...]:
    """Melds laid from a hand, as sets of cards. Raises `HandError`.

    As text: melds with ``/`` or commas between, or words that are a meld each, as ``7s7h7d 4c5c6c`` or
    ``7.7..7 ..567.``.
    """
    texts = [melds] if isinstance(melds, str) else melds
    found: list[int] = []
    for text in texts:
        found += [text] if isinstance(text, int) else [read_cards(part, "melds") for part in _parts(text)]
    taken = 0
    for meld in found:
        if not is_meld(meld):
            shown = quoted(" ".join(write_cards(meld & DECK)))
            raise HandError(f"melds: expected sets of 3 or 4 of a rank and runs of 3 or more in a suit, found {shown}")
        if meld & ~hand:
            missing = " ".join(write_cards(meld & ~hand))
            raise HandError(f"melds: expected cards of the knocker's hand, found {missing}")
        if meld & taken:
            raise HandError(
                f"melds: expected every card in one meld, found {' '.join(write_cards(meld & taken))} in two"
            )
        taken |= meld
    return tuple(found)


def _parts(text: str) -> list[str]:
    """The melds in a text, each as text."""
    for sign in "/;+,":
        parts = [part for part in text.split(sign) if part.strip()]
        if len(parts) > 1 and (sign != "," or all(is_meld(read_cards(part, "melds")) for part in parts)):
            return parts
    words = text.strip("/;+, ").replace(",", " ").split()
    alone = all(read_cards(word, "melds").bit_count() == 1 for word in words)
    return [" ".join(words)] if alone and words else words


def is_meld(cards: int) -> bool:
    """Whether cards are a set or a run."""
    if not 0 <= cards <= DECK or cards.bit_count() < 3:
        return False
    return any(cards & ~(ACES << rank) == 0 for rank in range(13)) or list(split_runs(cards)) == [cards]


def read_layoff(layoff: str) -> bool:
    """Whether lay-offs go in two orders. Raises `HandError` for a word that is neither."""
    if layoff not in ("joint", "two-order"):
        raise HandError(f"layoff: expected 'joint' or 'two-order', found {quoted(layoff)}")
    return layoff == "two-order"
