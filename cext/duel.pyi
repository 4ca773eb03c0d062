"""The kernel for two players in turn (duel.pyx)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .kernel import Kernel

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int32]
_Ties = npt.NDArray[Any] | None
_Pairs = tuple[npt.NDArray[Any], _Ties, _Longs, _Ints, _Ints, _Ints, int, int]

class Duel:
    def __init__(self, kernel: Kernel) -> None: ...
    @property
    def outcomes(self) -> int: ...
    def bounds(
        self, pairs: _Pairs, rows: _Longs, others: int, begin: int, end: int, low: _Ints, width: _Ints
    ) -> None: ...
    def solve(
        self,
        pairs: _Pairs,
        rows: _Longs,
        others: int,
        begin: int,
        end: int,
        low: _Ints,
        width: _Ints,
        place: _Longs,
        values: npt.NDArray[Any],
        ties: _Ties,
        turned: bool,
        margin: float,
    ) -> None: ...
    def turn(
        self,
        pairs: _Pairs,
        lower: int,
        upper: int,
        lane: int,
        other: int,
        need: int,
        rerolls: int,
        holds: _Floats,
        outcomes: _Floats,
    ) -> None: ...
