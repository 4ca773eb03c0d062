"""Failures as clients see them: a status and one line."""

import os
from pathlib import Path

import click

from ..errors import MissingTableError, ServidaError, StorageError, TableFormatError
from .fields import BodyError


class RefusedError(ServidaError):
    """A request that is not taken up, with the status that says so."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def fault(error: BaseException, folder: Path) -> tuple[int, str]:
    """The status and the message of an error; `folder`, where tables are, is not named in it."""
    if isinstance(error, RefusedError):
        status, message = error.status, str(error)
    elif isinstance(error, BodyError):
        status, message = 400, str(error)
    elif isinstance(error, StorageError | TableFormatError | MissingTableError):
        status, message = 500, str(error).replace(str(folder), "tables")
    elif isinstance(error, click.UsageError):
        status, message = 422, error.message
    elif isinstance(error, ServidaError):
        status, message = 422, str(error)
    elif isinstance(error, MemoryError):
        status, message = 503, "server: expected a question that fits into memory, found one that does not"
    else:
        if os.environ.get("SERVIDA_DEBUG"):
            raise error
        status, message = 500, f"internal error ({type(error).__name__}); please report it"
    return status, "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split("\n")))
