"""Score sheets on paper, drawn by matplotlib (extra: servida[plot]).

matplotlib is what plots are drawn with already, so paper asks for no further package: it draws lines and texts in
points, writes one PDF of several pages, SVG and PNG from the same figure, and embeds fonts as Type 42 (`fonts`).
"""

import math
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ServidaError, StorageError
from ..solver.file import whole_file
from .fonts import Fonts, fonts_for

PAPERS = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}  # points, 72 to the inch
MARGIN = 30.0
TITLE, NAMES, HEADING = 34.0, 30.0, 16.0  # heights of the title, the row for names, the row of column names
ROW = (13.0, 34.0)  # least and greatest height of a row
CELL, SEVERAL, WIDEST = 46.0, 36.0, 92.0  # least width of a cell, the same of several columns; greatest
TEXT, SMALL = 10.0, 7.5  # size of the letters; size below which a text is written on two lines
TEXTS = 175.0  # greatest width of each of the two columns of words, where there are many players
PAD = 5.0
GREY, PALE, LIGHT = "#666666", "#e4e4e4", "#f3f3f3"
PNG_DPI = 200


class Row(NamedTuple):
    """A line of the sheet: its label, what it pays, whether it is a sum, a mark for every column (as "×2"), and whether
    a player has one cell for all columns."""

    label: str
    pays: str = ""
    is_sum: bool = False
    marks: tuple[str, ...] = ()
    wide: bool = False


class Sheet(NamedTuple):
    """All that is drawn: names of the columns (none: one that needs no name), and the word that stands where a player's
    name goes."""

    title: str
    name: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Cells of a player in one row."""
        return max(1, len(self.columns))

    @property
    def texts(self) -> str:
        """Everything that may be drawn."""
        rows = (text for row in self.rows for text in (row.label, row.pays, *row.marks))
        return " ".join((self.title, self.name, *self.columns, *rows, "0123456789/…"))


class Page(NamedTuple):
    """The size of a page, in points, and how many players are on each."""

    width: float
    height: float
    players: tuple[int, ...]


def draw(sheet: Sheet, players: int, paper: str, font: Path | None, path: Path) -> int:
    """Draws the sheet of some players to a .pdf, .svg or .png file, whole or not at all; the number of pages."""
    try:
        import matplotlib
    except ImportError:
        raise ServidaError(
            "sheet: expected the package matplotlib, found none; install it with pip install 'servida[plot]'"
        ) from None
    kind = path.suffix.lower().removeprefix(".")
    style: dict[Any, Any] = {
        "pdf.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "servida",
        "axes.unicode_minus": False,
    }
    with matplotlib.rc_context(style), fonts_for(sheet.texts, font) as fonts:
        words = _Words(fonts)
        page = layout(sheet, players, PAPERS[paper], words)
        if kind != "pdf" and len(page.players) > 1:
            raise ServidaError(
                f"{path}: expected a sheet of one page, found {len(page.players)} for {players} players; "
                "take fewer players, or .pdf"
            )
        figures = [partial(_figure, sheet, page, number, words) for number in range(len(page.players))]
        try:
            with whole_file(path) as file:
                _write(figures, kind, sheet.title, file)
        except OSError as error:
            raise StorageError(f"{path}: expected a place to write to, found: {error.strerror or error}") from None
    return len(page.players)


def _write(figures: list[partial[Any]], kind: str, title: str, file: Any) -> None:
    """The same bytes for the same sheet: no dates are written."""
    if kind == "pdf":
        from matplotlib.backends.backend_pdf import PdfPages

        with PdfPages(file, metadata={"Title": title, "Creator": "servida", "CreationDate": None}) as pages:
            for figure in figures:
                pages.savefig(figure())
        return
    metadata = {"Title": title, "Date": None} if kind == "svg" else {"Title": title}
    figures[0]().savefig(file, format=kind, metadata=metadata, dpi=PNG_DPI)


class _Words:
    """Texts of known width."""

    def __init__(self, fonts: Fonts):
        self.fonts = fonts
        self.known: dict[tuple[str, bool], float] = {}

    def font(self, bold: bool) -> Any:
        return self.fonts.bold if bold else self.fonts.regular

    def width(self, text: str, bold: bool = False) -> float:
        """How wide a text is in letters of one point."""
        from matplotlib.textpath import TextToPath

        if (text, bold) not in self.known:
            font = self.font(bold).copy()
            font.set_size(100)
            self.known[text, bold] = TextToPath().get_text_width_height_descent(text, font, ismath=False)[0] / 100
        return self.known[text, bold]

    def fitted(self, text: str, room: float, size: float, bold: bool = False) -> tuple[str, float]:
        """The text, shortened if need be, and the size that it fits the room with."""
        least = min(size, 4.5)
        while len(text) > 1 and self.width(text, bold) * least > room:
            text = text.rstrip("…")[: -max(1, len(text) // 10)] + "…" if len(text) > 2 else text[:1]
        return text, min(size, room / max(self.width(text, bold), 1e-9))

    def halves(self, text: str, bold: bool = False) -> list[str]:
        """The text on two lines as alike in width as can be, or on one if there is no space in it."""
        spaces = [place for place, letter in enumerate(text) if letter == " "]
        cuts = [[text[:place], text[place + 1 :]] for place in spaces]
        return min(cuts, key=lambda cut: max(self.width(part, bold) for part in cut), default=[text])


def layout(sheet: Sheet, players: int, paper: tuple[float, float], words: _Words) -> Page:
    """Portrait, or landscape where fewer pages do then; players spread evenly over the pages."""
    short, long = paper
    cell = CELL if sheet.width == 1 else SEVERAL * sheet.width
    texts = sum(_text_widths(sheet, words))
    needed = TITLE + NAMES + HEADING * bool(sheet.columns) + ROW[0] * len(sheet.rows) + 2 * MARGIN
    found = []
    for width, height in ((short, long), (long, short)):
        if needed <= height or width == short:
            fitting = max(1, int((width - 2 * MARGIN - texts) // cell))
            found.append((math.ceil(players / fitting), width, height))
    pages, width, height = min(found)
    rest = players % pages
    return Page(width, height, tuple(players // pages + (number < rest) for number in range(pages)))


def _text_widths(sheet: Sheet, words: _Words) -> tuple[float, float]:
    """The widths of the labels and of what boxes pay."""
    labels = max(words.width(row.label, row.is_sum) for row in sheet.rows)
    pays = max(words.width(row.pays) for row in sheet.rows)
    return min(TEXTS, labels * TEXT + 2 * PAD), min(TEXTS, pays * (TEXT - 1.5) + 2 * PAD)


def _figure(sheet: Sheet, page: Page, number: int, words: _Words) -> Any:
    """One page as a figure of matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(page.width / 72, page.height / 72))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, page.width)
    axes.set_ylim(page.height, 0)  # downwards, as a sheet is read
    axes.axis("off")
    _Drawing(axes, sheet, page, number, words).all()
    return figure


class _Drawing:
    """One page while it is drawn; measures are in points from the upper left corner."""

    def __init__(self, axes: Any, sheet: Sheet, page: Page, number: int, words: _Words):
        self.axes, self.sheet, self.page, self.number, self.words = axes, sheet, page, number, words
        self.left, self.right = MARGIN, page.width - MARGIN
        self.top = MARGIN + TITLE
        self.head = self.top + NAMES + HEADING * bool(sheet.columns)
        room = page.height - MARGIN - self.head
        self.row = min(ROW[1], room / len(sheet.rows))
        self.bottom = self.head + self.row * len(sheet.rows)
        self.size = min(TEXT, self.row * 0.62)
        players = page.players[number]
        labels, pays = _text_widths(sheet, words)
        widest = WIDEST if sheet.width == 1 else WIDEST * 0.75
        self.cell = min(widest, (self.right - self.left - labels - pays) / (players * sheet.width))
        spare = self.right - self.left - labels - pays - self.cell * players * sheet.width
        self.pays = self.left + labels + spare * labels / (labels + pays)
        self.cells = self.right - self.cell * players * sheet.width
        self.players = [self.cells + self.cell * sheet.width * player for player in range(players)]

    def all(self) -> None:
        """Draws the page."""
        self.title()
        self.headings()
        for number, row in enumerate(self.sheet.rows):
            self.line_of(row, self.head + self.row * number)
        self.grid()

    def text(
        self, text: str, x: float, y: float, room: float, size: float, *, bold: bool = False, **style: Any
    ) -> None:
        """Writes a text on one line that is no wider than `room` and has its middle at y."""
        text, size = self.words.fitted(text, room, size, bold)
        font = self.words.font(bold)
        style = {"va": "center_baseline", "ha": "left", "color": "black", **style}
        self.axes.text(x, y, text, fontproperties=font, fontsize=size, parse_math=False, **style)

    def words_of(self, text: str, x: float, y: float, room: float, size: float, *, bold: bool = False) -> None:
        """Writes a text on one line, or on two where letters would be small on one."""
        halves = self.words.halves(text, bold)
        if self.words.width(text, bold) * min(size, SMALL) <= room or len(halves) == 1 or self.row < 2 * SMALL:
            self.text(text, x, y, room, size, bold=bold)
            return
        size = min(self.words.fitted(half, room, SMALL, bold)[1] for half in halves)
        for half, step in zip(halves, (-0.6, 0.6), strict=True):
            self.text(half, x, y + step * size, room, size, bold=bold)

    def fill(self, x: float, y: float, width: float, height: float, color: str) -> None:
        from matplotlib.patches import Rectangle

        self.axes.add_patch(Rectangle((x, y), width, height, facecolor=color, edgecolor="none", zorder=0))

    def lines(self, lines: list[tuple[float, float, float, float]], width: float, color: str = "black") -> None:
        from matplotlib.collections import LineCollection

        ends = [((x, y), (to_x, to_y)) for x, y, to_x, to_y in lines]
        self.axes.add_collection(LineCollection(ends, linewidths=width, colors=color, capstyle="projecting", zorder=2))

    def title(self) -> None:
        pages = len(self.page.players)
        room, middle = self.right - self.left, MARGIN + TITLE / 2 - 4
        if pages > 1:
            self.text(f"{self.number + 1}/{pages}", self.right, middle, 60, TEXT, ha="right", color=GREY)
            room -= 70
        self.text(self.sheet.title, self.left, middle, room, 19, bold=True)

    def headings(self) -> None:
        """The room for names, and the names of the columns."""
        self.fill(self.cells, self.top + NAMES, self.right - self.cells, self.head - self.top - NAMES, LIGHT)
        for left in self.players:
            width, room = self.cell * self.sheet.width, self.cell - 4
            size = min((self.words.fitted(name, room, TEXT - 1.5)[1] for name in self.sheet.columns), default=TEXT)
            self.text(self.sheet.name, left + 3, self.top + 6, width - 6, 6.5, color=GREY)
            for column, name in enumerate(self.sheet.columns):
                middle = left + self.cell * (column + 0.5)
                self.text(name, middle, self.top + NAMES + HEADING / 2, room, size, ha="center")

    def line_of(self, row: Row, top: float) -> None:
        """The words of a row, and the marks in its cells."""
        middle = top + self.row / 2
        if row.is_sum:
            self.fill(self.left, top, self.right - self.left, self.row, PALE)
        room = self.pays - self.left if row.pays else self.cells - self.left
        self.words_of(row.label, self.left + PAD, middle, room - 2 * PAD, self.size, bold=row.is_sum)
        if row.pays:
            room = self.cells - self.pays - 2 * PAD
            self.words_of(row.pays, self.pays + PAD, middle, room, self.size * 0.85)
        for left in self.players:
            for column, mark in enumerate(row.marks):
                self.text(mark, left + self.cell * column + 3, middle, self.cell / 2, self.size * 0.7, color=GREY)

    def grid(self) -> None:
        """Thin lines between cells, thick ones around players and sums."""
        rows = self.sheet.rows
        tops = [self.head + self.row * number for number in range(len(rows))]
        self.lines([(self.left, top, self.right, top) for top in tops], 0.5, GREY)
        inner = [
            (left + self.cell * column, top, left + self.cell * column, top + self.row)
            for left in self.players
            for column in range(1, self.sheet.width)
            for row, top in zip(rows, tops, strict=True)
            if not row.wide
        ]
        names = self.top + NAMES
        inner += [
            (left + self.cell * column, names, left + self.cell * column, self.head)
            for left in self.players
            for column in range(1, self.sheet.width)
        ]
        self.lines(inner, 0.5, GREY)
        self.lines(
            [(self.pays, top, self.pays, top + self.row) for row, top in zip(rows, tops, strict=True) if row.pays],
            0.5,
            GREY,
        )
        if self.sheet.columns:
            self.lines([(self.cells, names, self.right, names)], 0.5, GREY)
        frame = [(x, self.top, x, self.bottom) for x in (*self.players, self.right)]
        frame += [(self.left, self.head, self.left, self.bottom), (self.cells, self.top, self.right, self.top)]
        frame += [(self.left, y, self.right, y) for y in (self.head, self.bottom)]
        changes = [top for i, top in enumerate(tops) if i and rows[i].is_sum != rows[i - 1].is_sum]
        self.lines(frame + [(self.left, top, self.right, top) for top in changes], 1.1)
