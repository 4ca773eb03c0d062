"""Sheets of several columns: what a value takes to solve, and how long a hint in the middle of a game takes.

    python bench/columns.py [VARIANT] [--tables FOLDER] [--threads N]

A hint is asked with so many boxes written in every column, each time from scratch. With the folder of a table that was
built with `--keep all`, the same positions are read from there besides.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from pairs import machine
from servida import ServidaError, Store, load
from servida.data.rules import Variant
from servida.solver.column_hint import ColumnHints, read_sheets
from servida.solver.column_table import columns_of
from servida.solver.columns import Block, Columns, Combination
from servida.solver.game import compile_rules
from servida.solver.position import Position
from servida.solver.solve import Limits

DICE = "33366"


def written(variant: Variant, boxes: int) -> dict[str, int]:
    """A sheet with so many boxes written in every column, each with the middle one of the points it can pay."""
    entries = {}
    for k, column in enumerate(variant.rules.columns):
        order = list(range(len(variant.rules.categories)))
        order = order[::-1] if column.order == "up" else order
        for box in order[:boxes]:
            points = compile_rules(variant.rules, k).possible_points[box]
            entries[f"{k + 1}.{variant.rules.categories[box].id}"] = points[len(points) // 2]
    return entries


def report_blocks(columns: Columns) -> None:
    """CPU time of a value, in blocks of several levels whose next level is made up."""
    random = np.random.default_rng(1)
    for number in (0, len(columns.levels) // 4, len(columns.levels) // 2):
        combination = tuple(columns.levels[number][len(columns.levels[number]) // 2].tolist())
        after = {to: random.random(columns.size) * 100 for to in columns.following(combination)}

        def fetch(to: Combination, after: dict[Combination, Block] = after) -> Block:
            return after[to]

        started = time.thread_time()
        columns.solve_block(combination, fetch)
        taken = time.thread_time() - started
        print(f"  a block of level {number}: {taken / columns.lanes * 1e6:.3f} µs a value", flush=True)


def report_hints(variant: Variant, folder: Path | None, threads: int | None) -> None:
    boxes = len(variant.rules.categories)
    store = Store(folder)
    stored = store.open_columns(variant) if folder and store.path(variant).exists() else None
    for filled in range(boxes - 2, 0, -1):
        position = Position(variant.id, DICE, 1, written(variant, filled))
        columns = columns_of(variant, read_sheets(variant, position.sheet))
        line = f"  {filled} of {boxes} written in every column: {columns.values:>13,} values"
        started = time.perf_counter()
        try:
            found = ColumnHints(variant, threads=threads, limits=Limits(240, 8e9)).hint(position)
            line += f", solved in {time.perf_counter() - started:7.3f} s"
        except ServidaError:
            line += ", too many to solve in 240 s of one core"
            found = None
        if stored:
            started = time.perf_counter()
            read = ColumnHints(variant, stored=stored).hint(position)
            line += f", read in {time.perf_counter() - started:.3f} s"
            assert found is None or abs(found.expected_total - read.expected_total) < 1e-9
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", nargs="?", default="yahtzee-three-column")
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    variant = load(arguments.variant)
    print(machine(), "all cores" if arguments.threads is None else f"{arguments.threads} threads")
    report_blocks(columns_of(variant))
    report_hints(variant, arguments.tables, arguments.threads)


if __name__ == "__main__":
    main()
