"""Gin rummy: exact hands and showdowns. Hands are text, or sets of cards (see `cards`).

>>> from servida.solver import gin
>>> gin.showdown("456.37.7JQK.7", "37.59.9234.9Q").score
12
"""

from .cards import read_cards, write_cards, write_hand
from .melds import Discard, Discards, Melded, best_discards, deadwood, deadwoods, discards
from .showdown import LayOff, Showdown, Showdowns, score, showdown, showdowns

__all__ = [
    "Discard",
    "Discards",
    "LayOff",
    "Melded",
    "Showdown",
    "Showdowns",
    "best_discards",
    "deadwood",
    "deadwoods",
    "discards",
    "read_cards",
    "score",
    "showdown",
    "showdowns",
    "write_cards",
    "write_hand",
]
