"""Hints in process: one position at a time, and many unrelated ones in a call, on one core.

python bench/hints.py [--rounds 7] [--positions 200000]
"""

import argparse

import numpy as np
from pairs import machine, report, seconds
from servida import Position, Table, load, solve
from servida.solver.batch import hints
from servida.solver.hint import hint as single

REPEATS = 2000


def random_positions(table: Table, n: int, rolls_left: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dice, rerolls left and sheets of n unrelated positions: each box open or holding points it can hold."""
    game, random = table.game, np.random.default_rng(1)
    boxes = len(game.rules.categories)
    dice = random.integers(1, 7, (n, game.rules.dice))
    left = np.full(n, rolls_left) if rolls_left is not None else random.integers(0, game.rules.rolls, n)
    sheets = np.column_stack([random.choice(values, n) for values in game.possible_points])
    is_open = random.random((n, boxes)) < random.random((n, 1))
    is_open[np.arange(n), random.integers(0, boxes, n)] = True
    sheets[is_open] = -1
    for box, category in enumerate(game.rules.categories):
        if category.requires:
            required = sheets[:, game.rules.box[category.requires]]
            sheets[:, box] = np.where((sheets[:, box] > 0) & (required <= 0), 0, sheets[:, box])
    return dice, left, sheets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--positions", type=int, default=200_000)
    chosen = parser.parse_args()
    print(machine(), "one core")
    for name in ("yahtzee", "yatzy", "generala", "generala-classic"):
        table = solve(load(name))
        game = table.game
        holds, outcomes = np.empty(len(game.lattice.count)), np.empty(len(game.points_of))
        turn = (table.values, 0, 0, 0, game.rules.rolls - 1, holds, outcomes)

        def solve_turns(kernel=game.kernel, turn=turn) -> None:
            for _ in range(REPEATS):
                kernel.turn(*turn)

        def answers(table=table, name=name) -> None:
            for _ in range(100):
                single(table, Position(name, "12346"))

        print(name)
        report(
            "solver, empty sheet, two rerolls left",
            [seconds(solve_turns) for _ in range(chosen.rounds)],
            REPEATS * 1e-6,
            "us",
        )
        report("whole hint() with all options", [seconds(answers) for _ in range(chosen.rounds)], 1e-4, "us")
        for label, left in (("mixed rerolls left", None), ("two rerolls left", 2)):
            batch = random_positions(table, chosen.positions, left)
            times = [seconds(lambda b=batch, t=table: hints(t, *b)) for _ in range(chosen.rounds)]
            report(f"hints(), {label}, 10^3 positions/s", [chosen.positions / t for t in times], 1e3, "  ")


if __name__ == "__main__":
    main()
