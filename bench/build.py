"""Building tables: this program beside yatzy-solver, on the same rules, in one run.

    pip install yatzy-solver==1.0.0
    python bench/build.py [--rounds 7]

Both use all cores and float64. Ours is the whole build, written and synced to disk; theirs solves in memory.
Then: memory at its peak, and the operations done per second beside what the machine can do at best.
"""

import argparse
import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from pairs import machine, pairs, peak_memory, report, report_ratio, seconds
from servida import Store, load
from servida.solver.game import Game, compile_rules
from servida.solver.solve import solve_values, thread_count

PEER = {"yahtzee": "american+forced-joker", "yatzy": "yatzy-scandinavian"}


def against_peer(rounds: int, folder: Path) -> None:
    import yatzy_solver

    store = Store(folder)
    for name, peer_name in PEER.items():
        variant, peer = load(name), yatzy_solver.Variant(peer_name)
        solver = yatzy_solver.Solver.build(peer)
        with store.ensure(variant) as table:
            ours, theirs = table.expected_total, solver.state_value("upper 0 | filled -")
        print(f"{name}: expected total {ours:.12f} here, {theirs:.12f} there ({solver.precision})")
        ours_s, theirs_s = pairs(
            lambda v=variant: store.build(v, force=True), lambda p=peer: yatzy_solver.Solver.build(p), rounds
        )
        report("servida, solved and stored", ours_s)
        report("yatzy-solver 1.0.0, solved in memory", theirs_s)
        report_ratio("times faster", theirs_s, ours_s)


def operations(game: Game) -> float:
    """Additions, multiplications and maxima on lanes in use, of one whole build (padding of blocks not counted)."""
    lattice, rules, layout = game.lattice, game.rules, game.layout
    small = lattice.first[rules.dice]  # holds of fewer than all dice
    below = int((lattice.count > 0).sum())  # maxima of the walk up: one per die face of each hold
    rolls = len(lattice.count) - small
    turn = (rules.rolls - 1) * (6 * small + below) + 2 * rolls
    scored = np.array([(row > 0).sum() for row in game.ordinary])
    total = 0.0
    for rows in layout.rows_by_layer(game.order)[:-1]:
        lanes = layout.live[rows[:, 1]] + 1
        total += turn * float(lanes.sum())
        for box in range(len(scored)):
            bit, base, stride = layout.upper_bit[box], layout.base[box], layout.stride[box]
            is_open = (rows[:, 1] & bit) == 0 if bit else rows[:, 0] // stride % base == 0
            total += float(lanes[is_open].sum()) * (scored[box] + len(game.outcome_points[box]) + 1)
    return total


def beside_the_machine(rounds: int, folder: Path) -> None:
    library = folder / "throughput.so"
    source = Path(__file__).with_name("throughput.c")
    subprocess.run(["cc", "-O3", "-ffp-contract=off", "-shared", "-fPIC", "-o", library, source], check=True)
    machine_c = ctypes.CDLL(str(library))
    machine_c.from_cache.restype = machine_c.in_registers.restype = ctypes.c_double
    print("one thread: operations on doubles per second (10^9)")
    for name in PEER:
        game = compile_rules(load(name).rules)
        done = operations(game)
        rates = []
        best = {"add from cache": [], "max from cache": [], "add in registers": []}
        for _ in range(rounds):
            rates.append(done / seconds(lambda g=game: solve_values(g, threads=1)))
            best["add from cache"].append(machine_c.from_cache(0))
            best["max from cache"].append(machine_c.from_cache(1))
            best["add in registers"].append(machine_c.in_registers())
        report(f"{name} ({done / 1e9:.2f} x 10^9 operations)", rates, 1e9, "  ")
        for what, values in best.items():
            report(f"  the machine, {what}", values, 1e9, "  ")
            report_ratio("  of which the kernel reaches", rates, values)


def memory() -> None:
    print("peak memory of a build, whole process")
    base = peak_memory("import servida.solver.solve")
    print(f"  {'imports alone':<44} {base:9.1f} MB")
    for name in PEER:
        code = f"import servida, tempfile\nservida.Store(tempfile.mkdtemp()).build(servida.load({name!r}))"
        print(f"  {name:<44} {peak_memory(code):9.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-peer", action="store_true", help="leave yatzy-solver out")
    chosen = parser.parse_args()
    print(machine(), f"{thread_count(None)} cores")
    with tempfile.TemporaryDirectory() as folder:
        if not chosen.no_peer:
            against_peer(chosen.rounds, Path(folder))
        memory()
        beside_the_machine(chosen.rounds, Path(folder))


if __name__ == "__main__":
    main()
