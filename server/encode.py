"""Answers as JSON text."""

import json
from typing import Any

import orjson


def encode(value: Any) -> str:
    """Any answer, with whole numbers of any size."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encode_fast(value: Any) -> str:
    """The same text for an answer whose whole numbers fit into 64 bits, in a tenth of the time."""
    return orjson.dumps(value).decode()
