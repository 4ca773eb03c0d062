"""servida gin advise and simulate: what to do with a hand, and policies against each other."""

from typing import Any

import click

from ..data.language import Language, language
from ..solver import gin
from ..solver.gin.advice import PLAYED, WORLDS, Advice, Estimate, advise
from ..solver.gin.cards import write_card
from ..solver.gin.match import GOAL
from ..solver.gin.policy import MOST_MATCHES, MOST_SEED, POLICIES, Matches, play_matches
from .common import json_option, language_option, print_json, threads_option
from .gin_hand import card_text, lists, meld_rows
from .render import show_table

policies = click.Choice(tuple(POLICIES))
seed_option = click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, help="Seed of the deals (default: 0)."
)
goal_option = click.option(
    "--to", "goal", type=click.IntRange(1, 9999), default=GOAL, help=f"Points a match goes to (default: {GOAL})."
)


@click.command("advise")
@click.argument("hand", nargs=-1, required=True)
@click.option("--seen", default="", metavar="CARDS", help="The cards in the discard pile.")
@click.option("--taken", default="", metavar="CARDS", help="Cards the other took from the pile and still holds.")
@click.option("--turn", type=int, help="Own turns before this one (default: half the cards in the pile).")
@click.option(
    "--opponent", type=policies, default="simple", help="The policy the other is taken to play (default: simple)."
)
@click.option("--worlds", type=int, default=WORLDS, help=f"Hidden hands and stocks to simulate (default: {WORLDS}).")
@seed_option
@json_option
@language_option
def advise_command(
    hand: tuple[str, ...],
    seen: str,
    taken: str,
    turn: int | None,
    opponent: str,
    worlds: int,
    seed: int,
    as_json: bool,
    lang: str,
) -> None:
    """Tells, for a hand of 11 cards, what each discard leaves, what knocking now is worth, and whether to play on.

    \b
    Example:
      servida gin advise 789TJ..A.6789J --seen "Kc Qd 2h 2c 3c 3s" --taken 5h
    """
    found = advise(" ".join(hand), seen, taken, turn=turn, opponent=opponent, worlds=worlds, seed=seed)
    if as_json:
        print_json(advice_object(found, opponent))
    else:
        show_advice(found, opponent, language(lang))


def estimate_object(estimate: Estimate) -> dict[str, Any]:
    """An estimate as it stands in JSON."""
    value = {"undercut": estimate.undercut, "expected_points": estimate.points}
    return value if estimate.standard_error is None else value | {"standard_error": estimate.standard_error}


def advice_object(found: Advice, opponent: str) -> dict[str, Any]:
    """Advice as it stands in JSON."""
    knock, play = found.knock, found.play_on
    return {
        "unseen": found.unseen,
        "hidden_hands": found.hidden_hands,
        "turn": found.turn,
        "opponent": opponent,
        "options": [option._asdict() | {"card": write_card(option.card)} for option in found.options],
        "suggested": write_card(found.suggested),
        "knock": knock
        and {
            "card": write_card(knock.card),
            "deadwood": knock.laid.deadwood,
            "melds": lists(knock.laid.melds),
            "left": gin.write_cards(knock.laid.left),
            "uniform": estimate_object(knock.uniform),
            "weighted": estimate_object(knock.weighted),
        },
        "play_on": play
        and {
            "card": write_card(play.card),
            "knock_points": play.knock,
            "expected_points": play.points,
            "difference": play.difference,
            "standard_error": play.standard_error,
            "worlds": play.worlds,
        },
    }


def show_advice(found: Advice, opponent: str, words: Language) -> None:
    """Prints advice for a person."""
    click.echo(f"{words.text('unseen')}: {found.unseen} · {words.text('hidden_hands')}: {found.hidden_hands:,}")
    rows = [
        (
            card_text(1 << option.card),
            str(option.deadwood),
            words.text("yes") if option.may_knock else "",
            str(option.knock_outs),
            str(option.gin_outs),
        )
        for option in found.options
    ]
    titles = [words.text(key) for key in ("discard", "deadwood", "may_knock", "knock_outs", "gin_outs")]
    show_table(titles, rows, right={1, 3, 4})
    click.echo(f"{words.text('to_play_on')}: {card_text(1 << found.suggested)}")
    if found.knock is None:
        return
    knock = found.knock
    click.echo(f"{words.text('knock')}: {card_text(1 << knock.card)} →")
    show_table((words.text("melds"), words.text("cards")), meld_rows(knock.laid, words))
    prior = words.text("weighted_prior").format(hands=PLAYED, policy=opponent)
    estimates = ((words.text("uniform_prior"), knock.uniform), (prior, knock.weighted))
    values = [(name, f"{e.undercut:.4%}", _points(e.points, e.standard_error, 3)) for name, e in estimates]
    show_table([words.text(key) for key in ("prior", "undercut", "expected_points")], values, right={1, 2})
    if found.play_on is not None:
        play = found.play_on
        options = ((words.text("knock"), play.knock), (words.text("to_play_on"), play.points))
        simulated = ", ".join(f"{name} {points:.2f}" for name, points in options)
        difference = _points(play.difference, play.standard_error, 2)
        click.echo(f"{words.text('simulated')} ({play.worlds}): {simulated}; {words.text('difference')} {difference}")


def _points(points: float, error: float | None, digits: int) -> str:
    return f"{points:.{digits}f}" + ("" if error is None else f" ± {error:.{digits}f}")


@click.command("simulate")
@click.argument("first", type=policies, default="keen")
@click.argument("second", type=policies, default="simple")
@click.option("--matches", type=click.IntRange(2, MOST_MATCHES), default=1000, help="Matches to play (default: 1000).")
@goal_option
@seed_option
@threads_option
@json_option
@language_option
def simulate(
    first: str, second: str, matches: int, goal: int, seed: int, threads: int | None, as_json: bool, lang: str
) -> None:
    """Plays matches of one policy (keen, simple) against another in mirrored deals.

    \b
    Example:
      servida gin simulate keen simple --matches 2000
    """
    played = play_matches(first, second, matches, seed, goal, threads)
    if as_json:
        print_json(matches_object(first, second, seed, goal, played))
    else:
        show_matches(first, second, played, language(lang))


def matches_object(first: str, second: str, seed: int, goal: int, played: Matches) -> dict[str, Any]:
    """Matches as they stand in JSON."""
    return {
        "first": first,
        "second": second,
        "to": goal,
        "seed": seed,
        "matches": len(played.winner),
        "won": int((played.winner == 0).sum()),
        "share": played.share,
        "standard_error": played.standard_error,
        "hands": played.hands,
        "void": played.void,
        "knocks": played.knocks,
        "undercuts": played.undercuts,
    }


def show_matches(first: str, second: str, played: Matches, words: Language) -> None:
    """Prints the matches for a person."""
    click.echo(f"{first} – {second}: {played.share:.2%} ± {played.standard_error:.2%} ({len(played.winner)})")
    rows = [
        (words.text("hand"), f"{played.hands:,}"),
        (words.text("void"), f"{played.void:,}"),
        (words.text("knock"), f"{played.knocks:,}"),
        (words.text("undercut"), f"{played.undercuts:,}"),
    ]
    show_table(("", words.text("total")), rows, right={1})
