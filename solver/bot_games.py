"""Many games of a bot that errs (solver/bot.py), a turn of all of them at a time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .batch import place_sheets
from .dice import fractions, throws
from .game import Game
from .position import Scoresheet
from .table import Table

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SHEETS = 2048  # sheets whose turns are held at a time
NEVER = -np.inf  # what an option is worth that is none


def pick(worths: Floats, temperature: float, fraction: Floats) -> Longs:
    """The column of the option that each row takes: at random, exp(-loss / temperature) times as often as the best.

    `worths`: what the options are worth, shape (n, options), minus infinity where there is none; `fraction`: a random
    number from 0 to 1 per row. At temperature 0 it is the first of the best.
    """
    if temperature == 0:
        return np.asarray(np.argmax(worths, axis=1))
    weights = np.exp((worths - worths.max(axis=1, keepdims=True)) / temperature)
    reached = np.cumsum(weights, axis=1)
    taken = (reached <= fraction[:, None] * reached[:, -1:]).sum(axis=1)
    return np.asarray(np.minimum(taken, worths.shape[1] - 1))


class Dice(NamedTuple):
    """What only the dice of a game decide, by roll number: the holds (hold numbers, -1 beyond them), the outcome of
    each box on a later roll and served, and the face of all dice alike (-1 for others). By hold: its number of dice."""

    holds: Longs
    outcome: tuple[Longs, Longs]
    face: Longs
    size: Longs


def dice_of(game: Game) -> Dice:
    """The tables of a game."""
    lattice, first = game.lattice, int(game.lattice.first[game.rules.dice])
    found = [game.kernel.holds_within(roll, 0) for roll in range(first, len(lattice.count))]
    holds = np.full((len(found), max(map(len, found))), -1)
    for roll, numbers in enumerate(found):
        holds[roll, : len(numbers)] = numbers
    face = np.full(len(found), -1)
    face[list(game.alike)] = np.arange(len(game.alike))
    later, served = (
        np.stack([start + np.searchsorted(values, points[i]) for i, (start, values) in boxes], axis=1)
        for points in (game.ordinary, game.served)
        for boxes in [list(enumerate(zip(game.first_outcome, game.outcome_points, strict=True)))]
    )
    return Dice(holds, (later, served), face, lattice.count.astype(np.int64).sum(axis=1))


class Turns(NamedTuple):
    """The turns of some sheets, solved. Per sheet: `holds[left]`, the value of every hold with so many rerolls to come;
    `outcomes`, that of writing each outcome; `allowed` boxes; `scratched`: boxes that pay nothing for want of another;
    `alike[served]`: for all dice alike, per face, the outcome in each box, -1 where it may not be written; `bonus` that
    comes with them; `win`: whether they end the game."""

    holds: list[Floats]
    outcomes: Floats
    allowed: Flags
    scratched: Flags
    alike: tuple[Longs, Longs]
    bonus: Floats
    win: Flags


def solve_turns(table: Table, lower: Longs, upper: Longs, total: Longs, points: Longs) -> Turns:
    """The turns of these sheets (see `Layout`), whose boxes hold `points`, -1 for open."""
    game, n = table.game, len(lower)
    boxes, faces, rolls = len(game.rules.categories), len(game.alike), game.rules.rolls
    holds = [np.empty((n, len(game.lattice.count))) for _ in range(rolls)]
    outcomes = np.empty((n, len(game.points_of)))
    allowed, win = np.zeros((n, boxes), bool), np.zeros(n, bool)
    alike, bonus = np.full((2, n, faces, boxes), -1), np.zeros((n, faces))
    plain = next((roll for roll in range(len(game.ordinary[0])) if roll not in game.alike), 0)
    for i, sheet in enumerate(zip(lower.tolist(), upper.tolist(), total.tolist(), strict=True)):
        for left in range(1, rolls):
            game.kernel.turn(table.values, *sheet, left, holds[left][i], outcomes[i])
        if rolls == 1:
            game.kernel.turn(table.values, *sheet, 0, holds[0][i], outcomes[i])
        allowed[i, [box for box, _ in game.kernel.writes(*sheet[:2], plain, False)[0]]] = True
        win[i] = game.kernel.can_win(*sheet[:2])
        for face, roll in enumerate(game.alike):
            for served in (0, 1):
                writes, bonus[i, face] = game.kernel.writes(*sheet[:2], roll, bool(served))
                for box, outcome in writes:
                    alike[served, i, face, box] = outcome
    scratched = np.zeros((n, boxes), bool)
    for box, category in enumerate(game.rules.categories):
        if category.requires:
            scratched[:, box] = points[:, game.rules.box[category.requires]] <= 0
    return Turns(holds, outcomes, allowed, scratched, (alike[0], alike[1]), bonus, win)


class BotGames:
    """Games that a bot plays from one sheet, all at the same turn. Per game: `points` per box (-1 open), `bonuses` for
    further fives, `won` at once, and `running`, the games not yet won."""

    def __init__(self, table: Table, temperature: float, sheet: Scoresheet, seed: int, numbers: range):
        self.table, self.game, self.temperature, self.seed = table, table.game, temperature, seed
        self.dice, self.lattice = dice_of(table.game), table.game.lattice
        self.first = int(self.lattice.first[self.game.rules.dice])
        self.numbers = np.arange(numbers.start, numbers.stop, dtype=np.uint64)
        self.points = np.tile([-1 if value is None else value for value in sheet.points], (len(numbers), 1))
        self.bonuses = np.full(len(numbers), sheet.bonuses)
        self.won = np.zeros(len(numbers), bool)
        self.scratch = np.array(self.game.first_outcome)

    def play(self, turn: int) -> None:
        """Plays a turn of all games; `turn`: the boxes written before."""
        layout, running = self.game.layout, np.flatnonzero(~self.won)
        lower, upper, total, _ = self.sheets(running)
        lane = total - layout.lane_low[upper]
        lane = np.where((lane >= 0) & (lane < layout.live[upper]), lane, layout.live[upper])
        _, shown, sheet = np.unique(
            lower * layout.slots + layout.slot[upper] + lane, return_index=True, return_inverse=True
        )
        order = np.argsort(sheet, kind="stable")
        for start in range(0, len(shown), SHEETS):
            some = shown[start : start + SHEETS]
            begin, end = np.searchsorted(sheet[order], (start, start + len(some)))
            turns = solve_turns(self.table, lower[some], upper[some], total[some], self.points[running[some]])
            self._play_sheets(turn, turns, running[order[begin:end]], sheet[order[begin:end]] - start)

    def sheets(self, games: Longs) -> tuple[Longs, Longs, Longs, Floats]:
        """lower, upper, total and the points so far of some games."""
        return place_sheets(self.game, self.points[games], self.bonuses[games])

    def totals(self) -> Longs:
        """The points of all games in all."""
        so_far = self.sheets(np.arange(len(self.points)))[3]
        return np.asarray(so_far + self.won * (self.game.win_points or 0), np.int64)

    def _play_sheets(self, turn: int, turns: Turns, games: Longs, sheets: Longs) -> None:
        """Plays a turn of some games, each on one of the sheets that are solved."""
        held = np.zeros(len(games), np.int64)
        for number in range(self.game.rules.rolls):
            left = self.game.rules.rolls - 1 - number
            roll = self._throw(games, turn, number, held)
            outcome = self._outcomes(turns, sheets, roll, served=number == 0)
            worths = self._worths(turns, sheets, roll, outcome, held, left)
            chosen = pick(worths, self.temperature, fractions(self.seed, self.numbers[games], turn, number))
            boxes = outcome.shape[1]
            writing = chosen <= boxes
            self._write(turns, games[writing], sheets[writing], roll[writing], outcome[writing], chosen[writing] - 1)
            going = ~writing
            held = self.dice.holds[roll[going], chosen[going] - boxes - 1]
            games, sheets = games[going], sheets[going]

    def _throw(self, games: Longs, turn: int, number: int, held: Longs) -> Longs:
        """The roll numbers after a throw of the dice that are not held."""
        faces = throws(self.seed, self.numbers[games], turn, number, self.game.rules.dice - self.dice.size[held])
        roll = held
        for face in faces.T:
            roll = np.where(face > 0, self.lattice.above[np.minimum(roll, self.first - 1), face - 1], roll)
        return np.asarray(roll - self.first, np.int64)

    def _outcomes(self, turns: Turns, sheets: Longs, roll: Longs, *, served: bool) -> Longs:
        """The outcome of writing each roll in each box, -1 where it may not be."""
        found = np.where(turns.scratched[sheets], self.scratch, self.dice.outcome[served][roll])
        found = np.where(turns.allowed[sheets], found, -1)
        face = self.dice.face[roll]
        return np.asarray(np.where((face >= 0)[:, None], turns.alike[served][sheets, face], found))

    def _worths(self, turns: Turns, sheets: Longs, roll: Longs, outcome: Longs, held: Longs, left: int) -> Floats:
        """What each option is worth: a win at once, the boxes, the holds."""
        alike, served = self.dice.face[roll] >= 0, left == self.game.rules.rolls - 1
        bonus = np.where(alike, turns.bonus[sheets, self.dice.face[roll]], 0.0)
        writes = np.where(outcome >= 0, turns.outcomes[sheets[:, None], outcome] + bonus[:, None], NEVER)
        can_win = turns.win[sheets] & alike & served
        win = np.where(can_win, float(self.game.win_points or 0), NEVER)[:, None]
        if left == 0:
            return np.hstack([win, writes])
        numbers = self.dice.holds[roll]
        there = numbers >= 0
        if self.game.rules.hold == "locked":
            there &= (self.lattice.count[numbers] >= self.lattice.count[held][:, None]).all(axis=2)
        return np.hstack([win, writes, np.where(there, turns.holds[left][sheets[:, None], numbers], NEVER)])

    def _write(self, turns: Turns, games: Longs, sheets: Longs, roll: Longs, outcome: Longs, box: Longs) -> None:
        """Puts what was chosen on the sheets; box -1 is a win at once."""
        self.won[games[box < 0]] = True
        writing = box >= 0
        games, sheets, roll, box = games[writing], sheets[writing], roll[writing], box[writing]
        self.points[games, box] = self.game.points_of[outcome[writing, box]].astype(np.int64)
        face = self.dice.face[roll]
        self.bonuses[games] += (face >= 0) & (turns.bonus[sheets, face] > 0)
