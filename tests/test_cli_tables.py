"""The command line about tables: building, listing, checking, removing and exporting them."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from clitools import SINGLE, TOY, good, good_json, one_line
from conftest import Cli
from servida import load

TABLE_KEYS = ["variant", "objective", "expected_total", "bytes", "state", "path"]
DESCRIPTION_KEYS = {
    *("format", "format_version", "variant", "objective", "rules", "rules_sha256"),
    *("dtype", "index", "boxes", "threshold", "expected_total", "made_by"),
}


@pytest.fixture(scope="module")
def built(cli: Cli, tables: Path) -> str:
    """What building the tables of all variants printed; they are in the usual folder then."""
    return good(cli("tables", "build", "--all", "--jobs", 2))


def test_build_all_tables(cli: Cli, built: str) -> None:
    for line, variant in zip(built.splitlines(), SINGLE, strict=True):
        total = good_json(cli("value", variant, "--json"))["expected_total"]
        assert re.fullmatch(rf"{variant}: (built in \d+\.\d\d s|was there), expected total {total:.6f}", line)


def test_build_again(cli: Cli, tmp_path: Path) -> None:
    build = ("tables", "build", "generala-obligada", "헤네랄라", "--tables", tmp_path)
    good(cli(*build))
    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.h5")}
    assert good(cli(*build)) == (
        "generala-obligada: was there, expected total 77.952214\ngenerala: was there, expected total 162.469468\n"
    )
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.h5")} == old
    assert good(cli(*build, "--force", "--threads", 1)).count(": built in ") == 2
    assert all(path.stat().st_mtime_ns > before for path, before in old.items())


@pytest.mark.usefixtures("built")
def test_list_tables(cli: Cli) -> None:
    answer = good_json(cli("tables", "list", "--json"))
    assert {entry["variant"] for entry in answer if entry["objective"] == "score"} >= set(SINGLE)
    for entry in answer:  # other tests store tables for other objectives
        assert list(entry) == TABLE_KEYS
        assert entry["state"] == "ok"
        assert Path(entry["path"]).stat().st_size == entry["bytes"]
    lines = good(cli("tables", "list")).splitlines()
    assert lines[0].split() == ["variant", "objective", "expected", "total", "bytes", "state"]
    assert [line.split()[0] for line in lines[1:]] == [entry["variant"] for entry in answer]


def test_list_no_tables(cli: Cli, tmp_path: Path) -> None:
    assert good(cli("tables", "list", "--tables", tmp_path)) == f"no tables in {tmp_path}\n"
    assert good(cli("tables", "list", "--tables", tmp_path / "none")) == f"no tables in {tmp_path / 'none'}\n"
    assert good_json(cli("tables", "list", "--tables", tmp_path, "--json")) == []


def test_list_what_is_no_table(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "yahtzee.score.0123456789ab.h5"
    path.write_bytes(b"no table")
    (entry,) = good_json(cli("tables", "list", "--tables", tmp_path, "--json"))
    assert list(entry) == TABLE_KEYS
    assert entry["expected_total"] is None
    assert entry["state"].startswith("expected an intact value table, found ")
    assert str(tmp_path) not in entry["state"]
    assert "yahtzee" in good(cli("tables", "list", "--tables", tmp_path))


@pytest.mark.usefixtures("built")
def test_verify_tables(cli: Cli, tables: Path) -> None:
    lines = good(cli("tables", "verify", "--all", "--rows", 3, "--seed", 7)).splitlines()
    assert [line.partition(":")[0] for line in lines] == sorted(path.name for path in tables.glob("*.h5"))
    assert {line.partition(".")[0] for line in lines} >= set(SINGLE)
    assert all(": good, " in line and line.endswith(" values solved again") for line in lines)
    one = ("tables", "verify", "yahtzee", "--rows", 2)
    assert cli(*one, "--seed", 1) == cli(*one, "--seed", 1)
    assert good(cli("tables", "verify", "chaser")) == "chaser: good, 200 values solved again\n"


def test_verify_a_damaged_table(cli: Cli, tmp_path: Path) -> None:
    good(cli("tables", "build", "generala", "chaser", "--tables", tmp_path))
    path = Path(good(cli("tables", "path", "generala", "--tables", tmp_path)).strip())
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    result = cli("tables", "verify", "generala", "chaser", "--tables", tmp_path)
    assert result.code == 2
    assert "damaged" in result.out
    assert "servida tables build generala --force" in result.out
    assert "\nchaser: good, " in result.out
    assert result.err == "error: 1 of 2 tables are no good; the lines above say what to do\n"
    good(cli("tables", "build", "generala", "--force", "--tables", tmp_path))
    good(cli("tables", "verify", "--all", "--tables", tmp_path))


def test_verify_every_file_house_rules_too(cli: Cli, tmp_path: Path) -> None:
    rules, folder = tmp_path / "toy.toml", tmp_path / "tables"
    every = ("tables", "verify", "--all", "--rows", 4, "--tables", folder)
    assert good(cli(*every)) == ""  # there is no folder
    rules.write_text(TOY, encoding="utf-8")
    good(cli("tables", "build", rules, "generala-obligada", "--tables", folder))
    rules.write_text(TOY.replace("points = 9", "points = 8"), encoding="utf-8")
    good(cli("tables", "build", rules, "--tables", folder))
    rules.unlink()  # a table holds its own rules
    names = sorted(path.name for path in folder.glob("*.h5"))
    assert [name.partition(".")[0] for name in names] == ["generala-obligada", "toy", "toy"]
    lines = good(cli(*every)).splitlines()
    for line, name in zip(lines, names, strict=True):
        assert re.fullmatch(rf"{re.escape(name)}: good, \d+ values solved again", line)
    content = bytearray((folder / names[1]).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / names[1]).write_bytes(content)
    (folder / "yahtzee.h5").write_text("no table")
    (folder / "yahtzee.txt").write_text("no table either, and not called one")
    result = cli(*every)
    assert result.code == 2
    found = result.out.splitlines()
    assert [found[0], found[2]] == [lines[0], lines[2]]
    assert found[1].startswith(f"{names[1]}: ")
    assert found[3].startswith("yahtzee.h5: ")
    assert all("expected an intact value table, found " in line for line in (found[1], found[3]))
    assert len(found) == 4
    assert result.err == "error: 2 of 4 tables are no good; the lines above say what to do\n"


def test_verify_a_table_that_is_missing(cli: Cli, tmp_path: Path) -> None:
    message = one_line(cli("tables", "verify", "yahtzee", "--tables", tmp_path))
    assert message.endswith("found no file; make it with 'servida tables build yahtzee'")


def test_table_paths(cli: Cli, tmp_path: Path, tables: Path) -> None:
    assert good(cli("tables", "path")) == f"{tables}\n"
    assert good(cli("tables", "path", "--tables", tmp_path)) == f"{tmp_path}\n"
    path = Path(good(cli("tables", "path", "yams", "--tables", tmp_path)).strip())
    assert path.parent == tmp_path
    assert path.name.startswith("yahtzee-plain.score.")
    assert not path.exists()
    good(cli("tables", "build", "yams", "--tables", tmp_path))
    assert path.exists()


def test_remove_tables(cli: Cli, tmp_path: Path) -> None:
    folder = ("--tables", tmp_path)
    good(cli("tables", "build", "generala", "chaser", "generala-obligada", *folder))
    assert good(cli("tables", "remove", "generala", *folder)) == "generala: removed\n"
    assert good(cli("tables", "remove", "generala", *folder)) == "generala: no table was there\n"
    assert good(cli("tables", "remove", "--all", *folder)) == "chaser: removed\ngenerala-obligada: removed\n"
    assert good(cli("tables", "remove", "--all", *folder)) == ""
    assert list(tmp_path.glob("*.h5")) == []


def exported(cli: Cli, kind: str, path: Path) -> Path:
    """The table of generala in another format."""
    assert good(cli("tables", "export", "generala", "--format", kind, "-o", path)) == f"wrote {path}\n"
    return path


def test_export_arrays(cli: Cli, tmp_path: Path) -> None:
    with np.load(exported(cli, "npz", tmp_path / "t.npz")) as found:
        assert set(found) == {"values", "slot", "lane_low", "live", "description"}
        values = found["values"]
        description = json.loads(str(found["description"]))
    text = json.loads(exported(cli, "json", tmp_path / "t.json").read_text())
    assert set(description) == DESCRIPTION_KEYS
    assert description["rules"] == json.loads(load("generala").rules.canonical)
    assert {key: text[key] for key in description} == description
    assert description["rules_sha256"] == load("generala").rules.digest
    assert values[0, 0] == description["expected_total"] == pytest.approx(162.4694684, abs=1e-6)
    assert np.array_equal(np.array(text["values"], float), values, equal_nan=True)


def test_export_rows(cli: Cli, tmp_path: Path) -> None:
    with open(exported(cli, "csv", tmp_path / "t.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ids = [category.id for category in load("generala").rules.categories]
    assert list(rows[0]) == [*ids, "upper_total", "value"]
    assert all(rows[0][name] == "open" for name in ids)
    assert float(rows[0]["value"]) == pytest.approx(162.4694684, abs=1e-6)
    assert len(rows) == 2**10 * 3  # ten boxes written or not, the generala also with points
    parquet = pytest.importorskip("pyarrow.parquet").read_table(exported(cli, "parquet", tmp_path / "t.parquet"))
    assert parquet.column_names == [*ids, "upper_total", "value"]
    assert parquet["value"].to_pylist() == [float(row["value"]) for row in rows]
    for name in ids:
        assert parquet[name].to_pylist() == [row[name] for row in rows]


def test_export_of_totals_under_a_bonus(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(TOY, encoding="utf-8")
    good(cli("tables", "export", path, "--format", "csv", "-o", tmp_path / "toy.csv"))
    rows = (tmp_path / "toy.csv").read_text().splitlines()
    assert rows[0] == "ones,sixes,upper_total,value"
    assert {row.split(",")[2] for row in rows[1:]} >= {"", "1", "12"}


def test_export_has_a_default_file(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert good(cli("tables", "export", "헤네랄라")) == "wrote generala.npz\n"
    assert good(cli("tables", "export", "obligada", "--format", "json")) == "wrote generala-obligada.json\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["generala-obligada.json", "generala.npz"]
