# SPDX-License-Identifier: MIT OR Apache-2.0
"""A ranking for print: what the cost of each system consists of, and the front of security and cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from cyclometer.records.table import Table
from cyclometer.report.plots._axes import cycles_log
from cyclometer.report.plots._labels import spread
from cyclometer.report.plots._page import (
    BLACK,
    BLUE,
    FULL,
    GREEN,
    GREY,
    ORANGE,
    SMALL_SIZE,
    VERMILLION,
    Picture,
    furnish,
    page,
    plain,
    settle,
    shortened,
)
from cyclometer.report.text import MEANINGS, marks

MOST_BARS = 24
"""Systems with a bar, the best first."""

PARTS = {"encrypt": BLUE, "decrypt": VERMILLION, "reject": GREEN, "expandkey": ORANGE}
_ROW, _LEAST, _BESIDE = 0.16, 2.6, 1.1  # inches: a bar, the height of a page, head and caption
_LARGEST = 170.0  # points², the mark of the most code


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """One system of a ranking."""

    name: str
    marks: str  # of its cost, as in tables
    cost: float
    low: float
    high: float
    shares: tuple[float, ...]  # of PARTS, which add up to 1
    bits: float | None
    code_bytes: float
    dominated: bool


def draw(tables: Sequence[Table]) -> Iterator[Picture]:
    """Yield a picture for each ranking among the tables, each of which its parts follow."""
    rankings = [table for table in tables if table.view == "rank"]
    parts = [table for table in tables if table.view == "rank-parts"]
    for ranking, own in zip(rankings, parts, strict=True):
        systems = _systems(ranking, own)
        shown = systems[:MOST_BARS]
        figure = page(FULL, max(_LEAST, _ROW * len(shown)) + _BESIDE)
        bars, front = figure.subplots(1, 2, width_ratios=(1, 1))
        unit = ranking.columns[0].unit
        _bars(bars, shown, unit)
        _front(front, [each for each in systems if each.bits is not None and each.cost > 0], unit)
        context = ranking.contexts[0]
        more = f"; the first {len(shown)} of {len(systems)} have a bar" if len(shown) < len(systems) else ""
        captions = [
            f"{context.machine}: {context.cpu}; bars with 95 % intervals{more}. Right: filled marks are dominated by "
            "nobody; the area of a mark is the size of the code.",
            *_explained("".join(each.marks for each in shown)),
        ]
        handles = [Patch(color=colour, label=name) for name, colour in PARTS.items()]
        furnish(figure, ranking.title, captions, handles)
        settle(figure)
        _names(front, [each for each in systems if each.bits is not None and not each.dominated and each.cost > 0])
        yield Picture(name=ranking.title.partition(":")[0], figure=figure)


def _systems(ranking: Table, parts: Table) -> list[Ranked]:
    found = []
    for row, own in zip(ranking.rows, parts.rows, strict=True):
        figures = {c.label: f for c, f in zip(ranking.columns, row.figures, strict=True) if f is not None}
        values = {label: figure.value for label, figure in figures.items()}
        shares = {c.label: f.value for c, f in zip(parts.columns, own.figures, strict=True) if f is not None}
        cost = float(values["cost"])
        found.append(
            Ranked(
                name=row.label,
                marks=marks(disturbed=figures["cost"].disturbed, varies=figures["cost"].varies),
                cost=cost,
                low=float(values.get("from", cost)),
                high=float(values.get("to", cost)),
                shares=tuple(float(shares.get(f"{name} %", 0)) / 100 for name in PARTS),
                bits=float(values["bits left"]) if "bits left" in values else None,
                code_bytes=float(values.get("code bytes", 0)),
                dominated="dominated by" in values,
            )
        )
    return found


def _explained(shown: str) -> Iterator[str]:
    """Yield what the marks before the names mean, if there are any."""
    if shown:
        yield "; ".join(f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in shown)


def _bars(axes: Axes, systems: Sequence[Ranked], unit: str) -> None:
    places = range(len(systems))
    left = [0.0] * len(systems)
    for index, colour in enumerate(PARTS.values()):
        widths = [each.cost * each.shares[index] for each in systems]
        axes.barh(places, widths, left=left, height=0.7, color=colour, linewidth=0)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    errors = [[each.cost - each.low for each in systems], [each.high - each.cost for each in systems]]
    costs = [each.cost for each in systems]
    axes.errorbar(costs, places, xerr=errors, fmt="none", ecolor=BLACK, elinewidth=0.6, capsize=1.2, capthick=0.6)
    axes.set_yticks(places, [each.marks + plain(shortened(each.name, 30)) for each in systems])
    axes.set_ylim(len(systems) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))  # as the other half has them
    axes.set_xlabel(f"{unit} a packet")
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


def _front(axes: Axes, systems: Sequence[Ranked], unit: str) -> None:
    largest = max([each.code_bytes for each in systems], default=1) or 1
    for each in systems:
        area = max(6.0, _LARGEST * each.code_bytes / largest)
        filled = "none" if each.dominated else BLUE
        edge = GREY if each.dominated else BLUE
        axes.scatter(
            [each.bits or 0], [each.cost], s=area, facecolors=filled, edgecolors=edge, linewidths=0.6, alpha=0.8
        )
    axes.set_yscale("log")
    cycles_log(axes.yaxis)
    axes.set_xlabel("bits left")
    axes.set_ylabel(f"{unit} a packet")
    axes.margins(x=0.12, y=0.08)
    axes.grid(which="major")


def _names(axes: Axes, systems: Sequence[Ranked]) -> None:
    """Write the names of those that nobody dominates beside their marks, apart from each other."""
    height = axes.get_window_extent().height / axes.figure.dpi * 72
    to_fraction = axes.transAxes.inverted()
    ends = [to_fraction.transform(axes.transData.transform((each.bits or 0, each.cost))) for each in systems]
    places = spread([float(end[1]) for end in ends], 1.3 * SMALL_SIZE / height)
    for each, end, place in zip(systems, ends, places, strict=True):
        right = bool(end[0] > 0.6)
        axes.annotate(
            shortened(each.name, 27),
            xy=(float(end[0]), float(end[1])),
            xytext=(float(end[0]) + (-0.05 if right else 0.05), place),
            xycoords="axes fraction",
            textcoords="axes fraction",
            fontsize=SMALL_SIZE,
            color=BLUE,
            va="center",
            ha="right" if right else "left",
        )
