"""The solver's kernel (kernel.pyx): a variant as C arrays, its scoresheets solved row by row, positions answered."""

from typing import Any

import numpy as np
import numpy.typing as npt

TIE: float
OUTCOME_WIN: int
FIRST_OUTCOME: int
GAME_BITS: int

_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int32]
_Games = npt.NDArray[np.uint64]

class Lattice:
    count: npt.NDArray[np.uint8]
    first: tuple[int, ...]
    above: npt.NDArray[np.uint16]
    chance: _Floats
    def __init__(self, dice: int) -> None: ...

class Kernel:
    def __init__(
        self,
        lattice: Lattice,
        *,
        rolls: int,
        locked: bool,
        order: int,
        boxes: list[dict[str, Any]],
        points: _Floats,
        alike: tuple[int, ...],
        face_box: list[int],
        five: int,
        joker: int,
        five_bonus: float,
        win_box: int,
        win_points: float,
        win_terms: npt.NDArray[np.uint16],
        upper_bonus: float,
        threshold: int,
        slot: _Ints,
        lane_low: _Ints,
        live: _Ints,
        multiplier: float,
        begun: int,
        begun_holding: int,
    ) -> None: ...
    @property
    def address(self) -> int: ...
    def solve_rows(self, values: _Floats, rows: _Longs) -> None: ...
    def value(self, values: _Floats, lower: int, upper: int, total: int) -> float: ...
    def writes(self, lower: int, upper: int, roll: int, served: bool) -> tuple[list[tuple[int, int]], float]: ...
    def can_win(self, lower: int, upper: int) -> bool: ...
    def next_lowers(self, lower: int, upper: int) -> list[int]: ...
    def holds_within(self, roll: int, held: int) -> list[int]: ...
    def best_hold(self, roll: int, held: int, holds: _Floats) -> int: ...
    def turn(
        self,
        values: _Floats,
        lower: int,
        upper: int,
        total: int,
        rerolls: int,
        holds: _Floats,
        outcomes: _Floats,
    ) -> None: ...
    def outcome_chances(
        self, values: _Floats, lower: int, upper: int, lane: int, hold: int, left: int
    ) -> tuple[_Floats, _Floats]: ...
    def distribution(
        self,
        values: _Floats,
        lower: int,
        upper: int,
        total: int,
        so_far: int,
        layers: list[_Longs],
        chance: _Floats,
        tally: _Floats,
    ) -> None: ...
    def hints(
        self,
        values: _Floats,
        lower: _Longs,
        upper: _Ints,
        total: _Ints,
        roll: _Ints,
        held: _Ints,
        rolls_left: npt.NDArray[np.uint8],
        order: _Longs,
        box: _Ints,
        hold: _Ints,
        points: _Floats,
        value: _Floats,
    ) -> None: ...
    def play_turn(self, values: _Floats, seed: int, first: int, turn: int, games: _Games, score: _Ints) -> None: ...

def sort_games(games: _Games, ended: int, room: _Games) -> None: ...
