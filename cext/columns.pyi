"""The kernel for sheets of several columns (columns.pyx)."""

import numpy as np
import numpy.typing as npt

from .kernel import Kernel

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]
_Moves = tuple[npt.NDArray[np.int32], _Floats, _Longs]

class Blocks:
    def __init__(self, kernels: list[Kernel]) -> None: ...
    @property
    def outcomes(self) -> int: ...
    def moves(self, column: int, lower: int, upper: int, lane: int) -> _Moves: ...
    def solve(self, block: _Floats, rows: _Longs, sheets: _Longs, moves: _Moves) -> None: ...
    def turn(
        self,
        block: _Floats,
        lower: int,
        upper: int,
        lane: int,
        sheets: _Longs,
        moves: _Moves,
        rerolls: int,
        holds: _Floats,
        outcomes: _Floats,
    ) -> None: ...
