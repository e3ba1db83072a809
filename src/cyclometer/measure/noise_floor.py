# SPDX-License-Identifier: MIT OR Apache-2.0
"""The noise floor of this machine: learnt from every process of a campaign and passed to the next."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import numpy.typing as npt

from cyclometer.records.columns import Columns
from cyclometer.records.run import DISTURBED_ABOVE, EMPTY

STEADY = 1.01
"""The clock was steady if the chain timings before and after a series differ by at most this factor."""

QUANTILE = 0.05
"""The noise floor is this quantile of load/chain at a steady clock, low enough for a machine that is rarely quiet."""

MIN_PROBES = 200
"""Probes needed before the noise floor counts as known."""

STEPS_IN_ONE = 10_000
"""Ratios are counted in steps of a ten-thousandth."""


class NoiseFloor:
    """The load/chain ratio of undisturbed probes.

    It holds for a whole campaign, because the reference kernels are the same code in every process.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()  # probes by ratio, in steps
        self._value: float | None = None  # kept until there are more probes: a campaign reads it thousands of times

    def add(self, samples: Columns) -> None:
        """Add the probes taken before and after these samples."""
        self._counts.update(_steps(samples))
        self._value = None

    def forget(self, samples: Columns) -> None:
        """Take away the probes of samples that have been added and are not believed."""
        self._counts.subtract(_steps(samples))
        self._value = None

    @property
    def value(self) -> float:
        """The noise floor, or 0 while there are fewer than MIN_PROBES probes."""
        if self._value is None:
            probes = self._counts.total()
            self._value = self._quantile(QUANTILE * probes) / STEPS_IN_ONE if probes >= MIN_PROBES else 0.0
        return self._value

    def _quantile(self, wanted: float) -> int:
        """Return the first step up to which there are so many probes."""
        steps = sorted(self._counts)
        reached = itertools.accumulate(self._counts[step] for step in steps)
        return next(step for step, probes in zip(steps, reached, strict=True) if probes >= wanted)


def _steps(samples: Columns) -> list[int]:
    """Return the ratios of the probes taken before and after the empty functions among these samples, in steps.

    Others may leave wide vector units that are just waking up, which slow the chain and not the load.
    """
    empty = samples["measure"] == EMPTY
    before, after, *loads = (
        samples[name][empty].astype(np.float64) for name in ("chain_before", "chain_after", "load_before", "load_after")
    )
    steady = (np.minimum(before, after) > 0) & (np.maximum(before, after) <= STEADY * np.minimum(before, after))
    ratios = np.concatenate([load[steady] / chain[steady] for load, chain in zip(loads, (before, after), strict=True)])
    steps: list[int] = np.rint(STEPS_IN_ONE * ratios).astype(np.int64).tolist()
    return steps


def undisturbed(samples: Columns, noise_floor: float) -> npt.NDArray[np.bool_]:
    """Return for each sample whether nothing disturbed it.

    A `noise_floor` of 0 means that it is not known yet; only the clock and context switches are judged then.
    """
    names = ("chain_before", "chain_after", "load_before", "load_after", "context_switches")
    before, after, load_before, load_after, switches = (samples[name] for name in names)
    steady = np.asarray(np.maximum(before, after) <= DISTURBED_ABOVE * np.minimum(before, after))
    with np.errstate(all="ignore"):
        ratios = load_before / before, load_after / after
        loaded = np.fmax(*ratios) > DISTURBED_ABOVE * (noise_floor or np.inf)
        is_slow_chain = np.fmin(*ratios) * DISTURBED_ABOVE < noise_floor
    return np.asarray((switches == 0) & steady & ~loaded & ~is_slow_chain)
