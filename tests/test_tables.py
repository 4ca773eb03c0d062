"""Tables on disk: written whole or not at all, read exactly, and whatever else is found told in one line."""

import csv
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq
import pytest
import servida.solver.store
from conftest import Cli, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from servida import (
    MissingTableError,
    Position,
    Scoresheet,
    ServidaError,
    StorageError,
    Store,
    Table,
    TableFormatError,
    Variant,
    load,
    solve,
)
from servida.data.catalog import find, read_text
from servida.solver.export import STATES, export
from servida.solver.file import FORMAT_VERSION
from servida.solver.hint import hint, scores
from servida.solver.position import read_dice, read_sheet
from servida.solver.table import INDEX, OBJECTIVE, read_table
from servida.solver.verify import verify
from toys import TOYS

posix = pytest.mark.skipif(os.name != "posix", reason="signals and permissions as POSIX has them")
not_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="permissions mean nothing to an administrator"
)

GENERALA = load("generala")  # 3,072 values in one column: the small table most tests here take
SHEET = "ones=3 full_house=0"


def bits(values: npt.NDArray[Any]) -> bytes:
    """The values as they lie in memory; NaN equals NaN, and 0.0 differs from -0.0."""
    return np.ascontiguousarray(values).tobytes()


def toy(name: str) -> Variant:
    return Variant(name, TOYS[name])


def one_line(result: Result, code: int = 2) -> str:
    """The message of a call that failed as it should."""
    assert result.code == code
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert result.err[:-1].isprintable()
    return result.err[len("error: ") : -1]


def python(code: str, *args: object, **options: Any) -> "subprocess.Popen[str]":
    """A Python process that runs `code`."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, args)], **{**pipes, **options})


@pytest.fixture(scope="module")
def solved() -> Table:
    return solve(GENERALA)


@pytest.fixture
def stored(solved: Table, tmp_path: Path) -> Path:
    """A good file of Generala where a store in `tmp_path` expects it."""
    path = Store(tmp_path).path(GENERALA)
    solved.save(path)
    return path


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Table, Path]]:
    """Every toy, solved and saved."""
    folder = tmp_path_factory.mktemp("toys")
    found = {name: (solve(toy(name), threads=1), folder / f"{name}.h5") for name in TOYS}
    for table, path in found.values():
        table.save(path)
    return found


def edit(path: Path, change: Callable[[h5py.File], object]) -> None:
    """Changes a table file the way its writer would: all its checksums are right."""
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        change(file)


def attribute(name: str, value: object) -> Callable[[h5py.File], None]:
    return lambda file: file.attrs.__setitem__(name, value)


# Round trip


@pytest.mark.parametrize("name", TOYS)
def test_a_table_is_read_as_it_was_saved(toys: dict[str, tuple[Table, Path]], name: str) -> None:
    table, path = toys[name]
    assert table.path is None
    with read_table(path, toy(name)) as again:
        assert again.path == path
        assert again.expected_total == table.expected_total
        assert again.values.dtype == np.float64
        assert bits(again.values) == bits(table.values)
        assert again.variant == table.variant


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(TOYS)), st.lists(st.lists(st.integers(0, 999), min_size=1, max_size=6), max_size=6))
def test_rows_are_read_on_demand(toys: dict[str, tuple[Table, Path]], name: str, asked: list[list[int]]) -> None:
    table, path = toys[name]
    with read_table(path, toy(name)) as again:
        for some in asked:
            rows = sorted({row % len(table.values) for row in some})
            assert bits(again.read(rows)[rows]) == bits(table.values[rows])
        assert bits(again.values) == bits(table.values)


def test_only_the_rows_asked_for_are_read(tmp_path: Path) -> None:
    variant, path = load("yacht-dice"), tmp_path / "table.h5"
    table = solve(variant)
    table.save(path)
    content = bytearray(path.read_bytes())
    content[content.index(bits(table.values[-2:-1]))] ^= 1
    path.write_bytes(content)
    with read_table(path, variant) as again:
        assert again.expected_total == table.expected_total
        with pytest.raises(TableFormatError):
            again.values.sum()


@pytest.mark.parametrize("name", ["generala", "chaser", "yacht-dice", "yahtzee"])
def test_any_number_of_threads_makes_the_same_file(name: str, tmp_path: Path) -> None:
    files = []
    for threads in (1, 2, 3, 7):
        table = solve(load(name), threads=threads)
        table.save(tmp_path / "table.h5")
        files.append((bits(table.values), (tmp_path / "table.h5").read_bytes()))
    assert all(file == files[0] for file in files)


def test_any_number_of_threads_makes_the_same_toys(toys: dict[str, tuple[Table, Path]], tmp_path: Path) -> None:
    time.sleep(1.1)  # a time in the file would differ from now on
    for name, (table, path) in toys.items():
        for threads in (2, 7):
            again = solve(toy(name), threads=threads)
            assert bits(again.values) == bits(table.values)
        again.save(tmp_path / "table.h5")
        assert (tmp_path / "table.h5").read_bytes() == path.read_bytes()


def test_threads_that_read_at_once(tmp_path: Path) -> None:
    variant, path = load("yahtzee"), tmp_path / "table.h5"
    table = solve(variant)
    table.save(path)
    start = threading.Barrier(8)

    def read(seed: int) -> bool:
        rows = np.random.default_rng(seed).permutation(len(table.values))
        start.wait()
        good = all(
            bits(again.read(some)[some]) == bits(table.values[some]) for some in map(np.sort, np.array_split(rows, 40))
        )
        return good and bits(again.values) == bits(table.values)

    with read_table(path, variant) as again, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(8)))


@posix
def test_an_open_table_outlives_its_file(solved: Table, stored: Path) -> None:
    with read_table(stored, GENERALA) as first, read_table(stored, GENERALA) as second:
        assert Store(stored.parent).build(GENERALA, force=True)
        assert bits(first.values) == bits(solved.values)
        assert Store(stored.parent).remove(GENERALA)
        assert bits(second.values) == bits(solved.values)


# Building: whole or not at all

POINTS = ["solve", "create_dataset 1", "create_dataset 3", "create_dataset 4", "fsync 1", "replace", "fsync 2"]

# builds the table; `act` is called before the named point, or after it
CHILD = """
import os, signal, sys
import h5py
import servida.solver.store
from servida import Store, load

name, _, count = sys.argv[1].partition(" ")
owner = {"solve": servida.solver.store, "create_dataset": h5py.Group}.get(name, os)
real, calls = getattr(owner, name), 0

def deadly(*args, **options):
    global calls
    calls += 1
    if calls < int(count or 1):
        return real(*args, **options)
    if sys.argv[2] == "after":
        real(*args, **options)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, name, deadly)
Store(sys.argv[3]).build(load("generala"))
"""

# says when it has started, then builds and removes the table for as long as it lives
RESTLESS = """
import sys
from servida import Store, load
store, variant = Store(sys.argv[1]), load("generala")
print("ready", flush=True)
while True:
    store.build(variant, force=True)
    if len(sys.argv) > 2:
        store.remove(variant)
"""


def check_next_build(folder: Path, solved: Table) -> None:
    """Whatever is in the folder: a table there is good, and one that is missing can be built."""
    store = Store(folder)
    was_there = store.path(GENERALA).exists()
    assert [entry.state for entry in store.entries()] == ["ok"] * was_there
    assert store.build(GENERALA) is not was_there
    with store.open(GENERALA) as table:
        assert bits(table.values) == bits(solved.values)
    if not was_there:
        assert leftovers(folder) == []


def leftovers(folder: Path) -> list[Path]:
    """Files besides tables and locks."""
    return [path for path in folder.iterdir() if path.suffix not in (".h5", ".lock")]


@posix
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("point", POINTS)
def test_a_build_killed_at_a_point(point: str, moment: str, tmp_path: Path, solved: Table) -> None:
    process = python(CHILD, point, moment, tmp_path)
    assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGKILL
    there = point == "fsync 2" or (point, moment) == ("replace", "after")
    assert Store(tmp_path).path(GENERALA).exists() is there
    check_next_build(tmp_path, solved)


@posix
@pytest.mark.parametrize("seed", range(8))
def test_a_build_killed_at_any_moment(seed: int, tmp_path: Path, solved: Table) -> None:
    process = python(RESTLESS, tmp_path, *["remove"] * (seed % 2))
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    time.sleep(random.Random(seed).uniform(0.05, 0.12))
    process.kill()
    process.communicate()
    if seed % 2 == 0:  # at least one build was finished, unless the machine is slow
        assert len(list(tmp_path.iterdir())) <= 3
    check_next_build(tmp_path, solved)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("broken"), KeyboardInterrupt()])
@pytest.mark.parametrize("point", [point for point in POINTS if point != "fsync 2"])
@pytest.mark.parametrize("force", [False, True])
def test_a_build_that_fails(
    point: str, error: BaseException, force: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solved: Table
) -> None:
    store = Store(tmp_path)
    if force:
        solved.save(store.path(GENERALA))
    name, _, count = point.partition(" ")
    owner: Any = {"solve": servida.solver.store, "create_dataset": h5py.Group}.get(name, os)
    real, calls = getattr(owner, name), []

    def failing(*args: Any, **options: Any) -> Any:
        calls.append(name)
        if len(calls) == int(count or 1):
            raise error
        return real(*args, **options)

    expected = StorageError if isinstance(error, OSError) else (type(error), StorageError)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, failing)
        with pytest.raises(expected):
            store.build(GENERALA, force=force)
    assert store.path(GENERALA).exists() is force
    assert leftovers(tmp_path) == []
    check_next_build(tmp_path, solved)


@pytest.mark.parametrize("content", [b"", b"junk" * 9999])
def test_what_a_killed_build_left_is_in_nobodys_way(content: bytes, tmp_path: Path, solved: Table) -> None:
    path = Store(tmp_path).path(GENERALA)
    path.with_name(path.name + ".unfinished").write_bytes(content)
    path.with_name(path.name + ".lock").write_bytes(content)
    check_next_build(tmp_path, solved)


# waits for the file named second, so that all start at once, and logs every call of `solve` to the file named third
ASKING = """
import hashlib, os, sys, time
import servida.solver.store
from servida import Store, load
folder, go, log = sys.argv[1:]
real = servida.solver.store.solve

def solve(*args, **options):
    with open(log, "a") as file:
        file.write(f"{os.getpid()}\\n")
    return real(*args, **options)

servida.solver.store.solve = solve
print("ready", flush=True)
while not os.path.exists(go):
    time.sleep(0.002)
with Store(folder).ensure(load("yahtzee-plain"), threads=1) as table:
    print(repr(table.expected_total), hashlib.sha256(table.values.tobytes()).hexdigest())
"""


def test_ten_processes_that_want_a_table_build_it_once(tmp_path: Path) -> None:
    folder, go, log = tmp_path / "tables", tmp_path / "go", tmp_path / "log"
    processes = [python(ASKING, folder, go, log) for _ in range(10)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    go.touch()
    answers = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 10
    assert len(set(answers)) == 1
    assert answers[0][1] == ""
    assert float(answers[0][0].split()[0]) == solve(load("yahtzee-plain")).expected_total
    assert log.read_text().count("\n") == 1
    assert len(list(folder.glob("*.h5"))) == 1
    assert leftovers(folder) == []


def test_ten_threads_that_want_a_table_build_it_once(tmp_path: Path) -> None:
    start, variant = threading.Barrier(10), load("chaser")

    def build(_: int) -> bool:
        start.wait()
        return Store(tmp_path).build(variant)

    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(build, range(10))) == [False] * 9 + [True]


def test_a_table_that_is_there_is_not_built_again(stored: Path, cli: Cli) -> None:
    before = stored.stat()
    assert not Store(stored.parent).build(GENERALA)
    assert cli("hint", "generala", "33366", "--tables", stored.parent).code == 0
    assert "was there" in cli("tables", "build", "generala", "--tables", stored.parent).out
    after = stored.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert Store(stored.parent).build(GENERALA, force=True)


# Damage


def told(path: Path, variant: Variant = GENERALA) -> str:
    """The message about a file that is no good table of `variant`, complete and in one line."""
    with pytest.raises(TableFormatError) as error, read_table(path, variant) as table:
        table.values.sum()
    message = str(error.value)
    assert message.startswith(f"{path}: expected ")
    assert ", found " in message
    assert message.endswith(f"; rebuild it with 'servida tables build {variant.id} --force'")
    assert message.isprintable()
    return message


LENGTHS: list[Callable[[int], int]] = [
    lambda size: 0,
    lambda size: 1,
    lambda size: 8,
    lambda size: size // 2,
    lambda size: size - 1,
]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_truncated_table(length: Callable[[int], int], stored: Path, cli: Cli) -> None:
    os.truncate(stored, length(stored.stat().st_size))
    message = told(stored)
    assert "damaged or foreign" in message
    for call in (
        ("hint", "generala", "33366"),
        ("value", "generala"),
        ("tables", "build", "generala"),
        ("tables", "export", "generala", "-o", stored.with_suffix(".npz")),
    ):
        assert one_line(cli(*call, "--tables", stored.parent)) == message
    result = cli("tables", "verify", "generala", "--tables", stored.parent)
    assert result.out == f"generala: {message}\n"
    one_line(result)
    assert not stored.with_suffix(".npz").exists()
    assert cli("tables", "build", "generala", "--force", "--tables", stored.parent).code == 0
    assert cli("tables", "verify", "generala", "--tables", stored.parent).code == 0


def test_a_table_truncated_anywhere(stored: Path) -> None:
    content = stored.read_bytes()
    for length in range(0, len(content), 499):
        stored.write_bytes(content[:length])
        told(stored)


def outcome(path: Path, good: bytes) -> str:
    """What reading all of a Generala file comes to: "told" in one line, or the "same" values."""
    try:
        with read_table(path, GENERALA) as table:
            return "same" if bits(table.values) == good else "wrong"
    except ServidaError as error:
        return "told" if str(error).startswith(f"{path}: ") and str(error).isprintable() else repr(error)


def flips(size: int) -> Iterator[tuple[int, int]]:
    """Bits to flip, as byte and bit: all over the file, and more where its structure is described."""
    rng = random.Random(1)
    yield from ((rng.randrange(size), rng.randrange(8)) for _ in range(400))
    yield from ((position, rng.randrange(8)) for position in range(0, 900, 4))


def test_no_flipped_bit_changes_an_answer(stored: Path, solved: Table) -> None:
    content, good = stored.read_bytes(), bits(solved.values)
    found = []
    for position, bit in flips(len(content)):
        changed = bytearray(content)
        changed[position] ^= 1 << bit
        stored.write_bytes(changed)
        found.append((outcome(stored, good), position, bit))
    assert [case for case in found if case[0] not in ("same", "told")] == []
    assert sum(case[0] == "told" for case in found) > 200


def test_every_flipped_bit_in_the_values_is_detected(stored: Path, solved: Table) -> None:
    content, good = stored.read_bytes(), bits(solved.values)
    start = content.index(good)
    rng = random.Random(2)
    for _ in range(200):
        changed = bytearray(content)
        changed[start + rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        stored.write_bytes(changed)
        assert outcome(stored, good) == "told"


def test_a_flipped_bit_on_the_command_line(stored: Path, solved: Table, cli: Cli) -> None:
    content = stored.read_bytes()
    for position in (1, 10, 60, content.index(bits(solved.values)) + 5):
        changed = bytearray(content)
        changed[position] ^= 4
        stored.write_bytes(changed)
        message = one_line(cli("hint", "generala", "11111", "--tables", stored.parent))
        assert message == told(stored)
        result = cli("tables", "list", "--tables", stored.parent)
        assert result.code == 0
        assert len(result.out.splitlines()) == 2


# reads the file once for each blank block; the processor time is limited, for a loop without end is damage too
BLANKING = """
import resource, sys
from pathlib import Path
from servida import ServidaError, load
from servida.solver.table import read_table
resource.setrlimit(resource.RLIMIT_CPU, (4, 4))
path, variant = Path(sys.argv[1]), load("generala")
content = path.read_bytes()
good = read_table(path, variant).values.tobytes()
for start in range(0, len(content), 512):
    path.write_bytes(content[:start] + bytes(len(content[start : start + 512])) + content[start + 512 :])
    try:
        with read_table(path, variant) as table:
            print("same" if table.values.tobytes() == good else f"wrong at {start}")
    except ServidaError:
        print("told")
"""


@posix
def test_a_blank_block(stored: Path) -> None:
    blocks = -(-stored.stat().st_size // 512)
    process = python(BLANKING, stored)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert set(out.split("\n")) == {"same", "told", ""}
    assert out.count("\n") == blocks


def test_every_flipped_bit_in_the_description_is_detected(stored: Path, solved: Table) -> None:
    content, good = stored.read_bytes(), bits(solved.values)
    for text in (GENERALA.rules.canonical, INDEX, OBJECTIVE):
        changed = bytearray(content)
        changed[content.index(text.encode()) + 2] ^= 1
        stored.write_bytes(changed)
        assert outcome(stored, good) == "told"


def test_a_list_with_a_damaged_name(stored: Path, cli: Cli) -> None:
    with h5py.File(stored) as file:
        name = file.attrs["variant"]
    content = stored.read_bytes()
    assert name in ("generala", b"generala")
    stored.write_bytes(content.replace(b"generala", b"\xe7enerala", 1))
    for flag in ([], ["--json"]):
        assert cli("tables", "list", *flag, "--tables", stored.parent).code == 0


# Foreign files


def test_a_text_file(stored: Path) -> None:
    stored.write_text("points: 12\n" * 99)
    assert "damaged or foreign" in told(stored)


def test_an_hdf5_file_of_something_else(stored: Path) -> None:
    with h5py.File(stored, "w") as file:
        file["values"] = np.zeros((3072, 1))
    assert "expected a file of the format 'servida value table', found 'no format name'" in told(stored)
    edit(stored, attribute("format", "something"))
    assert "found 'something'" in told(stored)


@pytest.mark.parametrize(("version", "age"), [(FORMAT_VERSION - 1, "older"), (FORMAT_VERSION + 1, "newer")])
def test_another_format_version(version: int, age: str, stored: Path, cli: Cli) -> None:
    edit(stored, attribute("format_version", version))
    message = told(stored)
    assert f"expected format version {FORMAT_VERSION}, found the {age} version {version}" in message
    assert one_line(cli("hint", "generala", "11111", "--tables", stored.parent)) == message


def test_the_table_of_another_variant(stored: Path, cli: Cli) -> None:
    solve(load("generala-served-60")).save(stored)
    message = told(stored)
    assert "expected a table for these rules, found one for other rules (variant 'generala-served-60')" in message
    assert one_line(cli("value", "generala", "--tables", stored.parent)) == message


def test_two_names_for_the_same_rules_can_share_a_table(tmp_path: Path) -> None:
    yahtzee, kniffel = load("yahtzee"), load("kniffel")
    assert yahtzee.rules.digest == kniffel.rules.digest
    table = solve(yahtzee)
    table.save(tmp_path / "table.h5")
    with read_table(tmp_path / "table.h5", kniffel) as again:
        assert again.expected_total == table.expected_total


def test_another_objective(stored: Path) -> None:
    edit(stored, attribute("objective", "duel"))
    assert "expected the objective 'score', found 'duel'" in told(stored)


OTHER_VALUES: dict[str, Callable[[npt.NDArray[np.float64]], Any]] = {
    "float32": lambda values: values.astype("f4"),
    "big-endian": lambda values: values.astype(">f8"),
    "shape": np.ravel,
    "none": lambda values: None,
}


@pytest.mark.parametrize("kind", OTHER_VALUES)
def test_values_of_another_kind(kind: str, stored: Path, solved: Table) -> None:
    def replace(file: h5py.File) -> None:
        del file["values"]
        values = OTHER_VALUES[kind](solved.values)
        if values is not None:
            file["values"] = values

    edit(stored, replace)
    told(stored)


def test_a_house_rule_that_was_changed(tmp_path: Path, cli: Cli) -> None:
    rules, folder, text = tmp_path / "house.toml", tmp_path / "tables", read_text(find(GENERALA.id))
    rules.write_text(text, encoding="utf-8")
    before = load(str(rules))
    Store(folder).build(before)
    rules.write_text(text.replace("score = 50", "score = 60"), encoding="utf-8")
    after = load(str(rules))
    store = Store(folder)
    assert store.path(before) == store.path(GENERALA) != store.path(after)
    with pytest.raises(MissingTableError):
        store.open(after)
    shutil.copy(store.path(before), store.path(after))
    assert "expected a table for these rules, found one for other rules (variant 'generala')" in told(
        store.path(after), after
    )
    assert one_line(cli("value", rules, "--tables", folder)).startswith(str(store.path(after)))
    store.build(after, force=True)
    with store.open(before) as old, store.open(after) as new:
        assert new.expected_total > old.expected_total
    states = {entry.path: entry.state for entry in store.entries()}
    assert states[store.path(before)] == "ok"
    assert states[store.path(after)] != "ok"  # of this name there is a variant with other rules


def test_a_directory_instead_of_a_table(tmp_path: Path, cli: Cli) -> None:
    path = Store(tmp_path).path(GENERALA)
    path.mkdir()
    with pytest.raises(ServidaError, match="expected a value table, found"):
        Store(tmp_path).ensure(GENERALA)
    one_line(cli("hint", "generala", "11111", "--tables", tmp_path))
    one_line(cli("tables", "build", "generala", "--tables", tmp_path))
    one_line(cli("tables", "build", "generala", "--force", "--tables", tmp_path), 1)
    assert path.is_dir()
    assert [entry.state == "ok" for entry in Store(tmp_path).entries()] == [False]


def test_a_directory_instead_of_a_table_is_named(tmp_path: Path, cli: Cli) -> None:
    path = Store(tmp_path).path(GENERALA)
    path.mkdir()
    assert "director" in one_line(cli("hint", "generala", "11111", "--tables", tmp_path))
    assert str(path) in one_line(cli("tables", "build", "generala", "--force", "--tables", tmp_path), 1)


@not_root
def test_a_file_that_may_not_be_read(stored: Path, cli: Cli) -> None:
    stored.chmod(0)
    assert "expected a readable file, found" in one_line(cli("hint", "generala", "11111", "--tables", stored.parent))


# Folders


@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_instead_of_the_folder(below: str, tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / below
    for call in (("hint", "generala", "11111"), ("tables", "build", "generala"), ("tables", "export", "generala")):
        message = one_line(cli(*call, "--tables", folder), 1)
        assert message.startswith(f"{folder}: expected a folder that tables can be kept in, found: ")
        assert message.endswith("; choose another with --tables or SERVIDA_TABLES")
    with pytest.raises(StorageError):
        Store(folder).ensure(GENERALA)
    assert Store(folder).entries() == []


@not_root
def test_a_folder_that_may_only_be_read(stored: Path, cli: Cli) -> None:
    stored.parent.chmod(0o555)
    try:
        assert cli("hint", "generala", "11111", "--tables", stored.parent).code == 0
        assert cli("tables", "verify", "generala", "--tables", stored.parent).code == 0
        for call in (("build", "yacht"), ("build", "generala", "--force"), ("remove", "generala")):
            one_line(cli("tables", *call, "--tables", stored.parent), 1)
    finally:
        stored.parent.chmod(0o755)
    assert stored.exists()


@not_root
def test_a_folder_that_may_not_be_entered(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    for call in (("hint", "generala", "11111"), ("tables", "list")):
        assert str(tmp_path / "closed") in one_line(cli(*call, "--tables", tmp_path / "closed" / "tables"), 1)


@posix
def test_a_folder_that_cannot_exist(tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / ("n" * 300)
    assert str(folder) in one_line(cli("hint", "generala", "11111", "--tables", folder), 1)


# stands for a full disk: no file may grow beyond 16 KiB
FULL = """
import resource, sys
import servida.cli
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
sys.exit(servida.cli.run(["tables", "build", "generala", "--tables", sys.argv[1]]))
"""


@posix
def test_a_full_disk_leaves_no_table(tmp_path: Path, solved: Table) -> None:
    process = python(FULL, tmp_path)
    process.communicate()
    assert process.returncode != 0
    assert not Store(tmp_path).path(GENERALA).exists()
    check_next_build(tmp_path, solved)


@posix
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    process = python(FULL, tmp_path)
    _, err = process.communicate()
    one_line(Result(process.returncode, "", err), 1)


def test_what_is_in_the_folder(stored: Path, cli: Cli) -> None:
    folder, store = stored.parent, Store(stored.parent)
    store.build(load("chaser"))
    other = solve(Variant("generala", load("yacht").rules))  # a house rule by this name, for all that is known here
    other.save(store.path(other.variant))
    house = solve(Variant("my_table", load("generala-served-60").rules))
    house.save(store.path(house.variant))
    for name in ("junk.h5", "notes.txt", "old.score.123456789abc.h5.lock", "old.score.123456789abc.h5.unfinished"):
        (folder / name).write_bytes(b"junk")
    (folder / "sub.h5").mkdir()
    entries = {entry.path.name: entry for entry in store.entries()}
    assert list(entries) == sorted(entries)
    assert set(entries) == {path.name for path in folder.iterdir() if path.suffix == ".h5"}
    good = entries[stored.name]
    assert (good.variant, good.objective, good.state) == ("generala", OBJECTIVE, "ok")
    assert good.expected_total == pytest.approx(162.4694684)
    assert good.size == stored.stat().st_size
    assert entries[store.path(house.variant).name].state == "ok"
    assert "other rules" in entries[store.path(other.variant).name].state
    assert "damaged or foreign" in entries["junk.h5"].state
    assert entries["sub.h5"].state != "ok"
    assert entries["junk.h5"].expected_total is None
    shown = cli("tables", "list", "--tables", folder)
    assert (shown.code, shown.err) == (0, "")
    assert len(shown.out.splitlines()) == 1 + len(entries)
    listed = json.loads(cli("tables", "list", "--json", "--tables", folder).out)
    assert [line["path"] for line in listed] == [str(entry.path) for entry in entries.values()]
    assert [line["state"] for line in listed] == [entry.state for entry in entries.values()]


def test_remove_takes_one_table_and_nothing_else(stored: Path, cli: Cli) -> None:
    store = Store(stored.parent)
    store.build(load("chaser"))
    (stored.parent / "junk.h5").write_bytes(b"junk")
    assert store.remove(GENERALA)
    assert not store.remove(GENERALA)
    assert sorted(path.name for path in stored.parent.glob("*.h5")) == [store.path(load("chaser")).name, "junk.h5"]
    assert cli("tables", "remove", "generala", "--tables", stored.parent).out == "generala: no table was there\n"
    with pytest.raises(MissingTableError, match="found no file; make it with 'servida tables build generala'"):
        store.open(GENERALA)


def test_the_path_of_a_table(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / f"generala.score.{GENERALA.rules.digest[:12]}.h5"
    assert Store(tmp_path).path(GENERALA) == path
    assert Store(str(tmp_path)).path(GENERALA) == path
    assert cli("tables", "path", "generala", "--tables", tmp_path).out == f"{path}\n"
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_of_a_variant_that_cannot_be_solved(tmp_path: Path, cli: Cli) -> None:
    one_line(cli("tables", "build", "yahtzee-triple", "--tables", tmp_path))
    assert list(tmp_path.glob("*.h5")) == leftovers(tmp_path) == []


@posix
def test_a_link_to_nowhere_is_listed(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "lost.h5").symlink_to("nowhere")
    assert cli("tables", "list", "--tables", tmp_path).code == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.attrs.__delitem__("variant"),
        attribute("expected_total", "?"),
        attribute("format_version", np.inf),
    ],
)
def test_a_list_with_an_incomplete_table(change: Callable[[h5py.File], None], stored: Path, cli: Cli) -> None:
    edit(stored, change)
    assert cli("tables", "list", "--tables", stored.parent).code == 0


# Verifying

WHOLE = 10**9  # rows


def test_a_good_table_is_verified(stored: Path) -> None:
    with read_table(stored, GENERALA) as table:
        assert verify(table, rows=WHOLE) == 3072
        assert verify(table, rows=7) == 7


@pytest.mark.parametrize("name", ["upper", "everything", "down-requires", "five-free-choice-upper"])
def test_a_good_toy_is_verified(name: str, toys: dict[str, tuple[Table, Path]]) -> None:
    with read_table(toys[name][1], toy(name)) as table:
        assert verify(table, rows=WHOLE) == np.isfinite(table.values).sum()


@pytest.mark.parametrize("lower", [0, 1, 512, 1000, 2559, 3071])
@pytest.mark.parametrize("change", [lambda v: np.nextafter(v, 999), lambda v: v + 1, lambda v: np.nan, lambda v: 9e9])
def test_a_changed_value_with_good_checksums(
    change: Callable[[float], float], lower: int, stored: Path, cli: Cli
) -> None:
    edit(stored, lambda file: file["values"].__setitem__((lower, 0), change(file["values"][lower, 0])))
    with read_table(stored, GENERALA) as table, pytest.raises(TableFormatError) as error:
        verify(table, rows=WHOLE)
    message = str(error.value)
    assert message.startswith(f"{stored}: expected ")
    assert message.endswith("; rebuild it with 'servida tables build generala --force'")
    result = cli("tables", "verify", "generala", "--rows", WHOLE, "--tables", stored.parent)
    assert result.out == f"generala: {message}\n"
    one_line(result)


def test_a_changed_sign_of_nothing(stored: Path) -> None:
    edit(stored, lambda file: file["values"].__setitem__((3071, 0), -0.0))
    with read_table(stored, GENERALA) as table, pytest.raises(TableFormatError):
        verify(table, rows=WHOLE)


@pytest.mark.parametrize(
    "change",
    [
        attribute("expected_total", 1.0),
        attribute("rules", "{}"),
        attribute("boxes", "[]"),
        lambda file: file["slot"].__setitem__(0, 7),
    ],
    ids=["expected_total", "rules", "boxes", "slot"],
)
def test_a_changed_description_with_good_checksums(change: Callable[[h5py.File], None], stored: Path) -> None:
    edit(stored, change)
    with pytest.raises(TableFormatError), read_table(stored, GENERALA) as table:
        verify(table, rows=WHOLE)


# Reading without servida: the file, and what `tables export` writes


def element(arrays: Any, boxes: list[dict[str, Any]], states: dict[str, str], upper_total: int | None) -> float:
    """The value of a sheet as `INDEX` says: `states` per box, the total under the bonus (None when settled)."""
    lower = upper = 0
    for box in boxes:
        state, bit = states[box["id"]], box["upper_bit"]
        watched = box["base"] == (2 if bit else 3)
        assert state in (("open", "scratched", "holding") if watched else ("open", "written"))
        upper |= bit if state != "open" else 0
        digit = int(state == "holding") if bit else {"open": 0, "holding": 2}.get(state, 1)
        lower += box["stride"] * digit if box["base"] > 1 else 0
    live = int(arrays["live"][upper])
    lane = live if upper_total is None else upper_total - int(arrays["lane_low"][upper])
    assert lane == live if upper_total is None else 0 <= lane < live
    return float(arrays["values"][lower][int(arrays["slot"][upper]) + lane])


BOTH = ["generala", "upper", "everything", "five-forced-upper", "down-upper"]  # without a bonus, with one


def both(name: str, toys: dict[str, tuple[Table, Path]], solved: Table) -> Table:
    return solved if name == "generala" else toys[name][0]


def exported(table: Table, kind: str, folder: Path) -> Path:
    path = folder / f"table.{kind}"
    export(table, kind, path)
    assert list(folder.glob("*.unfinished")) == []
    return path


@pytest.mark.parametrize("name", BOTH)
def test_npz_and_json(name: str, toys: dict[str, tuple[Table, Path]], solved: Table, tmp_path: Path) -> None:
    table = both(name, toys, solved)
    with np.load(exported(table, "npz", tmp_path)) as arrays:
        found = dict(arrays)
    description = json.loads(str(found.pop("description")))
    assert bits(found["values"]) == bits(table.values)
    assert set(found) == {"values", "slot", "lane_low", "live"}
    text = json.loads(exported(table, "json", tmp_path).read_text(encoding="utf-8"))
    assert {key: text[key] for key in description} == description
    for key, array in found.items():
        again = np.array(
            [[np.nan if v is None else v for v in row] for row in text[key]] if key == "values" else text[key]
        )
        assert np.array_equal(again, array, equal_nan=key == "values")
    assert description["index"] == INDEX
    assert description["variant"] == table.variant.id
    assert description["rules_sha256"] == table.game.rules.digest
    assert description["expected_total"] == table.expected_total
    assert [box["id"] for box in description["boxes"]] == [category.id for category in table.game.rules.categories]


@pytest.mark.parametrize("name", BOTH)
def test_csv_and_parquet(name: str, toys: dict[str, tuple[Table, Path]], solved: Table, tmp_path: Path) -> None:
    table = both(name, toys, solved)
    ids = [category.id for category in table.game.rules.categories]
    rows = list(csv.DictReader(io.StringIO(exported(table, "csv", tmp_path).read_text(encoding="utf-8"))))
    with np.load(exported(table, "npz", tmp_path)) as file:
        arrays = dict(file)
    boxes = json.loads(str(arrays["description"]))["boxes"]
    assert list(rows[0]) == [*ids, "upper_total", "value"]
    assert {row[box] for row in rows for box in ids} <= set(STATES)
    for row in rows:
        total = int(row["upper_total"]) if row["upper_total"] else None
        assert float(row["value"]) == element(arrays, boxes, {box: row[box] for box in ids}, total)
    sheets = {tuple(row.values())[:-1] for row in rows}
    assert len(sheets) == len(rows) == np.isfinite(table.values).sum()
    parquet = pq.read_table(exported(table, "parquet", tmp_path))
    assert parquet.column_names == list(rows[0])
    columns = {name: parquet[name].to_pylist() for name in parquet.column_names}
    assert columns["value"] == [float(row["value"]) for row in rows]
    assert columns["upper_total"] == [int(row["upper_total"]) if row["upper_total"] else None for row in rows]
    assert all(columns[box] == [row[box] for row in rows] for box in ids)


@pytest.mark.parametrize("name", BOTH)
def test_the_file_holds_what_an_export_holds(
    name: str, toys: dict[str, tuple[Table, Path]], solved: Table, tmp_path: Path
) -> None:
    table, path = both(name, toys, solved), tmp_path / "table.h5"
    table.save(path)
    with np.load(exported(table, "npz", tmp_path)) as arrays, h5py.File(path) as file:
        for key in ("values", "slot", "lane_low", "live"):
            assert bits(file[key][...]) == bits(arrays[key])
            assert file[key].dtype == arrays[key].dtype
            assert file[key].fletcher32
        description = json.loads(str(arrays["description"]))
        assert json.loads(file.attrs["boxes"]) == description["boxes"]
        assert json.loads(file.attrs["rules"]) == json.loads(table.game.rules.canonical)
        assert file.attrs["expected_total"] == table.expected_total
        assert file.attrs["format_version"] == FORMAT_VERSION


def test_an_export_is_written_whole_or_not_at_all(
    solved: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    path = exported(solved, "csv", tmp_path)
    before = path.read_bytes()

    def failing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        with pytest.raises(StorageError) as error:
            export(solved, "csv", path)
    assert str(error.value) == f"{path}: expected a place to write to, found: No space left on device"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    for target in (tmp_path / "none" / "table.npz", tmp_path):
        one_line(cli("tables", "export", "generala", "-o", target), 1)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def value_by_hand(arrays: dict[str, Any], sheet: dict[str, int]) -> float:
    """The value of a sheet from an npz export alone, as docs/tables.md has it."""
    lower = upper = total = 0
    for box in json.loads(str(arrays["description"]))["boxes"]:
        if box["id"] in sheet:
            points, bit = sheet[box["id"]], box["upper_bit"]
            holds = points > 0 and box["base"] == (2 if bit else 3)  # asked only of a watched box
            lower += box["stride"] * (holds if bit else 1 + holds)
            upper |= bit
            total += points if bit else 0
    lane, live = total - arrays["lane_low"][upper], arrays["live"][upper]
    return float(arrays["values"][lower, arrays["slot"][upper] + (lane if 0 <= lane < live else live)])


@pytest.mark.parametrize("name", ["generala", "yacht-dice"])
def test_an_export_answers_like_the_table(name: str, tmp_path: Path) -> None:
    table, rng = solve(load(name)), random.Random(3)
    with np.load(exported(table, "npz", tmp_path)) as file:
        arrays = dict(file)
    game, bonus = table.game, table.game.rules.upper_bonus
    boxes = [category.id for category in game.rules.categories]
    for _ in range(60):
        sheet = {
            box: rng.choice(game.possible_points[boxes.index(box)])
            for box in rng.sample(boxes, rng.randrange(len(boxes)))
        }
        if sheet.get("double_generala") and not sheet.get("generala"):
            continue
        dice = "".join(str(rng.randint(1, 6)) for _ in range(5))
        reply = hint(table, Position(name, dice, 0, sheet))
        so_far = sum(sheet.values())
        under = sum(points for box, points in sheet.items() if bonus and box in bonus.categories)
        found = {}
        for score in scores(game, read_sheet(table.variant, game, sheet), read_dice(dice, 5), served=False):
            after = under + (score.points if bonus and score.category in bonus.categories else 0)
            earned = bonus.points if bonus and after >= bonus.threshold else 0
            value = value_by_hand(arrays, {**sheet, score.category: score.points})
            found[score.category] = so_far + score.points + earned + value
        assert {option.category for option in reply.options} == set(found)
        for option in reply.options:
            assert option.category
            assert option.expected_total == pytest.approx(found[option.category], abs=1e-9)


def test_a_closed_table_keeps_what_it_has_read(stored: Path, solved: Table) -> None:
    table = read_table(stored, GENERALA)
    assert bits(table.values) == bits(solved.values)
    table.close()
    table.close()
    assert table.value(Scoresheet((None,) * 11)) == solved.expected_total


def test_a_closed_table_is_not_called_damaged(stored: Path) -> None:
    table = read_table(stored, GENERALA)
    table.close()
    with pytest.raises((ServidaError, ValueError)) as error:
        table.values.sum()
    assert "damaged" not in str(error.value)
