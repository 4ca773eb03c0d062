"""Value tables: the values of all sheets of a variant, in memory or in an HDF5 file (docs/tables.md)."""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from ..data.rules import Variant, rules_from
from ..errors import MissingTableError, ServidaError, TableFormatError
from ..version import VERSION
from .game import Game, game_of
from .position import Scoresheet

FORMAT = "servida value table"
FORMAT_VERSION = 1
OBJECTIVE = "score"
CHUNK_BYTES = 32768
LAYOUT_ARRAYS = ("slot", "lane_low", "live")
INDEX = (
    "values[lower, slot[upper] + lane]: points still to come, upper bonus not yet earned included; NaN where no game "
    "leads. lower = sum of stride * digit over the boxes; the digit of a box under the upper bonus is 1 when it is "
    "watched and holds points, else 0; of any other box 0 open, 1 written, or when watched 0 open, 1 scratched, 2 "
    "holding points. upper = sum of upper_bit over the written boxes under the bonus. lane = total - lane_low[upper] "
    "if that is from 0 to live[upper] - 1, else live[upper] (bonus earned or out of reach)."
)


class Table:
    """The expected scores of every sheet of one variant. Safe to use from several threads.

    Made by `solve` (in memory) or `open_table` (a file, of which only the rows asked for are read).
    """

    def __init__(self, variant: Variant, game: Game, values: npt.NDArray[np.float64], file: "_File | None" = None):
        self.variant = variant
        self.game = game
        self._values = values
        self._file = file
        self._lock = threading.Lock()
        self._read = np.full(len(values), file is None)
        self._all_read = file is None

    @property
    def path(self) -> Path | None:
        """The file the table is read from, None for one in memory."""
        return self._file.path if self._file else None

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """All values, shape (lowers, slots); see `INDEX`."""
        if not self._all_read:
            self.read(range(len(self._values)))
            self._all_read = True
        return self._values

    def read(self, lowers: Sequence[int]) -> npt.NDArray[np.float64]:
        """The array of values in which at least the rows `lowers` (ascending) have been read from the file."""
        if not self._all_read and self._file:
            with self._lock:
                missing = np.array(lowers)[~self._read[list(lowers)]]
                if len(missing):
                    self._file.read_rows(missing, self._values)
                    self._read[missing] = True
        return self._values

    def check(self) -> None:
        """Reads the whole file, which checks its checksums, and compares what it says about itself with what it should
        say; raises `TableFormatError`."""
        total = float(self.values[0, self.game.layout.lane(0, 0)])
        if self._file:
            self._file.check_description(self.variant, self.game, total)

    def value(self, sheet: Scoresheet) -> float:
        """Points still to come from a sheet, at the start of a turn."""
        lower, upper, total = self.game.layout.place(sheet.points)
        return float(self.game.kernel.value(self.read([lower]), lower, upper, total))

    @property
    def expected_total(self) -> float:
        """The expected total of optimal play from the empty sheet, in points."""
        return self.value(Scoresheet((None,) * len(self.game.rules.categories)))

    def close(self) -> None:
        """Closes the file, if there is one; the table is of no more use then."""
        if self._file:
            self._file.close()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def save(self, path: Path) -> None:
        """Writes the table to `path`: whole and synced to disk, or not at all (`OSError`)."""
        unfinished = path.with_name(path.name + ".unfinished")
        image = self._image()
        try:
            with open(unfinished, "wb") as file:
                file.write(image)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
        if hasattr(os, "O_DIRECTORY"):
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(folder)
            os.close(folder)

    def _image(self) -> bytes:
        """The file's content. HDF5 makes it in memory: on a full disk it would crash where `write` gives an error.

        The version range puts a checksum on every piece of metadata, fletcher32 does so for the values, and texts are
        of fixed length, since HDF5 keeps others in a heap that has none.
        """
        layout = self.game.layout
        block = self.values.nbytes + 2**20  # in one piece, not copied again and again as it grows
        how = {"driver": "core", "backing_store": False, "block_size": block, "libver": ("v110", "v110")}
        with h5py.File("table", "w", **how) as file:
            for name, value in describe(self.variant, self.game, self.expected_total).items():
                if isinstance(value, str):
                    data = np.bytes_(value.encode())
                    file.attrs.create(name, data, dtype=h5py.string_dtype("utf-8", len(data)))
                else:
                    file.attrs[name] = value
            for name in LAYOUT_ARRAYS:
                array = getattr(layout, name)
                file.create_dataset(name, data=array, chunks=array.shape, fletcher32=True)
            rows = max(1, min(len(self.values), CHUNK_BYTES // (8 * self.values.shape[1])))
            file.create_dataset("values", data=self.values, chunks=(rows, self.values.shape[1]), fletcher32=True)
            file.flush()
            return bytes(file.id.get_file_image())


def describe(variant: Variant, game: Game, expected_total: float) -> dict[str, str | int | float]:
    """What a table says about itself: the attributes of its file (docs/tables.md)."""
    layout = game.layout
    boxes = [
        {"id": category.id, "base": base, "stride": stride, "upper_bit": bit}
        for category, base, stride, bit in zip(
            game.rules.categories, layout.base, layout.stride, layout.upper_bit, strict=True
        )
    ]
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "variant": variant.id,
        "objective": OBJECTIVE,
        "rules": game.rules.canonical,
        "rules_sha256": game.rules.digest,
        "dtype": "float64",
        "index": INDEX,
        "boxes": json.dumps(boxes),
        "threshold": game.rules.upper_bonus.threshold if game.rules.upper_bonus else 0,
        "expected_total": expected_total,
        "made_by": f"servida {VERSION}: exact backward induction over all sheets",
    }


@contextmanager
def _damage_reported(path: Path, remedy: str) -> Iterator[None]:
    """Turns whatever HDF5 says of a file it cannot make sense of into one `TableFormatError`."""
    try:
        yield
    except TableFormatError:
        raise
    except PermissionError as error:
        raise TableFormatError(f"{path}: expected a readable file, found: {error.strerror}") from None
    except (OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        cause = (str(error).splitlines() or [type(error).__name__])[0].partition(" (")[0]
        raise TableFormatError(
            f"{path}: expected an intact value table, found a damaged or foreign file ({cause}); {remedy}"
        ) from None


def _open_file(path: Path, remedy: str) -> tuple[h5py.File, dict[str, Any]]:
    """A file of the right format and version, open for reading, and its attributes."""
    file = h5py.File(path, "r", locking=False)
    found = {name: _plain(value) for name, value in file.attrs.items()}
    if found.get("format") != FORMAT:
        expected, other = f"a file of the format {FORMAT!r}", repr(found.get("format", "no format name"))
    elif int(found["format_version"]) != FORMAT_VERSION:
        age = "older" if int(found["format_version"]) < FORMAT_VERSION else "newer"
        expected, other = f"format version {FORMAT_VERSION}", f"the {age} version {found['format_version']}"
    else:
        return file, found
    file.close()
    raise TableFormatError(f"{path}: expected {expected}, found {other}; {remedy}")


def _plain(value: Any) -> Any:
    """An attribute as a Python value: texts come back as bytes."""
    return value.decode() if isinstance(value, bytes) else value.item() if isinstance(value, np.generic) else value


def read_attributes(path: Path) -> dict[str, Any]:
    """What a table file says about itself; `TableFormatError` when it is none that this program reads."""
    remedy = f"rebuild it with 'servida tables build {path.name.split('.')[0]} --force' or delete it"
    with _damage_reported(path, remedy):
        file, found = _open_file(path, remedy)
        file.close()
        texts = {name: str(found[name]) for name in ("variant", "objective", "rules", "rules_sha256")}
        return {**found, **texts, "expected_total": float(found["expected_total"])}


class _File:
    """An open table file that has been checked against the game; rows are read on demand."""

    def __init__(self, path: Path, variant: Variant, game: Game):
        self.path = path
        self.remedy = f"rebuild it with 'servida tables build {variant.id} --force'"
        if path.is_dir():
            raise TableFormatError(f"{path}: expected a value table, found a directory; move it away")
        if not path.is_file():
            raise MissingTableError(
                f"{path}: expected a value table, found no file; make it with 'servida tables build {variant.id}'"
            )
        with _damage_reported(path, self.remedy):
            self.file, self.attributes = _open_file(path, self.remedy)
            found = self.attributes
            if found["rules_sha256"] != game.rules.digest:
                self.fail("a table for these rules", f"one for other rules (variant {found['variant']!r})")
            if found["objective"] != OBJECTIVE:
                self.fail(f"the objective {OBJECTIVE!r}", repr(found["objective"]))
            self.values = self.file["values"]
            shape = (game.layout.lowers, game.layout.slots)
            if self.values.shape != shape or self.values.dtype != np.float64:
                self.fail(f"float64 values of shape {shape}", f"{self.values.dtype} of shape {self.values.shape}")

    def fail(self, expected: str, found: str) -> None:
        self.file.close()
        raise TableFormatError(f"{self.path}: expected {expected}, found {found}; {self.remedy}")

    def check_description(self, variant: Variant, game: Game, expected_total: float) -> None:
        """Compares everything the file says about itself with what it should say."""
        with _damage_reported(self.path, self.remedy):
            for name, value in describe(variant, game, expected_total).items():
                if name != "made_by" and self.attributes.get(name) != value:
                    self.fail(f"{name} to be {value!r}", repr(self.attributes.get(name)))
            for name in LAYOUT_ARRAYS:
                if not np.array_equal(self.file[name][()], getattr(game.layout, name)):
                    self.fail(f"the {name} of the layout", "another")

    def read_rows(self, lowers: npt.NDArray[np.int64], out: npt.NDArray[np.float64]) -> None:
        """Reads rows (ascending) into their places in `out`, a run of neighbours at a time."""
        if not self.file:
            raise ServidaError(f"{self.path}: expected an open table, found one that was closed")
        with _damage_reported(self.path, self.remedy):
            for run in np.split(lowers, np.flatnonzero(np.diff(lowers) > 1) + 1):
                part = np.s_[run[0] : run[-1] + 1]
                self.values.read_direct(out, part, part)

    def close(self) -> None:
        self.file.close()


def read_table(path: Path, variant: Variant | None = None) -> Table:
    """The table stored at `path` for `variant` (None: for the rules it was made for, which it holds itself).

    Raises `MissingTableError` when there is none, `TableFormatError` when the file is damaged, foreign, of another
    format version or made for other rules.
    """
    if variant is None:
        found = read_attributes(path)
        with _damage_reported(path, "delete it"):
            variant = Variant(found["variant"], rules_from(found["rules"]))
    game = game_of(variant)
    file = _File(path, variant, game)
    return Table(variant, game, np.empty((game.layout.lowers, game.layout.slots)), file)
