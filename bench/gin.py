"""Gin rummy hands per second on one core, beside open_spiel in the same run (pip install open_spiel==2.0.2).

python bench/gin.py [--hands 1000000] [--rounds 7] [--theirs 3000]
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
from pairs import machine
from servida.solver import gin
from servida.solver.gin.advice import read_known, uniform
from servida.solver.gin.cards import each

Hands = npt.NDArray[np.uint64]


def sets_of(drawn: npt.NDArray[np.intp]) -> Hands:
    """Hands as sets (n,), from the numbers of their cards (n, cards)."""
    hands: Hands = np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)
    return hands


def deal(rng: np.random.Generator, n: int, cards: int) -> Hands:
    """Random hands."""
    return sets_of(rng.random((n, 52)).argpartition(cards, axis=1)[:, :cards])


def rich(rng: np.random.Generator, n: int, cards: int) -> Hands:
    """Hands full of melds: drawn from five or six neighbouring ranks."""
    low = rng.integers(0, 8, n)
    near = (np.arange(52)[None, :] % 13 >= low[:, None]) & (np.arange(52)[None, :] % 13 < low[:, None] + 6)
    return sets_of(np.where(near, rng.random((n, 52)), 2.0).argpartition(cards, axis=1)[:, :cards])


def knocks(rng: np.random.Generator, n: int) -> tuple[Hands, Hands]:
    """Hands full of melds that may knock, and random hands of the cards left."""
    knockers = rich(rng, 4 * n, 10)
    knockers = np.resize(knockers[gin.deadwoods(knockers) <= 10], n)
    taken = (knockers[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    return knockers, sets_of((rng.random((n, 52)) + 2 * taken).argpartition(10, axis=1)[:, :10])


def rate(n: int, action: Callable[[], Any]) -> float:
    """How many of `n` a CPU second."""
    started = time.process_time()
    action()
    return n / (time.process_time() - started)


def advice_seconds(rounds: int) -> None:
    """CPU time of counting all hidden hands, with 41 and with 30 unseen cards."""
    hand, rest = gin.read_cards("789TJ...6789J", "hand"), gin.read_cards("As", "card")
    for seen in ("", "Kc Qd 9h 2c 3c 3s Ts Th Jd Kd 5h"):
        known = read_known(hand | rest, seen, "", None)
        down = gin.deadwood(hand)
        times = []
        for _ in range(rounds):
            started = time.process_time()
            uniform(down, known)
            times.append(time.process_time() - started)
        unseen = known.unseen.bit_count()
        print(f"  exact chance of an undercut, {unseen} unseen cards {statistics.median(times):14.4f} s")


def show(name: str, rates: list[float]) -> None:
    low, middle, high = min(rates) / 1e6, statistics.median(rates) / 1e6, max(rates) / 1e6
    print(f"  {name:<44} {middle:10.4f} million/s  ({low:.4f} to {high:.4f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--theirs", type=int, default=3_000, help="hands for open_spiel, a call each")
    args = parser.parse_args()
    print(f"{machine()}; {args.hands:,} hands a call, one thread, CPU time")

    rng, n = np.random.default_rng(1), args.hands
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    ten, rich_ten = deal(rng, n, 10), rich(rng, n, 10)
    eleven, rich_eleven = deal(rng, n, 11), rich(rng, n, 11)
    knockers, defenders = knocks(rng, n)
    number = np.array([utils.card_int("A23456789TJQK"[card % 13] + "cdhs"[card // 13]) for card in range(52)])
    lists, rich_lists = ([number[list(each(int(hand)))].tolist() for hand in h[: args.theirs]] for h in (ten, rich_ten))
    theirs = [utils.min_deadwood(hand) for hand in lists + rich_lists]
    ours = [*gin.deadwoods(ten[: args.theirs]), *gin.deadwoods(rich_ten[: args.theirs])]
    differ = sum(a != b for a, b in zip(ours, theirs, strict=True))
    print(f"  of {len(ours):,} hands open_spiel finds another least deadwood for {differ}")
    actions: dict[str, tuple[int, Callable[[], Any]]] = {
        "least deadwood": (n, lambda: gin.deadwoods(ten)),
        "open_spiel, least deadwood": (len(lists), lambda: [utils.min_deadwood(hand) for hand in lists]),
        "least deadwood, hands full of melds": (n, lambda: gin.deadwoods(rich_ten)),
        "open_spiel, hands full of melds": (len(lists), lambda: [utils.min_deadwood(hand) for hand in rich_lists]),
        "best discards": (n, lambda: gin.best_discards(eleven)),
        "best discards, hands full of melds": (n, lambda: gin.best_discards(rich_eleven)),
        "showdown, knocks against random hands": (n, lambda: gin.showdowns(knockers, defenders)),
        "the same in two orders": (n, lambda: gin.showdowns(knockers, defenders, "two-order")),
    }
    rates: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(args.rounds):
        for name, (count, action) in actions.items():
            rates[name].append(rate(count, action))
    for name, found in rates.items():
        show(name, found)
    advice_seconds(args.rounds)
    for kind in ("least deadwood", "hands full of melds"):
        own = "least deadwood, hands full of melds" if kind != "least deadwood" else kind
        ratios = [a / b for a, b in zip(rates[own], rates[f"open_spiel, {kind}"], strict=True)]
        print(
            f"  {kind}: {statistics.median(ratios):,.0f} times open_spiel's ({min(ratios):,.0f} to {max(ratios):,.0f})"
        )


if __name__ == "__main__":
    main()
