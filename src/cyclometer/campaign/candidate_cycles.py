# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cycles of a candidate, from the samples of one process."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from cyclometer.host.counters import CounterScore
from cyclometer.records.columns import Columns
from cyclometer.records.grid import POINT
from cyclometer.records.run import EMPTY, NEAR, SAME_CLOCK, STEPS

Point = tuple[str | int, ...]
"""The values of POINT."""


def cycles_of_points(
    table: Columns, counter: CounterScore, chain_cycles: int, quiet: Sequence[bool]
) -> dict[Point, tuple[float, bool]]:
    """Return the cycles of each point, overhead subtracted, and whether it was measured undisturbed.

    `table` has the columns of RECORD, `quiet` says which of its samples are undisturbed: they take precedence over
    other repetitions of their point. `chain_cycles` is the known cost of the chain beside each sample; 0 if there is
    none, and then the result is in units of the counter. Ticks are converted sample by sample, because the clock may
    change within a process.
    """
    ticks = np.array([_typical(series.tolist(), counter) for series in table["series"]])
    converts = counter.unit != "core cycles" and chain_cycles > 0
    times = ticks / _clocks(table) if converts else ticks  # in chains, or ticks; each with the overhead of a timing
    samples: dict[Point, list[tuple[float, bool]]] = defaultdict(list)
    points = zip(*(table[name].tolist() for name in POINT), strict=True)
    for point, sample, is_quiet in zip(points, times.tolist(), quiet, strict=True):
        samples[point].append((sample, is_quiet))
    typical = {point: _median_of_quiet(values) for point, values in samples.items()}
    short_chains = [(int(point[1]), sample) for point, (sample, _) in typical.items() if _is_overhead(point)]
    known, short = (statistics.fmean(values) for values in zip(*short_chains, strict=True))
    overhead = (short * chain_cycles - known) / (1 - short) if converts else short - known
    unit = chain_cycles + overhead if converts else 1.0
    return {
        point: (max(0.0, sample * unit - overhead), is_quiet)
        for point, (sample, is_quiet) in typical.items()
        if point[0] != EMPTY
    }


def _typical(series: Sequence[float], counter: CounterScore) -> float:
    """Return the median timing; of dithered ones the mean of those within a step of it."""
    median = statistics.median_low(series)
    if not counter.dither_cycles:
        return median
    return statistics.fmean(
        timing for timing in series if abs(timing - median) <= STEPS * counter.resolution + NEAR * median
    )


def _clocks(table: Columns) -> np.ndarray:
    """Return the chain timing that belongs to each sample: the median of those that show the same clock as its own."""
    chains = np.minimum(table["chain_before"], table["chain_after"]).astype(float)
    same = np.abs(chains[:, None] - chains[None, :]) <= SAME_CLOCK * chains[:, None]
    ordered, count = np.sort(np.where(same, chains, np.inf)), same.sum(axis=1)
    rows = np.arange(len(chains))
    medians: np.ndarray = (ordered[rows, (count - 1) // 2] + ordered[rows, count // 2]) / 2
    return medians


def _is_overhead(point: Point) -> bool:
    """Return whether the point is a short chain, whose cycles are its length: all beyond them is overhead."""
    return point[0] == EMPTY and point[3] == 0


def _median_of_quiet(values: Iterable[tuple[float, bool]]) -> tuple[float, bool]:
    """Return the median of the quiet values and True, or of all and False if none is quiet."""
    values = list(values)
    quiet = [value for value, is_quiet in values if is_quiet]
    return statistics.median(quiet or [value for value, _ in values]), bool(quiet)
