"""Games played with random dice: what a policy comes to, counted instead of computed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..cext.kernel import GAME_BITS, sort_games
from ..errors import ServidaError, nearest, quoted
from .position import Scoresheet, points_so_far
from .solve import Progress, Values, cut, thread_count
from .table import Table
from .totals import Totals, greatest_final

if TYPE_CHECKING:
    from .cluster import Cluster

BATCH = 2**GAME_BITS  # games played at a time
SMALLEST = 4096  # games in the smallest chunk a thread takes
MOST_GAMES = 10**12
MOST_SEED = 2**64 - 1

BOT = "bot:"  # what the name of a policy that errs begins with; a level of solver/bot.py follows
BOT_BATCH = 2**15  # games that a bot plays at a time

# A policy is the value it gives to every sheet, laid out as the table's are: each decision is the best by those.
POLICIES: dict[str, Callable[[Table], Values]] = {
    "score": lambda table: table.values,
    "greedy": lambda table: np.zeros((table.game.layout.lowers, table.game.layout.slots)),
}


@dataclass(frozen=True)
class Simulation(Totals):
    """What became of `games` games played from one sheet.

    `count[t]`: games that ended with t points in all, `chance[t]` their share. `wins`: games won outright.
    `expected_total`: the exact mean, in points, of an endless number of games; None for a policy where it is not known.
    """

    count: npt.NDArray[np.int64]
    games: int
    seed: int
    policy: str
    wins: int
    expected_total: float | None

    @cached_property
    def _sums(self) -> tuple[int, int]:
        """The sums of the totals and of their squares: whole numbers, the same on every machine."""
        counts = [(total, int(self.count[total])) for total in np.flatnonzero(self.count).tolist()]
        return sum(n * total for total, n in counts), sum(n * total**2 for total, n in counts)

    @cached_property
    def mean(self) -> float:
        return self._sums[0] / self.games

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the games played, in points."""
        total, squares = self._sums
        return float(np.sqrt((self.games * squares - total**2) / self.games**2))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in points; NaN for a single game, which tells nothing about it."""
        return float(self.sd / np.sqrt(self.games - 1)) if self.games > 1 else float("nan")


def simulate(
    table: Table,
    games: int,
    seed: int,
    *,
    policy: str = "score",
    sheet: Scoresheet | None = None,
    threads: int | None = None,
    cluster: "Cluster | None" = None,
    progress: Progress | None = None,
) -> Simulation:
    """Plays games from `sheet` (None: an empty one) to the end and counts their totals.

    `policy`: "score" plays for the greatest expected total; "greedy" for the most points in each turn, whatever comes
    after it (an upper bonus counts in the turn that earns it). Of equally good options the first by docs/solver.md,
    "Ties", is taken. `seed`, from 0 to 2**64 - 1, and the number of a game decide its dice: the same bits come out for
    any number of `threads` (None: all cores), and for a `cluster` that plays instead. "bot:LEVEL", such as "bot:easy",
    plays as a bot of that level (docs/bots.md). `progress` is called with the turns played and the turns in all. Raises
    `ServidaError` for games, seeds and policies that cannot be.
    """
    _check(games, seed)
    game, play, exact = table.game, *play_of(table, policy)
    sheet = sheet or Scoresheet((None,) * len(game.rules.categories))
    so_far = points_so_far(game, sheet)
    count = np.zeros(greatest_final(game, so_far) + 1, np.int64)
    turns, wins, done = sheet.points.count(None), 0, 0

    def played(n: int) -> None:
        nonlocal done
        done += n
        if progress:
            progress(done, games * turns)

    def batches() -> Iterator[tuple[npt.NDArray[np.int64], int]]:
        for first in range(0, games, BATCH):
            numbers = range(first, min(first + BATCH, games))
            score, won = play(sheet=sheet, seed=seed, numbers=numbers, threads=threads, played=played)
            yield np.bincount(score), won

    found = cluster.count_games(table, policy, sheet, seed, games, played) if cluster else batches()
    for made, won in found:
        count[so_far : so_far + len(made)] += made
        wins += won
    expected = so_far + table.value(sheet) if exact else None
    return Simulation(count / games, count, games, seed, policy, wins, expected)


def play_of(table: Table, policy: str) -> tuple[Callable[..., tuple[npt.NDArray[np.int32], int]], bool]:
    """What plays the games of a policy, and whether it plays for the expected score, perfectly."""
    temperature = check_policy(policy)
    if temperature:
        return partial(play_bots, table, temperature), False
    values = POLICIES["score" if temperature == 0 else policy](table)
    return partial(play_batch, table, values), values is table.values


def _check(games: int, seed: int) -> None:
    for name, number, least, most in (("games", games, 1, MOST_GAMES), ("seed", seed, 0, MOST_SEED)):
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise ServidaError(f"{name}: expected a whole number from {least} to {most}, found {quoted(number)}")


def check_policy(policy: str) -> float | None:
    """The temperature of a bot, None for another policy; `ServidaError` for a name that is none."""
    from .bot import LEVELS, read_level

    if policy in POLICIES:
        return None
    if str(policy).startswith(BOT):
        return read_level(policy.removeprefix(BOT))
    names = [*POLICIES, *(BOT + level for level in LEVELS)]
    raise ServidaError(
        f"policy: expected one of {', '.join(names)}, found {quoted(policy)}{nearest(str(policy), names)}"
    )


def play_batch(
    table: Table,
    values: Values,
    sheet: Scoresheet,
    seed: int,
    numbers: range,
    threads: int | None = None,
    played: Callable[[int], None] = lambda n: None,
) -> tuple[npt.NDArray[np.int32], int]:
    """The points made from `sheet` on in each of the games of these numbers (at most `BATCH` of them), and how many
    games were won outright. `played` is called with the number of games that have played one turn more."""
    from concurrent.futures import ThreadPoolExecutor  # the command line reports mistakes without

    layout, kernel = table.game.layout, table.game.kernel
    lower, upper, total = layout.place(sheet.points)
    start = lower * layout.slots + int(layout.slot[upper]) + layout.lane(upper, total)
    games = np.arange(len(numbers), dtype=np.uint64) | np.uint64(start << GAME_BITS)
    score, room = np.zeros(len(numbers), np.int32), np.empty_like(games)
    threads, open_boxes = thread_count(threads), sheet.points.count(None)

    def play(turn: int, chunk: npt.NDArray[np.uint64]) -> int:
        kernel.play_turn(values, seed, numbers.start, turn, chunk, score)
        return len(chunk)

    with ThreadPoolExecutor(threads) as pool:
        for turn in range(len(sheet.points) - open_boxes, len(sheet.points)):
            sort_games(games, values.size, room)
            for n in pool.map(partial(play, turn), cut(games, threads, SMALLEST)):
                played(n)
    return score, int((games >> np.uint64(GAME_BITS) == values.size).sum())


def play_bots(
    table: Table,
    temperature: float,
    sheet: Scoresheet,
    seed: int,
    numbers: range,
    threads: int | None = None,
    played: Callable[[int], None] = lambda n: None,
) -> tuple[npt.NDArray[np.int32], int]:
    """The same as `play_batch` for a bot that errs."""
    from concurrent.futures import ThreadPoolExecutor

    from .bot_games import BotGames

    before = points_so_far(table.game, sheet)
    turns = range(len(sheet.points) - sheet.points.count(None), len(sheet.points))

    def play(first: int) -> tuple[npt.NDArray[np.int64], int]:
        games = BotGames(table, temperature, sheet, seed, range(first, min(first + BOT_BATCH, numbers.stop)))
        for turn in turns:
            games.play(turn)
        return games.totals() - before, int(games.won.sum())

    scores, wins = [], 0
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for score, won in pool.map(play, range(numbers.start, numbers.stop, BOT_BATCH)):
            scores.append(score)
            wins += won
            played(len(score) * len(turns))
    return np.concatenate(scores).astype(np.int32), wins
