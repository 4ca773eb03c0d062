"""The truth for two players of a toy variant: both sheets point by point, in exact fractions; see oracle.py."""

from fractions import Fraction
from typing import NamedTuple

import oracle
from servida.data.rules import Rules


class _View(NamedTuple):
    """What a turn on my sheet is played for: it stands in for the game of one player."""

    match: "Match"
    other: oracle.Sheet
    mine: bool
    rules: Rules
    win_value: Fraction = Fraction(1)
    utility: bool = True

    def value(self, following: oracle.Sheet) -> Fraction:
        """My chance once the other player is to move."""
        return 1 - self.match.value(self.other, following, not self.mine)


class Match:
    """Two players; `share` is what a tie counts for me, the other gets the rest."""

    def __init__(self, rules: Rules, share: Fraction = Fraction(1, 2)):
        self.rules, self.share = rules, share
        self.known: dict[tuple[oracle.Sheet, oracle.Sheet, bool], Fraction] = {}

    def value(self, sheet: oracle.Sheet, other: oracle.Sheet, mine: bool = True) -> Fraction:
        """The chance to win, and a share of a tie, of the player on `sheet`, who is to move; me if `mine`."""
        key = sheet, other, mine
        if key not in self.known:
            self.known[key] = self._value(sheet, other, mine)
        return self.known[key]

    def _value(self, sheet: oracle.Sheet, other: oracle.Sheet, mine: bool) -> Fraction:
        if None not in sheet.written and None not in other.written:
            a, b = oracle.total(self.rules, sheet), oracle.total(self.rules, other)
            return Fraction(a > b) if a != b else self.share if mine else 1 - self.share
        if None not in sheet.written:
            return 1 - self.value(other, sheet, not mine)
        return self.turn(sheet, other, mine).hold((), self.rules.rolls)

    def turn(self, sheet: oracle.Sheet, other: oracle.Sheet, mine: bool = True) -> "oracle._Turn":
        """One turn on `sheet`."""
        return oracle._Turn(_View(self, other, mine, self.rules), sheet)  # type: ignore[arg-type]
