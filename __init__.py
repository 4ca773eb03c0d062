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
        MissingTableError,
        PositionError,
        RulesError,
        ServidaError,
        StorageError,
        TableFormatError,
    )
    from .solver.api import hint, hints, open_table
    from .solver.batch import Hints
    from .solver.hint import Hint, Option
    from .solver.position import Position, Scoresheet
    from .solver.solve import solve
    from .solver.store import Store
    from .solver.table import Table

__version__ = VERSION

__all__ = [
    "Hint",
    "Hints",
    "MissingTableError",
    "Option",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Scoresheet",
    "ServidaError",
    "StorageError",
    "Store",
    "Table",
    "TableFormatError",
    "Variant",
    "__version__",
    "hint",
    "hints",
    "load",
    "open_table",
    "solve",
    "variant_ids",
]

# Loaded when first asked for: the command line answers before numpy would have been imported for what it does not use.
_MODULES = {
    "data.catalog": ("load", "variant_ids"),
    "data.rules": ("Rules", "Variant"),
    "errors": (
        "MissingTableError",
        "PositionError",
        "RulesError",
        "ServidaError",
        "StorageError",
        "TableFormatError",
    ),
    "solver.api": ("hint", "hints", "open_table"),
    "solver.batch": ("Hints",),
    "solver.hint": ("Hint", "Option"),
    "solver.position": ("Position", "Scoresheet"),
    "solver.solve": ("solve",),
    "solver.store": ("Store",),
    "solver.table": ("Table",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
