# SPDX-License-Identifier: MIT OR Apache-2.0
"""The printed page of a plot: title and legend above the axes, caption below.

Widths and heights are in inches; text sizes are legible in print. Names of
systems and machines are shown literally: `$` does not start a formula.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from cyclometer.report.picture_file import format_of, write_picture

COLUMN = 3.5
"""Width of a column of print, in inches."""

FULL = 7.1
"""Width of a page of two columns, in inches."""

DOTS = 300
"""Pixels per inch of PNG files and of images inside the other formats."""

TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 8.0, 7.0, 6.0  # points
_MARGIN = 0.06

# Okabe and Ito's palette, distinct in all kinds of colour vision, without yellow, which is too pale on white.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY = "#E69F00", "#56B4E9", "#000000", "#8C8C8C"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, BLACK, SKY)
DASHES = ("-", (0, (4, 1.2)), (0, (4, 1.2, 1, 1.2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": TEXT_SIZE,
    "axes.titlesize": TEXT_SIZE,
    "axes.labelsize": TEXT_SIZE,
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.labelsize": SMALL_SIZE,
    "ytick.labelsize": SMALL_SIZE,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.minor.width": 0.3,
    "ytick.minor.width": 0.3,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "grid.linewidth": 0.4,
    "grid.color": "#E4E4E4",
    "lines.linewidth": 0.9,
    "legend.fontsize": SMALL_SIZE,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "legend.columnspacing": 1.4,
    "legend.borderaxespad": 0.0,
    "legend.borderpad": 0.1,
    "text.parse_math": False,
    "text.usetex": False,
    "svg.hashsalt": "cyclometer",
    "pdf.fonttype": 42,
    "savefig.dpi": DOTS,
    "figure.dpi": DOTS,
}


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure and a name that distinguishes it from the others of one call."""

    name: str
    figure: Figure


@dataclass(frozen=True, kw_only=True)
class Style:
    """The style of a line or point everywhere in a plot."""

    colour: str
    dash: object
    marker: str

    def line(self, label: str, *, width: float = 1.2) -> Line2D:
        """Return a legend entry with a line."""
        return Line2D([], [], color=self.colour, linestyle=self.dash, linewidth=width, label=plain(label))  # type: ignore[arg-type]

    def both(self, label: str) -> Line2D:
        """Return a legend entry with a line and a marker."""
        line = self.line(label, width=0.9)
        line.set(marker=self.marker, markersize=3)
        return line

    def point(self, label: str) -> Line2D:
        """Return a legend entry with a marker."""
        return Line2D([], [], color=self.colour, linestyle="", marker=self.marker, markersize=3.5, label=plain(label))


def line_styles(names: Iterable[str]) -> dict[str, Style]:
    """Return a style per name; they all differ in colour, dashes or marker, and neighbours in colour."""
    return {
        name: Style(
            colour=COLOURS[index % len(COLOURS)],
            dash=DASHES[(index % len(COLOURS) + index // len(COLOURS)) % len(DASHES)],
            marker=MARKERS[(index % len(COLOURS) + index // len(COLOURS)) % len(MARKERS)],
        )
        for index, name in enumerate(dict.fromkeys(names))
    }


def plain(label: str) -> str:
    """Return a label that matplotlib shows even if it begins with an underscore."""
    return f" {label}" if label.startswith("_") else label


def shortened(text: str, room: int) -> str:
    """Shorten text to at most `room` characters."""
    return text if len(text) <= room else text[: room - 1] + "…"


def page(width: float, height: float) -> Figure:
    """Return an empty page; add the axes first, then call `furnish`."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def furnish(
    figure: Figure, title: str, captions: Sequence[str], handles: Sequence[Artist] = (), *, right: float = 0.0
) -> None:
    """Put the title and the legend above the axes and the caption below them; leave `right` inches beside them."""
    width, height = figure.get_size_inches()
    head = _MARGIN
    for line in _wrapped(figure, [title], TITLE_SIZE, "bold"):
        figure.text(_MARGIN / width, 1 - head / height, line, fontsize=TITLE_SIZE, fontweight="bold", va="top")
        head += 1.35 * TITLE_SIZE / 72
    if handles:
        head += _legend(figure, handles, head) + 0.04
    lines = _wrapped(figure, captions, SMALL_SIZE)
    foot = _MARGIN + 1.3 * SMALL_SIZE / 72 * len(lines)
    for index, line in enumerate(lines):
        at = foot - 1.3 * SMALL_SIZE / 72 * index
        figure.text(_MARGIN / width, at / height, line, fontsize=SMALL_SIZE, color="#404040", va="top")
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    room = (0.0, (foot + 0.03) / height, 1 - right / width, 1 - (foot + 0.03 + head) / height)
    engine.set(rect=room, w_pad=_MARGIN, h_pad=0.04)


def settle(figure: Figure) -> None:
    """Compute and fix the positions of all axes."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _legend(figure: Figure, handles: Sequence[Artist], head: float) -> float:
    """Draw the legend in as many columns as fit; return its height in inches."""
    width, height = figure.get_size_inches()
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(
            handles=_row_by_row(handles, columns),
            loc="upper left",
            bbox_to_anchor=(_MARGIN / width, 1 - head / height),
            ncols=columns,
        )
        box = legend.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
        if box.width <= width - 2 * _MARGIN or columns == 1:
            legend.set_in_layout(False)
            break
        legend.remove()
    return float(box.height)


def _row_by_row(handles: Sequence[Artist], columns: int) -> list[Artist]:
    """Return the handles in the order in which a legend, filled column by column, reads row by row."""
    rows = -(-len(handles) // columns)
    full = len(handles) - columns * (rows - 1)  # columns with an entry in the last row
    return [
        handles[row * columns + column]
        for column in range(columns)
        for row in range(rows if column < full else rows - 1)
    ]


def _wrapped(figure: Figure, texts: Iterable[str], size: float, weight: str = "normal") -> list[str]:
    """Break texts between words into lines no wider than the page."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    font = FontProperties(family=mpl.rcParams["font.family"], size=size, weight=weight)
    room = (figure.get_size_inches()[0] - 2 * _MARGIN) * figure.dpi

    def fits(line: str) -> bool:
        return bool(renderer.get_text_width_height_descent(line, font, ismath=False)[0] <= room)

    lines = []
    for text in texts:
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and not fits(longer):
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


@contextmanager
def style() -> Iterator[None]:
    """Apply the style of print to everything drawn and saved within the context."""
    with mpl.rc_context({**mpl.rcParamsDefault, **_STYLE, "backend": "agg"}):
        yield


def save(pictures: Iterator[Picture], path: Path) -> list[Path]:
    """Save one picture as `path`; several as pages of a PDF, or as files whose names include the pictures'."""
    format = format_of(path)
    if format == "pdf":
        return [_save_pages(pictures, path)]
    ahead = list(itertools.islice(pictures, 2))
    if len(ahead) == 1:
        return [_save(ahead[0].figure, path, format)]
    paths = []
    for picture in itertools.chain(ahead, pictures):
        file = path.with_name(f"{path.stem}-{_plain_name(picture.name)}{path.suffix}")
        paths.append(_save(picture.figure, file, format))
    return paths


def _save(figure: Figure, path: Path, format: str) -> Path:
    content = io.BytesIO()
    figure.savefig(content, format=format, metadata={"Date": None} if format == "svg" else None)
    return write_picture(content, path)


def _save_pages(pictures: Iterable[Picture], path: Path) -> Path:
    content = io.BytesIO()
    with PdfPages(content) as pages:
        for picture in pictures:
            pages.savefig(picture.figure)
    return write_picture(content, path)


def _plain_name(name: str) -> str:
    """Return a name as a part of a file name, without special characters."""
    return re.sub(r"[^A-Za-z0-9.+_-]+", "_", name)[:100]
