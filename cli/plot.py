"""Pictures of answers, by matplotlib (extra: servida[plot])."""

from pathlib import Path
from typing import Any

import numpy as np

from ..data.language import Language
from ..errors import ServidaError, StorageError
from ..solver.totals import Totals

# Okabe and Ito's colours: told apart in print and by people who see fewer colours
BLUE, ORANGE = "#0072B2", "#D55E00"


# families with Korean letters, which matplotlib's own font lacks
KOREAN = (
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "NanumGothic",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "UnDotum",
    "Baekmuk Dotum",
)


def _matplotlib(text: str) -> Any:
    """matplotlib's pyplot, with fonts that have the letters of `text`."""
    try:
        import matplotlib
    except ImportError:
        raise ServidaError(
            "plot: expected the package matplotlib, found none; install it with pip install 'servida[plot]'"
        ) from None
    matplotlib.use("agg")
    from matplotlib import font_manager, pyplot

    installed = set(font_manager.get_font_names())
    korean = [name for name in KOREAN if name in installed]
    if any("\uac00" <= letter <= "\ud7a3" for letter in text) and not korean:
        raise ServidaError(f"plot: expected a font with Korean letters, found none; install one, such as {KOREAN[0]}")
    matplotlib.rcParams["font.family"] = ["DejaVu Sans", *korean]

    return pyplot


def _save(pyplot: Any, figure: Any, path: Path) -> None:
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise StorageError(f"{path}: expected a place to write to, found: {error.strerror or error}") from None
    finally:
        pyplot.close(figure)


def plot_totals(totals: Totals, title: str, words: Language, path: Path) -> None:
    """Draws the chance of every total, and of at least that total, to a .png or .svg file."""
    pyplot = _matplotlib(title + words.text("total"))
    low, high = totals.percentile(0.05), totals.percentile(99.95)
    points = np.arange(low, high + 1)
    figure, left = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    left.bar(points, 100 * totals.chance[low : high + 1], width=1.0, color=BLUE)
    left.axvline(totals.mean, color="black", linewidth=1, linestyle=":")
    left.set_xlabel(words.text("total"))
    left.set_ylabel(f"{words.text('chance')} (%)", color=BLUE)
    left.set_title(f"{title} · {words.text('mean')} {totals.mean:.2f} · {words.text('sd')} {totals.sd:.2f}")
    right = left.twinx()
    at_least = 100 * totals.chance[::-1].cumsum()[::-1]
    right.plot(points, at_least[low : high + 1], color=ORANGE, linewidth=2, linestyle="--")
    right.set_ylabel(f"{words.text('at_least')} (%)", color=ORANGE)
    right.set_ylim(0, 100)
    _save(pyplot, figure, path)


def plot_targets(chances: dict[int, float], outlook: Totals, title: str, words: Language, path: Path) -> None:
    """Draws the greatest chance of reaching every total beside that of play for points, to a .png or .svg file."""
    pyplot = _matplotlib(title + words.text("target"))
    totals = list(chances)
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    axes.plot(
        totals, [100 * chance for chance in chances.values()], color=BLUE, linewidth=2, label=words.text("target")
    )
    for_points = [100 * outlook.at_least(total) for total in totals]
    axes.plot(totals, for_points, color=ORANGE, linewidth=2, linestyle="--", label=words.text("for_points"))
    axes.set_xlabel(words.text("total"))
    axes.set_ylabel(f"{words.text('at_least')} (%)")
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.set_title(title)
    axes.legend()
    _save(pyplot, figure, path)
