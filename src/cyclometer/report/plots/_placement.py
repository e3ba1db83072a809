# SPDX-License-Identifier: MIT OR Apache-2.0
"""What plots of placement share: their situations' names and colours, and the choice of curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from matplotlib.figure import Figure

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import BEST, WARM, WORST, PlacedCurve, PlotData, PlotOptions
from cyclometer.records.placement import ALL
from cyclometer.report.plots._page import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    Picture,
    Style,
)

_STYLES = {
    "warm": Style(colour=GREY, dash="-", marker="."),
    BEST: Style(colour=GREY, dash="-", marker="o"),
    WORST: Style(colour=GREY, dash=(0, (4, 1.2)), marker="s"),
    "code": Style(colour=VERMILLION, dash="-", marker="s"),
    "tables": Style(colour=BLUE, dash="-", marker="o"),
    "key": Style(colour=GREEN, dash=(0, (4, 1.2)), marker="^"),
    "input": Style(colour=PURPLE, dash=(0, (4, 1.2)), marker="D"),
    "output": Style(colour=ORANGE, dash=(0, (4, 1.2)), marker="v"),
    "tlb": Style(colour=SKY, dash=(0, (1, 1)), marker="P"),
    "predictor": Style(colour=GREEN, dash=(0, (1, 1)), marker="X"),
    "vector": Style(colour=VERMILLION, dash=(0, (1, 1)), marker="<"),
    ALL: Style(colour=BLACK, dash="-", marker="*"),
}


def style_of(situation: str) -> Style:
    """Return the style of a situation, the same in all plots."""
    return _STYLES.get(situation, _STYLES["warm"])


def situation_text(situation: str) -> str:
    """Return a situation in words: `code cold`."""
    if situation in WARM:
        return situation
    return "all cold" if situation == ALL else f"{'TLB' if situation == 'tlb' else situation} cold"


def in_order(situations: Iterable[str]) -> list[str]:
    """Return situations, each once, from warm to all cold."""
    known = list(_STYLES)
    return sorted(set(situations), key=lambda name: (known.index(name) if name in known else len(known), name))


def curves_by_place(
    data: PlotData, options: PlotOptions, variable: str
) -> Iterator[tuple[str, str, list[PlacedCurve]]]:
    """Yield (machine, measure, curves) of a variable, of the selected measure or of each."""
    found = [
        curve
        for curve in data.placed
        if curve.variable == variable and curve.measure == (options.measure or curve.measure)
    ]
    for machine, measure in dict.fromkeys((curve.system.machine, curve.measure) for curve in found):
        yield machine, measure, [c for c in found if (c.system.machine, c.measure) == (machine, measure)]


def pictures(
    datasets: Sequence[PlotData],
    options: PlotOptions,
    variable: str,
    figure: Callable[[PlotData, str, Sequence[PlacedCurve]], Figure],
    options_that_take_them: str,
) -> Iterator[Picture]:
    """Yield one picture per operation, measure and machine. Raises `NothingToDo` if there is nothing to draw."""
    drawn = 0
    for data in datasets:
        for machine, measure, curves in curves_by_place(data, options, variable):
            drawn += 1
            yield Picture(name=f"{data.operation}-{measure}-{machine}", figure=figure(data, machine, curves))
    require_some(drawn, options_that_take_them)


def require_some(drawn: int, options_that_take_them: str) -> None:
    """Raise `NothingToDo` if nothing was drawn."""
    if not drawn:
        raise NothingToDo(
            f"the selected runs have no such measurements of placement; `cyclometer run {options_that_take_them}` "
            "takes them"
        )
