"""Words for people: the labels of boxes and the texts of answers, in each language there is a file for."""

import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .rules import Variant

FOLDER = Path(__file__).parent / "lang"
LANGUAGES = ("en", "es", "ko", "de")


class Language(NamedTuple):
    """One language: default labels of the boxes by category id, and texts by key."""

    code: str
    categories: dict[str, str]
    texts: dict[str, str]

    def name(self, variant: Variant) -> str:
        """What the variant is called."""
        names = variant.about.names
        return names.get(self.code) or names.get("en") or variant.id

    def label(self, variant: Variant, category: str) -> str:
        """What a box is called: the variant's own word, else the usual one of the language, else its id."""
        own = variant.about.labels.get(category, {}).get(self.code)
        return own or self.categories.get(category) or category.replace("_", " ")

    def text(self, key: str) -> str:
        """The text with this key."""
        return self.texts[key]


def folded(word: str) -> str:
    """A name as names are compared: whatever the case of its letters and its Unicode normal form."""
    return unicodedata.normalize("NFC", word).casefold()


@cache
def language(code: str) -> Language:
    """The language with this code, one of `LANGUAGES`."""
    value = tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    return Language(code, value["category"], value["text"])
