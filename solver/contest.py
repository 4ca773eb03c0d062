"""Positions of several players, and the last round of a game, which is exact for any number of them."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from .distribution import distribution
from .match import TIE
from .position import Scoresheet, points_so_far, read_sheet
from .table import Table
from .utility import Utility
from .utility_table import Goal, solve_utility


class Player(NamedTuple):
    """A sheet and the points it has in all, which are those that it makes unless somebody says otherwise."""

    sheet: Scoresheet
    total: int


def read_player(table: Table, entries: Mapping[str, int]) -> Player:
    """A player with this sheet and the points it makes."""
    sheet = read_sheet(table.variant, table.game, entries)
    return Player(sheet, points_so_far(table.game, sheet))


class Contest(NamedTuple):
    """A position of several players. `mine`: whether it is my turn; else the first of `others` moves. `tie`: "half"
    of a win, or "win" where all leaders win."""

    me: Player
    others: tuple[Player, ...]
    mine: bool = True
    tie: str = "half"

    @property
    def share(self) -> float:
        """What a tie counts for me."""
        return TIE[self.tie]

    @property
    def i_move(self) -> bool:
        """Whether I am to move: it is my turn, or nobody else has a box left."""
        finished = all(player.sheet.is_full for player in self.others)
        return not self.me.sheet.is_full and (self.mine or finished)


def is_last_round(contest: Contest) -> bool:
    """Whether nobody has more than one box left."""
    return all(player.sheet.points.count(None) <= 1 for player in (contest.me, *contest.others))


class LastRound:
    """The last turns of several players, one after the other, each knowing the totals so far and playing for a win.

    What a player makes of a total depends on the players still to come, who answer to it: so it is solved from the last
    one back. Totals that nobody has to beat any more are told by `best`, the greatest so far, and how many `leaders`
    share it.
    """

    def __init__(self, table: Table, contest: Contest):
        self.table, self.tie = table, contest.tie
        players = [contest.me, *contest.others]
        order = [0, *range(1, len(players))] if contest.i_move else [*range(1, len(players)), 0]
        self.movers = [player for player in order if not players[player].sheet.is_full]
        self.players = players
        finished = [player.total for player in players if player.sheet.is_full]
        self.best = max(finished, default=-1)
        self.leaders = finished.count(self.best)
        self.leading = players[0].sheet.is_full and players[0].total == self.best
        self.expected = cache(self._expected)
        self.play = cache(self._play)

    def value(self) -> float:
        """My chance to win, with my share of ties."""
        return self.expected(0, 0, self.best, self.leaders, self.leading)

    def utility(self) -> Utility:
        """What each of my final totals is worth, mine being the first turn."""
        return self._utility_of(0, self.best, self.leaders)

    def _expected(self, observer: int, turn: int, best: int, leaders: int, leading: bool) -> float:
        """The share of the win that the observer comes to, before a turn."""
        if turn == len(self.movers):
            return 0.0 if not leading else 1.0 if self.tie == "win" else 1 / leaders
        mover, total = self.movers[turn], 0.0
        waiting = observer in self.movers[turn + 1 :]
        for points, chance in self.play(turn, best, leaders):
            mine = mover == observer
            if points is None:  # won at once
                total += chance * mine
                continue
            after = self._after(points, best, leaders)
            still = points >= best if mine else leading and points <= best
            total += chance * self.expected(observer, turn + 1, *after, still) if still or waiting else 0.0
        return total

    def _after(self, points: int, best: int, leaders: int) -> tuple[int, int]:
        """The best total and how many have it, after a player ended with these points."""
        return (points, 1) if points > best else (best, leaders + (points == best))

    def _utility_of(self, turn: int, best: int, leaders: int) -> Utility:
        """What each final total is worth to the mover of a turn; one that cannot be, as much as the one below."""
        mover = self.movers[turn]
        totals = self._totals(self.players[mover])
        worth = {
            total: self.expected(mover, turn + 1, *self._after(total, best, leaders), True) if total >= best else 0.0
            for total in totals
        }
        values = [0.0]
        for total in range(totals[0], totals[-1] + 1):
            values.append(worth.get(total, values[-1]))
        return Utility(totals[0] - 1, tuple(values), 1.0)

    def _totals(self, player: Player) -> list[int]:
        """The totals that a player can end with, ascending."""
        game, sheet = self.table.game, player.sheet
        box, lead = sheet.points.index(None), player.total - points_so_far(game, sheet)
        fives = (0, game.rules.five.bonus if game.rules.five else 0)
        found = set()
        for points in game.outcome_points[box].tolist():
            full = sheet._replace(points=(*sheet.points[:box], points, *sheet.points[box + 1 :]))
            found |= {points_so_far(game, full) + lead + five for five in fives}
        return sorted(found)

    def _play(self, turn: int, best: int, leaders: int) -> list[tuple[int | None, float]]:
        """The final totals of the mover of a turn, None for a win at once, with their chances."""
        player = self.players[self.movers[turn]]
        utility, game = self._utility_of(turn, best, leaders), self.table.game
        lead = player.total - points_so_far(game, player.sheet)  # totals may be more than the boxes tell
        shifted = utility._replace(first=utility.first - lead)
        table = solve_utility(self.table.variant, game, shifted, start=player.sheet, threads=1)
        outlook = distribution(self.table, player.sheet, Goal(table))
        found: list[tuple[int | None, float]] = [(None, outlook.win)] if outlook.win else []
        chance = outlook.chance.copy()
        if outlook.win:
            chance[points_so_far(game, player.sheet) + (game.win_points or 0)] -= outlook.win
        return found + [(total + lead, float(chance[total])) for total in chance.nonzero()[0].tolist()]
