"""Simulated games per second under optimal play, table in place.

python bench/simulate.py [--games 1000000] [--rounds 5]
"""

import argparse
import statistics

from pairs import machine, seconds
from servida import Table, load, solve
from servida.solver.simulate import simulate
from servida.solver.solve import thread_count

NAMES = ("yahtzee", "yatzy", "generala", "generala-classic")


def rates(table: Table, games: int, threads: int, rounds: int) -> list[float]:
    """Games per second in each round; every round has dice of its own."""
    return [games / seconds(lambda seed=seed: simulate(table, games, seed, threads=threads)) for seed in range(rounds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print(machine())
    for name in NAMES:
        table = solve(load(name))
        for threads in sorted({1, 2, thread_count(None)}):
            for games in (args.games, args.games // 100):
                found = rates(table, games, threads, args.rounds)
                what = f"{name}, {threads} thread{'s' if threads > 1 else ''}, {games:,} games"
                span = f"({min(found):,.0f} to {max(found):,.0f})"
                print(f"  {what:<44} {statistics.median(found):11,.0f} games/s  {span}")


if __name__ == "__main__":
    main()
