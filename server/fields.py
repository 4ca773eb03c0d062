"""What a request may hold: one description of its fields checks it and documents it."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..errors import PositionError, ServidaError, nearest, quoted
from ..solver.position import unique_keys


class BodyError(ServidaError, ValueError):
    """A request whose body is no JSON object."""


class Kind(NamedTuple):
    """A kind of value: whether a value is one, what one is called, and its JSON schema."""

    valid: Callable[[Any], bool]
    words: str
    schema: Mapping[str, Any]


def whole(least: int, most: int) -> Kind:
    """Whole numbers."""

    def valid(value: Any) -> bool:
        return type(value) is int and least <= value <= most

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Kind(valid, f"a whole number from {least} to {most}", schema)


def choice(*words: str) -> Kind:
    """One of some words."""
    schema = {"type": "string", "enum": list(words)}
    return Kind(lambda value: isinstance(value, str) and value in words, " or ".join(words), schema)


def many(kind: Kind, most: int) -> Kind:
    """Lists."""

    def valid(value: Any) -> bool:
        return isinstance(value, list) and len(value) <= most and all(map(kind.valid, value))

    schema = {"type": "array", "items": kind.schema, "maxItems": most}
    return Kind(valid, f"a list of at most {most}, each {kind.words}", schema)


def _instance(kind: type | tuple[type, ...], words: str, schema: Mapping[str, Any]) -> Kind:
    return Kind(lambda value: isinstance(value, kind), words, schema)


_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_FACES = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}}
TEXT = _instance(str, "text", _TEXT)
FLAG = _instance(bool, "true or false", {"type": "boolean"})
SHEET = _instance((str, dict), "an object of points per box, or text", {"anyOf": [_TEXT, _OBJECT]})
DICE = _instance((str, list), "text or a list of faces", {"anyOf": [_TEXT, _FACES]})
TOML = _instance((str, dict), "the text of a rule file, or the same as an object", {"anyOf": [_TEXT, _OBJECT]})
UTILITY = _instance((str, dict), "lines total,utility, or an object of them", {"anyOf": [_TEXT, _OBJECT]})
ANY = Kind(lambda value: True, "anything", {})


class Field(NamedTuple):
    """A field: its name, its kind, what it means, whether it must be there. null stands for one that is left out."""

    name: str
    kind: Kind
    meaning: str
    required: bool = False


def read_json(text: bytes) -> Any:
    """The value of a JSON text in UTF-8, with every key once and no number that JSON does not know."""
    try:
        return json.loads(text.decode(), object_pairs_hook=unique_keys, parse_constant=_refuse, parse_float=_finite)
    except PositionError as error:
        raise PositionError(str(error).replace("position:", "body:", 1)) from None
    except (ValueError, RecursionError) as error:  # ValueError: also bytes that are no UTF-8, numbers of many digits
        raise BodyError(f"body: expected a JSON object, found text that is not JSON: {error}") from None


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def check(value: Any, fields: Mapping[str, Field], what: str = "body") -> dict[str, Any]:
    """The fields of an object that are there; `PositionError` for one that should not be, or is of another kind."""
    if not isinstance(value, dict):
        raise BodyError(f"{what}: expected a JSON object, found {quoted(value)}")
    found = {}
    for name, field in value.items():
        known = fields.get(name)
        if known is None:
            keys = f"{', '.join(fields)}, found {quoted(name)}{nearest(name, fields)}"
            raise PositionError(f"{what}: expected the keys {keys}")
        if field is not None:
            if not known.kind.valid(field):
                raise PositionError(f"{name}: expected {known.kind.words}, found {quoted(field)}")
            found[name] = field
    for field in fields.values():
        if field.required and field.name not in found:
            raise PositionError(f"{field.name}: expected {field.kind.words}, found nothing")
    return found
