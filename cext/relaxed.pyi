"""The kernel for sheets of several columns (relaxed.pyx)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .kernel import Kernel

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]

def solve_rows(
    kernel: Kernel,
    following: _Floats,
    values: _Floats,
    rows: _Longs,
    may_pass: bool,
    write: _Floats,
    passing: _Floats,
    hold: _Floats | None,
) -> None: ...

class Team:
    def __init__(
        self,
        kernels: list[Kernel],
        values: list[_Floats],
        multipliers: _Floats,
        extra: _Floats | None,
        prices: tuple[_Floats, _Floats, _Floats | None] | None,
    ) -> None: ...
    def play(
        self,
        seed: int,
        first: int,
        turn: int,
        end: int,
        sheets: _Longs,
        points: _Floats,
        shadow: _Floats | None = None,
        tally: tuple[_Longs, _Longs, _Longs] | None = None,
        record: tuple[npt.NDArray[Any], _Floats, _Floats] | None = None,
    ) -> None: ...
    def turn(self, turn: int, sheets: _Longs, rerolls: int, holds: _Floats, outcomes: _Floats) -> None: ...
