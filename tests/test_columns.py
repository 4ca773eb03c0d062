"""Sheets of several columns: against brute force on toys, from files, and on the command line."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import columns_oracle as oracle
import h5py
import pytest
from clitools import good, good_json, one_line
from columns_toys import TOYS
from conftest import Cli
from servida.data.catalog import load
from servida.data.rules import Column, OutrightWin, Rules, Variant
from servida.errors import MissingTableError, PositionError, RulesError, ServidaError, TableFormatError
from servida.solver import column_table
from servida.solver.column_hint import ColumnHints, column_names, read_sheets, total_so_far
from servida.solver.column_table import ColumnTable, build, columns_of, kept_levels, read_column_table, solve_from
from servida.solver.columns import Columns
from servida.solver.file import levels_folder
from servida.solver.position import Position
from servida.solver.solve import Limits, solve
from servida.solver.store import Store, read_any
from servida.solver.verify import verify

THREE, TRIPLE = load("yahtzee-three-column"), load("yahtzee-triple")
TOY = Variant("toy", TOYS["down, up and free"])


def entries(rules: Rules, sheets: oracle.Sheets) -> dict[str, int]:
    """A sheet as people write it."""
    return {
        f"{column + 1}.{category.id}": points
        for column, written in enumerate(sheets)
        for category, points in zip(rules.categories, written, strict=True)
        if points is not None
    }


def games(rules: Rules) -> Iterator[oracle.Sheets]:
    """Sheets on the way through a few games, those that every way of writing the same rolls leads to."""
    for seed in range(3):
        sheets = oracle.empty(rules)
        for turn in itertools.count():
            yield sheets
            dice = tuple((seed * 5 + turn * (2 + die)) % 6 + 1 for die in range(rules.dice))
            writes = oracle.writes(rules, sheets, tuple(sorted(dice)), served=seed == 0)
            if not writes:
                break
            sheets = writes[sorted(writes)[(seed + turn) % len(writes)]][0]


@pytest.mark.parametrize("name", TOYS)
def test_expected_totals_equal_brute_force(name: str) -> None:
    rules = TOYS[name]
    variant = Variant("toy", rules)
    table = solve_from(variant, columns_of(variant), threads=2)
    assert table.expected_total == pytest.approx(float(oracle.value(rules, oracle.empty(rules))), abs=1e-9)


def test_the_brute_force_leaves_out_nothing_that_counts() -> None:
    for name in ("down, up and free", "multipliers", "a box that requires another"):
        start = oracle.empty(TOYS[name])
        assert oracle.value(TOYS[name], start) == pytest.approx(oracle.value_of_all(TOYS[name], start), abs=1e-12)


@pytest.mark.parametrize("name", TOYS)
def test_positions_of_games_equal_brute_force(name: str) -> None:
    rules, compared = TOYS[name], 0
    variant = Variant("toy", rules)
    whole = ColumnHints(variant, stored=solve_from(variant, columns_of(variant)))
    for sheets in games(rules):
        read = read_sheets(variant, entries(rules, sheets))
        if all(sheet.is_full for sheet in read):
            assert whole.value(read).value == 0
            continue
        from_here = ColumnHints(variant)
        assert from_here.value(read).value == pytest.approx(float(oracle.value(rules, sheets)), abs=1e-9)
        for dice, left in (
            ((1,) * rules.dice, rules.rolls - 1),
            ((1, 6, 6)[: rules.dice], 0),
            ((2, 5, 5)[-rules.dice :], 1),
        ):
            hint = from_here.hint(Position("toy", dice, left, entries(rules, sheets)))
            so_far = total_so_far(variant, read)
            expected = oracle.hint(rules, sheets, tuple(sorted(dice)), left)
            found = {
                ("hold", option.dice)
                if option.action == "hold"
                else ("write", (option.column or 0) - 1, rules.box[option.category or ""]): option.expected_total
                - so_far
                for option in hint.options
            }
            assert found.keys() == expected.keys()
            for option, value in expected.items():
                assert found[option] == pytest.approx(float(value), abs=1e-9), (sheets, dice, option)
            assert hint.best.expected_total - so_far == pytest.approx(float(max(expected.values())), abs=1e-9)
            compared += len(expected)
    assert compared > 20


def test_a_multiplier_scales_what_a_column_is_worth() -> None:
    """Two columns of which one counts for nothing yet: the same play, three times the points."""
    rules = TOYS["two free"]
    once, thrice = (Variant("toy", rules._replace(columns=(Column("free", n), Column("free", n)))) for n in (1, 3))
    first, second = (solve_from(variant, columns_of(variant)).expected_total for variant in (once, thrice))
    assert second == pytest.approx(3 * first, abs=1e-9)


def test_the_order_of_the_columns_does_not_matter() -> None:
    rules = TOYS["multipliers"]
    totals = [
        solve_from(variant, columns_of(variant)).expected_total
        for columns in itertools.permutations(rules.columns)
        for variant in [Variant("toy", rules._replace(columns=columns))]
    ]
    assert totals == pytest.approx([totals[0]] * 6, abs=1e-9)


def test_a_column_that_is_full_leaves_a_game_of_one_column() -> None:
    """Free column open, the others written: what is to come is the value of plain yahtzee."""
    boxes = [category.id for category in THREE.rules.categories]
    full = {f"{column}.{box}": 5 if box == "chance" else 0 for column in (1, 2) for box in boxes}
    value = ColumnHints(THREE).value(read_sheets(THREE, full)).value
    assert value == pytest.approx(solve(load("yahtzee-plain")).expected_total, abs=1e-9)


def test_counts_of_three_columns() -> None:
    columns = Columns(THREE.rules)
    assert (columns.inner, [len(states) for states in columns.states]) == (2, [137, 99])
    assert columns.values == 3_656_150_784


def test_the_bits_do_not_depend_on_threads_or_memory(tmp_path: Path) -> None:
    size = columns_of(TOY).size * 8
    for name, threads, memory in (("one", 1, 1e9), ("two", 2, 1e9), ("little", 2, 6 * size)):
        build(tmp_path / f"{name}.h5", TOY, threads=threads, memory=memory, keep=float("inf"))
    blocks = [_blocks(tmp_path / f"{name}.h5") for name in ("one", "two", "little")]
    assert blocks[0] == blocks[1] == blocks[2]


def _blocks(path: Path) -> list[bytes]:
    with read_column_table(path, TOY) as table:
        return [
            table.levels[number].get(place).tobytes()
            for number, combinations in enumerate(table.columns.levels)
            for place in range(len(combinations))
        ]


def test_a_build_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    path, columns = tmp_path / "toy.h5", columns_of(TOY)

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(path, TOY, keep=0, progress=stop)
    assert not path.exists()
    assert len(list(levels_folder(path).iterdir())) == 1  # the last whole level, nothing half-written
    totals: list[int] = []
    build(path, TOY, keep=0, progress=lambda done, total: totals.append(total))
    assert totals[0] < columns.values
    with read_column_table(path, TOY) as table:
        assert table.expected_total == solve_from(TOY, columns).expected_total
        assert verify(table) > 0
    assert len(list(levels_folder(path).iterdir())) == 2


def test_a_damaged_level_is_told_and_can_be_solved_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    path = store.path(TOY)
    with pytest.raises(KeyboardInterrupt):
        build(path, TOY, keep=0, progress=_interrupt)
    (left,) = levels_folder(path).iterdir()
    with h5py.File(left, locking=False) as file:
        data = file["blocks"][0].tobytes()
    raw = bytearray(left.read_bytes())
    raw[raw.index(data)] ^= 1
    left.write_bytes(raw)
    with pytest.raises(TableFormatError, match="rebuild it with 'servida tables build toy --force'"):
        store.build(TOY, keep=0)
    left.write_bytes(b"junk")  # not even a file of this kind: as if it were not there
    store.build(TOY, keep=0)
    assert store.build(TOY, force=True)
    with store.open_columns(TOY) as table:
        assert table.expected_total == solve_from(TOY, columns_of(TOY)).expected_total


def _interrupt(done: int, total: int) -> None:
    if done > total // 2:
        raise KeyboardInterrupt


def test_stored_levels_answer_as_solving_does(tmp_path: Path) -> None:
    build(tmp_path / "toy.h5", TOY, keep=float("inf"))
    with read_column_table(tmp_path / "toy.h5", TOY) as table:
        stored = ColumnHints(TOY, stored=table, limits=Limits(0, 0))
        for sheets in games(TOY.rules):
            read = read_sheets(TOY, entries(TOY.rules, sheets))
            assert stored.value(read).value == pytest.approx(ColumnHints(TOY).value(read).value, abs=1e-12)
        assert stored.tables == [table]


def test_changed_values_and_lost_levels_are_found(tmp_path: Path) -> None:
    path = tmp_path / "toy.h5"
    build(path, TOY, keep=float("inf"))
    with read_any(path) as table:
        assert isinstance(table, ColumnTable)
        table.fetch(tuple(table.columns.levels[2][0].tolist()))[:] += 1e-9
        with pytest.raises(TableFormatError, match="as solved from the next level"):
            verify(table)
    (levels_folder(path) / "level-01.h5").unlink()
    with pytest.raises(MissingTableError, match="level-01"):
        read_any(path)


def test_what_is_kept() -> None:
    columns = columns_of(THREE)
    assert kept_levels(columns, 0) == 2
    assert kept_levels(columns, 1e9) == 7
    assert kept_levels(columns, float("inf")) == 27


def test_an_outright_win_with_several_columns_is_refused() -> None:
    rules = TOYS["five bonus"]._replace(five=None, outright_win=OutrightWin("five"))
    with pytest.raises(RulesError, match=r"^toy: expected one column beside an outright win, found several"):
        columns_of(Variant("toy", rules))


def test_names_of_columns() -> None:
    assert column_names(THREE.rules) == ("down", "up", "free")
    assert column_names(TRIPLE.rules) == ("x1", "x2", "x3")
    assert column_names(TOYS["two free"]) == ("1", "2")


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ({"ones": 3}, "sheet: expected a column and a box like down.ones, found 'ones'"),
        ({"left.ones": 3}, r"sheet: expected a column \(down, up, free, or 1 to 3\), found 'left'"),
        ({"4.ones": 3}, r"sheet: expected a column \(down, up, free, or 1 to 3\), found '4'"),
        ({"1.ones": 3, "down.ones": 3}, "sheet: expected every box once, found 'down.ones' twice"),
        ({"down.twos": 3}, "column down: sheet: expected twos to hold one of 0, 2, 4, 6, 8, 10, found 3"),
        ({"down.twos": 2}, "column down: sheet: expected the boxes in order"),
        ({"up.ones": 2}, "column up: sheet: expected the boxes in order"),
        ({"free.none": 2}, "column free: sheet: expected a box of yahtzee-three-column"),
    ],
)
def test_sheets_that_cannot_be(sheet: dict[str, int], message: str) -> None:
    with pytest.raises(PositionError, match=f"^{message}"):
        read_sheets(THREE, sheet)


def test_limits_are_told() -> None:
    empty = read_sheets(THREE, {})
    with pytest.raises(ServidaError, match=r"in 240 s of one core and 4 GB, found one that takes 2,194 s"):
        ColumnHints(THREE).value(empty)
    with pytest.raises(ServidaError, match=r"found one that takes 12\.7 GB"):
        ColumnHints(THREE, limits=Limits(1e5, 4e9)).value(empty)


LATE = "1.ones=3 1.twos=6 1.threes=9 1.fours=12 1.fives=15 1.sixes=18 1.three_of_a_kind=20 1.four_of_a_kind=0 " + (
    "1.full_house=25 1.small_straight=30 up.chance=20 up.yahtzee=0 up.large_straight=40 up.small_straight=30 "
    "up.full_house=25 up.four_of_a_kind=0 up.three_of_a_kind=22 up.sixes=18 up.fives=10 up.fours=12 free.ones=2 "
    "free.twos=6 free.chance=25 free.fives=15 free.sixes=24 free.full_house=25 free.large_straight=0 free.yahtzee=0 "
    "free.threes=9 free.small_straight=30"
)


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    position = ("33366", "--rolls-left", 1, "--sheet", LATE, "--tables", tmp_path)
    shown = good(cli("hint", "yahtzee-three-column", *position, "--top", 3))
    assert "write Threes (up)" in shown
    assert "(aufwärts)" in good(cli("hint", "yahtzee-three-column", *position, "--lang", "de"))
    found = good_json(cli("hint", "yahtzee-three-column", *position, "--json"))
    written = [option for option in found["options"] if option["action"] == "write"]
    assert {option["column"] for option in written} == {1, 2, 3}
    assert found["best"] == found["options"][0]
    value = good_json(cli("value", "yahtzee-three-column", "--sheet", LATE, "--json", "--tables", tmp_path))
    assert value["expected_total"] == value["points_so_far"] + value["value"]
    scores = good_json(cli("score", "yahtzee-three-column", "33366", "--sheet", LATE, "--json"))["scores"]
    assert {"column": 3, "category": "three_of_a_kind", "points": 21, "bonus": 0} in scores


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("hint", "yahtzee-three-column", "33366", "--objective", "target:300"), "objective: expected score for"),
        (("hint", "yahtzee-three-column", "33366", "--explain"), "explain: expected a sheet of one column"),
        (("hint", "yahtzee-three-column", "33366", "--objective", "duel"), "objective: expected score for"),
        (("value", "yahtzee-three-column", "--objective", "target:300"), "objective: expected score for"),
        (("distribution", "yahtzee-three-column"), "expected a sheet of one column, found 3"),
        (("duel", "yahtzee-three-column"), "expected a sheet of one column, found 3"),
        (("simulate", "yahtzee-three-column"), "expected a sheet of one column, found 3"),
        (("target", "yahtzee-three-column", "300"), "expected a sheet of one column, found 3"),
        (("tables", "build", "yahtzee-triple"), "expected a sheet of at most 50,000,000,000 values"),
        (("tables", "build", "chaser", "--memory", "12"), "expected a size like 12G or 500M, found '12'"),
        (("tables", "build", "chaser", "--keep", "much"), "expected a size like 12G or 500M or all, found 'much'"),
    ],
)
def test_mistakes(cli: Cli, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    assert message in one_line(cli(*options, "--tables", tmp_path))


def test_a_table_from_the_command_line(cli: Cli, tmp_path: Path) -> None:
    rules = tmp_path / "toy.toml"
    rules.write_text(
        """
        format = 1
        id = "toy"
        upper_bonus = { threshold = 63, points = 35 }
        category = [
            { id = "ones", pattern = { faces = [1] }, score = "sum_matched" },
            { id = "pair", pattern = { groups = [2] }, score = 10 },
            { id = "sixes", pattern = { faces = [6] }, score = "sum_matched" },
        ]
        column = [{ order = "down" }, { order = "up" }, { order = "free", multiplier = 2 }]
        """,
        encoding="utf-8",
    )
    tables = ("--tables", tmp_path / "tables")
    built = cli("tables", "build", rules, *tables, "--keep", "all", "--memory", "1G")
    assert "toy: 128 values in 16 blocks" in built.err
    assert "expected total" in built.out
    assert "was there" in good(cli("tables", "build", rules, *tables))
    assert "good" in good(cli("tables", "verify", rules, *tables))
    assert "good" in good(cli("tables", "verify", "--all", *tables))
    assert "toy" in good(cli("tables", "list", *tables))
    whole = good_json(cli("value", rules, "--json", "--time-limit", 0, *tables))
    assert f"{whole['expected_total']:.6f}" in built.out
    assert "removed" in good(cli("tables", "remove", rules, *tables))
    assert [path.suffix for path in (tmp_path / "tables").iterdir()] == [".lock"]


def test_a_store_keeps_several_columns_apart(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.build(TOY)
    assert not store.build(TOY)
    (entry,) = store.entries()
    assert entry.expected_total == pytest.approx(float(oracle.value(TOY.rules, oracle.empty(TOY.rules))))
    with store.open_columns(TOY) as table:
        assert table.path == store.path(TOY)
        assert column_table.estimate(table.columns, 1, None, None).startswith("54 values in 9 blocks")
