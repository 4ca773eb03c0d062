"""Whole games of two players, solved once: the first turns are stored, later ones are quick to solve when asked for.

While a game is being solved, its last finished turn is kept beside the table from time to time, so that a build that
was interrupted goes on from there.
"""

from dataclasses import fields
from pathlib import Path
from time import monotonic

import numpy as np

from ..data.rules import Variant
from ..errors import ServidaError
from ..version import VERSION
from .duel import BYTES_PER_LANE, FLOAT32_ERROR
from .file import FromFile, TableFile, add_values, new_table_file
from .game import Game
from .match import Match, Pairs, TooLargeError
from .solve import Progress, thread_count
from .table import describe_game, layout_arrays

OBJECTIVE = "duel"
STORED_BOXES = 10  # turns are stored while the mover has so many open boxes; what follows is solved in seconds
PATIENCE = 20.0  # seconds of work that an interruption may cost, and those of one turn
MOST_LANES = 3_000_000_000
INDEX = (
    "values_k[start_k[pair] + min(max(need - low_k[pair], 0), width_k[pair] - 1)] is the chance to win, a tie counted "
    "half, before turn k, of the player who moved before it (k = 0: of the mover), ties_k (if any) that of a tie; "
    "need: points that player lacks; pair = mover's sheet * sheets of the other + sheet of the other, in their order."
)


class DuelTable(FromFile):
    """The chances of both players of one variant in the first turns, from two empty sheets on."""

    def __init__(self, variant: Variant, game: Game, match: Match, file: TableFile | None = None):
        self.variant, self.game, self.match, self._file = variant, game, match, file

    @property
    def first_player(self) -> tuple[float, float]:
        """The first player's chance, a tie counted half, and the chance of a tie (nan where only values are stored)."""
        row = _empty_row(self.game)
        return self.match.value(0, row, row, 0)

    def save(self, path: Path) -> None:
        """Writes the table to `path`: whole and synced to disk, or not at all (`OSError`)."""
        _write(path, self.variant, self.game, self.match, compress=True)

    def check(self) -> None:
        """Compares what the file says about itself with what it should say; raises `TableFormatError`. (Its values were
        read, and their checksums checked, when it was opened.)"""
        if self._file:
            described = describe(self.variant, self.game, self.match)
            self._file.check_description(described, layout_arrays(self.game))


def _empty_row(game: Game) -> tuple[int, int, int]:
    return game.layout.row((None,) * len(game.rules.categories))


def whole_match(variant: Variant, game: Game, *, ties: bool = True) -> Match:
    """The match of a whole game, not solved, with the chance of a tie or without; `ServidaError` where that would take
    days."""
    boxes, row = len(game.rules.categories), _empty_row(game)
    try:
        match = Match(game, (row, row), (boxes, boxes), ties=ties)
        if match.lanes() <= MOST_LANES:
            return match
    except TooLargeError:
        pass
    raise ServidaError(
        f"duel: expected a variant whose whole game can be solved for two, found {variant.id}, which has too many "
        "pairs of sheets; 'servida duel' solves its positions with few open boxes exactly"
    )


def is_solvable(variant: Variant, game: Game) -> bool:
    """Whether the whole game of two can be solved."""
    try:
        whole_match(variant, game)
    except ServidaError:
        return False
    return True


def stored_turns(match: Match) -> int:
    """The number of the last turn that is stored."""
    open_boxes = [len(side.layers) - 1 for side in match.sides]
    late = [n for n, turn in enumerate(match.turns) if open_boxes[turn.mover] - turn.written[turn.mover] < STORED_BOXES]
    return max(1, late[0] if late else len(match.turns) - 1)


def estimate(match: Match, threads: int | None) -> str:
    """What solving will take, in words."""
    lanes, seconds = match.lanes(), match.seconds() / thread_count(threads)
    largest = max(match.pairs(number) for number in range(len(match.turns)))
    pairs = sum(match.pairs(number) for number in range(len(match.turns)))
    memory = 2.5 * BYTES_PER_LANE[match.ties] * lanes * largest / pairs
    return f"{pairs:,} pairs of sheets: about {seconds:,.0f} s and {memory / 1e9:.1f} GB of memory"


def build(
    path: Path,
    variant: Variant,
    game: Game,
    *,
    ties: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Solves the whole game and stores its first turns; goes on where an interrupted build left off. `ties`: with the
    chance of a tie besides."""
    match = whole_match(variant, game, ties=ties)
    partial, keep, written = path.with_name(path.name + ".partial"), stored_turns(match), monotonic()
    if partial.is_file():
        try:
            file = TableFile(partial, variant, OBJECTIVE)
            if _has_ties(file) == ties:
                _read_turns(file, match)
        except ServidaError:
            match.solved.clear()  # nothing is lost but time

    def after(number: int) -> None:
        nonlocal written
        if number > 0 and monotonic() - written > PATIENCE:
            _write(partial, variant, game, match, compress=False)  # it is there for speed
            written = monotonic()

    match.solve(np.float32, keep=keep, threads=threads, progress=progress, after=after)
    _write(path, variant, game, match, compress=True)
    partial.unlink(missing_ok=True)


def describe(variant: Variant, game: Game, match: Match) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    turns = [number for number in match.solved if number < len(match.turns)]
    return {
        **describe_game(variant, game),
        "objective": OBJECTIVE,
        "dtype": "float32",
        "index": INDEX,
        "error": FLOAT32_ERROR,
        "ties": int(match.ties),
        "first_turn": min(turns),
        "last_turn": max(turns),
        "made_by": f"servida {VERSION}: exact backward induction over all pairs of sheets",
    }


def _write(path: Path, variant: Variant, game: Game, match: Match, *, compress: bool) -> None:
    turns = {number: pairs for number, pairs in match.solved.items() if number < len(match.turns)}
    arrays = {
        f"{field.name}_{number}": getattr(pairs, field.name)
        for number, pairs in turns.items()
        for field in fields(Pairs)
        if getattr(pairs, field.name) is not None
    }
    with new_table_file(path, describe(variant, game, match), sum(array.nbytes for array in arrays.values())) as file:
        for name, array in layout_arrays(game).items():
            file.create_dataset(name, data=array, chunks=array.shape, fletcher32=True)
        for name, array in arrays.items():
            add_values(file, name, array, compress=compress)


def _has_ties(file: TableFile) -> bool:
    return bool(file.attributes.get("ties", 1))


def _read_turns(file: TableFile, match: Match) -> None:
    """Puts the stored turns into the match."""
    for number in range(int(file.attributes["first_turn"]), int(file.attributes["last_turn"]) + 1):
        pairs = match.pairs(number)
        start = file.array(f"start_{number}", (pairs,), np.int64)
        low, width = (file.array(f"{name}_{number}", (pairs,), np.int32) for name in ("low", "width"))
        size = int((start + width).max())
        values = file.array(f"values_{number}", (size,), np.float32)
        ties = file.array(f"ties_{number}", (size,), np.float32) if match.ties else None
        match.solved[number] = Pairs(values, ties, start, low, width)
    match.solved[len(match.turns)] = match.end(np.dtype(np.float32))


def read_duel_table(path: Path, variant: Variant, game: Game) -> DuelTable:
    """The table stored at `path`; raises as `read_table` does."""
    file = TableFile(path, variant, OBJECTIVE)
    match = whole_match(variant, game, ties=_has_ties(file))
    _read_turns(file, match)
    return DuelTable(variant, game, match, file)
