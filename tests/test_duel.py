"""Two players: against brute force from sheets in play on toys, published figures, symmetry, and one-player answers."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import duels
import numpy as np
import oracle
import pytest
from servida.data.catalog import load
from servida.data.rules import Rules, Variant
from servida.errors import PositionError
from servida.solver.contest import Contest, LastRound, Player, is_last_round
from servida.solver.duel import FLOAT32_ERROR, Chances, Duels, Limits, Reply
from servida.solver.game import compile_rules, game_of
from servida.solver.match import Match
from servida.solver.position import Position, Scoresheet
from servida.solver.solve import solve
from toys import TOYS

TOY_NAMES = [name for name, rules in TOYS.items() if rules.dice <= 2 and rules.rolls <= 3]
QUICK = TOY_NAMES[::2]


def random_sheet(rules: Rules, chance: random.Random, open_boxes: int) -> oracle.Sheet:
    """A sheet that random play leads to, with so many boxes open."""
    sheet = oracle.empty(rules)
    while sheet.written.count(None) > open_boxes:
        dice = tuple(chance.randint(1, 6) for _ in range(rules.dice))
        if chance.random() < 0.3:
            dice = (dice[0],) * rules.dice  # so that fives, and what they lead to, are not rare
        option = chance.choice(oracle.options(rules, sheet, dice, served=False))
        sheet, _ = oracle.after(rules, sheet, option)
    return sheet


def player(rules: Rules, sheet: oracle.Sheet) -> Player:
    return Player(Scoresheet(sheet.written, sheet.bonuses), oracle.total(rules, sheet))


def entries(rules: Rules, sheet: oracle.Sheet) -> dict[str, int]:
    found = {c.id: points for c, points in zip(rules.categories, sheet.written, strict=True) if points is not None}
    return found | ({f"{rules.five.category}_bonus": sheet.bonuses} if rules.five and rules.five.bonus else {})


def check_position(name: str, seed: int, share: Fraction) -> None:
    rules, chance = TOYS[name], random.Random(f"{name} {seed}")
    boxes = min(2, len(rules.categories))
    mine, theirs = random_sheet(rules, chance, boxes), random_sheet(rules, chance, chance.randint(boxes - 1, boxes))
    truth = duels.Match(rules, share)
    solver = Duels(solve(Variant(name, rules)))
    tie = "half" if share == Fraction(1, 2) else "win"
    me, them = player(rules, mine), player(rules, theirs)
    contest = Contest(me, (them,), tie=tie)
    assert solver.chances(contest).chances.value == pytest.approx(float(truth.value(mine, theirs)), abs=1e-9)
    expected = 1 - duels.Match(rules, 1 - share).value(theirs, mine)
    if None in theirs.written:
        waiting = solver.chances(contest._replace(mine=False))
        assert waiting.exact
        assert waiting.chances.value == pytest.approx(float(expected), abs=1e-9)
    dice, rolls_left = tuple(chance.randint(1, 6) for _ in range(rules.dice)), chance.randrange(rules.rolls)
    turn, served = truth.turn(mine, theirs), rolls_left == rules.rolls - 1
    found = solver.hint(contest, Position(name, dice, rolls_left, entries(rules, mine)))
    worth: dict[Any, Fraction] = dict(turn.writes(dice, served))
    for option, chances, _, _ in found.options:
        if option.action == "hold":
            assert option.dice is not None
            exact = turn.hold(option.dice, rolls_left)
        else:
            exact = worth["win",] if option.action == "win" else worth["write", option.category, option.points]
        assert chances.value == pytest.approx(float(exact), abs=1e-9)
        assert chances.win is not None
        assert chances.win + (chances.tie or 0) + (chances.loss or 0) == pytest.approx(1)
    assert found.options[0].loss <= 1e-9


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1)], ids=["half", "win"])
@pytest.mark.parametrize("name", QUICK)
def test_positions_equal_brute_force_on(name: str, share: Fraction) -> None:
    check_position(name, 1, share)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", TOY_NAMES)
def test_more_positions_equal_brute_force_on(name: str, seed: int) -> None:
    check_position(name, seed, Fraction(1, 2))


@pytest.mark.long
@pytest.mark.parametrize("name", ["plain", "one-roll", "five-rolls"])
def test_whole_games_equal_brute_force_on(name: str) -> None:
    rules = TOYS[name]
    empty = oracle.empty(rules)
    sheet = player(rules, empty)
    found = Duels(solve(Variant(name, rules))).chances(Contest(sheet, (sheet,)))
    assert found.chances.value == pytest.approx(float(duels.Match(rules).value(empty, empty)), abs=1e-12)


def chaser(open_boxes: set[str], total: int) -> Player:
    """A chaser sheet with nothing but these boxes open; the novel tells totals, not what is written where."""
    boxes = (None if category.id in open_boxes else 0 for category in load("chaser").rules.categories)
    return Player(Scoresheet(tuple(boxes)), total)


HERO, REGENT = chaser({"chase_off", "four_of_a_kind"}, 151), chaser({"threes"}, 215)
WRITTEN = {c.id: 0 for c in load("chaser").rules.categories if c.id not in ("chase_off", "four_of_a_kind")}


def test_the_scene_of_the_novel() -> None:
    solver = Duels(solve(load("chaser")))
    contest = Contest(HERO, (REGENT,))
    assert solver.chances(contest).chances.value == pytest.approx(0.012892592278823445, abs=1e-12)
    found = {
        o.option.dice: o.chances.value for o in solver.hint(contest, Position("chaser", "33336", 1, WRITTEN)).options
    }
    assert found[3, 3, 3, 3] == pytest.approx(0.03265243, abs=5e-9)
    assert found[6,] == pytest.approx(0.00088111, abs=5e-9)


@pytest.mark.parametrize("lead", [-70, -30, 0, 1, 64])
def test_swapping_the_players_mirrors_the_chances(lead: int) -> None:
    solver = Duels(solve(load("chaser")))
    mine = solver.chances(Contest(HERO._replace(total=200 + lead), (REGENT._replace(total=200),))).chances
    theirs = solver.chances(Contest(REGENT._replace(total=200), (HERO._replace(total=200 + lead),), mine=False)).chances
    assert mine.win == pytest.approx(theirs.loss, abs=1e-12)
    assert mine.tie == pytest.approx(theirs.tie, abs=1e-12)
    assert mine.value == pytest.approx(1 - theirs.value, abs=1e-12)


def test_more_points_never_lower_the_chance() -> None:
    solver = Duels(solve(load("chaser")))
    values = [solver.chances(Contest(HERO._replace(total=t), (REGENT,))).chances.value for t in range(100, 330)]
    assert values[0] == 0
    assert values[-1] == 1
    assert all(a <= b + 1e-12 for a, b in pairwise(values))


def test_one_solving_serves_the_rest_of_the_game() -> None:
    variant = load("generala-classic")
    table, rules = solve(variant), variant.rules
    solver = Duels(table)
    boxes: dict[str, int | None] = dict.fromkeys(rules.box, 0)
    start = {**boxes, "sixes": None, "generala": None, "double_generala": None, "straight": None}
    me, them = Player(Scoresheet(tuple(start.values())), 0), Player(Scoresheet(tuple(start.values())), 4)
    solver.chances(Contest(me, (them,)))
    assert len(solver.matches) == 1
    after_me = Player(Scoresheet(tuple({**start, "sixes": 18}.values())), 18)
    after_them = Player(Scoresheet(tuple({**start, "straight": 0}.values())), 4)
    for contest in (Contest(after_me, (them,), mine=False), Contest(after_them, (after_them,))):
        fresh = Duels(table).chances(contest).chances
        assert solver.chances(contest).chances == pytest.approx(fresh, abs=1e-12)
    assert len(solver.matches) == 1


def test_what_a_sheet_forgets_does_not_change_its_options() -> None:
    """Whether the generala box holds points no longer matters once the doble box is written."""
    variant = load("generala")
    table, rules = solve(variant), variant.rules
    boxes = {**dict.fromkeys(rules.box, 0), "sixes": None, "full_house": None}
    values = []
    for generala in (0, 50):
        mine = {**boxes, "generala": generala}
        sheet = Scoresheet(tuple(mine.values()))
        contest = Contest(Player(sheet, 50), (Player(sheet, 53),))
        entries = {name: points for name, points in mine.items() if points is not None}
        found = Duels(table).hint(contest, Position("generala", "33666", 1, entries))
        values.append({(one.option.dice, one.option.category): one.chances for one in found.options})
        assert found.chances.value == pytest.approx(max(one.value for one in values[-1].values()), abs=1e-12)
    assert values[0] == values[1]


def test_a_finished_opponent_makes_a_target_of_the_game() -> None:
    """Exactly what the utility of beating a known total gives, by another kernel."""
    variant = load("generala-classic")
    solver = Duels(solve(variant))
    me = Player(
        Scoresheet(tuple(None if c in ("sixes", "straight", "generala") else 0 for c in variant.rules.box)), 100
    )
    done = Player(Scoresheet((0,) * 11), 130)
    contest = Contest(me, (done,))
    reply = Reply(solver, contest)
    assert reply.exact
    assert solver.chances(contest).chances.value == pytest.approx(reply.table.value(me.sheet, reply.need), abs=1e-9)


@pytest.mark.parametrize("name", QUICK[::2])
def test_the_last_round_of_two_is_that_of_the_match_on(name: str) -> None:
    rules, chance = TOYS[name], random.Random(name)
    table = solve(Variant(name, rules))
    for trial in range(4):
        sheets = [random_sheet(rules, chance, 1), random_sheet(rules, chance, trial % 2)]
        me, them = (player(rules, sheet) for sheet in sheets)
        for contest in (Contest(me, (them,)), Contest(me, (them,), mine=False)):
            assert is_last_round(contest)
            expected = Duels(table).chances(contest).chances.value
            assert LastRound(table, contest).value() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["generala", "generala-classic", "chaser"])
def test_the_shares_of_a_last_round_are_those_of_one_win(name: str) -> None:
    variant = load(name)
    table, chance = solve(variant), random.Random(name)
    for _ in range(2):
        sheets = [random_sheet(variant.rules, chance, 1) for _ in range(4)]
        me, *others = (player(variant.rules, sheet)._replace(total=100) for sheet in sheets)
        last = LastRound(table, Contest(me, tuple(others)))
        shares = [last.expected(observer, 0, last.best, last.leaders, False) for observer in range(4)]
        assert sum(shares) == pytest.approx(1, abs=1e-9)
        found = Duels(table).chances(Contest(me, tuple(others)))
        assert found.exact
        assert found.chances.value == pytest.approx(shares[0], abs=1e-9)


def test_options_of_a_last_round() -> None:
    variant = load("chaser")
    table, boxes = solve(variant), variant.rules.box
    sheet = Scoresheet(tuple(None if name == "sixes" else 0 for name in boxes))
    contest = Contest(Player(sheet, 100), (Player(sheet, 103), Player(sheet, 95)))
    entries = {name: 0 for name in boxes if name != "sixes"}
    solver = Duels(table)
    for dice in ("66123", "12345"):
        found = solver.hint(contest, Position("chaser", dice, 2, entries))
        assert found.exact
        assert found.chances.value == found.options[0].chances.value
    assert solver.hint(contest, Position("chaser", "66666", 0, entries)).options[0].chances.value > 0.9


def test_three_players_are_an_approximation_until_the_others_have_finished() -> None:
    solver = Duels(solve(load("chaser")))
    two, three = solver.chances(Contest(HERO, (REGENT,))), solver.chances(Contest(HERO, (REGENT, REGENT)))
    assert two.exact
    assert not three.exact
    assert three.chances.win is None
    assert three.chances.value < two.chances.value
    full = Player(Scoresheet((0,) * 12), 215)
    last = solver.chances(Contest(HERO, (full, full)))
    assert last.exact
    one = solver.chances(Contest(HERO, (full,)))
    assert last.chances.value == pytest.approx(one.chances.value, abs=1e-9)


def test_games_too_large_for_the_limits_are_approximated() -> None:
    variant = load("generala-obligada")
    table, empty = solve(variant), Player(Scoresheet((None,) * 10), 0)
    exact = Duels(table).chances(Contest(empty, (empty,)))
    rough = Duels(table, limits=Limits(0.0, 0.0)).chances(Contest(empty, (empty,)))
    assert exact.exact
    assert not rough.exact
    assert rough.chances.value == pytest.approx(exact.chances.value, abs=0.03)


def test_float32_is_close_to_float64() -> None:
    game = game_of(load("generala-obligada"))
    row = (0, 0, 0)
    found = []
    for dtype in (np.float32, np.float64):
        match = Match(game, (row, row), (10, 10))
        match.solve(dtype, threads=2)
        found.append([match.value(0, row, row, need) for need in range(-40, 40)])
    assert np.abs(np.array(found[0]) - np.array(found[1])).max() < FLOAT32_ERROR / 2


@pytest.mark.long
def test_generala_with_ten_boxes() -> None:
    rules = load("generala").rules
    game = compile_rules(rules._replace(categories=tuple(c for c in rules.categories if c.id != "double_generala")))
    match, row = Match(game, ((0, 0, 0),) * 2, (10, 10)), (0, 0, 0)
    match.solve(np.float32)
    assert match.value(0, row, row, 0)[0] == pytest.approx(0.4947795, abs=2e-6)


def test_dice_of_the_other_player_are_refused() -> None:
    contest = Contest(HERO, (REGENT,), mine=False)
    with pytest.raises(PositionError, match="expected none while another player is to move"):
        Duels(solve(load("chaser"))).hint(contest, Position("chaser", "33336", 1, WRITTEN))


def test_a_finished_game_has_its_result() -> None:
    full = Scoresheet((0,) * 12)
    solver = Duels(solve(load("chaser")))
    for lead, tie, expected in ((1, "half", 1.0), (0, "half", 0.5), (0, "win", 1.0), (-1, "half", 0.0)):
        found = solver.chances(Contest(Player(full, 100 + lead), (Player(full, 100),), tie=tie)).chances
        assert found == Chances(expected, float(lead > 0), float(lead == 0), float(lead < 0))
