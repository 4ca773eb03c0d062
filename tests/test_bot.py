"""Bots: the options they weigh are those of `hint`, they take them as often as told, games are the same anywhere."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import servida
import servida.solver.simulate as module
from clitools import good, good_json, one_line
from conftest import Cli
from servida.data.catalog import load
from servida.data.rules import Variant
from servida.errors import PositionError, ServidaError
from servida.solver.bot import LEVELS, chance_of_a_point
from servida.solver.bot_games import BotGames, pick
from servida.solver.dice import fraction, throw, throws
from servida.solver.hint import hint
from servida.solver.position import Position, Scoresheet, bonus_key
from servida.solver.simulate import simulate
from servida.solver.solve import solve
from servida.solver.table import Table
from test_simulate import throw as plain_throw
from toys import TOYS


class Checked(BotGames):
    """Games in which every option that is weighed is compared with the answer of `hint`; `seen` counts positions."""

    seen = 0

    def _throw(self, games: Any, turn: int, number: int, held: Any) -> Any:
        self.games = games
        return super()._throw(games, turn, number, held)

    def _worths(self, turns: Any, sheets: Any, roll: Any, outcome: Any, held: Any, left: int) -> Any:
        worths = super()._worths(turns, sheets, roll, outcome, held, left)
        key, rules = bonus_key(self.game), self.game.rules
        for i, game in enumerate(self.games):
            entries = {box: int(p) for box, p in zip(rules.box, self.points[game], strict=True) if p >= 0}
            if key and self.bonuses[game]:
                entries[key] = int(self.bonuses[game])
            aside = self.faces(held[i]) if rules.hold == "locked" else ()
            reply = hint(self.table, Position("", self.faces(self.first + roll[i]), left, entries, aside))
            found = sorted((float(worth) for worth in worths[i] if worth > -np.inf), reverse=True)
            expected = sorted((option.expected_total - reply.points_so_far for option in reply.options), reverse=True)
            assert found == pytest.approx(expected, abs=1e-9)
            self.seen += 1
        return worths

    def faces(self, number: int) -> tuple[int, ...]:
        return tuple(face + 1 for face in range(6) for _ in range(self.lattice.count[number, face]))


def check(table: Table, games: int, temperature: float) -> None:
    sheet = Scoresheet((None,) * len(table.game.rules.categories))
    played = Checked(table, temperature, sheet, 3, range(games))
    for turn in range(len(sheet.points)):
        played.play(turn)
    assert played.seen >= games
    assert (played.totals() >= 0).all()


@pytest.mark.parametrize("name", TOYS)
def test_options_weighed_are_those_of_a_hint_on_small_games(name: str) -> None:
    check(solve(Variant("toy", TOYS[name]), threads=1), 12, 4.0)


@pytest.mark.parametrize("name", ["yahtzee", "yatzy", "generala", "generala-classic", "generala-obligada"])
def test_options_weighed_are_those_of_a_hint(name: str) -> None:
    check(servida.open_table(name), 3, 2.0)


def test_dice_are_those_of_other_simulations() -> None:
    many = np.arange(300, dtype=np.uint64) + np.uint64(2**40)
    for number, dice in ((0, 5), (1, 3), (4, 6), (2, 0)):
        found = throws(2**63 + 5, many, 7, number, np.full(300, dice))
        assert found.tolist() == [plain_throw(2**63 + 5, int(game), 7, number, dice)[0] for game in many]
    assert (
        throws(5, np.array([1_234_163], np.uint64), 0, 0, np.array([6]))[0].tolist()
        == plain_throw(5, 1_234_163, 0, 0, 6)[0]
    )  # a random number that would favour some faces
    assert throw(5, 1, 2, 0, 3) == tuple(sorted(plain_throw(5, 1, 2, 0, 3)[0]))
    assert 0 < fraction(5, 1, 2, 0) != fraction(5, 1, 2, 1) < 1


def test_options_are_taken_as_often_as_told() -> None:
    worths = np.array([10.0, -np.inf, 9.0, 10.0, 4.0])
    n = 200_000
    taken = Counter(pick(np.tile(worths, (n, 1)), 2.0, (np.arange(n) + 0.5) / n).tolist())
    weights = np.array([1, 0, np.exp(-0.5), 1, np.exp(-3)])
    assert [taken[i] / n for i in range(5)] == pytest.approx((weights / weights.sum()).tolist(), abs=1e-5)
    assert pick(worths[None], 0, np.array([0.99])).tolist() == [0]


def test_a_perfect_bot_is_perfect() -> None:
    table = servida.open_table("generala")
    perfect, score = (simulate(table, 3000, 6, policy=policy) for policy in ("bot:perfect", "score"))
    assert perfect.count.tolist() == score.count.tolist()
    assert perfect.expected_total == score.expected_total
    position = Position("yahtzee", "33366", 1, {"ones": 3})
    assert servida.bot().choose(position) == servida.hint(position).best


@pytest.mark.parametrize(("level", "mean"), [("easy", 113), ("normal", 150), ("hard", 158)])
def test_levels_are_as_strong_as_told(level: str, mean: float) -> None:
    played = simulate(servida.open_table("generala"), 20_000, 2, policy=f"bot:{level}")
    assert abs(played.mean - mean) < 1.5
    assert played.expected_total is None


def test_games_do_not_depend_on_how_they_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = servida.open_table("generala-classic")
    sheet = Scoresheet((3, None, *(None,) * 9))
    one = simulate(table, 500, 9, policy="bot:2", sheet=sheet)
    monkeypatch.setattr(module, "BOT_BATCH", 64)
    calls: list[tuple[int, int]] = []
    other = simulate(
        table, 500, 9, policy="bot:2", sheet=sheet, threads=3, progress=lambda done, total: calls.append((done, total))
    )
    assert one.count.tolist() == other.count.tolist()
    assert one.wins == other.wins
    assert calls[-1] == (5000, 5000)


def test_a_seed_makes_the_same_choices() -> None:
    position = Position("generala", "11345", 2)
    first, second = ([bot.choose(position) for _ in range(20)] for bot in (servida.bot(8, seed=3) for _ in range(2)))
    assert first == second
    assert len(set(first)) > 3
    assert servida.bot("easy").choose(position, fraction=0.0) == servida.hint(position).best


def test_playing_to_win_is_a_duel() -> None:
    sheet = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "straight": 0, "full_house": 0}
    position = Position("generala-obligada", "33356", 1, sheet)
    table = servida.open_table("generala-obligada")
    bot = servida.bot(objective="win")
    ahead, behind = ({**sheet, "full_house": points} for points in (0, 30))
    for them in (ahead, behind):
        contest = servida.Contest(
            servida.solver.contest.read_player(table, sheet), (servida.solver.contest.read_player(table, them),)
        )
        assert bot.choose(position, [them]) == servida.Duels(table).hint(contest, position).options[0].option
    chosen = {servida.bot(40.0, seed=seed, objective="win").choose(position, [ahead]) for seed in range(12)}
    assert len(chosen) > 1
    assert 0.005 < chance_of_a_point(table) < 0.02
    with pytest.raises(PositionError, match="them: expected the sheets of the others"):
        bot.choose(position)


@pytest.mark.parametrize(
    ("dice", "rolls_left", "sheet", "written"),
    [
        ("33366", 1, {}, ("full_house", 30)),
        ("33366", None, {}, ("full_house", 35)),
        ("33333", None, {"generala": 0}, ("four_of_a_kind", 45)),
        ("22211", 0, {"full_house": 0, "ones": 1}, ("twos", 6)),
        ("11233", 0, {"threes": 3, "twos": 0}, ("ones", 2)),
        ("12335", 0, {"ones": 0, "twos": 0, "threes": 0, "fives": 5}, ("fours", 0)),
    ],
)
def test_when_the_clock_runs_out(
    dice: str, rolls_left: int | None, sheet: Mapping[str, int], written: tuple[str, int]
) -> None:
    out = servida.time_out(Position("generala", dice, rolls_left, sheet))
    assert out.dice == tuple(map(int, dice)) or sorted(out.dice) == sorted(map(int, dice))
    assert out.score[:2] == written


def test_time_out_before_the_first_roll() -> None:
    found = [servida.time_out(Position("generala", "", None, {"sixes": 6}), seed=seed) for seed in range(30)]
    assert found == [servida.time_out(Position("generala", "", None, {"sixes": 6}), seed=seed) for seed in range(30)]
    assert len({one.dice for one in found}) > 20
    assert all(one == servida.time_out(Position("generala", one.dice, None, {"sixes": 6})) for one in found)
    with pytest.raises(PositionError, match="open box"):
        servida.time_out(Position("generala-obligada", "", None, dict.fromkeys(load("generala-obligada").rules.box, 0)))


@pytest.mark.parametrize("level", ["esy", "", "-1", "nan", "inf", 1e9, True, None, [], "1e999"])
def test_levels_that_are_none(level: Any) -> None:
    with pytest.raises(ServidaError, match="level: expected easy, normal, hard, perfect or a temperature"):
        servida.bot(level)


def test_other_mistakes() -> None:
    with pytest.raises(ServidaError, match="did you mean 'win'"):
        servida.bot(objective="wins")
    with pytest.raises(ServidaError, match="several"):
        servida.bot().choose(Position("yahtzee-triple", "11111"))


def test_the_policy_on_the_command_line(cli: Cli) -> None:
    out = good_json(cli("simulate", "generala", "--policy", "bot:easy", "--games", 300, "--json"))
    assert out["policy"] == "bot:easy"
    assert out["expected_total"] is None
    assert "policy: bot:1.5" in good(cli("simulate", "generala", "--policy", "bot:1.5", "--games", 30))
    assert "did you mean 'hard'" in one_line(cli("simulate", "generala", "--policy", "bot:hrd"))
    assert "bot:perfect" in one_line(cli("simulate", "generala", "--policy", "bot"))
    assert sorted(LEVELS.values(), reverse=True) == list(LEVELS.values())
