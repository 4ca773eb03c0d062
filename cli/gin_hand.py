"""servida gin deadwood, discard and showdown: what hands are worth."""

from collections.abc import Iterable
from typing import Any

import click

from ..data.language import Language, language
from ..solver import gin
from ..solver.gin.cards import RANKS, each
from ..solver.gin.showdown import is_run
from .common import json_option, language_option, print_json
from .render import show_table

SYMBOLS = "♣♦♥♠"


def card_text(cards: int) -> str:
    """Cards for people, in order: "10♥ J♥"."""
    return " ".join(RANKS[card % 13].replace("T", "10") + SYMBOLS[card // 13] for card in each(cards))


def lists(melds: Iterable[int]) -> list[list[str]]:
    """Melds as they stand in JSON."""
    return [gin.write_cards(meld) for meld in melds]


def meld_rows(laid: gin.Melded, words: Language) -> list[tuple[str, str]]:
    """The melds of a hand and what is left of it, a row each: what it is, its cards."""
    rows = [(words.text("run" if is_run(meld) else "set"), card_text(meld)) for meld in laid.melds]
    return [*rows, (words.text("left"), card_text(laid.left))] if laid.left else rows


@click.command("deadwood")
@click.argument("hand", nargs=-1, required=True)
@json_option
@language_option
def deadwood(hand: tuple[str, ...], as_json: bool, lang: str) -> None:
    """Tells the least deadwood of a hand of up to 15 cards, and the melds that achieve it.

    \b
    Examples:
      servida gin deadwood 7s 8s 9s 10h Th 2c
      servida gin deadwood 23456.6.6.567
    """
    text = " ".join(hand)
    laid, words = gin.deadwood(text), language(lang)
    if as_json:
        print_json(deadwood_object(text, laid))
        return
    click.echo(f"{words.text('deadwood')}: {laid.deadwood}")
    show_table((words.text("melds"), words.text("cards")), meld_rows(laid, words))


def deadwood_object(hand: str, laid: gin.Melded) -> dict[str, Any]:
    """The least deadwood of a hand as it stands in JSON."""
    cards = gin.write_hand(gin.read_cards(hand, "hand"))
    return {
        "hand": cards,
        "deadwood": laid.deadwood,
        "melds": lists(laid.melds),
        "left": gin.write_cards(laid.left),
    }


@click.command("discard")
@click.argument("hand", nargs=-1, required=True)
@json_option
@language_option
def discard(hand: tuple[str, ...], as_json: bool, lang: str) -> None:
    """Tells which cards of 11 to discard for the least deadwood, all that tie, and what each discard leaves.

    \b
    Example:
      servida gin discard A289.89.9.789T
    """
    text = " ".join(hand)
    found, words = gin.discards(text), language(lang)
    if as_json:
        print_json(discards_object(text, found))
        return
    rows = [
        (card_text(1 << option.card), str(option.deadwood), words.text("yes") if option.may_knock else "")
        for option in found.options
    ]
    titles = [words.text(key) for key in ("discard", "deadwood", "may_knock")]
    show_table(titles, rows, right={1}, strong=set(range(len(found.best))))
    click.echo(f"{card_text(1 << found.options[0].card)} →")
    show_table((words.text("melds"), words.text("cards")), meld_rows(found.after, words))


def discards_object(hand: str, found: gin.Discards) -> dict[str, Any]:
    """The discards of a hand as they stand in JSON."""
    return {
        "hand": gin.write_hand(gin.read_cards(hand, "hand")),
        "deadwood": found.after.deadwood,
        "discards": [gin.write_cards(1 << option.card)[0] for option in found.best],
        "melds": lists(found.after.melds),
        "left": gin.write_cards(found.after.left),
        "options": [option._asdict() | {"card": gin.write_cards(1 << option.card)[0]} for option in found.options],
    }


@click.command("showdown")
@click.argument("knocker")
@click.argument("defender")
@click.option(
    "--melds", multiple=True, metavar="MELDS", help="The knocker's melds (default: the best for the knocker)."
)
@click.option(
    "--layoff",
    type=click.Choice(("joint", "two-order")),
    default="joint",
    help="The defender's lay-offs: the best there are, or of two orders the better (default: joint).",
)
@json_option
@language_option
def showdown(knocker: str, defender: str, melds: tuple[str, ...], layoff: str, as_json: bool, lang: str) -> None:
    """Tells what a knock scores, and proves it: who lays what where.

    \b
    Examples:
      servida gin showdown 456.37.7JQK.7 37.59.9234.9Q
      servida gin showdown "7s 7h 7d 4c 5c 6c Jh Qh Kh 3d" "9s 9h 9d 2h 3h 4h 7c 3c Qs 5d" --layoff two-order
    """
    found = gin.showdown(knocker, defender, melds or None, layoff)
    if as_json:
        print_json(as_object(knocker, defender, layoff, found))
    else:
        show(found, language(lang))


def as_object(knocker: str, defender: str, layoff: str, found: gin.Showdown) -> dict[str, Any]:
    """A showdown as it stands in JSON."""
    return {
        "knocker": gin.write_hand(gin.read_cards(knocker, "knocker")),
        "defender": gin.write_hand(gin.read_cards(defender, "defender")),
        "layoff": layoff,
        "score": found.score,
        "result": found.result,
        "knocker_deadwood": found.knocker.deadwood,
        "defender_deadwood": found.defender.deadwood,
        "melds": lists(found.knocker.melds),
        "left": gin.write_cards(found.knocker.left),
        "defender_melds": lists(found.defender.melds),
        "defender_left": gin.write_cards(found.defender.left),
        "layoffs": [{"cards": gin.write_cards(x.cards), "meld": gin.write_cards(x.meld)} for x in found.layoffs],
    }


def show(found: gin.Showdown, words: Language) -> None:
    """Prints a showdown for a person."""
    rows = [(words.text("knocker"), *row, "") for row in meld_rows(found.knocker, words)]
    theirs = meld_rows(found.defender, words)
    onto = [(words.text("laid_off"), card_text(x.cards), f"→ {card_text(x.meld)}") for x in found.layoffs]
    left = [(*row, "") for row in theirs[len(found.defender.melds) :]]
    for what, cards, meld in [*((*row, "") for row in theirs[: len(found.defender.melds)]), *onto, *left]:
        rows.append((words.text("defender"), what, cards, meld))
    show_table([words.text("player"), words.text("melds"), words.text("cards"), ""], rows)
    ours, his = found.knocker.deadwood, found.defender.deadwood
    click.echo(f"{words.text('deadwood')}: {words.text('knocker')} {ours}, {words.text('defender')} {his}")
    sums = {"gin": f"25 + {his}", "knock": f"{his} − {ours}", "undercut": f"({ours} − {his}) + 25"}
    winner = "knocker" if found.score > 0 else "defender"
    click.echo(
        f"{words.text(found.result)}: {words.text(winner)} {abs(found.score)} {words.text('points')} "
        f"({sums[found.result]})"
    )
