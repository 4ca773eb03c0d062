"""Files that are there whole or not at all, and the HDF5 format that tables share (docs/tables.md)."""

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

import h5py
import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from ..errors import MissingTableError, ServidaError, TableFormatError

FORMAT = "servida value table"
FORMAT_VERSION = 1
CHUNK_BYTES = 32768
SLACK = 2**20  # bytes for what a file holds besides its values


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write, at `path` once it is complete and synced to disk; not at all after an error."""
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with open(unfinished, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)


class _Reserved(io.RawIOBase):
    """A file with room set aside, for HDF5 to write into: HDF5 crashes on a full disk, where this gives an error before
    HDF5 begins. HDF5 sees it end where it has written, and gives no room back before the end."""

    def __init__(self, file: BinaryIO, size: int):
        self.file, self.end = file, 0
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            for begin in range(0, size, SLACK):
                file.write(bytes(min(SLACK, size - begin)))
            file.flush()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self.file.seek(self.end if whence == os.SEEK_END else offset, os.SEEK_SET)

    def write(self, data: Any) -> int:
        written = self.file.write(data)
        self.end = max(self.end, self.file.tell())
        return written

    def readinto(self, buffer: Any) -> int:
        return self.file.readinto(buffer)  # type: ignore[attr-defined,no-any-return]

    def truncate(self, size: int | None = None) -> int:
        self.end = self.file.tell() if size is None else size
        return self.end


@contextmanager
def new_table_file(path: Path, attributes: Mapping[str, str | int | float], size: int) -> Iterator[h5py.File]:
    """An HDF5 file with these attributes, for datasets of `size` bytes in all; at `path` once it is complete.

    The version range puts a checksum on every piece of metadata, fletcher32 does so for the values, and texts are of
    fixed length, since HDF5 keeps others in a heap that has none.
    """
    with whole_file(path) as raw:
        texts = sum(len(value) for value in attributes.values() if isinstance(value, str))
        reserved = _Reserved(raw, size + size // 64 + texts * 4 + SLACK)
        with h5py.File(reserved, "w", libver=("v110", "v110")) as file:
            for name, value in attributes.items():
                if isinstance(value, str):
                    add_text(file, name, value)
                else:
                    file.attrs[name] = value
            yield file
        raw.truncate(reserved.end)


def describe_variant(variant: Variant) -> dict[str, str | int]:
    """The attributes that all table files share."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "variant": variant.id,
        "rules": variant.rules.canonical,
        "rules_sha256": variant.rules.digest,
    }


def add_text(file: h5py.File, name: str, text: str) -> None:
    """Sets an attribute to a text of fixed length."""
    data = np.bytes_(text.encode())
    file.attrs.create(name, data, dtype=h5py.string_dtype("utf-8", len(data)))


def add_values(file: h5py.File, name: str, values: npt.NDArray[Any], *, compress: bool = False) -> None:
    """Adds an array in chunks of whole rows, each with a checksum."""
    row = max(1, values.nbytes // max(1, len(values)))
    rows = min(max(1, len(values)), max(1, CHUNK_BYTES // row))
    packed: dict[str, Any] = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if compress else {}
    file.create_dataset(name, data=values, chunks=(rows, *values.shape[1:]), fletcher32=True, **packed)


def levels_folder(path: Path) -> Path:
    """The folder beside a table of several columns that its levels are in."""
    return path.with_name(path.name + ".levels")


@contextmanager
def damage_reported(path: Path, remedy: str) -> Iterator[None]:
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


def open_file(path: Path, remedy: str) -> tuple[h5py.File, dict[str, Any]]:
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
    with damage_reported(path, remedy):
        file, found = open_file(path, remedy)
        file.close()
        texts = {name: str(found[name]) for name in ("variant", "objective", "rules", "rules_sha256")}
        total = float(found["expected_total"]) if texts["objective"] == "score" else None
        return {**found, **texts, "expected_total": total}


class TableFile:
    """An open table file that has been checked against the game; rows are read on demand."""

    def __init__(self, path: Path, variant: Variant, objective: str):
        self.path = path
        word = objective.partition("-")[0]
        option = "" if word == "score" else f" --objective {word}" + (":FILE" if word == "utility" else "")
        build = f"'servida tables build {variant.id}{option}"
        self.remedy = f"rebuild it with {build} --force'"
        if path.is_dir():
            raise TableFormatError(f"{path}: expected a value table, found a directory; move it away")
        if not path.is_file():
            raise MissingTableError(f"{path}: expected a value table, found no file; make it with {build}'")
        with damage_reported(path, self.remedy):
            self.file, self.attributes = open_file(path, self.remedy)
            found = self.attributes
            if found["rules_sha256"] != variant.rules.digest:
                self.fail("a table for these rules", f"one for other rules (variant {found['variant']!r})")
            if found["objective"] != objective:
                self.fail(f"the objective {objective!r}", repr(found["objective"]))

    @property
    def values(self) -> h5py.Dataset:
        """The dataset of that name."""
        with damage_reported(self.path, self.remedy):
            return self.file["values"]

    def fail(self, expected: str, found: str) -> None:
        self.file.close()
        raise TableFormatError(f"{self.path}: expected {expected}, found {found}; {self.remedy}")

    def expect(self, shape: tuple[int, ...], kind: Any) -> None:
        """Checks the shape and type of the values."""
        with damage_reported(self.path, self.remedy):
            values = self.values
            if values.shape != shape or values.dtype != kind:
                self.fail(f"{np.dtype(kind)} values of shape {shape}", f"{values.dtype} of shape {values.shape}")

    def reading(self) -> AbstractContextManager[None]:
        """Whatever reading from the file shows to be damaged is told in one `TableFormatError`."""
        return damage_reported(self.path, self.remedy)

    def dataset(self, name: str, shape: tuple[int, ...], kind: Any) -> h5py.Dataset:
        """A dataset of this shape and type."""
        with self.reading():
            found = self.file[name]
            if found.shape != shape or found.dtype != kind:
                self.fail(f"{name} as {np.dtype(kind)} of shape {shape}", f"{found.dtype} of shape {found.shape}")
            return found

    def array(self, name: str, shape: tuple[int, ...], kind: Any) -> npt.NDArray[Any]:
        """A whole dataset, of this shape and type."""
        with self.reading():
            array: npt.NDArray[Any] = self.dataset(name, shape, kind)[()]
            return array

    def check_description(self, attributes: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Compares what the file says about itself with what it should say."""
        with damage_reported(self.path, self.remedy):
            for name, value in attributes.items():
                if name != "made_by" and self.attributes.get(name) != value:
                    self.fail(f"{name} to be {value!r}", repr(self.attributes.get(name)))
            for name, array in arrays.items():
                if not np.array_equal(self.file[name][()], array):
                    self.fail(f"the {name} of the layout", "another")

    def read(self, begin: int, end: int, out: npt.NDArray[Any]) -> None:
        """Reads the rows begin .. end - 1 into their places in `out`."""
        if not self.file:
            raise ServidaError(f"{self.path}: expected an open table, found one that was closed")
        with damage_reported(self.path, self.remedy):
            part = np.s_[begin:end]
            self.file["values"].read_direct(out, part, part)

    def close(self) -> None:
        self.file.close()


class FromFile:
    """What tables share that may be read from a file: its path, and closing it."""

    _file: TableFile | None

    @property
    def path(self) -> Path | None:
        """The file the table is read from, None for one in memory."""
        return self._file.path if self._file else None

    def close(self) -> None:
        """Closes the file, if there is one; the table is of no more use then."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
