"""Bounds and policies in files: what answers, approximately, for sheets of several columns that are too many to solve
(docs/bound.md)."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..data.rules import Variant
from ..errors import TableFormatError
from ..version import VERSION
from .columns import Sheets
from .file import FromFile, TableFile, add_values, describe_variant, new_table_file
from .parts import Floats
from .relaxation import Relaxation, divisions, relax
from .solve import Crew, Progress

OBJECTIVE = "bound"
GAMES, SEED = 100_000, 2026  # games that the policy is measured in


class Measured(NamedTuple):
    """What the policy made in `games` games from the empty sheet: the mean, and its standard error."""

    games: int
    mean: float
    error: float


class BoundTable(FromFile):
    """A bound and a policy for one variant. Of a file only the turns asked for are read."""

    def __init__(self, variant: Variant, relaxation: Relaxation, measured: Measured, file: TableFile | None = None):
        self.variant, self.relaxation, self.measured, self._file = variant, relaxation, measured, file
        self._read: set[int] = set()

    def read(self, turns: range) -> Relaxation:
        """The relaxation, with the values before these turns (and nothing else, where they come from a file)."""
        for turn in turns if self._file else ():
            if turn not in self._read:
                self._read_turn(turn)
        return self.relaxation

    def _read_turn(self, turn: int) -> None:
        assert self._file
        for name, values in _named(self.relaxation):
            with self._file.reading():
                dataset = self._file.dataset(name, values.shape, np.float64)
                dataset.read_direct(values, np.s_[turn], np.s_[turn])
        self._read.add(turn)

    def bound(self, sheets: Sheets) -> float:
        """No play makes more points from these sheets on, on average."""
        turn = self.relaxation.turn(sheets)
        return self.read(range(turn, turn + 1)).bound(sheets)

    def worth(self, sheets: Sheets) -> float:
        """What the policy expects to come: an estimate."""
        turn = self.relaxation.turn(sheets)
        return self.read(range(turn, turn + 1)).worth(sheets)

    def turn(self, sheets: Sheets, rolls_left: int) -> tuple[Floats, Floats]:
        """What the policy expects of every hold and of every way to write; see `Relaxation.hint_values`."""
        turn = self.relaxation.turn(sheets)
        return self.read(range(turn, turn + 2)).hint_values(sheets, rolls_left)

    def bounds(self, sheets: Sheets, rolls_left: int) -> tuple[Floats, Floats]:
        """No play makes more after these holds and writes; see `Relaxation.hint_bounds`."""
        turn = self.relaxation.turn(sheets)
        return self.read(range(turn, turn + 2)).hint_bounds(sheets, rolls_left)

    def check(self) -> None:
        """Reads the whole file, which checks its checksums, and compares what it says about itself with what it should
        say; raises `TableFormatError`."""
        self.read(range(self.relaxation.divisions[0].parts.turns + 1))
        if self._file:
            self._file.check_description(describe(self.variant, self.relaxation, self.measured), {})

    def check_turn(self, turn: int) -> int:
        """Solves the values before a turn again from those before the next; returns how many there are, and raises
        `TableFormatError` where the bits differ. What is proven rests on nothing else."""
        compared = 0
        for division in self.read(range(turn, turn + 2)).divisions:
            again = division.parts.empty_values()
            for new, values in zip(again, division.values, strict=True):
                new[turn + 1] = values[turn + 1]
            with Crew(None, 0, None) as crew:
                division.parts.solve_turn(turn, division.payments, again, crew)
            for new, values in zip(again, division.values, strict=True):
                if new[turn].tobytes() != values[turn].tobytes():
                    raise TableFormatError(
                        f"{self.path or self.variant.id}: expected the values of turn {turn} as solved from the next "
                        "turn, found others; build it anew with --force"
                    )
                compared += new[turn].size
        return compared


def _named(relaxation: Relaxation) -> list[tuple[str, Floats]]:
    """The values of all parts, by the names of their datasets."""
    return [
        (f"values_{i}_{k}", values)
        for i, division in enumerate(relaxation.divisions)
        for k, values in enumerate(division.values)
    ]


def build(path: Path, variant: Variant, *, threads: int | None = None, progress: Progress | None = None) -> None:
    """Finds payments, learns a policy, measures it, and stores all that."""
    relaxation = relax(variant, threads=threads, progress=progress)
    played = relaxation.simulate(GAMES, seed=SEED, threads=threads)
    measured = Measured(GAMES, played.mean, played.standard_error)
    named = _named(relaxation)
    size = sum(values.nbytes for _, values in named) + relaxation.extra.nbytes
    with new_table_file(path, describe(variant, relaxation, measured), size) as file:
        file.create_dataset("extra", data=relaxation.extra, chunks=relaxation.extra.shape, fletcher32=True)
        for i, division in enumerate(relaxation.divisions):
            add_values(file, f"payments_{i}", division.payments)
        for name, values in named:
            add_values(file, name, values, compress=True)


def describe(variant: Variant, relaxation: Relaxation, measured: Measured) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    return {
        **describe_variant(variant),
        "objective": OBJECTIVE,
        "dtype": "float64",
        "bound": relaxation.bound(),
        "policy_games": measured.games,
        "policy_mean": measured.mean,
        "policy_error": measured.error,
        "made_by": f"servida {VERSION}: Lagrangian relaxation",
    }


def read_bound_table(path: Path, variant: Variant) -> BoundTable:
    """The table stored at `path`; raises as `read_table` does."""
    ways = divisions(variant)
    file = TableFile(path, variant, OBJECTIVE)
    turns, rolls = ways[0].turns, ways[0].rolls
    payments = [file.array(f"payments_{i}", (turns, len(way.parts), rolls), np.float64) for i, way in enumerate(ways)]
    extra = file.array("extra", (turns + 1, len(variant.rules.categories), 1 << len(variant.rules.columns)), np.float64)
    values = [[np.empty((turns + 1, *part.shape)) for part in way.parts] for way in ways]
    with file.reading():
        attributes = file.attributes
        measured = Measured(
            int(attributes["policy_games"]), float(attributes["policy_mean"]), float(attributes["policy_error"])
        )
    return BoundTable(variant, Relaxation(variant, payments, extra, values), measured, file)
