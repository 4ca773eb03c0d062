"""The chances of reaching every total, from every sheet: CPU seconds, peak memory, and how far float32 is off.

    python bench/target.py [--rounds 3] [NAME ...]

The best public program known (dlangk/yatzy, float32) took 424 CPU seconds and 5.6 GB for yatzy on this kind of machine;
it is on no package index, so it is not run here. Instead float64, the same program's own more exact way, is run in the
same rounds.
"""

import argparse
import time

import numpy as np
from pairs import machine, peak_memory, report, report_ratio
from servida import load
from servida.solver.game import game_of
from servida.solver.spans import Spans, solve_spans

NAMES = ("yatzy", "yacht-dice", "yahtzee-plain", "generala", "chaser")


def solved(name: str, dtype: type) -> tuple[Spans, float]:
    started = time.process_time()
    spans = solve_spans(game_of(load(name)), dtype=dtype)
    return spans, time.process_time() - started


def greatest_difference(a: Spans, b: Spans) -> float:
    """By how much two tables differ where the first says that play decides, in a sample of sheets."""
    rows = np.random.default_rng(0).choice(np.flatnonzero(a.width > 1), 20_000)
    needs = np.random.default_rng(1).random(len(rows))
    return max(
        abs(a.at(row, need) - b.at(row, need))
        for row, need in zip(rows, (a.low[rows] + needs * a.width[rows]).astype(int).tolist(), strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(machine(), "all cores")
    for name in arguments.names:
        times: dict[type, list[float]] = {np.float32: [], np.float64: []}
        for _ in range(arguments.rounds):
            narrow, seconds = solved(name, np.float32)
            times[np.float32].append(seconds)
            wide, seconds = solved(name, np.float64)
            times[np.float64].append(seconds)
        report(f"{name}, float32, CPU seconds", times[np.float32])
        report(f"{name}, float64, CPU seconds", times[np.float64])
        report_ratio(f"{name}, float64 / float32", times[np.float64], times[np.float32])
        print(f"  {name + ', greatest difference':<44} {greatest_difference(wide, narrow):9.1e}")
        code = (
            "from servida import load\nfrom servida.solver.game import game_of\n"
            f"from servida.solver.spans import solve_spans\nsolve_spans(game_of(load({name!r})))"
        )
        print(f"  {name + ', peak memory of the process':<44} {peak_memory(code):9.1f} MB")


if __name__ == "__main__":
    main()
