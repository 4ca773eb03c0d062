"""Simulated games per second under optimal play, and the CPU time of a turn of one game; table in place.

python bench/simulate.py [VARIANT ...] [--games 1000000] [--rounds 5]
"""

import argparse
import statistics
import time

from pairs import machine
from servida import Table, load, solve
from servida.solver.simulate import simulate
from servida.solver.solve import thread_count

NAMES = ("yahtzee", "yatzy", "generala", "generala-classic")


def measure(table: Table, games: int, threads: int, rounds: int) -> tuple[list[float], list[float]]:
    """Games per second, and CPU nanoseconds per turn, in each round; every round has dice of its own."""
    turns = games * len(table.game.rules.categories)
    rates, cpu = [], []
    for seed in range(rounds):
        wall, used = time.perf_counter(), time.process_time()
        simulate(table, games, seed, threads=threads)
        rates.append(games / (time.perf_counter() - wall))
        cpu.append((time.process_time() - used) / turns * 1e9)
    return rates, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", default=NAMES)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print(f"{machine()}; {args.games:,} games")
    for name in args.variants:
        table = solve(load(name))
        for threads in sorted({1, 2, thread_count(None)}):
            rates, cpu = measure(table, args.games, threads, args.rounds)
            what = f"{name}, {threads} thread{'s' if threads > 1 else ''}"
            span = f"({min(rates):,.0f} to {max(rates):,.0f})"
            print(
                f"  {what:<28} {statistics.median(rates):11,.0f} games/s {span:<26} "
                f"{statistics.median(cpu):5.0f} CPU ns a turn"
            )


if __name__ == "__main__":
    main()
