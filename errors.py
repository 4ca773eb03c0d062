"""The errors servida raises: what was expected, what was found, what to do, in one line."""

from collections.abc import Iterable


class ServidaError(Exception):
    """The root of all errors raised on purpose."""

    def __str__(self) -> str:  # KeyError would quote its message
        return str(self.args[0]) if self.args else ""


class RulesError(ServidaError, ValueError):
    """A rule file or variant name that cannot be used."""


class PositionError(ServidaError, ValueError):
    """Dice or a scoresheet that cannot occur in the variant."""


class HandError(ServidaError, ValueError):
    """Cards that cannot be held, melds that cannot be laid, a match that cannot have been played."""


class MissingTableError(ServidaError, KeyError):
    """No table is stored for a variant."""


class TableFormatError(ServidaError, OSError):
    """A file that is no usable table: damaged, foreign, or of another format version."""


class StorageError(ServidaError, OSError):
    """The table folder cannot be read or written."""


LONGEST = 60  # characters of bad input that an error repeats


def quoted(value: object) -> str:
    """Bad input as an error shows it: as JSON would write it where it can, and not at any length."""
    import json  # only a mistake needs it

    if isinstance(value, str):
        text = repr(value[: LONGEST + 1])
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint naming the known word closest to `word`: ``" (did you mean 'x'?)"``, or empty when none is close."""
    import difflib  # only a mistake needs it

    found = difflib.get_close_matches(word[:LONGEST].casefold(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]!r}?)" if found else ""
