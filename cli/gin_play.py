"""servida gin play: a match against a policy, hand by hand."""

import sys

import click

from ..data.language import Language, language
from ..errors import HandError
from ..solver import gin
from ..solver.gin.cards import read_cards
from ..solver.gin.match import Match
from ..solver.gin.play import Play, move
from .common import language_option
from .gin_advise import goal_option, policies, seed_option
from .gin_hand import card_text, meld_rows, show
from .gin_match import read_line
from .gin_match import show as show_sheet
from .render import show_table

YOU, BOT = 0, 1


@click.command("play")
@click.option("--policy", type=policies, default="keen", help="The policy to play against (default: keen).")
@goal_option
@seed_option
@language_option
def play(policy: str, goal: int, seed: int, lang: str) -> None:
    """Plays a match against a policy: take, draw, discard CARD, knock CARD, quit.

    \b
    Example:
      servida gin play --seed 7
    """
    words = language(lang)
    match, number = Match(players=("you", policy), goal=goal, first_dealer=BOT), 0
    click.echo(words.text("play_help"))
    while match.winner is None:
        hand = Play(seed, number, match.dealer)
        if not play_hand(hand, policy, words):
            return
        number += 1
        if hand.knocker is None or hand.showdown is None:
            match = match.void()
        else:
            show(hand.showdown, words)
            deadwood = hand.showdown.knocker.deadwood, hand.showdown.defender.deadwood
            match = match.knock(hand.knocker, *deadwood)
        show_sheet(match, words)


def play_hand(hand: Play, policy: str, words: Language) -> bool:
    """Plays one hand; whether it was played to its end."""
    while not hand.over:
        if hand.mover == BOT:
            click.echo(f"{policy}: {_told(move(hand, policy))}")
            continue
        show_hand(hand, words)
        click.echo("> ", nl=False)
        line = read_line()
        if not line or line.strip().casefold() in ("quit", "q"):
            click.echo("")
            return False
        if not sys.stdin.isatty():
            click.echo(line.strip())
        try:
            obey(hand, line)
        except HandError as error:
            click.echo(f"error: {error}", err=True)
    return True


def obey(hand: Play, line: str) -> None:
    """Makes the move a line asks for. Raises `HandError` where there is none such."""
    word, _, rest = line.strip().partition(" ")
    word = word.casefold()
    if not hand.drawn and not rest and word in ("take", "t"):
        hand.take()
    elif not hand.drawn and not rest and word in ("draw", "d", "pass", "p"):
        hand.draw()
    elif hand.drawn and word in ("discard", "d", "knock", "k"):
        hand.discard(read_cards(rest, "discard"), knock=word in ("knock", "k"))
    else:
        moves = "discard CARD or knock CARD" if hand.drawn else "take or draw"
        raise HandError(f"move: expected {moves}, found {line.strip()[:60]!r}; or quit")


def _told(done: str) -> str:
    word, _, card = done.partition(" ")
    return f"{word} {card_text(read_cards(card, 'card'))}".rstrip()


def show_hand(hand: Play, words: Language) -> None:
    """Prints what the player sees."""
    cards = hand.hands[YOU]
    laid = gin.deadwood(cards)
    drawn = card_text(hand.taken or hand.last) if hand.drawn else ""
    pile = f"{words.text('upcard')}: {card_text(hand.upcard) if not hand.drawn else '–'}"
    parts = [pile, f"{words.text('stock')}: {len(hand.stock)}", f"{words.text('deadwood')}: {laid.deadwood}"]
    click.echo(" · ".join([*parts, f"+ {drawn}"] if drawn else parts))
    show_table((words.text("melds"), words.text("cards")), meld_rows(laid, words))
