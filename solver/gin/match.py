"""A match: hands one after the other, the running sheet, who deals, and when it is over."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...errors import HandError, nearest, quoted
from .melds import MOST_KNOCK
from .showdown import score, showdown

GOAL = 100
PLAYERS = ("me", "opponent")
MOST_DEADWOOD = 98  # of ten cards: two each of king, queen, jack, ten and nine, in suits that make no run
HEADERS = ("players", "dealer", "to")
FORMS = "'NAME gin D', 'NAME knock K D', 'NAME knock HAND | HAND' or 'void'"


@dataclass(frozen=True)
class Played:
    """One hand of a match.

    `dealer`, `knocker`, `winner`: 0 or 1; the last two None for a void hand. `result`: "gin", "knock", "undercut" or
    "void". `totals`: points of both players after it.
    """

    dealer: int
    result: str
    knocker: int | None = None
    winner: int | None = None
    knocker_deadwood: int | None = None
    defender_deadwood: int | None = None
    points: int = 0
    totals: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Match:
    """A match of two players, to a number of points or (`goal` None) of one hand, with the hands played so far."""

    players: tuple[str, str] = PLAYERS
    goal: int | None = GOAL
    first_dealer: int = 0
    hands: tuple[Played, ...] = ()

    @property
    def totals(self) -> tuple[int, int]:
        """The points of both players."""
        return self.hands[-1].totals if self.hands else (0, 0)

    @property
    def dealer(self) -> int:
        """Who deals the next hand: the deal moves after every hand that is scored."""
        if not self.hands:
            return self.first_dealer
        last = self.hands[-1]
        return last.dealer if last.result == "void" else 1 - last.dealer

    @property
    def winner(self) -> int | None:
        """Who has won the match; None while it goes on."""
        if not self.hands or self.hands[-1].winner is None:
            return None
        last = self.hands[-1].winner
        return last if self.goal is None or self.totals[last] >= self.goal else None

    def void(self) -> "Match":
        """The match with a void hand more: nobody scores, and the same player deals again."""
        return self._with(Played(self.dealer, "void", totals=self.totals))

    def knock(self, knocker: int, knocker_deadwood: int, defender_deadwood: int) -> "Match":
        """The match with a hand more that player `knocker` (0 or 1) ended; no deadwood is gin. Raises `HandError`."""
        if not 0 <= knocker_deadwood <= MOST_KNOCK:
            raise HandError(f"knocker: expected deadwood of 0 to {MOST_KNOCK}, found {knocker_deadwood}")
        if not 0 <= defender_deadwood <= MOST_DEADWOOD:
            raise HandError(f"defender: expected deadwood of 0 to {MOST_DEADWOOD}, found {defender_deadwood}")
        points = score(knocker_deadwood, defender_deadwood)
        winner = knocker if points > 0 else 1 - knocker
        result = "undercut" if winner != knocker else "knock" if knocker_deadwood else "gin"
        totals = list(self.totals)
        totals[winner] += abs(points)
        hand = Played(self.dealer, result, knocker, winner, knocker_deadwood, defender_deadwood, abs(points))
        return self._with(replace(hand, totals=(totals[0], totals[1])))

    def _with(self, hand: Played) -> "Match":
        if self.winner is not None:
            raise HandError(f"match: expected no hand after {self.players[self.winner]} has won, found one more")
        return replace(self, hands=(*self.hands, hand))

    def line(self, text: str) -> "Match":
        """The match after a line of its file; docs/gin.md describes them. Raises `HandError`."""
        text = text.partition("#")[0].strip()
        key, colon, value = text.partition(":")
        if not text:
            return self
        if colon:
            return self._header(key.strip(), value.strip())
        if text.casefold() == "void":
            return self.void()
        name, _, rest = text.partition(" ")
        if name not in self.players:
            known = " or ".join(self.players)
            raise HandError(
                f"hand: expected {known} to begin it, or 'void', found {quoted(name)}{nearest(name, self.players)}"
            )
        return self._ended(self.players.index(name), rest.strip())

    def _ended(self, knocker: int, text: str) -> "Match":
        if found := re.fullmatch(r"gin (\d{1,3})", text):
            return self.knock(knocker, 0, int(found[1]))
        if found := re.fullmatch(r"knock (\d{1,3}) (\d{1,3})", text):
            return self.knock(knocker, int(found[1]), int(found[2]))
        if found := re.fullmatch(r"knock ([^|]*)\|([^|]*)", text):
            down = showdown(found[1], found[2])
            return self.knock(knocker, down.knocker.deadwood, down.defender.deadwood)
        raise HandError(f"hand: expected {FORMS}, found {quoted(text)}")

    def _header(self, key: str, value: str) -> "Match":
        if key not in HEADERS:
            raise HandError(
                f"match: expected {', '.join(HEADERS)} before a colon, found {quoted(key)}{nearest(key, HEADERS)}"
            )
        if self.hands:
            raise HandError(f"{key}: expected it before the first hand, found it after {len(self.hands)}")
        if key == "players":
            return replace(self, players=_names(value))
        if key == "dealer":
            if value not in self.players:
                raise HandError(f"dealer: expected {' or '.join(self.players)}, found {quoted(value)}")
            return replace(self, first_dealer=self.players.index(value))
        if value != "one hand" and not re.fullmatch(r"[1-9]\d{0,3}", value):
            raise HandError(f"to: expected a number of points from 1 to 9999 or 'one hand', found {quoted(value)}")
        return replace(self, goal=None if value == "one hand" else int(value))


def _names(text: str) -> tuple[str, str]:
    names = text.replace(",", " ").split()
    good = text.isprintable() and not {"void"} & set(map(str.casefold, names))
    if not good or len(names) != 2 or names[0] == names[1]:
        raise HandError(f"players: expected two different names of one word, found {quoted(text)}")
    return names[0], names[1]


def read_match(text: str) -> Match:
    """A match from the text of its file. Raises `HandError`, which begins with the number of the line.

    >>> match = read_match("me knock 3 15\\nvoid\\nopponent gin 45")
    >>> match.totals, match.players[match.dealer]
    ((12, 70), 'me')
    """
    match = Match()
    for number, line in enumerate(_lines(text), 1):
        try:
            match = match.line(line)
        except HandError as error:
            raise HandError(f"line {number}: {error}") from None
    return match


def _lines(text: str) -> Iterator[str]:
    yield from text.removeprefix("\ufeff").splitlines()
