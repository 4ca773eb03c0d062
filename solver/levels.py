"""Blocks of one level: in memory as far as there is room, and in a file where they are to outlast the program."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.rules import Variant
from ..errors import ServidaError
from .columns import Block
from .file import TableFile, describe_variant, new_table_file
from .table import OBJECTIVE

DATASET = "blocks"


class Level:
    """The blocks of a level, numbered as its combinations. Without a file all stay in memory; with one, up to `room`
    bytes of them, those used last."""

    def __init__(self, size: int, room: float = float("inf"), dataset: Any = None):
        self.size, self.room, self.dataset = size, room, dataset
        self._kept: OrderedDict[int, Block] = OrderedDict()
        self._lock = Lock()

    def put(self, number: int, block: Block) -> None:
        """Adds a solved block."""
        if self.dataset is not None:
            self.dataset[number] = block
        self._keep(number, block)

    def get(self, number: int) -> Block:
        """A block that was put there, or is in the file."""
        with self._lock:
            if number in self._kept:
                self._kept.move_to_end(number)
                return self._kept[number]
        block: npt.NDArray[np.float64] = self.dataset[number]
        self._keep(number, block)
        return block

    def _keep(self, number: int, block: Block) -> None:
        with self._lock:
            self._kept[number] = block
            while self.dataset is not None and len(self._kept) * self.size * 8 > self.room:
                self._kept.popitem(last=False)


def level_path(folder: Path, number: int) -> Path:
    """The file of a level."""
    return folder / f"level-{number:02}.h5"


def describe_level(variant: Variant, number: int) -> dict[str, str | int]:
    """What the file of a level says about itself."""
    return {
        **describe_variant(variant),
        "objective": OBJECTIVE,
        "level": number,
    }


@contextmanager
def new_level(folder: Path, variant: Variant, number: int, blocks: int, size: int, room: float) -> Iterator[Level]:
    """A level to be solved; its file is there once all its blocks are."""
    folder.mkdir(parents=True, exist_ok=True)
    path = level_path(folder, number)
    with new_table_file(path, describe_level(variant, number), blocks * size * 8) as file:
        dataset = file.create_dataset(
            DATASET, (blocks, size), np.float64, chunks=(1, size), fletcher32=True, fillvalue=np.nan
        )
        level = Level(size, room, dataset)
        yield level
        level.dataset = None


class StoredLevel(Level):
    """A level in a file."""

    def __init__(self, folder: Path, variant: Variant, number: int, blocks: int, size: int, room: float):
        path = level_path(folder, number)
        self.file = TableFile(path, variant, OBJECTIVE)
        if self.file.attributes.get("level") != number:
            self.file.fail(f"level {number}", repr(self.file.attributes.get("level")))
        dataset = self.file.dataset(DATASET, (blocks, size), np.float64)
        super().__init__(size, room, dataset)

    def get(self, number: int) -> Block:
        with self.file.reading():
            return super().get(number)

    def take(self, other: Level) -> None:
        """Takes over the blocks that the level had in memory while it was solved."""
        self._kept, other._kept = other._kept, OrderedDict()

    def close(self) -> None:
        """Closes the file."""
        self.file.close()


def is_stored(folder: Path, variant: Variant, number: int, blocks: int, size: int) -> bool:
    """Whether a level's file is there and can be used."""
    try:
        StoredLevel(folder, variant, number, blocks, size, 0).close()
    except ServidaError:
        return False
    return True
