"""Playing to win: the chances against one or more opponents, and the best option of the one to move."""

from math import isnan, prod
from typing import NamedTuple

import numpy as np

from ..errors import PositionError
from .contest import Contest, LastRound, Player, is_last_round
from .distribution import distribution
from .hint import Option, hint, places
from .match import Match, TooLargeError
from .position import Position, Scoresheet, points_so_far
from .solve import Limits, Progress
from .table import Table
from .utility import Utility
from .utility_table import UtilityTable, solve_utility

BYTES_PER_LANE = {True: 8, False: 4}  # float32; with ties, without
SMALL = 2**22  # needs up to which float64 is used
MARGIN = 1e-6  # values this close count as equally good
FLOAT32_ERROR = 5e-6  # more than twice what was found for any value that was solved in float32


class Chances(NamedTuple):
    """How a game may end for me: `value` is the chance of a win with my share of ties; win, tie and loss by themselves
    are None where only the value is known."""

    value: float
    win: float | None = None
    tie: float | None = None
    loss: float | None = None


class DuelOption(NamedTuple):
    """Something to do (see `servida.solver.hint.Option`), and the chances after it. `loss`: how much less its value is
    than the best option's. `best`: within 1e-6 of that."""

    option: Option
    chances: Chances
    loss: float
    best: bool


class DuelHint(NamedTuple):
    """The chances of a position, and with dice every option, best first. `exact`: both players play best; if not, the
    others are taken to play for points, whatever I do. `error` bounds what rounding adds."""

    chances: Chances
    exact: bool
    error: float
    options: tuple[DuelOption, ...] = ()


class Duels:
    """Answers for the players of one variant. Positions that follow from one solved before are answered from it, so a
    whole game takes one solving. `table` holds the expected scores; `opening` is a stored match of the whole game."""

    def __init__(
        self,
        table: Table,
        *,
        opening: Match | None = None,
        limits: Limits = Limits(),  # noqa: B008 (a tuple of numbers)
        threads: int | None = None,
        progress: Progress | None = None,
    ):
        self.table, self.game, self.limits = table, table.game, limits
        self.threads, self.progress = threads, progress
        self.matches = [opening] if opening else []

    def match(self, mover: Scoresheet, other: Scoresheet, share: float) -> tuple[Match, int] | None:
        """A solved match that these two sheets occur in, and the turn; None if solving it would pass the limits.

        `share` is what a tie counts for the mover.
        """
        rows = (self.game.layout.row(mover.points), self.game.layout.row(other.points))
        for match in self.matches:
            number = match.find(rows, share)
            if number is not None:
                return match, number
        try:
            match = Match(self.game, rows, (mover.points.count(None), other.points.count(None)), share=share)
        except TooLargeError:
            return None
        lanes = match.lanes()
        if match.seconds() > self.limits.seconds or lanes * BYTES_PER_LANE[match.ties] > self.limits.memory:
            return None
        match.solve(np.float32 if lanes > SMALL else np.float64, threads=self.threads, progress=self.progress)
        self.matches.append(match)
        return match, 0

    def chances(self, contest: Contest) -> DuelHint:
        """The chances before a turn, both players playing best."""
        players = (contest.me, *contest.others)
        if all(player.sheet.is_full for player in players):
            return DuelHint(_end(contest), True, 0.0)
        mine, share, other = contest.i_move, contest.share, contest.others[0]
        pair = (contest.me.sheet, other.sheet) if mine else (other.sheet, contest.me.sheet)
        found = self.match(*pair, share if mine else 1 - share) if len(players) == 2 else None
        if found is None and is_last_round(contest):
            return DuelHint(Chances(LastRound(self.table, contest).value()), True, 1e-9)
        if found is None:
            reply = Reply(self, contest)
            return DuelHint(Chances(reply.table.value(contest.me.sheet, reply.need)), reply.exact, reply.table.error)
        lead = contest.me.total - other.total
        own, against = (self.game.layout.row(sheet.points) for sheet in pair)
        value, tie = found[0].value(found[1], own, against, -lead if mine else lead)
        return DuelHint(_chances(value if mine else 1 - value, tie, share), True, _error(found[0]))

    def hint(self, contest: Contest, position: Position) -> DuelHint:
        """All options for my dice on the table, best first; `position` holds the dice, its sheet is mine."""
        reply = hint(self.table, position)
        if not contest.i_move:
            raise PositionError("dice: expected none while another player is to move, found some; leave them out")
        me, other = contest.me, contest.others[0]
        found = self.match(me.sheet, other.sheet, contest.share) if len(contest.others) == 1 else None
        if found:
            own, against = (self.game.layout.row(player.sheet.points) for player in (me, other))
            need = other.total - me.total
            numbers = np.concatenate(found[0].turn(found[1], own, against, need, reply.rolls_left)).tolist()
            ends, exact = [_chances(value, tie, contest.share) for value, tie in numbers], True
            error = _error(found[0])
        else:
            best_reply = Reply(self, contest, LastRound(self.table, contest) if is_last_round(contest) else None)
            numbers = np.concatenate(best_reply.table.turn(me.sheet, best_reply.need, reply.rolls_left)).tolist()
            ends, exact = [Chances(value) for value in numbers], best_reply.exact
            error = best_reply.table.error
        options = list(reply.options)
        worth = [ends[place] for place in places(self.game, me.sheet, reply.dice, reply.rolls_left, options)]
        best = max(chances.value for chances in worth)
        ranked = [
            DuelOption(option, chances, max(0.0, best - chances.value), chances.value >= best - MARGIN)
            for option, chances in zip(options, worth, strict=True)
        ]
        ranked.sort(key=lambda one: (0.0 if one.best else one.loss, -one.option.expected_total))
        return DuelHint(ranked[0].chances, exact, error, tuple(ranked))


class Reply:
    """My best reply to opponents who play for points, whatever I do: a utility of my final total, the chance that it is
    more than all of theirs. `exact`: they have no box left, so that nothing is neglected, or it is the `last` round."""

    def __init__(self, duels: Duels, contest: Contest, last: LastRound | None = None):
        self.exact = last is not None or all(player.sheet.is_full for player in contest.others)
        utility = last.utility() if last else _utility(duels.table, contest)
        self.need = utility.last - contest.me.total
        self.table: UtilityTable = solve_utility(
            duels.table.variant,
            duels.game,
            utility,
            start=contest.me.sheet,
            threads=duels.threads,
            progress=duels.progress,
        )


def _utility(table: Table, contest: Contest) -> Utility:
    """What each of my final totals is worth against the others' distributions."""
    below = [_below(table, player) for player in contest.others]
    first, last = min(min(chances) for chances in below) - 1, max(max(chances) for chances in below) + 1
    values = []
    for total in range(first, last + 1):
        win = prod(_at(chances, total) for chances in below)
        ahead_or_even = prod(_at(chances, total + 1) for chances in below)
        values.append(win + contest.share * (ahead_or_even - win))
    return Utility(first, tuple(values), 1.0)


def _error(match: Match) -> float:
    return FLOAT32_ERROR if match.solved[len(match.turns)].values.dtype == np.float32 else 1e-11


def _below(table: Table, player: Player) -> dict[int, float]:
    """The chance that a player who plays for points ends below a total, for every total where it is neither 0 nor 1."""
    outlook = distribution(table, player.sheet)
    lead = player.total - points_so_far(table.game, player.sheet)
    low, high = outlook.span
    below = np.minimum(1.0, np.concatenate([[0.0], np.cumsum(outlook.chance[low : high + 1])]))
    return {low + lead + i: float(chance) for i, chance in enumerate(below)}


def _at(below: dict[int, float], total: int) -> float:
    return below.get(total, 0.0 if total < min(below) else 1.0)


def _chances(value: float, tie: float, share: float) -> Chances:
    """The chances behind a value to which a tie adds its share; nan is a tie that is not known."""
    value = min(1.0, max(0.0, value))
    if isnan(tie):
        return Chances(value)
    win = min(1.0, max(0.0, value - share * tie))
    return Chances(value, win, tie, max(0.0, 1.0 - win - tie))


def _end(contest: Contest) -> Chances:
    """What a finished game came to."""
    best = max(player.total for player in contest.others)
    tie = float(contest.me.total == best)
    return _chances(contest.share if tie else float(contest.me.total > best), tie, contest.share)
