"""Bounds and policies in files, and the commands that answer by them where solving takes too long."""

import itertools
from pathlib import Path

import columns_oracle as oracle
import pytest
from clitools import good, good_json, one_line
from columns_toys import TOYS
from conftest import Cli
from servida.data.rules import Variant
from servida.errors import MissingTableError, ServidaError, TableFormatError
from servida.solver import bound_table
from servida.solver.bound_table import BoundTable
from servida.solver.column_hint import ColumnHints, read_sheets
from servida.solver.column_table import empty_sheets
from servida.solver.position import Position
from servida.solver.solve import Limits
from servida.solver.store import Store, read_any
from servida.solver.utility import Bound
from servida.solver.verify import verify

TOY = Variant("toy", TOYS["two free"])
RULES = """
format = 1
id = "toy"
category = [
    { id = "ones", pattern = { faces = [1] }, score = "sum_matched" },
    { id = "pair", pattern = { groups = [2] }, score = 10 },
    { id = "sixes", pattern = { faces = [6] }, score = "sum_matched" },
]
column = [{ order = "free" }, { order = "free", multiplier = 2 }]
[turn]
dice = 2
rolls = 2
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A folder with the toy's bound and policy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bound_table, "GAMES", 2000)
        found = Store(tmp_path_factory.mktemp("tables"))
        assert found.build(TOY, Bound())
        assert not found.build(TOY, Bound())
    return found


def test_a_stored_bound_answers_as_the_one_that_was_stored(store: Store) -> None:
    exact = oracle.value(TOY.rules, oracle.empty(TOY.rules))
    with store.open(TOY, Bound()) as table:
        empty = empty_sheets(TOY)
        assert table.bound(empty) >= exact
        assert table.bound(empty) == pytest.approx(float(table._file.attributes["bound"]), abs=1e-12)  # type: ignore[union-attr]
        assert table.measured.mean <= exact + 5 * table.measured.error
        assert table.worth(empty) == pytest.approx(exact, rel=0.05)
        assert verify(table) > 0
    (entry,) = store.entries()
    assert (entry.objective, entry.state) == ("bound", "ok")
    with read_any(store.path(TOY, Bound())) as again:
        assert isinstance(again, BoundTable)


def test_answers_by_a_bound_say_so(store: Store) -> None:
    hints = store.column_hints(TOY, limits=Limits(0, 0))
    sheets = {"1.pair": 10, "2.f1": 1}
    read = read_sheets(TOY, sheets)
    exact, worth = ColumnHints(TOY).value(read), hints.value(read)
    assert exact.bound is None
    assert worth.bound is not None
    assert worth.bound >= exact.value
    assert worth.value == pytest.approx(exact.value, rel=0.1)
    for rolls_left in (0, 1):
        position = Position("toy", (3, 6), rolls_left, sheets)
        answer, truth = hints.hint(position), ColumnHints(TOY).hint(position)
        assert truth.bound is None
        assert answer.bound is not None
        assert answer.bound >= truth.expected_total - 1e-9
        assert {(o.action, o.dice, o.column, o.category, o.points) for o in answer.options} == {
            (o.action, o.dice, o.column, o.category, o.points) for o in truth.options
        }
        assert answer.expected_total == pytest.approx(truth.expected_total, rel=0.1)


def test_the_bound_knows_the_dice(store: Store) -> None:
    """With good dice no play makes more than with bad ones allows for: the bound of each roll is above what is best."""
    hints, sheets = store.column_hints(TOY, limits=Limits(0, 0)), {"1.pair": 10}
    read = (tuple(sheet.points) for sheet in read_sheets(TOY, sheets))
    points = tuple(read)
    bounds = set()
    for dice in itertools.combinations_with_replacement(range(1, 7), 2):
        for rolls_left in (0, 1):
            bound = hints.hint(Position("toy", dice, rolls_left, sheets)).bound
            assert bound is not None
            assert bound >= 10 + max(oracle.hint(TOY.rules, points, dice, rolls_left).values()) - 1e-9
            bounds.add(bound)
    assert max(bounds) > 10 + (hints.value(read_sheets(TOY, sheets)).bound or 0)  # some dice are better than none


def test_the_last_turn_is_exact(store: Store) -> None:
    """With one box left nothing is to be guessed: the estimate of every option is its value."""
    sheets = {"1.f1": 0, "1.pair": 10, "1.f6": 6, "2.f1": 2, "2.pair": 0}
    hints = store.column_hints(TOY, limits=Limits(0, 0))
    for rolls_left in (0, 1):
        position = Position("toy", (3, 6), rolls_left, sheets)
        answer, truth = hints.hint(position), ColumnHints(TOY).hint(position)
        assert [o.expected_total for o in answer.options] == pytest.approx(
            [o.expected_total for o in truth.options], abs=1e-6
        )


def test_without_a_bound_the_limits_are_told() -> None:
    with pytest.raises(ServidaError, match=r"store a policy for it with 'servida tables build toy --objective bound'"):
        ColumnHints(TOY, limits=Limits(0, 0)).hint(Position("toy", (3, 6)))


def test_changed_values_are_found(store: Store) -> None:
    with store.open(TOY, Bound()) as table:
        table.check()
        table.relaxation.divisions[0].values[0][2] += 1e-9
        with pytest.raises(TableFormatError, match="as solved from the next turn"):
            table.check_turn(2)


def test_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(MissingTableError, match="make it with 'servida tables build toy --objective bound'"):
        Store(tmp_path).open(TOY, Bound())


def test_the_commands(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bound_table, "GAMES", 500)
    rules = tmp_path / "toy.toml"
    rules.write_text(RULES, encoding="utf-8")
    tables = ("--tables", tmp_path / "tables")
    built = good(cli("tables", "build", rules, "--objective", "bound", *tables))
    assert "toy: built in" in built
    assert "in 500 games, no play more than" in built
    assert "good" in good(cli("tables", "verify", rules, "--objective", "bound", *tables))
    assert "approximate: expected totals are estimates" in good(
        cli("hint", rules, "36", "--rolls-left", 1, "--time-limit", 0, *tables)
    )
    found = good_json(cli("hint", rules, "36", "--time-limit", 0, "--json", *tables))
    assert found["exact"] is False
    assert found["gap"] == pytest.approx(found["bound"] - found["expected_total"])
    value = good_json(cli("value", rules, "--time-limit", 0, "--json", *tables))
    exact = good_json(cli("value", rules, "--json", *tables))
    assert exact["exact"] is True
    assert "bound" not in exact
    assert value["bound"] >= exact["expected_total"]
    assert "approximate" in good(cli("value", rules, "--time-limit", 0, *tables))
    assert "removed" in good(cli("tables", "remove", rules, *tables))


def test_mistakes(cli: Cli, tmp_path: Path) -> None:
    assert "expected score, target:POINTS, utility:FILE or duel, found 'bound'" in one_line(
        cli("hint", "yahtzee", "33366", "--objective", "bound")
    )
    refused = cli("tables", "build", "generala-classic", "--objective", "bound", "--tables", tmp_path)
    assert "expected no outright win" in one_line(refused)
