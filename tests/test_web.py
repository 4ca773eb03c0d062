"""web/servida.js, run by Node, answers as servida does."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import pytest
import servida
from servida.data.catalog import load
from servida.data.rules import Variant
from servida.solver.export import export
from servida.solver.hint import Hint, hint
from servida.solver.party import Party, Player
from servida.solver.solve import solve
from servida.solver.table import Table
from toys import TOYS

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "web" / "servida.js"
NODE = shutil.which("node")
SCRIPT = """
import { readFileSync } from "node:fs";
import { loadTable } from %(module)s;
const table = await loadTable(readFileSync(process.argv[2]));
const asked = JSON.parse(readFileSync(process.argv[3], "utf8"));
const round = (options) => options.map((o) => [
  o.action, o.dice ?? o.category ?? null, o.points ?? null, o.bonus ?? 0, o.expectedTotal, o.loss, o.best,
]);
const answers = asked.map((position) => {
  try { return round(table.hint(position)); } catch (error) { return error.message; }
});
console.log(JSON.stringify({ expectedTotal: table.expectedTotal, empty: table.value({}), answers }));
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed, which runs JavaScript")


def ask(folder: Path, table: Table, asked: list[dict[str, Any]], kind: str = "npz") -> dict[str, Any]:
    """What the module answers to these positions."""
    export(table, kind, folder / "table")
    (folder / "asked.json").write_text(json.dumps(asked))
    (folder / "run.mjs").write_text(SCRIPT % {"module": json.dumps(MODULE.as_uri())})
    words = [str(NODE), *(str(folder / name) for name in ("run.mjs", "table", "asked.json"))]
    found: dict[str, Any] = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return found


def positions(table: Table, seed: int) -> Iterator[tuple[dict[str, Any], Hint]]:
    """Positions of games that a good and a poor player play, without an end, and their answers."""
    random = Random(seed)
    while True:
        seed += 1
        game = Party(table, table.variant.id, [Player("a"), Player("b")], seed)
        while not game.over:
            position = game.position
            asked = {
                "dice": "".join(map(str, position.dice)) if random.random() < 0.5 else list(position.dice),
                "rollsLeft": position.rolls_left,
                "sheet": position.sheet,
                "held": list(position.held),
            }
            reply = hint(table, position)
            yield asked, reply
            weights = [exp(-option.loss / (1 + 5 * game.mover)) for option in reply.options]
            game.take(random.choices(reply.options, weights)[0])


def compare(folder: Path, table: Table, count: int, kind: str = "npz") -> None:
    """As many positions have the same options with the same numbers, and the same best one."""
    made = positions(table, 0)
    asked, replies = zip(*(next(made) for _ in range(count)), strict=True)
    found = ask(folder, table, list(asked), kind)
    assert found["expectedTotal"] == table.expected_total
    assert found["empty"] == pytest.approx(table.expected_total, abs=1e-9)
    for reply, answer in zip(replies, found["answers"], strict=True):
        options = {option_key(row): row for row in answer}
        assert len(options) == len(answer) == len(reply.options)
        for option in reply.options:
            row = options[option.action, option.dice or option.category or None]
            assert row[2:4] == [option.points, option.bonus]
            assert abs(row[4] - option.expected_total) < 1e-9
            assert abs(row[5] - option.loss) < 1e-9
        assert option_key(answer[0]) == (reply.best.action, reply.best.dice or reply.best.category or None)
        losses = [row[5] if not row[6] else 0.0 for row in answer]
        assert losses == sorted(losses)


def option_key(row: list[Any]) -> tuple[str, Any]:
    what = row[1]
    return row[0], (tuple(what) or None) if isinstance(what, list) else what


@pytest.mark.parametrize("name", ["generala", "yahtzee", "yatzy", "chaser", "generala-classic"])
def test_a_thousand_positions_have_the_same_answers(name: str, tmp_path: Path) -> None:
    compare(tmp_path, servida.open_table(name), 1000)


@pytest.mark.parametrize("name", ["generala-obligada", "yahtzee-free-choice", "yacht-dice"])
def test_other_variants_and_the_other_format(name: str, tmp_path: Path) -> None:
    compare(tmp_path, servida.open_table(name), 100, "json" if name != "yahtzee-free-choice" else "npz")


@pytest.mark.parametrize("name", list(TOYS)[::4])
def test_rules_of_every_kind(name: str, tmp_path: Path) -> None:
    compare(tmp_path, solve(Variant("toy", TOYS[name]), threads=1), 60)


def test_mistakes_are_told(tmp_path: Path) -> None:
    full = dict.fromkeys(load("generala").rules.box, 0)
    asked: list[dict[str, Any]] = [
        {"dice": "3336"},
        {"dice": "33367"},
        {"dice": "33366", "rollsLeft": 3},
        {"dice": "33366", "rollsLeft": 1.5},
        {"dice": "33366", "held": "33", "rollsLeft": 1},
        {"dice": "33366", "sheet": {"aces": 3}},
        {"dice": "33366", "sheet": {"ones": -3}},
        {"dice": "33366", "sheet": full},
    ]
    found = ask(tmp_path, servida.open_table("generala"), asked)["answers"]
    assert found == [
        "dice: expected 5 dice, found 4",
        "dice: expected up to 5 dice with faces 1 to 6, found 33367",
        "rollsLeft: expected a whole number from 0 to 2, found 3",
        "rollsLeft: expected a whole number from 0 to 2, found 1.5",
        "held: expected dice set aside where holds are locked, found others",
        "sheet: expected a box of generala, found aces",
        "sheet: expected whole points for ones, found -3",
        "sheet: expected an open box, found none",
    ]


def test_files_that_are_no_table(tmp_path: Path) -> None:
    script = (
        f"import {{ loadTable }} from {json.dumps(MODULE.as_uri())};\n"
        "for (const bytes of [[1, 2, 3], [0x50, 0x4b, 3, 4]]) {\n"
        "  await loadTable(Uint8Array.from(bytes)).catch((error) => console.log(error.message));\n}\n"
    )
    (tmp_path / "run.mjs").write_text(script)
    out = subprocess.run([str(NODE), str(tmp_path / "run.mjs")], capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == [
        "table: expected a file in npz or json, found another",
        "table: expected a whole npz file, found one that is cut off",
    ]


def test_the_example_of_the_page_prints_what_is_written(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    code, output = re.findall(r"^```(?:javascript|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    export(servida.open_table("generala"), "npz", tmp_path / "generala.npz")
    shutil.copy(MODULE, tmp_path)
    (tmp_path / "run.mjs").write_text(code)
    done = subprocess.run([str(NODE), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == output
