"""Simulated games: against the exact distributions, and replayed in plain Python with the same dice."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import servida.solver.simulate as module
from clitools import good, good_json, one_line
from conftest import Cli
from servida.data.catalog import load
from servida.data.rules import Rules, Variant
from servida.errors import ServidaError
from servida.solver.distribution import distribution
from servida.solver.hint import hint
from servida.solver.position import Position, Scoresheet, bonus_key, points_so_far, read_sheet
from servida.solver.simulate import POLICIES, Simulation, play_batch, simulate
from servida.solver.solve import solve
from servida.solver.table import Table
from toys import ANY, TOYS, box

WORD = 2**32
REPLAYED = ("yahtzee", "yatzy", "generala-classic", "generala-obligada", "chaser")
COMPARED = ("yahtzee", "yatzy", "generala", "generala-classic", "generala-obligada")


def philox(key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Philox4x32-10, written from the paper."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = b >> 32 ^ c1 ^ k0, b % WORD, a >> 32 ^ c3 ^ k1, a % WORD
        k0, k1 = (k0 + 0x9E3779B9) % WORD, (k1 + 0xBB67AE85) % WORD
    return c0, c1, c2, c3


def throw(seed: int, game: int, turn: int, number: int, dice: int) -> tuple[list[int], int]:
    """The faces, and how many random numbers were not used for them."""
    ways = 6**dice
    for refused in range(100):
        counter = (game % WORD, game >> 32, turn, number // 4 + 256 * refused)
        product = ways * philox((seed % WORD, seed >> 32), counter)[number % 4]
        if product % WORD >= WORD % ways:
            return [product // WORD // 6**i % 6 + 1 for i in range(dice)], refused
    raise AssertionError


def empty(rules: Rules) -> Scoresheet:
    return Scoresheet((None,) * len(rules.categories))


def play(table: Table, entries: dict[str, int], seed: int, game: int) -> int:
    """The final total of one game, played as `hint` says."""
    rules, key = table.game.rules, bonus_key(table.game)
    entries = dict(entries)
    written = len(entries) - (key in entries)
    for turn in range(written, len(rules.categories)):
        kept: list[int] = []
        for number in range(rules.rolls):
            dice = kept + throw(seed, game, turn, number, rules.dice - len(kept))[0]
            held = kept if rules.hold == "locked" and number else []
            best = hint(table, Position("", dice, rules.rolls - 1 - number, entries, held)).best
            if best.action == "win":
                assert best.points is not None
                return points_so_far(table.game, read_sheet(table.variant, table.game, entries)) + best.points
            if best.action == "write":
                break
            assert best.dice is not None
            kept = list(best.dice)
        assert best.category is not None
        assert best.points is not None
        entries[best.category] = best.points
        if best.bonus and key:
            entries[key] = entries.get(key, 0) + 1
    return points_so_far(table.game, read_sheet(table.variant, table.game, entries))


def check_replay(table: Table, games: range, policy: str = "score", seed: int = 5, **entries: int) -> None:
    """Every game comes to the total that the same dice make when every decision is the first of `hint`."""
    values = POLICIES[policy](table)
    sheet = read_sheet(table.variant, table.game, entries)
    score, _ = play_batch(table, values, sheet, seed, games)
    adviser = Table(table.variant, table.game, values)
    before = points_so_far(table.game, sheet)
    assert (before + score).tolist() == [play(adviser, entries, seed, game) for game in games]


def check_chances(table: Table, played: Simulation, chance: np.ndarray[Any, Any]) -> None:
    """The mean, every likely total, and all totals together are as near the exact chances as they should be."""
    n = played.games
    assert played.count.sum() == n
    assert played.expected_total is not None
    assert abs(played.mean - played.expected_total) <= 4 * played.standard_error + 1e-9
    assert not played.count[chance == 0].any()
    expected = n * chance
    often = expected >= 20
    error = np.sqrt(expected * (1 - chance))
    assert (np.abs(played.count - expected)[often] <= 5 * error[often] + 1e-6).all()
    # the others together, and Pearson's statistic beside its own mean and spread
    expected = np.append(expected[often], expected[~often].sum())
    count = np.append(played.count[often], played.count[~often].sum())
    square = ((count - expected)[expected >= 1] ** 2 / expected[expected >= 1]).sum()
    freedom = max(1, (expected >= 1).sum() - 1)
    assert square <= freedom + 5 * np.sqrt(2 * freedom)


def test_the_twin_of_the_generator_makes_the_published_numbers() -> None:
    # known answers of Random123, the generator's own library
    assert philox((0, 0), (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox((WORD - 1,) * 2, (WORD - 1,) * 4) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
    assert philox((0xA4093822, 0x299F31D0), pi) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


@pytest.mark.parametrize("name", COMPARED)
def test_totals_come_as_often_as_computed_in(name: str) -> None:
    table = solve(load(name))
    exact = distribution(table, empty(table.game.rules))
    played = simulate(table, 200_000, 11)
    check_chances(table, played, exact.chance)
    assert abs(played.wins - exact.win * played.games) <= 5 * np.sqrt(exact.win * played.games) + 1e-6


@pytest.mark.parametrize("name", TOYS)
def test_toys_are_played_as_computed_and_advised(name: str) -> None:
    table = solve(Variant("toy", TOYS[name]), threads=1)
    played = simulate(table, 20_000, 3, threads=1)
    check_chances(table, played, distribution(table, empty(TOYS[name])).chance)
    check_replay(table, range(4))
    check_replay(table, range(2), "greedy")


@pytest.mark.parametrize("name", REPLAYED)
def test_every_decision_is_the_one_hint_gives_in(name: str) -> None:
    table = solve(load(name))
    check_replay(table, range(2), seed=2**64 - 1)
    check_replay(table, range(2**40, 2**40 + 1), "greedy")


def test_games_go_on_from_a_sheet() -> None:
    table = solve(load("yahtzee"))
    entries = {"ones": 3, "sixes": 24, "fives": 25, "fours": 16, "yahtzee": 50, "yahtzee_bonus": 1}
    check_replay(table, range(3), **entries)
    check_replay(table, range(3), **{"ones": 5, "sixes": 18, "fives": 20})
    sheet = read_sheet(table.variant, table.game, entries)
    played = simulate(table, 20_000, 1, sheet=sheet)
    check_chances(table, played, distribution(table, sheet).chance)
    assert played.span[0] >= points_so_far(table.game, sheet)


def test_a_full_sheet_stays_as_it_is() -> None:
    table = solve(load("generala-served-60"))
    played = simulate(table, 3, 0, sheet=Scoresheet((0,) * 10))
    assert played.span == (0, 0)
    assert (played.mean, played.sd, played.wins) == (0, 0, 0)


def test_the_same_bits_for_any_threads_and_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    table = solve(load("generala-classic"))
    monkeypatch.setattr(module, "SMALLEST", 50)
    first = simulate(table, 3001, 9, threads=1)
    for threads, batch in ((2, 3001), (3, 3001), (1, 3000), (3, 777)):
        monkeypatch.setattr(module, "BATCH", batch)
        other = simulate(table, 3001, 9, threads=threads)
        assert other.count.tobytes() == first.count.tobytes()
        assert (other.wins, other.mean, other.sd) == (first.wins, first.mean, first.sd)
    assert simulate(table, 3001, 10).count.tobytes() != first.count.tobytes()


def test_the_same_games_everywhere() -> None:
    table = solve(load("yahtzee"))
    score, _ = play_batch(table, table.values, empty(table.game.rules), 1, range(8))
    assert score.tolist() == [220, 258, 314, 281, 267, 237, 254, 156]


@pytest.mark.parametrize("dice", range(1, 7))
def test_every_face_is_as_likely_as_any_other(dice: int) -> None:
    rules = Rules((box("first", ANY, "sum_all"), box("second", ANY, "sum_all")), dice=dice, rolls=1)
    table = solve(Variant("toy", rules), threads=1)
    played = simulate(table, 100_000, 2)
    check_chances(table, played, distribution(table, empty(rules)).chance)


def test_numbers_that_would_favour_some_faces_are_not_used() -> None:
    rules = Rules((box("chance", ANY, "sum_all"),), dice=6, rolls=1)
    table = solve(Variant("toy", rules), threads=1)
    game = 1_234_163
    assert throw(5, game, 0, 0, 6)[1] == 1
    check_replay(table, range(game, game + 1))


def test_greedy_play_looks_no_further_than_the_turn() -> None:
    table = solve(load("yatzy"))
    played = simulate(table, 20_000, 4, policy="greedy")
    assert played.expected_total is None
    assert played.mean < table.expected_total - 20
    last = Scoresheet((0,) * 14 + (None,))  # with one box open, it is perfect play
    counts = [simulate(table, 5000, 4, policy=policy, sheet=last).count.tolist() for policy in POLICIES]
    assert counts[0] == counts[1]


def test_figures_of_a_simulation() -> None:
    table = solve(load("generala"))
    played = simulate(table, 1000, 8)
    totals = np.repeat(np.arange(len(played.count)), played.count)
    assert played.mean == pytest.approx(totals.mean(), abs=1e-9)
    assert played.sd == pytest.approx(totals.std(), abs=1e-9)
    assert played.standard_error == pytest.approx(totals.std(ddof=1) / np.sqrt(1000), abs=1e-9)
    assert played.chance.tolist() == (played.count / 1000).tolist()
    assert np.isnan(simulate(table, 1, 8).standard_error)


def test_progress_counts_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    table = solve(load("generala"))
    monkeypatch.setattr(module, "BATCH", 60)
    calls: list[tuple[int, int]] = []
    simulate(table, 100, 0, progress=lambda done, total: calls.append((done, total)))
    assert calls == sorted(calls)
    assert calls[-1] == (1100, 1100)


@pytest.mark.parametrize(
    ("games", "seed", "policy", "message"),
    [
        (0, 0, "score", "games: expected a whole number from 1 to 1000000000000, found 0"),
        (True, 0, "score", "games: expected a whole number from 1 to 1000000000000, found true"),
        (1, -1, "score", "seed: expected a whole number from 0 to 18446744073709551615, found -1"),
        (1, 2**64, "score", "seed: expected a whole number from 0 to 18446744073709551615, found 18446744073709551616"),
        (
            1,
            0,
            "gredy",
            "policy: expected one of score, greedy, bot:easy, bot:normal, bot:hard, bot:perfect, found 'gredy' "
            "(did you mean 'greedy'?)",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(games: int, seed: int, policy: str, message: str) -> None:
    with pytest.raises(ServidaError) as caught:
        simulate(solve(Variant("toy", TOYS["plain"])), games, seed, policy=policy)
    assert str(caught.value) == message


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    call = ["simulate", "generala-classic", "--games", 5000, "--seed", 3]
    out = good_json(cli(*call, "--json"))
    assert out == good_json(cli(*call, "--json", "--threads", 3))
    assert sum(out["count"]) == out["games"] == 5000
    assert out["mean"] == sum((out["lowest"] + i) * n for i, n in enumerate(out["count"])) / 5000
    assert out["expected_total"] == pytest.approx(166.639419, abs=1e-6)
    for lang in ("en", "es", "ko", "de"):
        assert f"{out['mean']:.4f} ± {out['standard_error']:.4f}" in good(cli(*call, "--lang", lang))
    for name in ("a.png", "a.svg"):
        good(cli(*call, "--plot", tmp_path / name))
        assert (tmp_path / name).stat().st_size > 5000
    greedy = good_json(cli(*call, "--json", "--policy", "greedy", "--sheet", "ones=0"))
    assert greedy["expected_total"] is None
    assert json.loads(good(cli("simulate", "chaser", "--games", 1, "--json")))["standard_error"] is None


@pytest.mark.parametrize(
    ("option", "value"),
    [("--games", "0"), ("--games", "x"), ("--seed", "-1"), ("--seed", 2**64), ("--policy", "lucky"), ("--sheet", "x")],
)
def test_mistakes_are_one_line(cli: Cli, option: str, value: object) -> None:
    one_line(cli("simulate", "generala", option, value))
