"""Gin rummy: exact hands and showdowns, matches, advice, policies. Hands are text, or sets of cards (see `cards`).

>>> from servida import gin
>>> gin.showdown("456.37.7JQK.7", "37.59.9234.9Q").score
12
"""

from .advice import Advice, advise
from .cards import read_cards, write_cards, write_hand
from .match import Match, read_match
from .melds import Discard, Discards, Melded, best_discards, deadwood, deadwoods, discards
from .play import Play, move
from .policy import Matches, play_matches
from .showdown import LayOff, Showdown, Showdowns, score, showdown, showdowns

__all__ = [
    "Advice",
    "Discard",
    "Discards",
    "LayOff",
    "Match",
    "Matches",
    "Melded",
    "Play",
    "Showdown",
    "Showdowns",
    "advise",
    "best_discards",
    "deadwood",
    "deadwoods",
    "discards",
    "move",
    "play_matches",
    "read_cards",
    "read_match",
    "score",
    "showdown",
    "showdowns",
    "write_cards",
    "write_hand",
]
