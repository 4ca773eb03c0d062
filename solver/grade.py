"""Played games, graded decision by decision (docs/games.md)."""

from collections import Counter
from math import fsum
from typing import NamedTuple

from ..errors import PositionError, quoted
from .contest import Contest, Player, read_player
from .duel import Duels
from .hint import Hint, Option, hint
from .position import Position, Scoresheet, bonus_key, category_id, points_so_far, read_dice, read_sheet
from .record import Dice, Entries, GameRecord, TurnRecord, named, text_of
from .table import Table
from .utility_table import Goal

WIN = "win"


class Decision(NamedTuple):
    """A roll and what was made of it: `luck` is by how much the roll raised the expected total, `loss` by how much the
    choice lowered it. `locked`: dice held before that may not be released. `chosen`: None where nothing was yet."""

    dice: Dice
    rolls_left: int
    locked: Dice
    luck: float
    loss: float
    best: Option
    chosen: Option | None


class GradedTurn(NamedTuple):
    """The decisions of a turn, their luck and loss, and how it left the sheet: `written` is the option that ended it
    (None: it is not over), `expected_total` what best play makes from there."""

    decisions: tuple[Decision, ...]
    written: Option | None
    luck: float
    loss: float
    expected_total: float
    points_so_far: int


class Grade(NamedTuple):
    """A graded game: `expected_at_start` + `luck` - `loss` = `expected_total` (but for the rounding of floats), which
    is what best play makes from where the game stands: the total, once it is `finished`.

    Where it was played for a goal, all four are chances of reaching the target, or utilities, and so is everything in
    the turns that is called luck, loss or expected. Where it was played to win against another, they are chances to win
    (a tie counted half), and `theirs` is what the other player's turns added, by dice and decisions: it belongs to the
    sum. `exact`: none of them had to be approximated.
    """

    expected_at_start: float
    luck: float
    loss: float
    expected_total: float
    points_so_far: int
    finished: bool
    turns: tuple[GradedTurn, ...]
    theirs: float = 0.0
    exact: bool = True


def grade(table: Table, record: GameRecord, goal: Goal | Duels | None = None) -> Grade:
    """Every decision of a game against the best one, for the expected score, for a `goal`, or to win against the other
    player (`Duels`), whose sheet the record tells; `PositionError`, naming the turn, where it breaks the rules."""
    play = _DuelPlay(table, goal, record) if isinstance(goal, Duels) else _Play(table, goal)
    start, turns = play.expected, []
    for number, turn in enumerate(record.turns, 1):
        with named(f"turn {number}"):
            turns.append(play.turn(turn))
    luck, loss = fsum(turn.luck for turn in turns), fsum(turn.loss for turn in turns)
    if record.them is not None:
        with named("game"):
            play.meet(record.them)
    return Grade(start, luck, loss, play.expected, play.points, play.over, tuple(turns), play.theirs, play.exact)


class _Play:
    """A game played once more: the sheet as it stands, and the expected total at every moment."""

    def __init__(self, table: Table, goal: Goal | None):
        self.table, self.goal, self.rules = table, goal, table.game.rules
        self.entries: dict[str, int] = {}
        self.turn_of: dict[str, int] = {}  # the turn that each box was written in
        self.unfinished = False  # the last turn, that is
        self.won = False
        self.theirs, self.exact = 0.0, True
        self.settle()

    def meet(self, them: Entries | None) -> None:
        """The other player has moved; of no matter here."""

    def worth(self, sheet: Scoresheet) -> float:
        """What my sheet is worth before the next turn."""
        return self.goal.value(sheet) if self.goal else self.points + self.table.value(sheet)

    def reply(self, position: Position) -> Hint:
        """The options of a position."""
        return hint(self.table, position, self.goal)

    def settle(self) -> None:
        """Reads points and expected total off the sheet."""
        sheet = read_sheet(self.table.variant, self.table.game, self.entries)
        self.points = points_so_far(self.table.game, sheet)
        self.over = sheet.is_full
        self.expected = self.worth(sheet)

    def turn(self, turn: TurnRecord) -> GradedTurn:
        """Plays a turn and grades it."""
        self.check_shape(turn)
        self.meet(turn.them)
        decisions: list[Decision] = []
        for i, roll in enumerate(turn.rolls):
            before = turn.holds[i - 1] if i else ()
            dice = read_dice(roll, self.rules.dice, f"roll {i + 1}")
            if not Counter(before) <= Counter(dice):
                raise PositionError(
                    f"roll {i + 1}: expected {text_of(before)} in it, held before, found {text_of(dice)}"
                )
            locked = before if self.rules.hold == "locked" else ()
            reply = self.reply(Position("", dice, self.rules.rolls - 1 - i, self.entries, locked))
            ends = i == len(turn.holds)
            chosen = self.written(turn, reply) if ends else self.held(i + 1, turn.holds[i], locked, reply)
            top = max(option.worth for option in reply.options)
            luck, loss = top - self.expected, chosen.loss if chosen else 0.0
            decisions.append(Decision(dice, reply.rolls_left, locked, luck, loss, reply.best, chosen))
            self.expected = chosen.worth if chosen else top
        written = None if self.unfinished else chosen
        if written:
            self.write(written)
        luck, loss = fsum(one.luck for one in decisions), fsum(one.loss for one in decisions)
        return GradedTurn(tuple(decisions), written, luck, loss, self.expected, self.points)

    def check_shape(self, turn: TurnRecord) -> None:
        """Checks how many rolls and holds there are, and that there is a turn to be played at all."""
        rolls, holds, most = len(turn.rolls), len(turn.holds), self.rules.rolls
        if self.over or self.unfinished:
            raise PositionError(f"expected no turn after {'the last' if self.over else 'an unfinished one'}, found one")
        self.unfinished = turn.write is None
        if not 1 <= rolls <= most:
            raise PositionError(f"expected 1 to {most} rolls, found {rolls}")
        if holds != rolls - 1 and not (self.unfinished and holds == rolls):
            raise PositionError(f"expected a hold between every two rolls, {rolls - 1} for {rolls}, found {holds}")
        if holds == most:
            raise PositionError(f"expected a box after roll {most}, found a hold")

    def held(self, number: int, hold: Dice, locked: Dice, reply: Hint) -> Option:
        """The option of holding these dice."""
        for option in reply.options:
            if option.action == "hold" and option.dice == hold:
                return option
        expected = f"some of the dice {text_of(reply.dice)}, not all" + (f", with {text_of(locked)}" if locked else "")
        raise PositionError(f"hold {number}: expected {expected}, found {text_of(hold)}")

    def written(self, turn: TurnRecord, reply: Hint) -> Option | None:
        """The option of writing the box of this turn, or of winning."""
        if turn.write is None:
            return None
        found = {option.category or WIN: option for option in reply.options if option.action != "hold"}
        word = turn.write.casefold()
        if word not in found and word != WIN:
            word = category_id(self.table.variant, self.table.game, turn.write)
        if word in self.turn_of:
            raise PositionError(f"expected an open box, found {word}, written in turn {self.turn_of[word]}")
        if word not in found:
            allowed = ", ".join(name for name in (*self.rules.box, WIN) if name in found)
            raise PositionError(f"expected what the rules allow here ({allowed}), found {word}")
        if turn.points not in (None, found[word].points):
            raise PositionError(f"expected {found[word].points} points for {word}, found {quoted(turn.points)}")
        return found[word]

    def write(self, option: Option) -> None:
        """Puts what was chosen on the sheet."""
        if option.category is None:
            self.points, self.over, self.won = self.points + (option.points or 0), True, True
            return
        self.entries[option.category] = option.points or 0
        self.turn_of[option.category] = len(self.turn_of) + 1
        key = bonus_key(self.table.game)
        if option.bonus and key:
            self.entries[key] = self.entries.get(key, 0) + 1
        self.settle()


class _DuelPlay(_Play):
    """A game against another player, whose sheet is told before each turn."""

    def __init__(self, table: Table, duels: Duels, record: GameRecord):
        self.duels, self.their_turn, self.exact = duels, False, True
        with named("turn 1"):
            self.them = read_player(table, (record.turns[0].them if record.turns else record.them) or {})
        super().__init__(table, None)

    def contest(self, sheet: Scoresheet) -> Contest:
        return Contest(Player(sheet, self.points), (self.them,), mine=not self.their_turn)

    def meet(self, them: Entries | None) -> None:
        """It is my turn again: what the other's turn changed is theirs."""
        if them is not None:
            self.them = read_player(self.table, them)
        if not self.their_turn or self.won:
            return
        if them is None:
            raise PositionError("expected a line 'them: SHEET' before it, the other player's sheet, found none")
        before, self.their_turn = self.expected, False
        self.expected = self.worth(read_sheet(self.table.variant, self.table.game, self.entries))
        self.theirs += self.expected - before

    def worth(self, sheet: Scoresheet) -> float:
        found = self.duels.chances(self.contest(sheet))
        self.exact = self.exact and found.exact
        return found.chances.value

    def reply(self, position: Position) -> Hint:
        sheet = read_sheet(self.table.variant, self.table.game, self.entries)
        found = self.duels.hint(self.contest(sheet), position)
        self.exact = self.exact and found.exact
        options = tuple(
            one.option._replace(utility=one.chances.value, loss=one.loss, best=one.best) for one in found.options
        )
        return hint(self.table, position)._replace(options=options)

    def write(self, option: Option) -> None:
        """Puts what was chosen on the sheet; then it is the other's turn."""
        self.their_turn = True
        super().write(option)
        self.expected = option.worth
