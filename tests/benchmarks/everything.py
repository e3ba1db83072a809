# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every system, measured in quiet and beside two busy neighbours: whether numbers and rankings still hold.

    .venv/bin/python tests/benchmarks/trust.py --only everything [--cache FOLDER]

Takes two runs of all systems, a quarter of an hour with nothing built; `--cache` keeps what was built and the tunings
that were chosen.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator
from contextlib import ExitStack

from figures import Cells, Line, Tool, is_marked
from precision import neighbour

from cyclometer import host

SYSTEMS = "crypto_*"
NEIGHBOURS = 2
SMALLEST = 20  # cycles of a cell that is compared: a cycle is much of a smaller one


def everything(tool: Tool) -> Iterator[Line]:
    """Measure twice, and compare cell by cell and ranking by ranking."""
    begun = time.monotonic()
    quiet = tool.run(0, "everything", SYSTEMS)
    yield _time_line("everything, quiet", begun, 6)
    with ExitStack() as stack:
        for _ in range(NEIGHBOURS):
            stack.enter_context(neighbour(host.measuring_core()))
        begun = time.monotonic()
        noisy = tool.run(1, "everything", SYSTEMS)
        yield _time_line(f"everything, beside {NEIGHBOURS} neighbours", begun, 7)
    yield from _difference_lines(quiet, noisy)
    yield _order_line(quiet, noisy)


def _time_line(what: str, begun: float, minutes: float) -> Line:
    taken = (time.monotonic() - begun) / 60
    return Line(what=what, measured=f"{taken:.1f} minutes", target=f"{minutes:g} minutes", reached=taken <= minutes)


def _difference_lines(quiet: Cells, noisy: Cells) -> Iterator[Line]:
    """Yield how far cells beside the neighbours are from the quiet ones, those without and those with a mark."""
    off = {
        key: 100 * abs(noisy[key]["value"] / cell["value"] - 1)
        for key, cell in quiet.items()
        if key in noisy and cell["value"] >= SMALLEST and not is_marked(cell)
    }
    for what, marked, most in (("unmarked", False, 3), ("marked ~ or ?", True, 15)):
        these = {key: value for key, value in off.items() if is_marked(noisy[key]) == marked}
        if not these:
            continue
        worst = max(these, key=lambda key: these[key])
        beyond = sum(value > most for value in these.values())
        title, system, column = worst
        yield Line(
            what=f"{what} cells beside the neighbours, against quiet: off by more than {most} %",
            measured=f"{beyond} of {len(these)}, at most {these[worst]:.1f} % ({system}, {title}, {column})",
            target="none",
            reached=beyond == 0,
        )


def _order_line(quiet: Cells, noisy: Cells) -> Line:
    """Return the smallest Kendall's tau of all rankings with ten systems and more, ties left out."""
    taus = {}
    for title, column in {(title, column) for title, _, column in quiet}:
        ranks = [
            (cell["rank"], noisy[key]["rank"])
            for key, cell in quiet.items()
            if (key[0], key[2]) == (title, column) and key in noisy and cell["rank"] and noisy[key]["rank"]
        ]
        signs = [
            math.copysign(1, (a - c) * (b - d))
            for (a, b), (c, d) in itertools.combinations(ranks, 2)
            if a != c and b != d
        ]
        if len(ranks) >= 10 and signs:
            taus[title, column] = sum(signs) / len(signs)
    title, column = min(taus, key=lambda key: taus[key])
    return Line(
        what=f"Kendall's τ of {len(taus)} rankings, quiet against beside the neighbours",
        measured=f"{taus[title, column]:.3f} at least ({title}, {column})",
        target="0.98",
        reached=taus[title, column] >= 0.98,
    )
