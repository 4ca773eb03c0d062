"""Positions on sheets of several columns: how people write them, and the options of the dice on the table."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..cext.kernel import FIRST_OUTCOME, TIE
from ..data.rules import Rules, Variant
from ..errors import PositionError, ServidaError, quoted
from .bound_table import BoundTable
from .column_table import ColumnTable, columns_of, solve_from
from .columns import Columns, Place, Sheets
from .game import Game, compile_rules
from .hint import Hint, Option, Score, hold_options, ranked, roll_number
from .position import Position, points_so_far, read_dice, read_held, read_rolls_left, read_sheet
from .solve import Limits, Progress

Numbers = npt.NDArray[np.float64]


def column_names(rules: Rules) -> tuple[str, ...]:
    """What columns are called: by their orders or multipliers, where those tell them apart, else by number."""
    kinds: Iterable[list[str]] = (
        [column.order for column in rules.columns],
        [f"x{column.multiplier}" for column in rules.columns],
    )
    numbers = [str(number + 1) for number in range(len(rules.columns))]
    return tuple(next((names for names in kinds if len(set(names)) == len(names)), numbers))


def column_game(variant: Variant, column: int) -> Game:
    """One column as a game of its own."""
    return compile_rules(variant.rules, column)


def read_sheets(variant: Variant, entries: Mapping[str, Any]) -> Sheets:
    """The sheet with these points written, by names such as "down.ones" or "1.ones"; `PositionError` when no game can
    lead to it."""
    names = column_names(variant.rules)
    written: list[dict[str, Any]] = [{} for _ in names]
    for name, value in entries.items():
        word, dot, box = str(name).partition(".")
        if not dot:
            example = f"{names[0]}.{variant.rules.categories[0].id}"
            raise PositionError(f"sheet: expected a column and a box like {example}, found {quoted(name)}")
        column = names.index(word) if word in names else int(word) - 1 if word.isascii() and word.isdigit() else -1
        if not 0 <= column < len(names):
            known = ", ".join(names)
            raise PositionError(f"sheet: expected a column ({known}, or 1 to {len(names)}), found {quoted(word)}")
        if box in written[column]:
            raise PositionError(f"sheet: expected every box once, found {quoted(name)} twice")
        written[column][box] = value
    found = []
    for column, boxes in enumerate(written):
        try:
            found.append(read_sheet(variant, column_game(variant, column), boxes))
        except PositionError as error:
            raise PositionError(f"column {names[column]}: {error}") from None
    return tuple(found)


def total_so_far(variant: Variant, sheets: Sheets) -> int:
    """Points on the sheet, multipliers counted."""
    return sum(
        column.multiplier * points_so_far(column_game(variant, k), sheet)
        for k, (column, sheet) in enumerate(zip(variant.rules.columns, sheets, strict=True))
    )


def column_scores(variant: Variant, sheets: Sheets, dice: tuple[int, ...], *, served: bool) -> list[Score]:
    """What the dice make in every box that may be written."""
    return [
        Score(variant.rules.categories[box].id, int(game.points_of[outcome]), bonus, k + 1)
        for k, game, box, outcome, bonus in _writes(variant, sheets, dice, served)
    ]


def _writes(
    variant: Variant, sheets: Sheets, dice: tuple[int, ...], served: bool
) -> list[tuple[int, Game, int, int, int]]:
    """Every way to write the dice: column, its game, box, outcome, and the bonus for a further five."""
    found = []
    for k, sheet in enumerate(sheets):
        game = column_game(variant, k)
        lower, upper, _ = game.layout.place(sheet.points)
        writes, bonus = game.kernel.writes(lower, upper, roll_number(game, dice), served)
        found += [(k, game, box, outcome, int(bonus)) for box, outcome in writes]
    return found


class TooLargeError(ServidaError):
    """A position that takes more than the limits to solve."""


class Worth(NamedTuple):
    """Points still to come, on average: exactly, or where there is a `bound` by an estimate; no play makes more than
    that."""

    value: float
    bound: float | None = None


class ColumnHints:
    """Answers for one variant of several columns, from the table of the whole game where its levels are stored, else by
    solving what can still happen. What was solved once answers for the positions that follow, while it is there. Where
    solving would pass the limits, a stored `bound` and policy answer approximately."""

    def __init__(
        self,
        variant: Variant,
        *,
        stored: ColumnTable | None = None,
        bound: BoundTable | None = None,
        limits: Limits = Limits(),  # noqa: B008 (a tuple of numbers)
        threads: int | None = None,
        progress: Progress | None = None,
    ):
        self.variant, self.limits, self.threads, self.progress = variant, limits, threads, progress
        self.tables = [stored] if stored else []
        self.bound = bound

    def table(self, sheets: Sheets) -> tuple[ColumnTable, Place]:
        """A table that answers for this sheet; `TooLargeError` where solving it would pass the limits."""
        for table in self.tables:
            place = table.find(sheets)
            if place:
                return table, place
        columns = columns_of(self.variant, sheets)
        self._check(columns)
        solved = solve_from(self.variant, columns, threads=self.threads, progress=self.progress)
        self.tables = [*self.tables[:1], solved] if self.tables and self.tables[0].path else [solved]
        place = solved.find(sheets)
        assert place
        return solved, place

    def _check(self, columns: Columns) -> None:
        seconds, limits, name = columns.seconds(1), self.limits, self.variant.id
        memory = 0.0
        if seconds <= limits.seconds:
            memory = 2 * 8 * columns.size * max(len(level) for level in columns.levels)
        if seconds > limits.seconds or memory > limits.memory:
            need = f"{seconds:,.0f} s" if seconds > limits.seconds else f"{memory / 1e9:.1f} GB"
            raise TooLargeError(
                f"{name}: expected a position that can be solved in {limits.seconds:g} s of one core and "
                f"{limits.memory / 1e9:g} GB, found one that takes {need}; raise --time-limit or --memory-limit, or "
                f"store a policy for it with 'servida tables build {name} --objective bound'"
            )

    def value(self, sheets: Sheets) -> Worth:
        """What is still to come from a sheet, before a turn."""
        found = self._table_or_bound(sheets)
        if isinstance(found, BoundTable):
            return Worth(found.worth(sheets), found.bound(sheets))
        table, place = found
        return Worth(table.value(place))

    def hint(self, position: Position) -> Hint:
        """All options of a position; raises `PositionError` when the position cannot occur."""
        variant = self.variant
        sheets, game = read_sheets(variant, position.sheet), column_game(variant, 0)
        dice = read_dice(position.dice, game.rules.dice)
        rolls_left = read_rolls_left(game, position.rolls_left)
        held = read_held(game, position.held, dice, rolls_left)
        if all(sheet.is_full for sheet in sheets):
            raise PositionError("sheet: expected an open box to write, found every box written")
        answer, so_far = self._table_or_bound(sheets), total_so_far(variant, sheets)

        def options(holds: Numbers, outcomes: Numbers) -> tuple[Option, ...]:
            found = _write_options(variant, sheets, dice, rolls_left, so_far, outcomes)
            found += hold_options(game, so_far, dice, held, holds) if rolls_left else []
            return ranked(found, TIE)

        if not isinstance(answer, BoundTable):
            return Hint(position, dice, rolls_left, so_far, options(*answer[0].turn(answer[1], rolls_left)))
        holds, outcomes = answer.turn(sheets, rolls_left)
        found = options(holds, _numbered(variant, outcomes))
        holds, outcomes = answer.bounds(sheets, rolls_left)
        most = options(holds, _numbered(variant, outcomes))[0].expected_total
        return Hint(position, dice, rolls_left, so_far, found, most)

    def _table_or_bound(self, sheets: Sheets) -> tuple[ColumnTable, Place] | BoundTable:
        """What answers exactly, or else the stored bound and policy."""
        try:
            return self.table(sheets)
        except TooLargeError:
            if self.bound is None:
                raise
            return self.bound


def _numbered(variant: Variant, by_column: Numbers) -> Numbers:
    """The values of outcomes (columns, outcomes of one column), as one column numbers them that stands among others."""
    games = [column_game(variant, k) for k in range(len(by_column))]
    found = np.full(len(games[0].points_of), np.nan)
    for game, values in zip(games, by_column, strict=True):
        first, count = game.first_outcome[0], len(values) - FIRST_OUTCOME
        found[first : first + count] = values[FIRST_OUTCOME:]
    return found


def _write_options(
    variant: Variant,
    sheets: Sheets,
    dice: tuple[int, ...],
    rolls_left: int,
    so_far: int,
    outcomes: Numbers,
) -> list[Option]:
    """Every box with its expected total, those that the dice make no points in last."""
    found = []
    for k, game, box, outcome, bonus in _writes(variant, sheets, dice, rolls_left == variant.rules.rolls - 1):
        points = int(game.points_of[outcome])
        worth = so_far + float(outcomes[outcome + (len(game.points_of) if bonus else 0)])
        category = variant.rules.categories[box].id
        found.append(Option("write", worth, 0.0, False, category=category, points=points, bonus=bonus, column=k + 1))
    return sorted(found, key=lambda option: option.points == 0)
