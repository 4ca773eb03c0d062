"""Finding variants: the rule files that come with the package, by id, name or alias, and anyone's own by path."""

from functools import cache
from pathlib import Path

from ..errors import RulesError, nearest, quoted
from .language import folded
from .parse import parse
from .rules import Variant

FOLDER = Path(__file__).parent / "variants"


def variant_ids() -> list[str]:
    """The ids of all variants that come with the package, in alphabetical order."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Variant:
    """The variant with this id, name or alias (in any language, upper or lower case), or the rule file at this path.

    Raises `RulesError` for an unknown name or a faulty file.
    """
    path = find(name)
    return _load_id(path.stem) if path.parent == FOLDER else read_file(path)


def find(name: str) -> Path:
    """The rule file of the variant with this id, name, alias or path; `RulesError` for an unknown name."""
    if name.casefold().endswith(".toml") or "/" in name or "\\" in name:
        return Path(name)
    return FOLDER / f"{_find_id(name, 'an id, a name or the path of a rule file (.toml)')}.toml"


def load_named(name: str) -> Variant:
    """The variant that comes with the package and has this id, name or alias; no path is taken, no file of anyone's
    read. `RulesError` for an unknown name."""
    return _load_id(_find_id(name, "an id, a name or an alias"))


def _find_id(name: str, expected: str) -> str:
    if name in variant_ids():
        return name
    known = {word: variant_id for variant_id in variant_ids() for word in _words(_load_id(variant_id))}
    found = known.get(folded(name))
    if found is None:
        raise RulesError(
            f"variant: expected {expected}, found {quoted(name)}{nearest(name, known)}; 'servida variants' lists them"
        )
    return found


def read_file(path: Path) -> Variant:
    """The variant described by a rule file; raises `RulesError` when it cannot be read or used."""
    return parse(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a file, or a `RulesError` in one line."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RulesError(f"{path}: expected a UTF-8 text file, found other bytes") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        what = getattr(error, "strerror", None) or error
        raise RulesError(f"{path}: expected a readable rule file, found: {what}") from None


@cache
def _load_id(variant_id: str) -> Variant:
    return read_file(FOLDER / f"{variant_id}.toml")


def _words(variant: Variant) -> set[str]:
    return {folded(word) for word in (variant.id, *variant.about.names.values(), *variant.about.aliases)}
