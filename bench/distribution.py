"""The exact distribution of the final total: CPU seconds and peak memory, table in place.

    python bench/distribution.py [--rounds 3]

The best public program known (dlangk/yatzy, float32) took 13.8 CPU seconds and 3.7 GB for yatzy on an AMD EPYC
(Zen 3); it is on no package index, so it is not run here.
"""

import argparse
import time

from pairs import machine, peak_memory, report
from servida import Scoresheet, load, solve
from servida.solver.distribution import distribution

NAMES = ("yatzy", "yahtzee", "yahtzee-plain", "generala", "generala-classic", "chaser")


def cpu_seconds(name: str, rounds: int) -> list[float]:
    table = solve(load(name))
    sheet = Scoresheet((None,) * len(table.game.rules.categories))
    times = []
    for _ in range(rounds):
        started = time.process_time()
        distribution(table, sheet)
        times.append(time.process_time() - started)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    print(machine(), "one thread")
    for name in NAMES:
        report(f"{name}, CPU seconds", cpu_seconds(name, rounds))
    for name in NAMES[:2]:
        code = (
            "from servida import Scoresheet, load, solve\nfrom servida.solver.distribution import distribution\n"
            f"t = solve(load({name!r}))\ndistribution(t, Scoresheet((None,) * len(t.game.rules.categories)))"
        )
        print(f"  {name + ', peak memory of the process':<44} {peak_memory(code):9.1f} MB")


if __name__ == "__main__":
    main()
