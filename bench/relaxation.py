"""Sheets of several columns: what the policy makes, and the bound no play can beat; docs/bound.md.

    python bench/relaxation.py [--games 200000] [--seed 2026] [--threads 2] [--folder .] [variant ...]

With a folder, the payments and what the policy adds are kept there, and read the next time.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from servida import load
from servida.solver.relaxation import Relaxation, relax

NAMES = ("yahtzee-plain", "yahtzee-three-column", "yahtzee-triple")


def relaxed(name: str, threads: int, folder: Path | None) -> Relaxation:
    path = folder / f"{name}.npz" if folder else None
    if path and path.exists():
        with np.load(path) as stored:
            payments = [stored[key] for key in sorted(stored) if key.startswith("payments")]
            return Relaxation(load(name), payments, stored["extra"], threads=threads)
    found = relax(load(name), threads=threads)
    if path:
        arrays = {f"payments{i}": division.payments for i, division in enumerate(found.divisions)}
        np.savez(path, extra=found.extra, **arrays)
    return found


def report(name: str, games: int, seed: int, threads: int, folder: Path | None) -> None:
    started = time.perf_counter()
    relaxation = relaxed(name, threads, folder)
    seconds = time.perf_counter() - started
    empty = relaxation.empty
    by_division = ", ".join(f"{division.bound(0, empty):.6f}" for division in relaxation.divisions)
    started = time.perf_counter()
    played = relaxation.simulate(games, seed=seed)
    print(f"{name}: bound {relaxation.bound():.8f} (by division: {by_division}), {seconds:.0f} s")
    print(f"  policy {played.mean:.3f} ± {played.standard_error:.3f} over {games} games, seed {seed}, ", end="")
    print(f"without the luck of the dice {played.expected_mean:.3f} ± {played.expected_error:.3f}, ", end="")
    print(f"{time.perf_counter() - started:.0f} s; gap {relaxation.bound() - played.mean:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="variant")
    asked = parser.parse_args()
    for name in asked.names:
        report(name, asked.games, asked.seed, asked.threads, asked.folder)


if __name__ == "__main__":
    main()
