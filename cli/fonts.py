"""Fonts for printed texts: one that has every letter, in a form that a PDF can carry."""

import io
import struct
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..errors import ServidaError
from .plot import KOREAN

SHOWN = 12  # missing letters that an error lists
NEEDED = {"CFF ", "CFF2", "GlyphOrder", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}
KINDS = (b"\0\1\0\0", b"true", b"OTTO", b"ttcf")  # how font files begin that can be embedded
PLAIN = ("regular", "book", "medium", "roman")


class Fonts(NamedTuple):
    """The fonts of a document, as matplotlib's font properties: for most texts, and for titles."""

    regular: Any
    bold: Any


def clean(text: str) -> str:
    """A text as it is drawn: on one line, without what cannot be seen, letters composed."""
    return unicodedata.normalize("NFC", " ".join("".join(c if c.isprintable() else " " for c in text).split()))


@contextmanager
def fonts_for(text: str, file: Path | None) -> Iterator[Fonts]:
    """Fonts with all letters of `text`: that of `file`; without it matplotlib's own, else one that is installed."""
    from matplotlib.font_manager import FontProperties

    letters = "".join(sorted({*text, " "}))
    own = Fonts(FontProperties(family="DejaVu Sans"), FontProperties(family="DejaVu Sans", weight="bold"))
    if file is None and _own_has(own, letters):
        yield own
        return
    data = _small(_installed(letters) if file is None else _checked(file, letters), letters)
    with TemporaryDirectory(prefix="servida-font-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, "letters.ttf")
        path.write_bytes(data)
        font = FontProperties(fname=str(path))
        yield Fonts(font, font)


def _own_has(own: Fonts, letters: str) -> bool:
    from matplotlib.font_manager import findfont

    return not any(_missing(Path(findfont(font)), letters) for font in own)


def _missing(path: Path, letters: str) -> str:
    """The letters that the font in a file lacks; `OSError` or `RuntimeError` when there is no font in it."""
    from matplotlib.ft2font import FT2Font

    font = FT2Font(str(path))
    return "".join(letter for letter in letters if not font.get_char_index(ord(letter)))


def _is_font(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) in KINDS


def _checked(path: Path, letters: str) -> Path:
    """The font file that somebody asked for, once it is known to have the letters."""
    try:
        missing = _missing(path, letters) if _is_font(path) else None
    except FileNotFoundError:
        raise ServidaError(f"font: expected a font file, found no file {path}") from None
    except (OSError, RuntimeError):
        missing = None
    if missing is None:
        raise ServidaError(f"font: expected a font file (.ttf, .otf or .ttc), found another at {path}")
    if missing:
        raise ServidaError(f"font: expected a font with the letters {_few(missing)}, found none of them in {path}")
    return path


def _installed(letters: str) -> Path:
    """The best of the installed fonts that have the letters: known ones first, plain ones, without serifs."""
    from matplotlib.font_manager import findSystemFonts, fontManager
    from matplotlib.ft2font import FT2Font

    found: list[tuple[tuple[object, ...], Path]] = []
    for name in sorted({*findSystemFonts(), *(entry.fname for entry in fontManager.ttflist)}):
        path = Path(name)
        try:
            if not _is_font(path) or _missing(path, letters):
                continue
            font = FT2Font(name)
            if 2 * len({font.get_char_index(ord(letter)) for letter in letters}) < len(letters):
                continue  # a font of boxes, one for all letters of a script
        except (OSError, RuntimeError):
            continue
        family, style = font.family_name, font.style_name.lower()
        known = any(family.startswith(word.removesuffix(" KR")) for word in KOREAN)
        found.append(((style not in PLAIN, not known, "serif" in family.lower(), family, name), path))
    if not found:
        lacking = "".join(letter for letter in letters if ord(letter) > 0x7F) or letters
        raise ServidaError(f"font: expected a font with the letters {_few(lacking)}, found none; name one with --font")
    return min(found)[1]


def _few(letters: str) -> str:
    return letters if len(letters) <= SHOWN else f"{letters[:SHOWN]}…"


def _small(path: Path, letters: str) -> bytes:
    """A TrueType font with these letters only. Other outlines (CFF) become TrueType ones: as Type 42, the kind of font
    that every viewer of PDFs draws and searches, matplotlib embeds no others rightly."""
    from fontTools import subset
    from fontTools.ttLib import TTLibError

    options = subset.Options(font_number=0, layout_features=[], hinting=False, recalc_bounds=True, notdef_outline=True)
    try:
        font = subset.load_font(str(path), options)
        for table in set(font.keys()) - NEEDED:
            del font[table]
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=letters)
        subsetter.subset(font)
        if "glyf" not in font:
            _to_true_type(font)
        out = io.BytesIO()
        font.save(out)
    except (TTLibError, OSError, LookupError, ValueError, TypeError, AssertionError, struct.error) as error:
        raise ServidaError(f"font: expected a font that can be embedded, found another at {path} ({error})") from None
    return out.getvalue()


def _to_true_type(font: Any) -> None:
    """Turns the cubic outlines of a font into the quadratic ones of TrueType."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable

    names, drawn, error = font.getGlyphOrder(), font.getGlyphSet(), font["head"].unitsPerEm / 2000
    glyphs = {}
    for name in names:
        pen = TTGlyphPen(None)
        drawn[name].draw(Cu2QuPen(pen, error, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = names, glyphs
    del font["CFF " if "CFF " in font else "CFF2"]
    for name, glyph in glyphs.items():
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (font["hmtx"][name][0], glyph.xMin)
    maxp = font["maxp"] = newTable("maxp")
    maxp.tableVersion = 0x00010000
    for field in ("Twilight Points", "Storage", "Function Defs", "Instruction Defs", "Stack Elements"):
        setattr(maxp, "max" + field.replace(" ", ""), 0)
    maxp.maxZones, maxp.maxSizeOfInstructions, maxp.maxComponentElements = 1, 0, 0
    maxp.compile(font)
    post = font["post"]
    post.formatType, post.extraNames, post.mapping, post.glyphOrder = 3.0, [], {}, names
    font.sfntVersion = "\0\1\0\0"
