"""servida gin: gin rummy."""

import click

from .gin_advise import advise_command, simulate
from .gin_hand import deadwood, discard, showdown
from .gin_match import match
from .gin_play import play


@click.group("gin", commands=[deadwood, discard, showdown, match, advise_command, play, simulate])
def command() -> None:
    """Gin rummy: the least deadwood of a hand, the best discards, what a knock scores.

    \b
    Example:
      servida gin deadwood 23456.6.6.567
    """
