"""The page at `/`: its files, and the words and rules it shows in a language."""

from functools import cache
from pathlib import Path
from typing import Any

from ..cli.rules import as_object
from ..data.catalog import load_named, variant_ids
from ..data.language import LANGUAGES, language
from .faults import RefusedError

CONTENT_POLICY = "default-src 'self'"  # nothing from elsewhere, and no script or style within the page


def file_of(folder: Path, name: str) -> Path | None:
    """The file of this name right in the folder; None if there is none."""
    return next((path for path in folder.iterdir() if path.name == name and path.is_file()), None)


@cache
def words_object(code: str) -> dict[str, Any]:
    """The words of a language, and every variant as `servida rules --lang` tells it, with its numbers of players."""
    if code not in LANGUAGES:
        raise RefusedError(404, f"language: expected {', '.join(LANGUAGES)}, found another")
    words = language(code)
    variants = [
        {**as_object(variant, words), "players": variant.about.players} for variant in map(load_named, variant_ids())
    ]
    return {"language": code, "text": words.texts, "variants": variants}
