"""Sheets of several columns: the bound for any payments, parts by themselves against brute force, the policy."""

import random
from functools import cache

import columns_oracle
import numpy as np
import oracle
import pytest
from columns_oracle import Sheets
from servida.data.catalog import load
from servida.data.rules import Column, Rules, Variant
from servida.errors import PositionError, RulesError, ServidaError
from servida.solver.extra import play
from servida.solver.parts import Parts, prices, split
from servida.solver.position import Scoresheet
from servida.solver.relaxation import Division, Relaxation, divisions, relax
from servida.solver.solve import Crew, solve
from toys import TOYS

COLUMNS: dict[str, tuple[str, tuple[Column, ...]]] = {
    "twins": ("plain", (Column(), Column())),
    "multipliers": ("one-roll", (Column("free", 1), Column("free", 2), Column("free", 3))),
    "orders": ("plain", (Column("down"), Column("up", 2), Column("free"))),
    "three-dice": ("plain-three-dice", (Column("free", 2), Column("up"))),
    "requires": ("requires", (Column(), Column("down", 3))),
    "upper": ("upper-single", (Column(), Column("free", 2))),
    "upper-other": ("upper-first-point", (Column("free", 3), Column("up"))),
    "upper-only": ("upper-exact", (Column(), Column("free", 2))),
    "locked": ("locked-plain", (Column(), Column("down"))),
    "served": ("served", (Column(), Column("free", 2))),
    "served-requires-upper": ("requires-upper", (Column("up", 2), Column())),
}


def rules_of(name: str) -> Rules:
    toy, columns = COLUMNS[name]
    return TOYS[toy]._replace(columns=columns)


@cache
def relaxed(name: str) -> Relaxation:
    return relax(Variant(name, rules_of(name)), threads=2, sweeps=(0.2, 0.1), rounds=2)


def scoresheets(sheets: Sheets) -> tuple[Scoresheet, ...]:
    return tuple(Scoresheet(sheet) for sheet in sheets)


def random_sheets(rules: Rules, chance: random.Random) -> Sheets:
    """Sheets that random play leads to."""
    sheets = columns_oracle.empty(rules)
    for _ in range(chance.randrange(len(rules.categories) * len(rules.columns) + 1)):
        options = [(k, box) for k in range(len(sheets)) for box in columns_oracle.playable(rules, k, sheets[k])]
        dice = tuple(sorted(chance.choices(range(1, 7), k=rules.dice)))
        sheets = columns_oracle.write(rules, sheets, *chance.choice(options), dice, chance.random() < 0.3)
    return sheets


def random_payments(parts: Parts, seed: int, size: float) -> np.ndarray:
    return np.random.default_rng(seed).normal(size / 2, size, (parts.turns, len(parts.parts), parts.rolls))


# The bound


@pytest.mark.parametrize("name", COLUMNS)
def test_bound_of_any_payments_from_any_position(name: str) -> None:
    rules, chance = rules_of(name), random.Random(name)
    for seed, parts in enumerate(divisions(Variant(name, rules))):
        for size in (1.0, 20.0):
            payments = random_payments(parts, seed, size)
            with Crew(1, 0, None) as crew:
                division = Division(parts, payments, parts.solve(payments, crew))
            for sheets in [columns_oracle.empty(rules), *(random_sheets(rules, chance) for _ in range(3))]:
                turn = sum(points is not None for sheet in sheets for points in sheet)
                exact = columns_oracle.value(rules, sheets)
                assert division.bound(turn, scoresheets(sheets)) >= exact - 1e-9


@pytest.mark.parametrize("name", COLUMNS)
def test_bound_of_the_payments_that_were_found(name: str) -> None:
    rules, relaxation, chance = rules_of(name), relaxed(name), random.Random(name)
    for sheets in [columns_oracle.empty(rules), *(random_sheets(rules, chance) for _ in range(20))]:
        exact, bound = columns_oracle.value(rules, sheets), relaxation.bound(scoresheets(sheets))
        assert bound >= exact - 1e-9
    exact = columns_oracle.value(rules, columns_oracle.empty(rules))
    assert relaxation.bound() <= 1.25 * exact


@pytest.mark.parametrize("name", ["plain", "locked-served-upper", "requires-chain", "down", "one-roll", "upper"])
def test_a_single_column_is_exact(name: str) -> None:
    variant = Variant(name, TOYS[name])
    table = solve(variant)
    relaxation = relax(variant, threads=1)
    empty = Scoresheet((None,) * len(variant.rules.categories))
    assert relaxation.bound() == pytest.approx(table.value(empty), abs=1e-9)
    played = relaxation.simulate(2000, seed=1)
    assert played.expected == pytest.approx(table.value(empty), abs=1e-9)
    assert played.mean == pytest.approx(table.value(empty), abs=5 * played.standard_error)


def test_yahtzee_plain_is_exact() -> None:
    assert relax(load("yahtzee-plain")).bound() == pytest.approx(load("yahtzee-plain").about.known_value, abs=1e-9)


# Parts by themselves


def alone(parts: Parts, i: int, payments: np.ndarray) -> float:
    """What part i is worth before the first turn, by recursion in plain Python."""
    rules, part = parts.rules, parts.parts[i]
    boxes = set(zip(part.columns, part.categories, strict=True))
    writing, passing = prices(payments, i)
    rolls = sorted(dice for dice, _ in columns_oracle.throws(rules.dice))

    @cache
    def before(turn: int, sheets: Sheets) -> float:
        return hold(turn, sheets, (), rules.rolls) if turn < parts.turns else 0.0

    @cache
    def hold(turn: int, sheets: Sheets, kept: tuple[int, ...], left: int) -> float:
        found = 0.0
        for new, chance in columns_oracle.throws(rules.dice - len(kept)):
            found += chance * roll(turn, sheets, tuple(sorted(kept + new)), left - 1, kept)
        return found

    @cache
    def roll(turn: int, sheets: Sheets, dice: tuple[int, ...], left: int, kept: tuple[int, ...]) -> float:
        number, options = rolls.index(dice), []
        open_boxes = [(k, b) for k, b in boxes if sheets[k][b] is None]
        if len(open_boxes) < parts.turns - turn:
            options.append(passing[turn, number] + before(turn + 1, sheets))
        for k, b in open_boxes:
            own = (
                sheets[k]
                if len(boxes) > len(sheets[k])
                else tuple(v if (k, j) in boxes else 0 for j, v in enumerate(sheets[k]))
            )
            if b in columns_oracle.playable(rules, k, own):
                after = columns_oracle.write(rules, sheets, k, b, dice, left == rules.rolls - 1)
                gained = columns_oracle.total(rules, after) - columns_oracle.total(rules, sheets)
                options.append(writing[turn, number] + gained + before(turn + 1, columns_oracle.marked(rules, after)))
        if left:
            locked = kept if rules.hold == "locked" else ()
            options += [hold(turn, sheets, h, left) for h in {tuple(sorted(h)) for h in oracle.holds(dice, locked)}]
        return max(options)

    return before(0, columns_oracle.empty(rules))


@pytest.mark.parametrize("name", ["multipliers", "served", "upper-only", "served-requires-upper"])
def test_parts_against_brute_force(name: str) -> None:
    for parts in divisions(Variant(name, rules_of(name))):
        payments = random_payments(parts, 5, 4.0)
        with Crew(1, 0, None) as crew:
            values = parts.solve(payments, crew)
        for i in range(len(parts.parts)):
            assert parts.scale(i) * values[i][0, 0, 0] == pytest.approx(alone(parts, i, payments), abs=1e-9)


# The policy


@pytest.mark.parametrize("name", COLUMNS)
def test_the_policy_is_no_better_than_optimal_play_and_near_it(name: str) -> None:
    rules, relaxation = rules_of(name), relaxed(name)
    exact = columns_oracle.value(rules, columns_oracle.empty(rules))
    played = relaxation.simulate(5000, seed=9)
    assert played.mean <= exact + 5 * played.standard_error
    assert played.expected_mean <= exact + 5 * played.expected_error
    assert played.mean == pytest.approx(played.expected_mean, abs=5 * played.standard_error)
    assert played.expected_mean >= 0.98 * exact


@pytest.mark.parametrize("name", ["orders", "requires", "upper", "served"])
def test_values_are_never_short_of_what_they_say_a_turn_later(name: str) -> None:
    relaxation = relaxed(name)
    for division in relaxation.divisions:
        with Crew(1, 0, None) as crew:
            points, record = play(division.parts, division.values, None, 200, 3, crew, record=True)
        assert record is not None
        assert (record.slack <= 1e-9).all()
        assert record.gained.sum(axis=1) == pytest.approx(points)


def test_the_same_games_for_any_number_of_threads() -> None:
    one = relaxed("upper").simulate(3000, seed=4, threads=1)
    two = relaxed("upper").simulate(3000, seed=4, threads=2)
    assert (one.totals == two.totals).all()
    assert (one.expected == two.expected).all()
    assert (one.totals != relaxed("upper").simulate(3000, seed=5).totals).any()


def test_games_from_a_position() -> None:
    rules, relaxation = rules_of("twins"), relaxed("twins")
    sheets: Sheets = ((12, None, 9), (None, 10, None))
    played = relaxation.simulate(5000, seed=1, sheets=scoresheets(sheets))
    exact = columns_oracle.value(rules, sheets)
    assert 0.98 * exact <= played.expected_mean <= exact + 5 * played.expected_error
    assert relaxation.worth(scoresheets(sheets)) == pytest.approx(exact, rel=0.05)


def test_hint_values_of_a_single_column_are_exact() -> None:
    rules = TOYS["plain"]
    relaxation = relax(Variant("plain", rules), threads=1)
    sheets: Sheets = ((None, 10, None),)
    game = relaxation.divisions[0].parts.game
    for rolls_left in range(rules.rolls):
        holds, outcomes = relaxation.hint_values(scoresheets(sheets), rolls_left)
        for (kind, *what), worth in columns_oracle.hint(rules, sheets, (3, 6), rolls_left).items():
            if kind == "hold":
                counts = [what[0].count(face) for face in range(1, 7)]
                number = int(np.flatnonzero((game.lattice.count == counts).all(axis=1))[0])
                assert holds[number] == pytest.approx(worth, abs=1e-9)
            else:
                points = {0: 6, 2: 9}[what[1]]
                place = game.first_outcome[what[1]] + int(np.searchsorted(game.outcome_points[what[1]], points))
                assert outcomes[what[0], place] == pytest.approx(worth, abs=1e-9)
        assert outcomes[0, game.first_outcome[1]] < -1e29


# Finding payments, storing them, and what cannot be


def test_relax_is_deterministic_and_its_arrays_are_all_there_is_to_store() -> None:
    found = relaxed("upper")
    again = relax(found.variant, threads=1, sweeps=(0.2, 0.1), rounds=2)
    assert again.bound() == found.bound()
    assert (again.extra == found.extra).all()
    stored = Relaxation(found.variant, [division.payments for division in found.divisions], found.extra)
    assert stored.bound() == found.bound()
    assert (stored.simulate(500, seed=1).totals == found.simulate(500, seed=1).totals).all()


def test_progress_ends_with_all_steps() -> None:
    steps: list[tuple[int, int]] = []
    relax(Variant("twins", rules_of("twins")), sweeps=(0.1,), rounds=1, progress=lambda *step: steps.append(step))
    assert [done for done, _ in steps] == list(range(1, steps[-1][1] + 1))


@pytest.mark.parametrize("name", ["five-none", "five-free-choice", "win-low"])
def test_rules_with_fives_and_wins_are_refused(name: str) -> None:
    variant = Variant("toy", TOYS[name]._replace(columns=(Column(), Column())))
    with pytest.raises(RulesError, match=r"^toy: expected no .* beside several columns, found [^\n]*$"):
        relax(variant)


def test_sheets_and_games_that_cannot_be_are_refused() -> None:
    relaxation = relaxed("twins")
    with pytest.raises(PositionError, match="expected 2 columns, found 1"):
        relaxation.bound((Scoresheet((None,) * 3),))
    with pytest.raises(PositionError, match="expected 3 boxes, found 2"):
        relaxation.bound((Scoresheet((None,) * 2),) * 2)
    with pytest.raises(PositionError, match="one of"):
        relaxation.bound((Scoresheet((7, None, None)), Scoresheet((None,) * 3)))
    with pytest.raises(PositionError, match="rolls_left"):
        relaxation.hint_values(relaxation.empty, 3)
    with pytest.raises(ServidaError, match="games"):
        relaxation.simulate(0, seed=1)


def test_parts_hold_every_box_once() -> None:
    parts = split(load("yahtzee-triple").rules)
    assert sorted((k, b) for part in parts.parts for k, b in zip(part.columns, part.categories, strict=True)) == [
        (k, b) for k in range(3) for b in range(13)
    ]
    assert [len(part.columns) for part in parts.parts] == [6, 6, 6, 21]
    assert len(divisions(load("yahtzee-three-column"))) == 1
