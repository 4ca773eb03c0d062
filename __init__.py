"""servida: perfect play for dice scoresheet games.

>>> import servida
>>> table = servida.solve(servida.load("generala"))
>>> round(table.expected_total, 6)
162.469468
"""

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
from .version import VERSION

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
