"""The kernel for sheets of several columns (relaxed.pyx)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .kernel import Kernel

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]
_Part = tuple[Kernel | None, Sequence[int], Sequence[int], _Floats]

NEVER: float
MAX_PARTS: int
MAX_LOOSE: int

class Team:
    def __init__(
        self,
        kernel: Kernel,
        multipliers: _Floats,
        parts: Sequence[_Part],
        prices: tuple[_Floats, _Floats] | None = None,
        extra: _Floats | None = None,
    ) -> None: ...
    def solve_rows(self, turn: int, rows: _Longs, may_pass: bool) -> None: ...
    def solve_states(self, turn: int, blocks: _Longs) -> None: ...
    def play(
        self,
        seed: int,
        first: int,
        turn: int,
        end: int,
        states: _Longs,
        points: _Floats,
        shadow: _Floats | None = None,
        tally: tuple[_Longs, _Longs] | None = None,
        record: tuple[npt.NDArray[Any], _Floats, _Floats, _Floats] | None = None,
    ) -> None: ...
    def turn(self, turn: int, states: _Longs, rerolls: int, holds: _Floats, outcomes: _Floats) -> float: ...
