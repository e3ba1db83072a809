# SPDX-License-Identifier: MIT OR Apache-2.0
"""The noise floor of this machine: learnt from every process of a campaign and passed to the next."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cyclometer.records.columns import Columns
from cyclometer.records.run import DISTURBED_ABOVE

STEADY = 1.01
"""The clock was steady if the chain timings before and after a series differ by at most this factor."""

QUANTILE = 0.05
"""The noise floor is this quantile of load/chain at a steady clock, low enough for a machine that is rarely quiet."""

MIN_PROBES = 200
"""Probes needed before the noise floor counts as known."""

STEPS_IN_ONE, STEPS_KNOWN = 10_000, 100_000
"""Ratios are counted in steps of a ten-thousandth, and as many steps; the last counts everything beyond."""


class NoiseFloor:
    """The load/chain ratio of undisturbed probes.

    It holds for a whole campaign, because the reference kernels are the same code in every process.
    """

    def __init__(self) -> None:
        self._counts = np.zeros(STEPS_KNOWN, dtype=np.int64)  # probes by ratio, in steps
        self._value: float | None = None  # kept until there are more probes: a campaign reads it thousands of times

    def add(self, samples: Columns) -> None:
        """Add the probes taken before and after these samples."""
        self._counts += _by_step(samples)
        self._value = None

    def forget(self, samples: Columns) -> None:
        """Take away the probes of samples that have been added and are not believed."""
        self._counts -= _by_step(samples)
        self._value = None

    @property
    def value(self) -> float:
        """The noise floor, or 0 while there are fewer than MIN_PROBES probes."""
        if self._value is None:
            reached = np.cumsum(self._counts)
            step = int(np.searchsorted(reached, QUANTILE * reached[-1]))
            self._value = step / STEPS_IN_ONE if reached[-1] >= MIN_PROBES else 0.0
        return self._value


def _by_step(samples: Columns) -> npt.NDArray[np.int64]:
    """Count the probes taken before and after these samples by their ratio, in steps."""
    before, after, *loads = (
        samples[name].astype(np.float64) for name in ("chain_before", "chain_after", "load_before", "load_after")
    )
    steady = (np.minimum(before, after) > 0) & (np.maximum(before, after) <= STEADY * np.minimum(before, after))
    ratios = np.concatenate([load[steady] / chain[steady] for load, chain in zip(loads, (before, after), strict=True)])
    steps = np.rint(STEPS_IN_ONE * ratios).astype(np.int64)
    return np.bincount(np.minimum(steps, STEPS_KNOWN - 1), minlength=STEPS_KNOWN)


def undisturbed(samples: Columns, noise_floor: float) -> npt.NDArray[np.bool_]:
    """Return for each sample whether nothing disturbed it.

    A `noise_floor` of 0 means that it is not known yet; only the clock and context switches are judged then.
    """
    names = ("chain_before", "chain_after", "load_before", "load_after", "context_switches")
    before, after, load_before, load_after, switches = (samples[name] for name in names)
    steady = np.asarray(np.maximum(before, after) <= DISTURBED_ABOVE * np.minimum(before, after))
    with np.errstate(all="ignore"):
        loaded = np.fmax(load_before / before, load_after / after) > DISTURBED_ABOVE * (noise_floor or np.inf)
    return np.asarray((switches == 0) & steady & ~loaded)
