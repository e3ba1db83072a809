# SPDX-License-Identifier: MIT OR Apache-2.0
"""How far the numbers of `cyclometer protocol ladder` can be trusted: each figure beside its target.

    .venv/bin/python tests/benchmarks/protocols.py [RUNS]

Measures the default ladder (five ciphers, five AEADs, in process and over TCP) RUNS times, 5 by default, with an empty
build cache for the first. Prints a Markdown table: seconds of a ladder, the A/A spread, how far apart the runs' numbers
of each rung are, whether their order is the same, and what is left unexplained in process. On a quiet machine, the
ladders take two minutes each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cyclometer.protocols.predict import predictions
from cyclometer.protocols.rungs import NULL
from cyclometer.protocols.stored import Ladder, Place, read_ladder
from cyclometer.protocols.words import EXPLAINED_WITHIN, kendall
from cyclometer.store import list_runs
from support.command_line import CommandLine
from support.small_tree import REPOSITORY

SECONDS = 180.0
AA_TARGET = 0.01
SPREAD_TARGETS = {"call-queue": 0.02, "call-tcp": 0.05}
EXPLAINED_TARGET = 0.8


def main(runs: str = "5") -> None:
    """Measure and print."""
    print("| what | measured | target | |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        tool = CommandLine(tree=REPOSITORY, cache=Path(folder) / "cache", results=Path(folder) / "results")
        ladders: list[Ladder] = []
        for number in range(int(runs)):
            start = time.monotonic()
            result = tool("protocol", "ladder", seconds=1800)
            assert result.status == 0, result.stderr
            seconds = time.monotonic() - start
            what = "nothing built" if number == 0 else "everything built"
            show(f"ladder {number + 1}, {what}", f"{seconds:.0f} s", f"{SECONDS:.0f} s", reached=seconds <= SECONDS)
            ladders = [read_ladder(run) for run in list_runs(tool.results)]
        for measure, target in SPREAD_TARGETS.items():
            show_measure(ladders, measure, target)


def show(what: str, measured: str, target: str, *, reached: bool) -> None:
    """Print a line of the table."""
    print(f"| {what} | {measured} | {target} | {'reached' if reached else 'NOT reached'} |", flush=True)


def show_measure(ladders: Sequence[Ladder], measure: str, target: float) -> None:
    """Print what the runs say about calls over one transport."""
    found = {each.spreads[measure].quiet for each in ladders if measure in each.spreads}
    spreads = sorted(spread for spread in found if spread is not None)
    if spreads:
        worst = spreads[-1]
        show(
            f"{measure}: largest A/A spread",
            f"{100 * worst:.2f} %",
            f"{100 * AA_TARGET:.0f} %",
            reached=worst <= AA_TARGET,
        )
    for place in [place for place in ladders[0].places if place[0] == measure]:
        apart = dict(spreads_of_runs(ladders, place))
        if apart:
            show_rungs(f"{measure}, {place[1]} bytes", apart, target)
        show_order(ladders, place)
        if measure == "call-queue":
            show_explained(ladders[-1], place)


def spreads_of_runs(ladders: Sequence[Ladder], place: Place) -> Iterator[tuple[str, float]]:
    """Yield each rung with how far its numbers in the runs are apart: largest over smallest, less 1."""
    for rung in ladders[0].rungs:
        cells = [each.cell(rung, *place) for each in ladders]
        cycles = [cell.cycles for cell in cells if cell and cell.cycles > 0]
        if len(cycles) > 1:
            yield rung.name, max(cycles) / min(cycles) - 1


def show_rungs(where: str, apart: dict[str, float], target: float) -> None:
    """Print the median and the largest spread over the runs, and which rungs miss the target."""
    values = sorted(apart.values())
    beyond = [f"{name} {100 * spread:.1f} %" for name, spread in apart.items() if spread > target]
    median = f"median {100 * values[len(values) // 2]:.2f} %, largest {100 * values[-1]:.2f} %"
    show(f"{where}: numbers of a rung in all runs", median, f"all within {100 * target:.0f} %", reached=not beyond)
    if beyond:
        show(f"{where}: rungs beyond", ", ".join(beyond), "none", reached=False)


def show_order(ladders: Sequence[Ladder], place: Place) -> None:
    """Print Kendall's tau between the first run's order of the rungs and the last one's, ties left out."""
    first, last = ladders[0], ladders[-1]
    pairs = [
        (one.cycles, other)
        for rung in first.rungs
        if (one := first.cell(rung, *place)) and (other := last.cell(rung, *place)) and rung != NULL
    ]
    tau, ties = kendall(pairs, last.spreads.get(place[0]))
    show(
        f"{place[0]}, {place[1]} bytes: order in the first and the last run",
        f"τ = {tau:.2f}, {ties} ties",
        "1",
        reached=tau == 1,
    )


def show_explained(ladder: Ladder, place: Place) -> None:
    """Print of how many rungs at most a tenth of the added cost is left unexplained."""
    shares = {each.rung.name: each.unexplained_share for each in predictions(ladder, "queue", place[1])}
    known = {name: share for name, share in shares.items() if share is not None}
    bad = {name: share for name, share in known.items() if abs(share) > EXPLAINED_WITHIN}
    named = "; not " + ", ".join(f"{name} ({100 * share:+.0f} %)" for name, share in bad.items()) if bad else ""
    show(
        f"in process, {place[1]} bytes: at most {100 * EXPLAINED_WITHIN:.0f} % of the added cost unexplained",
        f"{len(known) - len(bad)} of {len(known)} rungs{named}",
        f"{100 * EXPLAINED_TARGET:.0f} % of them",
        reached=len(known) - len(bad) >= EXPLAINED_TARGET * len(known),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
