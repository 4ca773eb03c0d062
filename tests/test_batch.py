"""Many positions in one call are answered, and refused, as each one alone."""

import dataclasses
import json
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from servida import (
    Hints,
    Position,
    PositionError,
    Scoresheet,
    Table,
    Variant,
    hints,
    load,
    open_table,
    solve,
    variant_ids,
)
from servida.solver import batch
from servida.solver.game import Game
from servida.solver.hint import Option, can_win_at_once, scores
from servida.solver.hint import hint as hint_from
from servida.solver.position import bonus_key, read_position
from toys import TOYS

SINGLE = [name for name in variant_ids() if len(load(name).rules.columns) == 1]
PER_VARIANT = 140  # times 16 variants


@dataclasses.dataclass
class Sample:
    """A position as both calls take it: faces, rerolls, points per box (-1 open), bonuses, dice set aside."""

    dice: list[int]
    rolls_left: int
    sheet: list[int]
    bonuses: int
    held: list[int]

    def position(self, game: Game) -> Position:
        """The position for the single call."""
        entries = {c.id: value for c, value in zip(game.rules.categories, self.sheet, strict=True) if value != -1}
        key = bonus_key(game)
        if self.bonuses:
            entries[key or "no_such_bonus"] = self.bonuses
        return Position("", self.dice, self.rolls_left, entries, self.held)


def throw(rng: random.Random, dice: int) -> list[int]:
    """Some dice; all alike more often than chance has it, so that jokers and bonuses come about."""
    return [rng.randint(1, 6)] * dice if rng.random() < 0.4 else [rng.randint(1, 6) for _ in range(dice)]


def play(game: Game, rng: random.Random, turns: int) -> Scoresheet:
    """The sheet after so many turns, each written into some box that the rules allow."""
    points: list[int | None] = [None] * len(game.rules.categories)
    sheet = Scoresheet(tuple(points))
    for _ in range(turns):
        dice = tuple(sorted(throw(rng, game.rules.dice)))
        written = rng.choice(scores(game, sheet, dice, served=rng.random() < 0.3))
        points[game.rules.box[written.category]] = written.points
        sheet = Scoresheet(tuple(points), sheet.bonuses + (written.bonus > 0))
    return sheet


def sample(game: Game, rng: random.Random) -> Sample:
    """Some position of a game in progress."""
    sheet = play(game, rng, rng.randrange(len(game.rules.categories)))
    dice = throw(rng, game.rules.dice)
    rolls_left = rng.randrange(game.rules.rolls)
    held: list[int] = []
    if game.rules.hold == "locked" and rolls_left < game.rules.rolls - 1:
        held = rng.sample(dice, rng.randint(0, len(dice)))
    written = [-1 if value is None else value for value in sheet.points]
    return Sample(dice, rolls_left, written, sheet.bonuses, held)


def corrupt(one: Sample, game: Game, rng: random.Random) -> Sample:
    """The same position with a fault, or at least a change, in one place."""
    one = dataclasses.replace(one, dice=list(one.dice), sheet=list(one.sheet), held=list(one.held))
    kind = rng.choice(("points", "points", "close", "open", "bonuses", "dice", "rolls", "held"))
    if kind == "points":
        one.sheet[rng.randrange(len(one.sheet))] = rng.choice((-2, 0, 1, 3, 5, 20, 29, 50, 101, 10**9))
    elif kind == "close":
        one.sheet = [
            values[-1] if old < 0 else old for old, values in zip(one.sheet, game.possible_points, strict=True)
        ]
    elif kind == "open":
        one.sheet[rng.randrange(len(one.sheet))] = -1
    elif kind == "bonuses":
        one.bonuses = rng.choice((-1, 1, 2, 5, 13, 10**9))
    elif kind == "dice":
        one.dice[rng.randrange(len(one.dice))] = rng.choice((0, 7, -1))
    elif kind == "rolls":
        one.rolls_left = rng.choice((-1, game.rules.rolls - 1, game.rules.rolls, 256))
    else:
        one.held = [rng.randint(1, 6) for _ in range(rng.randint(1, game.rules.dice))]
    return one


def ask(table: Table, samples: list[Sample]) -> Hints:
    """The batch call for these positions."""
    width = table.game.rules.dice
    return batch.hints(
        table,
        np.array([one.dice for one in samples], int).reshape(-1, width),
        np.array([one.rolls_left for one in samples], int),
        np.array([one.sheet for one in samples], int).reshape(-1, len(table.game.rules.categories)),
        np.array([one.bonuses for one in samples], int),
        np.array([one.held + [0] * (width - len(one.held)) for one in samples], int).reshape(-1, width),
    )


@cache
def table_named(name: str) -> Table:
    """The table of a variant that comes along, or of a toy."""
    return solve(Variant(name, TOYS[name])) if name in TOYS else open_table(name)


def samples_of(name: str, count: int) -> list[Sample]:
    """Positions of the game in progress, the same ones in every run."""
    rng = random.Random(name)
    return [sample(table_named(name).game, rng) for _ in range(count)]


def check_equal(game: Game, best: Option, found: Hints, i: int) -> None:
    """Asserts that answer i of a batch is this option."""
    index = {"hold": batch.HOLD, "win": batch.WIN}.get(best.action)
    assert found.category[i] == (game.rules.box[best.category or ""] if index is None else index)
    assert found.hold[i].tolist() == [(best.dice or ()).count(face) for face in range(1, 7)]
    assert found.points[i] == (best.points or 0) + best.bonus
    assert found.expected_total[i] == pytest.approx(best.expected_total, abs=1e-9)


@pytest.mark.parametrize("name", [*SINGLE, *TOYS])
def test_a_batch_answers_as_single_calls_do(name: str) -> None:
    table = table_named(name)
    asked = samples_of(name, PER_VARIANT if name in SINGLE else 25)
    found = ask(table, asked)
    assert len(found) == len(asked)
    for i, one in enumerate(asked):
        check_equal(table.game, hint_from(table, one.position(table.game)).best, found, i)


def test_the_samples_are_what_they_should_be() -> None:
    """At least 2,000 of them, with bonuses for further fives, dice set aside, wins at once and ordered sheets."""
    samples = [(name, one) for name in SINGLE for one in samples_of(name, PER_VARIANT)]
    assert len(samples) >= 2000
    assert sum(one.bonuses > 0 for _, one in samples) > 50
    assert sum(bool(one.held) for _, one in samples) > 50
    assert sum(name == "generala-obligada" for name, _ in samples) > 50
    wins = 0
    for name, one in samples:
        game = table_named(name).game
        sheet = Scoresheet(tuple(None if value < 0 else value for value in one.sheet))
        wins += one.rolls_left == game.rules.rolls - 1 and can_win_at_once(game, sheet, tuple(one.dice))
    assert wins > 20


def refusal(table: Table, one: Sample) -> str | None:
    """Why the single call refuses a position, None if it does not."""
    try:
        hint_from(table, one.position(table.game))
    except PositionError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", [*SINGLE, *TOYS])
def test_a_batch_refuses_what_single_calls_refuse(name: str) -> None:
    table, rng = table_named(name), random.Random(name)
    good = samples_of(name, 4)
    refused = 0
    for one in samples_of(name, 60 if name in SINGLE else 20):
        one = corrupt(one, table.game, rng)
        why = refusal(table, one)
        place = rng.randrange(5)
        asked = [*good[:place], one, *good[place:]]
        if why is None:
            check_equal(table.game, hint_from(table, one.position(table.game)).best, ask(table, asked), place)
            continue
        refused += 1
        with pytest.raises(PositionError) as caught:
            ask(table, asked)
        prefix, text = f"position {place}: ", str(caught.value)
        assert text.startswith(prefix)
        if "no_such_bonus" not in why:  # the arrays have no names for boxes
            assert why.startswith(text.removeprefix(prefix))
    assert refused >= 5


def test_a_batch_of_none_is_answered() -> None:
    found = ask(table_named("generala"), [])
    assert len(found) == 0
    assert found.hold.shape == (0, 6)


def test_single_numbers_are_repeated() -> None:
    asked = samples_of("yahtzee", 6)
    dice = [one.dice for one in asked]
    empty = np.full((6, 13), -1)
    short = hints("yahtzee", dice, 1, empty)
    long = hints("yahtzee", dice, [1] * 6, empty, [0] * 6, np.zeros((6, 5), int))
    for field in dataclasses.fields(Hints):
        assert np.array_equal(getattr(short, field.name), getattr(long, field.name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dice": [3, 3, 3, 6, 6]}, "dice: expected an array of shape n x 5, found 5"),
        ({"dice": [[3, 3, 3, 6]]}, "dice: expected an array of shape n x 5, found 1 x 4"),
        ({"dice": [[3, 3, 3, 6, 6.0]]}, "dice: expected whole numbers, found an array of float64"),
        ({"dice": [["3"] * 5]}, "dice: expected whole numbers, found an array of <U1"),
        ({"dice": [[True] * 5]}, "dice: expected whole numbers, found an array of bool"),
        ({"dice": [[10**30] * 5]}, "dice: expected whole numbers, found an array of object"),
        ({"rolls_left": [1, 1]}, "rolls_left: expected an array of shape 1, found 2"),
        ({"rolls_left": 1.0}, "rolls_left: expected whole numbers, found an array of float64"),
        ({"sheets": np.full((1, 12), -1)}, "sheets: expected an array of shape 1 x 13, found 1 x 12"),
        ({"sheets": np.full((2, 13), -1)}, "sheets: expected an array of shape 1 x 13, found 2 x 13"),
        ({"sheets": np.full((1, 13), np.nan)}, "sheets: expected whole numbers, found an array of float64"),
        ({"bonuses": [0, 0]}, "bonuses: expected an array of shape 1, found 2"),
        ({"held": [[0] * 4]}, "held: expected an array of shape 1 x 5, found 1 x 4"),
    ],
)
def test_arrays_of_other_shapes_and_kinds(change: dict[str, Any], message: str) -> None:
    asked = {"dice": [[3, 3, 3, 6, 6]], "rolls_left": 1, "sheets": np.full((1, 13), -1), **change}
    with pytest.raises(PositionError) as caught:
        hints("yahtzee", **asked)
    assert str(caught.value) == message


def test_the_first_position_at_fault_is_named() -> None:
    asked = samples_of("generala-classic", 6)
    asked[2] = dataclasses.replace(asked[2], rolls_left=2, held=asked[2].dice)
    asked[4] = dataclasses.replace(asked[4], sheet=[7] * 11)
    with pytest.raises(PositionError, match=r"^position 2: held: "):
        ask(table_named("generala-classic"), asked)


def test_unsigned_points_beyond_all_bounds_are_refused() -> None:
    sheets = np.full((1, 13), 2**64 - 1, np.uint64)
    with pytest.raises(PositionError):
        hints("yahtzee", [[3, 3, 3, 6, 6]], 1, sheets)


def test_options_are_complete_and_ranked() -> None:
    for one in samples_of("generala-classic", 40):
        table = table_named("generala-classic")
        found = hint_from(table, one.position(table.game))
        losses = [0.0 if option.best else option.loss for option in found.options]
        assert losses == sorted(losses)
        assert found.best.best
        assert found.expected_total == max(option.expected_total for option in found.options)
        writes = [option.category for option in found.options if option.action == "write"]
        assert sorted(map(str, writes)) == sorted(
            c.id for c, value in zip(table.game.rules.categories, one.sheet, strict=True) if value < 0
        )
        holds = [option.dice or () for option in found.options if option.action == "hold"]
        assert len(holds) == len(set(holds))
        assert bool(holds) == bool(one.rolls_left and len(one.held) < 5)
        for hold in holds:
            assert all(one.held.count(face) <= hold.count(face) <= one.dice.count(face) for face in range(1, 7))


def test_a_position_survives_its_own_json() -> None:
    for one in samples_of("yahtzee", 20):
        position = one.position(table_named("yahtzee").game)._replace(variant="yahtzee")
        assert read_position(json.dumps(position._asdict())) == position
