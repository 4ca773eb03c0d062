"""The kernel for objectives that look at the final total (utility.pyx)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .kernel import Kernel

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int32]
_Spans = tuple[npt.NDArray[Any], _Longs, _Ints, _Ints]

class Aim:
    def __init__(self, kernel: Kernel, *, win: float, strict: bool, top: int) -> None: ...
    @property
    def outcomes(self) -> int: ...
    def successors(self, rows: _Longs) -> _Longs: ...
    def bounds(self, spans: _Spans, rows: _Longs, low: _Ints, width: _Ints) -> None: ...
    def solve(
        self,
        spans: _Spans,
        rows: _Longs,
        low: _Ints,
        width: _Ints,
        place: _Longs,
        out: npt.NDArray[Any],
        margin: float,
    ) -> None: ...
    def places(self, spans: _Spans, lower: int, upper: int, lane: int) -> tuple[_Longs, _Longs]: ...
    def turn(
        self,
        spans: _Spans,
        lower: int,
        upper: int,
        lane: int,
        need: int,
        rerolls: int,
        holds: _Floats,
        outcomes: _Floats,
    ) -> None: ...
    def outcome_chances(
        self, spans: _Spans, lower: int, upper: int, lane: int, need: int, hold: int, left: int
    ) -> _Floats: ...
    def distribution(
        self,
        spans: _Spans,
        values: _Floats,
        total: int,
        lower: int,
        upper: int,
        lane: int,
        points: int,
        layers: list[_Longs],
        rows: list[_Longs],
        chance: _Floats,
        tally: _Floats,
    ) -> None: ...

def compact(values: npt.NDArray[Any], to: int, place: _Longs, width: _Ints, start: _Longs) -> int: ...
