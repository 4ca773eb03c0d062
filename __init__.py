"""servida: perfect play for dice scoresheet games.

>>> import servida
>>> table = servida.solve(servida.load("generala"))
>>> round(table.expected_total, 6)
162.469468
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import VERSION

if TYPE_CHECKING:
    from .data.catalog import load, variant_ids
    from .data.rules import Rules, Variant
    from .errors import (
        HandError,
        MissingTableError,
        PositionError,
        RulesError,
        ServidaError,
        StorageError,
        TableFormatError,
    )
    from .solver import gin
    from .solver.api import column_hints, hint, hints, open_goal, open_table
    from .solver.batch import Hints
    from .solver.bot import Bot, TimeOut, bot, time_out
    from .solver.column_hint import ColumnHints
    from .solver.contest import Contest, Player
    from .solver.distribution import Distribution, distribution
    from .solver.duel import Duels
    from .solver.explain import explain
    from .solver.grade import Grade, grade
    from .solver.hint import Hint, Option
    from .solver.odds import odds
    from .solver.position import Position, Scoresheet
    from .solver.record import GameRecord, read_game
    from .solver.simulate import Simulation, simulate
    from .solver.solve import solve
    from .solver.store import Store
    from .solver.table import Table
    from .solver.utility import Target, Utility, read_objective
    from .solver.utility_table import Goal, UtilityTable

__version__ = VERSION

__all__ = [
    "Bot",
    "ColumnHints",
    "Contest",
    "Distribution",
    "Duels",
    "GameRecord",
    "Goal",
    "Grade",
    "HandError",
    "Hint",
    "Hints",
    "MissingTableError",
    "Option",
    "Player",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Scoresheet",
    "ServidaError",
    "Simulation",
    "StorageError",
    "Store",
    "Table",
    "TableFormatError",
    "Target",
    "TimeOut",
    "Utility",
    "UtilityTable",
    "Variant",
    "__version__",
    "bot",
    "column_hints",
    "distribution",
    "explain",
    "gin",
    "grade",
    "hint",
    "hints",
    "load",
    "odds",
    "open_goal",
    "open_table",
    "read_game",
    "read_objective",
    "simulate",
    "solve",
    "time_out",
    "variant_ids",
]

# Loaded when first asked for: the command line answers before numpy would have been imported for what it does not use.
_MODULES = {
    "data.catalog": ("load", "variant_ids"),
    "data.rules": ("Rules", "Variant"),
    "errors": (
        "HandError",
        "MissingTableError",
        "PositionError",
        "RulesError",
        "ServidaError",
        "StorageError",
        "TableFormatError",
    ),
    "solver.api": ("column_hints", "hint", "hints", "open_goal", "open_table"),
    "solver.batch": ("Hints",),
    "solver.bot": ("Bot", "TimeOut", "bot", "time_out"),
    "solver.distribution": ("Distribution", "distribution"),
    "solver.column_hint": ("ColumnHints",),
    "solver.contest": ("Contest", "Player"),
    "solver.duel": ("Duels",),
    "solver.explain": ("explain",),
    "solver.grade": ("Grade", "grade"),
    "solver.record": ("GameRecord", "read_game"),
    "solver.hint": ("Hint", "Option"),
    "solver.odds": ("odds",),
    "solver.position": ("Position", "Scoresheet"),
    "solver.simulate": ("Simulation", "simulate"),
    "solver.solve": ("solve",),
    "solver.store": ("Store",),
    "solver.table": ("Table",),
    "solver.utility": ("Target", "Utility", "read_objective"),
    "solver.utility_table": ("Goal", "UtilityTable"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "gin":  # a package, with names of its own
        return import_module(".solver.gin", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
