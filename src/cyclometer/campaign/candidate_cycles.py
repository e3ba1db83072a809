# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cycles of a candidate, from the samples of one process."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cyclometer.host.counters import CounterScore
from cyclometer.records.columns import Columns
from cyclometer.records.grid import POINT, Point
from cyclometer.records.run import EMPTY, NEAR, SAME_CLOCK, STEPS
from cyclometer.records.several_values import trimmed_mean_of_several


class Cost(NamedTuple):
    """What a call costs, in core cycles or counter units, overhead subtracted."""

    cycles: float
    quiet: bool  # nothing disturbed it
    least: float  # what the fastest of its timings took


def cycles_of_points(
    table: Columns, counter: CounterScore, chain_cycles: int, quiet: Sequence[bool]
) -> dict[Point, Cost]:
    """Return the cost of each point.

    `table` has the columns of RECORD, `quiet` says which of its samples are undisturbed: they take precedence over
    other repetitions of their point. `chain_cycles` is the known cost of the chain beside each sample; 0 if there is
    none, and then the result is in units of the counter. Ticks are converted sample by sample, because the clock may
    change within a process.
    """
    ticks = _typical(list(table["series"]), counter)
    converts = counter.unit != "core cycles" and chain_cycles > 0
    clocks = _clocks(table) if converts else np.ones(len(ticks))
    times = ticks / clocks  # in chains, or ticks; each with the overhead of a timing
    series, used = table["series"], _used(table, quiet)
    weights = np.array([len(each) for each in series])
    typical = {point: _stabilised_median(times[own], weights[own]) for point, own in used.items()}
    short_chains = [(int(point[1]), sample) for point, sample in typical.items() if _is_overhead(point)]
    known, short = (statistics.fmean(values) for values in zip(*short_chains, strict=True))
    overhead = (short * chain_cycles - known) / (1 - short) if converts else short - known
    unit = chain_cycles + overhead if converts else 1.0
    step = counter.resolution if counter.dither_cycles else 0.0

    def cost(point: Point, own: Sequence[int]) -> Cost:
        timings = np.sort(np.concatenate([series[each] / clocks[each] for each in own])) * unit - overhead
        several = trimmed_mean_of_several(timings.tolist(), step * unit / clocks[own[0]])
        cycles = typical[point] * unit - overhead if several is None else several
        return Cost(cycles=max(0.0, cycles), quiet=quiet[own[0]], least=max(0.0, float(timings[0])))

    return {point: cost(point, own) for point, own in used.items() if point[0] != EMPTY}


def _used(table: Columns, quiet: Sequence[bool]) -> dict[Point, list[int]]:
    """Return the numbers of each point's quiet samples, or of all if none is quiet."""
    samples: dict[Point, list[int]] = defaultdict(list)
    for number, point in enumerate(zip(*(table[name].tolist() for name in POINT), strict=True)):
        samples[point].append(number)
    return {point: [each for each in own if quiet[each]] or own for point, own in samples.items()}


def _stabilised_median(values: np.ndarray, weights: np.ndarray) -> float:
    """Return the mean of the middle quarter of values, each as often as its weight says."""
    order, count = np.argsort(values), int(weights.sum())
    eightfold = np.repeat(values[order], 8 * weights[order])
    return float(eightfold[3 * count : 5 * count].mean())


def _typical(samples: Sequence[np.ndarray], counter: CounterScore) -> np.ndarray:
    """Return the median timing of each sample; of dithered ones the mean of those within a step of it."""
    typical = np.empty(len(samples))
    lengths = np.array([len(series) for series in samples])
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        timings = np.sort(np.stack([samples[index] for index in chosen.tolist()]), axis=1)
        medians = timings[:, [(length - 1) // 2]]  # never between two far apart
        near = np.abs(timings - medians) <= STEPS * counter.resolution + NEAR * medians
        means = np.where(near, timings, 0).sum(axis=1) / near.sum(axis=1)
        typical[chosen] = means if counter.dither_cycles else medians[:, 0]
    return typical


def _clocks(table: Columns) -> np.ndarray:
    """Return the chain timing that belongs to each sample: the median of those that show the same clock as its own.

    No clock changes for one sample. A chain that alone is slower, between two that agree, was interrupted on both sides
    of its sample. The sample takes the clock of its neighbours; by its own it would seem too fast.
    """
    chains = np.minimum(table["chain_before"], table["chain_after"]).astype(float)
    ordered, margin = np.sort(chains), np.floor(SAME_CLOCK * chains)  # they are whole numbers
    begin = np.searchsorted(ordered, chains - margin, side="left")
    end = np.searchsorted(ordered, chains + margin, side="right")
    medians: np.ndarray = (ordered[(begin + end - 1) // 2] + ordered[(begin + end) // 2]) / 2
    before, own, after = medians[:-2], medians[1:-1], medians[2:]
    interrupted = (
        ((end - begin)[1:-1] == 1) & (own > np.maximum(before, after)) & (np.abs(before - after) <= SAME_CLOCK * before)
    )
    medians[1:-1] = np.where(interrupted, (before + after) / 2, own)
    return medians


def _is_overhead(point: Point) -> bool:
    """Return whether the point is a short chain, whose cycles are its length: all beyond them is overhead."""
    return point[0] == EMPTY and point[3] == 0
