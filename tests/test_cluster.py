"""Work on a real Dask cluster of several processes on this machine: the results are those of local threads."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from clitools import good, one_line
from columns_toys import TOYS
from conftest import Cli
from servida.data.catalog import load
from servida.data.rules import Variant
from servida.errors import ServidaError
from servida.solver.cluster import Call, Cluster
from servida.solver.column_table import build, columns_of, read_column_table, solve_from
from servida.solver.file import levels_folder
from servida.solver.levels import level_path

distributed = pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of three worker processes; one that dies is replaced."""
    cluster = distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    with cluster:
        yield cluster.scheduler_address


def workers(cluster: Cluster) -> list[int]:
    """The process of every worker."""
    return list(cluster.client.run(os.getpid).values())


def levels(path: Path) -> list[bytes]:
    """What every level of a table holds."""
    with read_column_table(path, Variant("toy", TOYS["down, up and free"])) as table:
        columns = table.columns
        return [
            table.levels[number].get(place).tobytes()
            for number in range(len(columns.levels))
            for place in range(len(columns.levels[number]))
        ]


def test_a_table_is_the_same_though_a_worker_was_killed(address: str, tmp_path: Path) -> None:
    variant = Variant("toy", TOYS["down, up and free"])
    build(tmp_path / "here.h5", variant, keep=float("inf"))
    killed: list[int] = []
    with Cluster(address) as cluster:

        def kill(done: int, total: int) -> None:
            if not killed and done > total // 3:
                killed.append(workers(cluster)[0])
                os.kill(killed[0], signal.SIGKILL)

        build(tmp_path / "there.h5", variant, keep=float("inf"), cluster=cluster, progress=kill)
    assert len(killed) == 1
    assert levels(tmp_path / "there.h5") == levels(tmp_path / "here.h5")


def test_a_build_that_was_interrupted_goes_on_there(address: str, tmp_path: Path) -> None:
    variant = Variant("toy", TOYS["down, up and free"])
    path = tmp_path / "table.h5"

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(path, variant, progress=stop, keep=0)
    assert any(level_path(levels_folder(path), number).exists() for number in range(8))
    with Cluster(address) as cluster:
        build(path, variant, cluster=cluster, keep=0)
    with read_column_table(path, variant) as table:
        assert table.expected_total == solve_from(variant, columns_of(variant)).expected_total


def test_tables_and_games_are_the_same_there(cli: Cli, address: str, tmp_path: Path) -> None:
    for name, options in (("here", ()), ("there", ("--scheduler", address))):
        built = good(cli("tables", "build", "generala-obligada", "chaser", "--tables", tmp_path / name, *options))
        assert "expected total 174.558624" in built
    for variant in ("generala-obligada", "chaser"):
        here, there = (next((tmp_path / name).glob(f"{variant}.*.h5")) for name in ("here", "there"))
        assert here.read_bytes() == there.read_bytes()
    games = ("simulate", "chaser", "--games", 600_000, "--seed", 5, "--json", "--tables", tmp_path / "here")
    assert good(cli(*games)) == good(cli(*games, "--scheduler", address))


def test_mistakes(cli: Cli, address: str, tmp_path: Path) -> None:
    assert "scheduler: expected a Dask scheduler at 'nowhere'" in one_line(
        cli("simulate", "generala-obligada", "--games", 1, "--scheduler", "nowhere", "--tables", tmp_path)
    )
    wrong = ("--objective", "target", "--scheduler", address, "--tables", tmp_path)
    assert "scheduler: expected it for the objective score" in one_line(cli("tables", "build", "chaser", *wrong))


def test_a_task_that_fails_is_told(address: str) -> None:
    with Cluster(address) as cluster, pytest.raises(ServidaError, match=r"found a failure: math domain error"):
        list(cluster.run({1: Call(pow_of_nothing, load("chaser").rules.canonical)}))


def pow_of_nothing(rules: str) -> float:
    """Fails."""
    raise ValueError("math domain error")
