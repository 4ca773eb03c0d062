"""Graded games: the sum of luck and losses, agreement with brute force, the two formats, every mistake, the command."""

import json
import random
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import oracle
import pytest
from clitools import SINGLE, TOY, good, good_json, one_line
from conftest import Cli
from hypothesis import given, settings
from hypothesis import strategies as st
from servida.data.catalog import load
from servida.data.language import LANGUAGES, language
from servida.data.rules import Rules, Variant
from servida.errors import PositionError
from servida.solver.api import open_table
from servida.solver.grade import Grade, grade
from servida.solver.hint import Option, hint
from servida.solver.position import Position, bonus_key
from servida.solver.record import GameRecord, TurnRecord, read_game, to_json, to_text
from servida.solver.solve import solve
from servida.solver.table import Table
from toys import TOYS

ROOT = Path(__file__).resolve().parent.parent
YACHT = """variant: yacht
33366 hold 333, 33336 hold 3333, 33331 -> four_of_a_kind=12
12456 hold none, 22255 -> full_house  # no points noted
13456 hold 3456
"""
KEYS = {
    "turn", "dice", "rolls_left", "locked", "luck", "loss", "best", "chosen", "decisions", "written", "variant",
    "expected_at_start", "expected_total", "points_so_far", "finished", "turns", "action", "category", "points",
    "bonus",
}  # fmt: skip


@cache
def table_of(name: str) -> Table:
    """The table of a variant or a toy."""
    return solve(Variant("toy", TOYS[name]), threads=1) if name in TOYS else open_table(name)


def throw(rng: random.Random, dice: int, held: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The dice held and others; all alike more often than chance has it, so that jokers and wins come about."""
    new = [held[0] if held else rng.randint(1, 6)] * dice if rng.random() < 0.3 else rng.choices(range(1, 7), k=dice)
    return tuple(sorted([*held, *new[len(held) :]]))


class Played(NamedTuple):
    """A game, and its total as the rules have it; None where it was left unfinished."""

    record: GameRecord
    total: int | None


def play(table: Table, rng: random.Random, *, best: bool = False, leave: bool = False, loaded: bool = True) -> Played:
    """A game of random choices, or of the best ones; it may be left at any moment."""
    rules, entries, turns = table.game.rules, dict[str, int](), list[TurnRecord]()
    key = bonus_key(table.game)
    while True:
        rolls, holds = list[tuple[int, ...]](), list[tuple[int, ...]]()
        option: Option | None = None
        while option is None or option.action == "hold":
            held = holds[-1] if holds else ()
            fair = tuple(sorted([*held, *(rng.randint(1, 6) for _ in range(rules.dice - len(held)))]))
            rolls.append(throw(rng, rules.dice, held) if loaded else fair)
            locked = held if rules.hold == "locked" else ()
            reply = hint(table, Position("", rolls[-1], rules.rolls - len(rolls), entries, locked))
            if leave and rng.random() < 0.05:
                return Played(GameRecord("toy", (*turns, TurnRecord(tuple(rolls), tuple(holds)))), None)
            option = reply.best if best else rng.choice(reply.options)
            holds += [option.dice or ()] * (option.action == "hold")
            if leave and option.action == "hold" and rng.random() < 0.05:
                return Played(GameRecord("toy", (*turns, TurnRecord(tuple(rolls), tuple(holds)))), None)
        points = rng.choice([option.points, None])
        turns.append(TurnRecord(tuple(rolls), tuple(holds), option.category or "win", points))
        if option.category is None:
            return Played(GameRecord("toy", tuple(turns)), total(rules, entries) + (option.points or 0))
        entries[option.category] = option.points or 0
        if option.bonus and key:
            entries[key] = entries.get(key, 0) + 1
        if len(turns) == len(rules.categories):
            return Played(GameRecord("toy", tuple(turns)), total(rules, entries))


def total(rules: Rules, entries: dict[str, int]) -> int:
    """What stands on a sheet, bonuses included."""
    found = sum(entries.get(category.id, 0) for category in rules.categories)
    if rules.five:
        found += rules.five.bonus * entries.get(f"{rules.five.category}_bonus", 0)
    upper = rules.upper_bonus
    if upper and sum(entries.get(name, 0) for name in upper.categories) >= upper.threshold:
        found += upper.points
    return found


def check(graded: Grade, played: Played) -> None:
    """The sums of a graded game."""
    record = played.record
    assert len(graded.turns) == len(record.turns)
    assert graded.expected_at_start + graded.luck - graded.loss == pytest.approx(graded.expected_total, abs=1e-9, rel=0)
    assert graded.finished == (played.total is not None)
    if graded.finished:
        assert graded.expected_total == pytest.approx(graded.points_so_far, abs=1e-9, rel=0)
        assert graded.points_so_far == played.total
    expected = graded.expected_at_start
    for turn, noted in zip(graded.turns, record.turns, strict=True):
        assert len(turn.decisions) == len(noted.rolls)
        assert [d.dice for d in turn.decisions] == list(noted.rolls)
        assert all(d.loss >= 0 for d in turn.decisions)
        assert all(d.chosen is None or d.loss == d.chosen.loss for d in turn.decisions)
        assert turn.luck == pytest.approx(sum(d.luck for d in turn.decisions))
        expected += turn.luck - turn.loss
        assert turn.expected_total == pytest.approx(expected, abs=1e-9, rel=0)
        assert (turn.written is None) == (noted.write is None)


@pytest.mark.parametrize("name", SINGLE)
def test_luck_and_losses_add_up_in(name: str) -> None:
    table, rng = table_of(name), random.Random(name)
    for i in range(12):
        played = play(table, rng, leave=i % 3 == 0)
        check(grade(table, played.record), played)


@pytest.mark.parametrize("name", TOYS)
def test_luck_and_losses_add_up_in_toy(name: str) -> None:
    table, rng = table_of(name), random.Random(name)
    for i in range(8):
        played = play(table, rng, leave=i % 3 == 0)
        check(grade(table, played.record), played)


@pytest.mark.parametrize("name", ["yahtzee", "generala-classic", "generala-obligada", "chaser", "everything"])
def test_best_play_loses_nothing(name: str) -> None:
    table, rng = table_of(name), random.Random(name)
    for _ in range(4):
        played = play(table, rng, best=True)
        graded = grade(table, played.record)
        check(graded, played)
        assert graded.loss == pytest.approx(0, abs=1e-9)
        assert all(d.chosen and d.chosen == d.best for turn in graded.turns for d in turn.decisions)


@pytest.mark.parametrize("name", ["everything", "everything-free", "locked-four-rolls", "up-forced", "win-locked"])
def test_luck_and_losses_are_those_of_brute_force_on(name: str) -> None:
    table, rules, rng = table_of(name), TOYS[name], random.Random(name)
    for _ in range(4):
        record = play(table, rng).record
        sheet, so_far = oracle.empty(rules), 0
        expected = oracle.expected_total(rules, sheet)
        for turn, noted in zip(grade(table, record).turns, record.turns, strict=True):
            for i, decision in enumerate(turn.decisions):
                locked = noted.holds[i - 1] if i else ()
                ranked = oracle.best(rules, sheet, decision.dice, rules.rolls - 1 - i, locked)
                best, chosen = ranked[0][1], chosen_value(ranked, noted, i)
                assert decision.luck == pytest.approx(float(so_far + best - expected), abs=1e-9)
                assert decision.loss == pytest.approx(float(best - chosen), abs=1e-9)
                expected = so_far + chosen
            assert turn.written
            if turn.written.category:
                option = (turn.written.category, turn.written.points or 0, turn.written.bonus)
                sheet, gain = oracle.after(rules, sheet, option)
                so_far += gain
                assert turn.points_so_far == so_far


def chosen_value(ranked: list[tuple[oracle.Action, Fraction]], noted: TurnRecord, i: int) -> Fraction:
    """What the oracle gives for what was chosen after a roll."""
    for action, value in ranked:
        if i < len(noted.holds):
            found = action[0] == "hold" and action[1] == noted.holds[i]
        else:
            found = action[0] != "hold" and (action[1] if len(action) > 1 else "win") == noted.write
        if found:
            return value
    raise AssertionError((ranked, noted, i))


def test_luck_comes_to_nothing_on_average() -> None:
    """Fair dice, whatever is chosen: the mean luck is within four standard errors of 0."""
    table, rng = table_of("everything"), random.Random(11)
    found = [grade(table, play(table, rng, loaded=False).record).luck for _ in range(400)]
    mean = sum(found) / len(found)
    error = (sum((luck - mean) ** 2 for luck in found) / (len(found) - 1) / len(found)) ** 0.5
    assert abs(mean) < 4 * error


def test_a_game_not_begun_has_neither() -> None:
    table = table_of("yacht")
    expected = table.expected_total
    assert grade(table, GameRecord("yacht")) == Grade(expected, 0.0, 0.0, expected, 0, False, ())


def test_an_unfinished_turn_is_graded_as_far_as_it_goes() -> None:
    graded = grade(table_of("yacht"), read_game(YACHT))
    assert [len(turn.decisions) for turn in graded.turns] == [3, 2, 1]
    last = graded.turns[-1]
    assert (last.written, last.points_so_far, graded.finished) == (None, 28, False)
    chosen = last.decisions[0].chosen
    assert chosen
    assert chosen.dice == (3, 4, 5, 6)
    assert graded.expected_total == chosen.expected_total
    undecided = grade(table_of("yacht"), read_game(YACHT.replace("13456 hold 3456", "13456")))
    assert undecided.turns[-1].decisions[0].chosen is None
    assert undecided.expected_total == undecided.turns[-1].decisions[0].best.expected_total


def test_a_further_five_counts_its_bonus() -> None:
    record = read_game("variant: yahtzee\n44444 -> yahtzee\n44444 -> fours=20\n44444 -> Full House=25\n")
    graded = grade(table_of("yahtzee"), record)
    assert [turn.points_so_far for turn in graded.turns] == [50, 170, 295]
    assert [turn.written and turn.written.bonus for turn in graded.turns] == [0, 100, 100]


def test_an_outright_win_ends_the_game() -> None:
    graded = grade(
        table_of("generala-classic"), read_game("variant: generala-classic\n33331 -> ones\n33333 -> Win=370")
    )
    assert graded.finished
    assert (graded.points_so_far, graded.expected_total) == (371, 371.0)


# The two formats


@pytest.mark.parametrize("name", [*SINGLE, "everything", "six-dice", "one-die"])
def test_games_are_read_as_they_were_written(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3):
        record = play(table_of(name), rng, leave=True).record._replace(variant=name)
        assert read_game(to_text(record)) == record
        assert read_game(to_json(record)) == record
        assert to_json(record).count("\n") == 0


DICE = st.lists(st.integers(1, 6), max_size=6).map(lambda dice: tuple(sorted(dice)))
ENDS = st.tuples(st.none(), st.none()) | st.tuples(st.text(), st.none() | st.integers(0, 999_999))
TURNS = st.builds(
    lambda rolls, holds, end: TurnRecord(tuple(rolls), tuple(holds), *end), st.lists(DICE), st.lists(DICE), ENDS
)


@settings(deadline=None, derandomize=True)
@given(st.builds(GameRecord, st.text(), st.lists(TURNS, max_size=3).map(tuple)))
def test_anything_at_all_is_written_whole_or_not_at_all(record: GameRecord) -> None:
    assert read_game(to_json(record)) == record
    try:
        text = to_text(record)
    except PositionError:
        return
    assert read_game(text) == record


def test_both_formats_say_the_same() -> None:
    value = {
        "variant": "yacht",
        "turns": [
            {"rolls": ["33366", [3, 3, 3, 3, 6], "3 3 3,3 1"], "holds": [[3, 3, 3], "3333"], "write": "four_of_a_kind",
             "points": 12},
            {"rolls": ["12456", "22255"], "holds": [""], "write": "full_house"},
            {"rolls": ["13456"], "holds": ["3456"], "write": None, "points": None},
        ],
    }  # fmt: skip
    record = read_game(YACHT)
    assert read_game(json.dumps(value)) == record
    assert record.turns[0] == TurnRecord(
        ((3, 3, 3, 6, 6), (3, 3, 3, 3, 6), (1, 3, 3, 3, 3)), ((3, 3, 3), (3, 3, 3, 3)), "four_of_a_kind", 12
    )
    assert record.turns[1] == TurnRecord(((1, 2, 4, 5, 6), (2, 2, 2, 5, 5)), ((),), "full_house")


@pytest.mark.parametrize(
    "text",
    [
        "# at Ana's\n\n  Variant :yacht  # twelve boxes\r\n  33366 Hold 3 3 3,36333->Four of a kind = 12 # good\r\n",
        '\n {"variant": "yacht", "turns": [{"rolls": ["33366", "33336"], "holds": ["333"], '
        '"write": "Four of a kind", "points": 12}]}',
    ],
)
def test_blanks_letter_case_and_comments_make_no_difference(text: str) -> None:
    turn = TurnRecord(((3, 3, 3, 6, 6), (3, 3, 3, 3, 6)), ((3, 3, 3),), "Four of a kind", 12)
    assert read_game(text) == GameRecord("yacht", (turn,))


@pytest.mark.parametrize(
    "name", ["four_of_a_kind", "Four of a kind", "FOUR OF A KIND", "포 오브 어 카인드", "Viererpasch"]
)
def test_a_box_has_its_names_in_every_language(name: str) -> None:
    graded = grade(table_of("yacht"), read_game(f"variant: yacht\n33336 -> {name}"))
    assert graded.turns[0].written
    assert graded.turns[0].written.category == "four_of_a_kind"


# Mistakes


ILLEGAL = {
    "too few dice": ("3336 -> ones", "turn 1: roll 1: expected 5 dice, found 4: 3336"),
    "no dice": ("-> ones", "turn 1: roll 1: expected 5 dice, found 0: none"),
    "dice that were held are gone": (
        "33366 hold 333, 33612 -> ones",
        "turn 1: roll 2: expected 333 in it, held before, found 12336",
    ),
    "a hold that is not among the dice": (
        "11111 -> ones\n33366 hold 34, 33412 -> twos",
        "turn 2: hold 1: expected some of the dice 33366, not all, found 34",
    ),
    "a hold of all dice": (
        "33366 hold 33366, 33366 -> ones",
        "turn 1: hold 1: expected some of the dice 33366, not all, found 33366",
    ),
    "four rolls": (
        "33366 hold 3, 33366 hold 3, 33366 hold 3, 33366 -> ones",
        "turn 1: expected 1 to 3 rolls, found 4",
    ),
    "a hold after the last roll": (
        "33366 hold 3, 33366 hold 3, 33366 hold 3",
        "turn 1: expected a box after roll 3, found a hold",
    ),
    "a hold before the box": (
        "33366 hold 3 -> threes",
        "turn 1: expected a hold between every two rolls, 0 for 1, found 1",
    ),
    "a box twice": (
        "33366 -> threes\n11111 -> ones\n33366 -> Threes",
        "turn 3: expected an open box, found threes, written in turn 1",
    ),
    "other points": ("33366 -> threes=8", "turn 1: expected 9 points for threes, found 8"),
    "points without the dice for them": ("33366 -> yacht=50", "turn 1: expected 0 points for yacht, found 50"),
    "an unknown box": (
        "33366 -> thres",
        "turn 1: sheet: expected a box of yacht (ones, twos, threes, fours, fives, sixes, full_house, four_of_a_kind, "
        "small_straight, large_straight, choice, yacht), found 'thres' (did you mean 'threes'?)",
    ),
    "a turn after an unfinished one": (
        "33366 hold 3\n33366 -> ones",
        "turn 2: expected no turn after an unfinished one, found one",
    ),
}


@pytest.mark.parametrize(("turns", "message"), ILLEGAL.values(), ids=ILLEGAL)
def test_turns_against_the_rules(turns: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        grade(table_of("yacht"), read_game(f"variant: yacht\n{turns}\n"))
    assert str(caught.value) == message


ELSEWHERE = {
    "a locked die is released": (
        "generala-classic",
        "33366 hold 33, 33366 hold 36, 33366 -> ones",
        "turn 1: hold 2: expected some of the dice 33366, not all, with 33, found 36",
    ),
    "a win without the dice": (
        "generala-classic",
        "33331 -> win",
        "turn 1: expected what the rules allow here (ones, twos, threes, fours, fives, sixes, straight, full_house, "
        "four_of_a_kind, generala, double_generala), found win",
    ),
    "a win that is not served": (
        "generala-classic",
        "33331 hold 3333, 33333 -> win",
        "turn 1: expected what the rules allow here (ones,",
    ),
    "other points for a win": (
        "generala-classic",
        "33333 -> win=300",
        "turn 1: expected 370 points for win, found 300",
    ),
    "a turn after a win": (
        "generala-classic",
        "33333 -> win\n33333 -> win",
        "turn 2: expected no turn after the last, found one",
    ),
    "a box out of order": (
        "generala-obligada",
        "11112 -> twos",
        "turn 1: expected what the rules allow here (ones), found twos",
    ),
    "a box that the joker rule forbids": (
        "yahtzee",
        "11111 -> yahtzee\n11111 -> chance",
        "turn 2: expected what the rules allow here (ones), found chance",
    ),
    "a bonus for a box": (
        "yahtzee",
        "11111 -> yahtzee_bonus",
        "turn 1: expected what the rules allow here (ones,",
    ),
    "a turn after the last": (
        "toy",
        "11 -> ones\n11 -> sixes\n11 -> ones",
        "turn 3: expected no turn after the last, found one",
    ),
}


@pytest.mark.parametrize(("variant", "turns", "message"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_turns_against_the_rules_of(variant: str, turns: str, message: str, tmp_path: Path) -> None:
    if variant == "toy":
        (tmp_path / "toy.toml").write_text(TOY)
        variant = str(tmp_path / "toy.toml")
    record = read_game(f"variant: {variant}\n{turns}\n")
    with pytest.raises(PositionError) as caught:
        grade(open_table(variant), record)
    assert str(caught.value).startswith(message)


UNREADABLE = {
    "nothing": ("", "game: expected a first line like 'variant: yahtzee', found ''"),
    "no variant": ("33366 -> ones", "game: expected a first line like 'variant: yahtzee', found '33366 -> ones'"),
    "a variant without a name": ("variant:\n", "game: expected a first line like 'variant: yahtzee', found 'variant:'"),
    "a seven": ("variant: x\n33367 -> ones", "turn 1: roll 1: expected dice with faces 1 to 6, found '7'"),
    "a seven held": (
        "variant: x\n\n33366 -> ones\n# no\n33366 hold 7",
        "turn 2: hold 1: expected dice with faces 1 to 6, found '7'",
    ),
    "a roll after no hold": (
        "variant: x\n33366, 33366 hold 3",
        "turn 1: hold 1: expected 'hold' with dice or with 'none', found nothing",
    ),
    "an empty hold": (
        "variant: x\n33366 hold, 33366",
        "turn 1: hold 1: expected 'hold' with dice or with 'none', found nothing",
    ),
    "an arrow to nothing": (
        "variant: x\n33366 ->",
        "turn 1: expected a box like threes or threes=9 after '->', found ''",
    ),
    "points without a box": (
        "variant: x\n33366 -> =9",
        "turn 1: expected a box like threes or threes=9 after '->', found '=9'",
    ),
    "points in words": (
        "variant: x\n33366 -> threes=nine",
        "turn 1: expected a box like threes or threes=9 after '->', found 'threes=nine'",
    ),
    "half an object": ('{"variant"', "game: expected a JSON object, found text that is not JSON: Expecting ':'"),
    "a key twice": ('{"variant": "x", "variant": "y"}', "game: expected every key once, found 'variant' twice"),
    "another key": (
        '{"variant": "x", "turn": []}',
        "game: expected the keys variant, turns, them, found 'turn' (did you mean 'turns'?)",
    ),
    "no variant in JSON": ('{"turns": []}', "game: expected a variant and a list of turns, found null, []"),
    "no list of turns": (
        '{"variant": "x", "turns": "y"}',
        "game: expected a variant and a list of turns, found 'x', 'y'",
    ),
    "numbers of too many digits": (f'{{"variant": {"9" * 5000}}}', "game: expected a JSON object, found text that is"),
}
TURN_FAULTS: dict[str, tuple[Any, str]] = {
    "no object": ("33366", "expected an object with the keys rolls, holds, write, points, them, found '33366'"),
    "another key": (
        {"roll": []},
        "expected the keys rolls, holds, write, points, them, found 'roll' (did you mean 'rolls'?)",
    ),
    "rolls in one": ({"rolls": "33366"}, "expected rolls as a list of texts or lists of faces, found '33366'"),
    "a number for dice": ({"holds": [3]}, "expected holds as a list of texts or lists of faces, found [3]"),
    "a seven": ({"rolls": [[7]]}, "roll 1: expected dice with faces 1 to 6, found 7"),
    "a box by number": ({"write": 3}, "expected the name of a box under 'write', found 3"),
    "points as text": ({"write": "x", "points": "9"}, "expected the whole points of a box under 'points', found '9'"),
    "points as truth": (
        {"write": "x", "points": True},
        "expected the whole points of a box under 'points', found true",
    ),
    "points without a box": ({"points": 9}, "expected the whole points of a box under 'points', found 9"),
}


@pytest.mark.parametrize(("text", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_texts_that_are_no_game(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_game(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("turn", "message"), TURN_FAULTS.values(), ids=TURN_FAULTS)
def test_json_that_is_no_turn(turn: Any, message: str) -> None:
    fine = {"rolls": ["33366"], "write": "ones"}
    with pytest.raises(PositionError) as caught:
        read_game(json.dumps({"variant": "yacht", "turns": [fine, turn]}))
    assert str(caught.value) == f"turn 2: {message}"


def test_no_rolls() -> None:
    with pytest.raises(PositionError, match=r"^turn 1: expected 1 to 3 rolls, found 0$"):
        grade(table_of("yacht"), read_game('{"variant": "yacht", "turns": [{}]}'))


@pytest.mark.parametrize(
    "record", [GameRecord("a # b"), GameRecord(""), GameRecord("x", (TurnRecord(((1,),), (), "="),))]
)
def test_names_that_text_cannot_hold(record: GameRecord) -> None:
    with pytest.raises(PositionError, match=": expected "):
        to_text(record)


# The command


def test_the_command_shows_what_lost_something(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(YACHT, encoding="utf-8")
    out = good(cli("grade", path))
    assert out == good(cli("grade", "-", stdin="\ufeff" + YACHT))
    assert out == good(cli("grade", "-", stdin=to_json(read_game(YACHT))))
    losses, turns, totals = out.split("\n\n")
    assert [line.split()[0] for line in losses.splitlines()[2:]] == ["1", "1", "2", "2"]
    assert [line.split()[-1] for line in turns.splitlines()[1:]] == ["2.1392", "1.7530", "0.0000"]
    assert totals == "expected at the start: 166.9551 · luck: -3.5475 · loss: 3.8922 · expected total: 159.5154\n"
    every = good(cli("grade", path, "--all")).split("\n\n")
    assert len(every[0].splitlines()) == 2 + 6
    assert every[1:] == [turns, totals]


def test_the_command_on_a_game_without_losses_and_on_none(cli: Cli) -> None:
    out = good(cli("grade", "-", stdin="variant: generala-classic\n33333 -> win"))
    assert out.splitlines()[1].split() == ["turn", "dice", "category", "points", "luck", "loss"]
    assert out.splitlines()[2].split() == [
        "1",
        "3",
        "3",
        "3",
        "3",
        "3",
        "win",
        "at",
        "once",
        "370",
        "+203.3606",
        "0.0000",
    ]
    assert out.endswith(" · loss: 0.0000 · total: 370\n")
    assert good(cli("grade", "-", stdin="variant: chaser")).splitlines() == [
        "Chaser",
        "expected at the start: 174.5586 · luck: +0.0000 · loss: 0.0000 · expected total: 174.5586",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_speaks_the_language(cli: Cli, lang: str) -> None:
    words, variant = language(lang), load("yacht")
    out = good(cli("grade", "-", "--lang", lang, stdin=YACHT))
    assert out.splitlines()[0] == words.name(variant)
    for key in ("turn", "chosen", "best", "luck", "loss", "expected_at_start", "expected_total"):
        assert words.text(key) in out
    assert words.label(variant, "full_house") in out


def keys(value: object) -> set[str]:
    """All keys of an answer."""
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def test_the_command_answers_in_json(cli: Cli) -> None:
    found = good_json(cli("grade", "-", "--json", stdin=YACHT))
    graded = grade(table_of("yacht"), read_game(YACHT))
    assert list(found) == [
        "variant",
        "expected_at_start",
        "luck",
        "loss",
        "expected_total",
        "points_so_far",
        "finished",
        "turns",
    ]
    assert (found["luck"], found["loss"], found["finished"]) == (graded.luck, graded.loss, False)
    assert found["turns"][0]["written"]["category"] == "four_of_a_kind"
    assert found["turns"][2]["written"] is None
    assert found["turns"][0]["decisions"][1]["chosen"]["dice"] == [3, 3, 3, 3]
    bonus = good_json(cli("grade", "-", "--json", stdin="variant: yahtzee\n44444->yahtzee\n44444->fours\n11111"))
    assert bonus["turns"][2]["decisions"][0]["chosen"] is None
    assert keys(found) | keys(bonus) == KEYS


def test_mistakes_of_the_command(cli: Cli, tmp_path: Path) -> None:
    assert "No such file" in one_line(cli("grade", tmp_path / "none.txt"))
    assert one_line(cli("grade", "-", stdin=b"\xff\xfe")) == "game: expected UTF-8 text, found other bytes"
    assert one_line(cli("grade", "-", stdin="variant: yacht\n3336")).startswith("turn 1: roll 1: expected 5 dice")
    assert "did you mean 'yacht'?" in one_line(cli("grade", "-", stdin="variant: yachd"))
    assert "found 3; several are for" in one_line(cli("grade", "-", stdin="variant: yahtzee-triple"))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.text() | st.text("123456, hold->ones=#\n{}").map(lambda text: f"variant: yacht\n{text}"))
def test_any_text_is_graded_or_refused_in_one_line(cli: Cli, text: str) -> None:
    result = cli("grade", "-", stdin=text)
    if result.code:
        one_line(result)
    else:
        good(result)


def test_the_game_in_the_manual_is_graded_as_it_says(cli: Cli) -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    game, output = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert output == "$ servida grade game.txt\n" + good(cli("grade", "-", stdin=game))
