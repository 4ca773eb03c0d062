"""Whole games of two: seconds to solve them, the first player's chance, and what playing to win gains over playing for
points.

    python bench/duel.py solve [NAME ...] [--ties]
    python bench/duel.py play [NAME] [--matches 4000] [--seed 1]

`solve` takes all cores. `play` lets the exact strategy meet the one that is best for the expected score, in mirrored
pairs: the same dice with the seats exchanged.
"""

import argparse
import resource
import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pairs import machine
from servida import load, solve
from servida.data.rules import Rules, Variant
from servida.solver.game import Game, compile_rules, game_of
from servida.solver.match import Match
from servida.solver.table import Table

TEN = "generala, 10 boxes"
Dice = npt.NDArray[np.int64]


def rules_of(name: str) -> Rules:
    if name != TEN:
        return load(name).rules
    rules = load("generala").rules
    return rules._replace(categories=tuple(c for c in rules.categories if c.id != "double_generala"))


def whole(name: str, ties: bool) -> tuple[Match, int]:
    """A whole game solved, and its number of needs."""
    game = compile_rules(rules_of(name))
    boxes, row = len(game.rules.categories), (0, 0, game.layout.lane(0, 0))
    match, lanes = Match(game, (row, row), (boxes, boxes), ties=ties), 0

    def count(number: int) -> None:
        nonlocal lanes
        lanes += len(match.solved[number].values)

    match.solve(np.float32, keep=1, after=count)
    return match, lanes


def report_solving(names: list[str], ties: bool) -> None:
    for name in names:
        wall, cpu = time.perf_counter(), time.process_time()
        match, lanes = whole(name, ties)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        row = (0, 0, match.game.layout.lane(0, 0))
        value, tie = match.value(0, row, row, 0)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"  {name:<24} {wall:7.1f} s wall {cpu:7.1f} s CPU  {lanes / 1e6:7.1f} M needs  {memory:4.1f} GB  "
            f"first player {value:.6f}, ties {tie:.6f}",
            flush=True,
        )


class Sheet(NamedTuple):
    """A player's sheet in play."""

    lower: int = 0
    upper: int = 0
    total: int = 0
    points: int = 0


class Player:
    """Plays turns of a variant; with a match to win, else for points."""

    def __init__(self, table: Table, match: Match | None):
        self.table, self.game, self.match = table, table.game, match

    def turn(self, number: int, sheet: Sheet, other: Sheet, dice: Dice) -> tuple[Sheet, bool]:
        """The sheet after a turn, and whether it was won at once; dice[roll, die] are the faces to come."""
        game, rules = self.game, self.game.rules
        held = 0
        for rolls_left in reversed(range(rules.rolls)):
            faces = [f for f in range(6) for _ in range(game.lattice.count[held, f])]
            hold = held
            for die in dice[rules.rolls - 1 - rolls_left][: rules.dice - len(faces)]:
                hold = int(game.lattice.above[hold, die])
            best = self.choose(number, sheet, other, hold, rolls_left, held if rules.hold == "locked" else 0)
            if isinstance(best, Sheet):
                return best, False
            if best < 0:
                return sheet, True
            held = best
        raise AssertionError("a turn ends when no reroll is left")

    def choose(self, number: int, sheet: Sheet, other: Sheet, hold: int, rolls_left: int, locked: int) -> "Sheet | int":
        """What to do: a sheet written, a hold, or -1 to win at once."""
        game, kernel = self.game, self.game.kernel
        first = game.lattice.first[game.rules.dice]
        if self.match:
            rows = [(s.lower, s.upper, game.layout.lane(s.upper, s.total)) for s in (sheet, other)]
            holds, outcomes = self.match.turn(number, rows[0], rows[1], other.points - sheet.points, rolls_left)
            holds, outcomes = np.ascontiguousarray(holds[:, 0]), outcomes[:, 0]
            win = 1.0
        else:
            holds, outcomes = np.empty(len(game.lattice.count)), np.empty(len(game.points_of))
            kernel.turn(self.table.values, sheet.lower, sheet.upper, sheet.total, rolls_left, holds, outcomes)
            win = float(game.win_points or 0)
        served = rolls_left == game.rules.rolls - 1
        writes, bonus = kernel.writes(sheet.lower, sheet.upper, hold - first, served)
        box, outcome = max(writes, key=lambda write: outcomes[write[1]])
        best = float(outcomes[outcome]) + (0 if self.match else bonus)
        may_win = served and hold - first in game.alike and kernel.can_win(sheet.lower, sheet.upper)
        if may_win and win >= best:
            return -1
        if rolls_left and hold != locked:
            kept = kernel.best_hold(hold, locked, holds)
            if holds[kept] > best:
                return kept
        return self.written(sheet, box, int(game.points_of[outcome]) + int(bonus))

    def written(self, sheet: Sheet, box: int, points: int) -> Sheet:
        layout, bonus = self.game.layout, self.game.rules.upper_bonus
        bit, base, stride = layout.upper_bit[box], layout.base[box], layout.stride[box]
        if not bit:
            step = 2 * stride if base == 3 and points > 0 else stride
            return sheet._replace(lower=sheet.lower + step, points=sheet.points + points)
        total = sheet.total + points
        paid = bonus.points if bonus and sheet.total < bonus.threshold <= total else 0
        lower = sheet.lower + (stride if base == 2 and points > 0 else 0)
        return Sheet(lower, sheet.upper | bit, total, sheet.points + points + paid)


def play(game: Game, players: tuple[Player, Player], dice: npt.NDArray[np.int64]) -> float:
    """What the first player gets: 1, 1/2 or 0; dice[turn, roll, die]."""
    sheets = [Sheet(), Sheet()]
    for number in range(2 * len(game.rules.categories)):
        mover = number % 2
        sheets[mover], won = players[mover].turn(number, sheets[mover], sheets[1 - mover], dice[number])
        if won:
            return float(mover == 0)
    lead = sheets[0].points - sheets[1].points
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


def report_matches(name: str, matches: int, seed: int) -> None:
    variant = Variant(name, rules_of(name))
    table, game = solve(variant), game_of(variant)
    boxes, row = len(game.rules.categories), (0, 0, game.layout.lane(0, 0))
    match = Match(game, (row, row), (boxes, boxes))
    match.solve(np.float32)
    to_win, for_points = Player(table, match), Player(table, None)
    random = np.random.default_rng(seed)
    gains = []
    for _ in range(matches // 2):
        dice = random.integers(0, 6, (2 * boxes, game.rules.rolls, game.rules.dice))
        seats = play(game, (to_win, for_points), dice), 1 - play(game, (for_points, to_win), dice)
        gains.append(sum(seats) / 2)
    mean, error = float(np.mean(gains)), float(np.std(gains, ddof=1) / np.sqrt(len(gains)))
    print(f"  {name}: playing to win gets {mean:.4f} ± {error:.4f} of {2 * len(gains)} matches against play for points")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("solve", "play"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ties", action="store_true", help="with the chance of a tie besides")
    arguments = parser.parse_args()
    print(machine(), "all cores")
    if arguments.what == "solve":
        report_solving(arguments.names or [TEN, "generala", "generala-classic", "chaser", "yacht"], arguments.ties)
    else:
        for name in arguments.names or [TEN]:
            report_matches(name, arguments.matches, arguments.seed)


if __name__ == "__main__":
    main()
