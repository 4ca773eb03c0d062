"""Advice for a hand in play: what each discard leaves, what knocking now is worth, whether to play on instead."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...cext import gin as kernel
from ...errors import HandError
from .cards import DECK, each, read_cards, read_hand, write_cards
from .melds import MOST_KNOCK, Melded, laid
from .policy import policy
from .showdown import TEN, fourth_cards, is_run, score

SAMPLES = 1_000_000  # hidden hands drawn for the weighted prior
PLAYED = 10_000  # hands played for it
WORLDS = 2_000  # hidden hands and stocks that knocking and playing on are tried in
STOCK_AT_FIRST = 31
SCORES = np.arange(128)


class Option(NamedTuple):
    """A card to discard: the least deadwood left, whether one may knock with it, and outs: how many of the unseen
    cards, drawn next, let one knock, and how many make gin."""

    card: int
    deadwood: int
    may_knock: bool
    knock_outs: int
    gin_outs: int


class Estimate(NamedTuple):
    """A chance of being undercut and the expected points (less than zero where the other scores more), with the
    standard error of the points; None where they are exact."""

    undercut: float
    points: float
    standard_error: float | None


@dataclass(frozen=True)
class Knock:
    """Knocking now: the discard, the hand as it is laid down, and what that is worth.

    `uniform`: exact, over all hidden hands consistent with what is known, each as likely. `weighted`: hidden hands
    weighted so that their deadwood comes as often as in simulated play at that turn.
    """

    card: int
    laid: Melded
    uniform: Estimate
    weighted: Estimate


@dataclass(frozen=True)
class PlayOn:
    """Knocking and playing on, both tried in the same simulated hidden hands and stocks, weighted as in `Knock`.

    `card`: what the policy would discard to play on. `knock`, `points`: the mean of both; `difference`: of knocking
    over playing on, with its standard error.
    """

    card: int
    knock: float
    points: float
    difference: float
    standard_error: float
    worlds: int


@dataclass(frozen=True)
class Advice:
    """Advice for a hand of eleven cards.

    `unseen`: how many cards may be in the other's hand or in the stock; `hidden_hands`: how many hands the other may
    have. `options`: every discard, the least deadwood first. `suggested`: what the keen policy discards to play on.
    `knock`: the best way to knock now, `play_on` the comparison with not knocking; None where one may not knock, and
    `play_on` also where one has gin.
    """

    unseen: int
    hidden_hands: int
    turn: int
    options: tuple[Option, ...]
    suggested: int
    knock: Knock | None
    play_on: PlayOn | None


class Known(NamedTuple):
    """What is known: the other's hand holds all of `held` and any of `unseen` cards; `dead` are in the pile."""

    unseen: int
    held: int
    dead: int
    turn: int


def read_known(hand: int, seen: str | int, taken: str | int, turn: int | None) -> Known:
    """What is known beside a hand of eleven. Raises `HandError`."""
    dead = read_cards(seen, "seen") if isinstance(seen, str) else seen
    held = read_hand(taken, "taken", 0, TEN)
    for name, cards, other in (("seen", dead, hand), ("taken", held, hand | dead)):
        if cards & other:
            raise HandError(
                f"{name}: expected no card twice, found {' '.join(write_cards(cards & other))} elsewhere, too"
            )
    if dead.bit_count() > STOCK_AT_FIRST - 2:
        raise HandError(f"seen: expected at most {STOCK_AT_FIRST - 2} cards in the pile, found {dead.bit_count()}")
    if turn is None:
        turn = dead.bit_count() // 2
    elif not 0 <= turn <= STOCK_AT_FIRST:
        raise HandError(f"turn: expected 0 to {STOCK_AT_FIRST} turns before, found {turn}")
    return Known(DECK & ~(hand | dead | held), held, dead, turn)


def advise(
    hand: str | int,
    seen: str | int = "",
    taken: str | int = "",
    *,
    turn: int | None = None,
    opponent: str = "simple",
    worlds: int = WORLDS,
    seed: int = 0,
) -> Advice:
    """What to do with a hand of eleven cards, drawn and not yet discarded.

    `seen`: the cards in the discard pile; `taken`: cards the other took from it and still holds; `turn`: own turns
    before this one (None: half the cards in the pile). `opponent`: the policy that the weighted prior and the
    simulation take for the other. `worlds`: how many hidden hands and stocks to simulate. Raises `HandError`.
    """
    cards = read_hand(hand, "hand", TEN + 1, TEN + 1)
    known = read_known(cards, seen, taken, turn)
    if not 2 <= worlds <= 10**7:
        raise HandError(f"worlds: expected 2 to 10000000, found {worlds}")
    if not 0 <= seed < 2**64:
        raise HandError(f"seed: expected 0 to {2**64 - 1}, found {seed}")
    theirs = policy(opponent)
    options = sorted(discards(cards, known), key=lambda option: option.deadwood)
    view = (cards, known.dead, known.held, 0, 0, STOCK_AT_FIRST - known.dead.bit_count(), known.turn)
    patient = policy("keen") | {"early": 0, "limit": 0}
    suggested = (kernel.choose_discard(patient, view)[0]).bit_length() - 1
    knock = play = None
    if options[0].may_knock:
        prior = Prior(known, theirs, seed)
        ways = [best_knock(cards, option.card, known, prior) for option in options if option.may_knock]
        knock = max(ways, key=lambda way: way.weighted.points)
        if knock.laid.deadwood:  # nothing is better than gin
            play = play_on(cards, knock, suggested, known, prior, theirs, worlds, seed)
    hidden = math.comb(known.unseen.bit_count(), TEN - known.held.bit_count())
    return Advice(known.unseen.bit_count(), hidden, known.turn, tuple(options), suggested, knock, play)


def discards(hand: int, known: Known) -> Iterator[Option]:
    """Every discard, with its outs."""
    drawn = [1 << card for card in each(known.unseen)]
    for card in each(hand):
        left = hand & ~(1 << card)
        after = np.empty(len(drawn), np.uint8)
        kernel.best_discards_of(
            np.array([left | other for other in drawn], np.uint64), after, np.empty(len(drawn), np.uint64)
        )
        least = kernel.deadwood(left)
        outs = int((after <= MOST_KNOCK).sum()), int((after == 0).sum())
        yield Option(card, least, least <= MOST_KNOCK, *outs)


def scores(knocker: int) -> npt.NDArray[np.int64]:
    """The knocker's points against every amount of deadwood."""
    return np.array([score(knocker, int(defender)) for defender in SCORES])


def of_table(down: Melded) -> tuple[int, int]:
    """What a knocker's melds offer the defender: the fourth cards of sets, and runs. Nothing for gin."""
    if down.deadwood == 0:
        return 0, 0
    return fourth_cards(down.melds), sum(meld for meld in down.melds if is_run(meld))


def uniform(down: Melded, known: Known) -> Estimate:
    """What knocking is worth over all hidden hands, exactly."""
    count = kernel.hidden(known.unseen, known.held, TEN, *of_table(down))
    total = sum(count)
    points = sum(n * int(value) for n, value in zip(count, scores(down.deadwood), strict=True))
    undercut = sum(count[: down.deadwood + 1]) if down.deadwood else 0
    return Estimate(undercut / total, points / total, None)


class Prior:
    """Random hidden hands, weighted so that their deadwood comes as often as in play."""

    def __init__(self, known: Known, opponent: dict[str, float], seed: int):
        self.hands = np.empty(SAMPLES, np.uint64)
        kernel.random_hands(known.unseen, known.held, TEN, seed, self.hands)
        deadwood = np.empty(SAMPLES, np.uint8)
        kernel.deadwoods(self.hands, deadwood)
        self.deadwood = deadwood
        self.drawn = np.bincount(deadwood, minlength=len(SCORES))
        seen = np.zeros((kernel.MOST_TURNS, len(SCORES)), np.uint32)
        kernel.deadwood_in_play(opponent, opponent, seed, PLAYED, seen)
        turn = min(known.turn, int(np.flatnonzero(seen.sum(axis=1) >= PLAYED // 50).max()))
        played = np.where(self.drawn > 0, seen[turn], 0)
        self.chance = (played if played.any() else self.drawn) / (played.sum() or SAMPLES)

    def estimate(self, values: npt.NDArray[np.int64]) -> tuple[float, float]:
        """The weighted mean of a value of each hand, and its standard error: hands are drawn stratum by stratum."""
        n = np.maximum(self.drawn, 1)
        mean = np.bincount(self.deadwood, values, len(SCORES)) / n
        spread = np.bincount(self.deadwood, (values - mean[self.deadwood]) ** 2, len(SCORES)) / n
        return float(self.chance @ mean), math.sqrt(float(self.chance**2 @ (spread / n)))

    def draw(self, worlds: int, seed: int) -> npt.NDArray[np.uint64]:
        """Hidden hands drawn with these weights."""
        dice = np.random.default_rng(seed)
        weight = (self.chance / np.maximum(self.drawn, 1))[self.deadwood].cumsum()
        chosen: npt.NDArray[np.uint64] = self.hands[np.searchsorted(weight, dice.random(worlds) * weight[-1])]
        return chosen


def best_knock(hand: int, card: int, known: Known, prior: Prior) -> Knock:
    """Knocking with this discard, in the arrangement that is worth most."""
    left = hand & ~(1 << card)
    ways = []
    for sets in kernel.arrangements(left):
        down = laid(left, sets)
        reply = np.empty(SAMPLES, np.uint8)
        if down.deadwood == 0:
            reply = prior.deadwood
        else:
            kernel.defend_all(prior.hands, *of_table(down), reply)
        points, error = prior.estimate(scores(down.deadwood)[reply])
        undercut = prior.estimate((reply <= down.deadwood).astype(np.int64))[0] if down.deadwood else 0.0
        ways.append(Knock(card, down, uniform(down, known), Estimate(undercut, points, error)))
        if down.deadwood == 0:
            break
    return max(ways, key=lambda way: way.uniform.points)


def play_on(
    hand: int,
    knock: Knock,
    card: int,
    known: Known,
    prior: Prior,
    opponent: dict[str, float],
    worlds: int,
    seed: int,
) -> PlayOn:
    """Knocks and plays on in the same simulated worlds."""
    hidden = prior.draw(worlds, seed)
    reply = np.empty(worlds, np.uint8)
    if knock.laid.deadwood == 0:
        kernel.deadwoods(hidden, reply)
    else:
        kernel.defend_all(hidden, *of_table(knock.laid), reply)
    now = scores(knock.laid.deadwood)[reply].astype(float)
    later = np.empty(worlds, np.int16)
    left, upcard = hand & ~(1 << card), 1 << card
    kernel.play_on(left, hidden, known.dead, upcard, known.held, known.turn + 1, policy("keen"), opponent, seed, later)
    difference = now - later
    error = float(difference.std(ddof=1)) / math.sqrt(worlds)
    return PlayOn(card, float(now.mean()), float(later.mean()), float(difference.mean()), error, worlds)
