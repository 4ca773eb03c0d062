"""Cards as text and as bit sets: bit 13 * suit + rank, suits clubs, diamonds, hearts, spades, ranks ace to king."""

import re
from collections.abc import Iterator
from operator import index

from ...errors import HandError, quoted

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = (1 << 52) - 1
POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)

CARD = re.compile(r"(10|[A2-9TJQK])([CDHS♣♦♥♠])", re.IGNORECASE)
SYMBOLS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
DOTTED = re.compile(r"((?:10|[A2-9TJQK])*\.){3}(?:10|[A2-9TJQK])*", re.IGNORECASE)
IGNORED = str.maketrans("", "", "\ufe0e\ufe0f")  # they tell how a suit is to be drawn
FORMS = "cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades)"


def read_cards(text: str, what: str) -> int:
    """The set of cards in a text: as ``7s 10h Th 7♠``, or as ``23456.6.6.567``: clubs, diamonds, hearts, spades.

    Cards come in any order, letters in either case, with spaces or commas between or not. Raises `HandError`, which
    begins with `what`, where something is no card or a card comes twice.

    >>> write_cards(read_cards("10h ah 7♠", "hand"))
    ['Ah', 'Th', '7s']
    """
    cards = 0
    for word in text.translate(IGNORED).replace(",", " ").split():
        for card in _dotted(word, what) if "." in word else _cards(word, what):
            if cards >> card & 1:
                raise HandError(f"{what}: expected every card once, found {write_card(card)} twice")
            cards |= 1 << card
    return cards


def _cards(word: str, what: str) -> Iterator[int]:
    at = 0
    while at < len(word):
        found = CARD.match(word, at)
        if found is None:
            raise HandError(f"{what}: expected {FORMS}, found {quoted(word[at:])}")
        suit = found[2].casefold()
        yield 13 * SUITS.index(SYMBOLS.get(suit, suit)) + _rank(found[1])
        at = found.end()


def _dotted(word: str, what: str) -> Iterator[int]:
    if DOTTED.fullmatch(word) is None:
        raise HandError(f"{what}: expected {FORMS}, found {quoted(word)}")
    for suit, part in enumerate(word.upper().replace("10", "T").split(".")):
        for rank in part:
            yield 13 * suit + _rank(rank)


def _rank(text: str) -> int:
    return RANKS.index(text.upper().replace("10", "T"))


def read_hand(hand: str | int, what: str, least: int, most: int) -> int:
    """A hand of `least` to `most` cards, from its text or its bit set. Raises `HandError`."""
    try:
        cards = read_cards(hand, what) if isinstance(hand, str) else index(hand)
    except TypeError:
        raise HandError(f"{what}: expected text or a set of cards as a whole number, found {quoted(hand)}") from None
    if not 0 <= cards <= DECK:
        raise HandError(f"{what}: expected a set of the bits 0 to 51, found {quoted(cards)}")
    found = cards.bit_count()
    if not least <= found <= most:
        wanted = str(most) if least == most else f"{least} to {most}"
        raise HandError(f"{what}: expected {wanted} cards, found {found}")
    return cards


def each(cards: int) -> Iterator[int]:
    """The numbers of the cards in a set, in order."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


def write_card(card: int) -> str:
    """A card as text, as ``Th``."""
    return RANKS[card % 13] + SUITS[card // 13]


def write_cards(cards: int) -> list[str]:
    """The cards of a set as text, clubs first, aces first."""
    return [write_card(card) for card in each(cards)]


def write_hand(cards: int) -> str:
    """A set of cards as clubs.diamonds.hearts.spades.

    >>> write_hand(read_cards("5s 6s 7s 2c 3c 4c 5c 6c 6d 6h", "hand"))
    '23456.6.6.567'
    """
    return ".".join("".join(RANKS[r] for r in range(13) if cards >> 13 * suit + r & 1) for suit in range(4))
