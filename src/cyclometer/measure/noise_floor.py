# SPDX-License-Identifier: MIT OR Apache-2.0
"""What quiet is on this machine, learnt from every process of a campaign and told to the next."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cyclometer.records.run import DISTURBED_ABOVE

STEADY = 1.01
"""Chain timings before and after a series that agree so well were not interrupted."""

QUANTILE = 0.05
"""Of load/chain in steady moments: the quiet level, even where neighbours leave little time between them."""

MIN_PROBES = 200
"""Moments below which nothing is said."""


class NoiseFloor:
    """load/chain of quiet moments: the kernels are the same code in every process of a campaign."""

    def __init__(self) -> None:
        self._ratios: list[npt.NDArray[np.float64]] = []
        self._value: float | None = None  # once asked for, until there are more: a campaign asks thousands of times

    def add(self, samples: pa.Table) -> None:
        """The moments beside these samples."""
        before, after, *loads = (
            samples[name].to_numpy().astype(np.float64)
            for name in ("chain_before", "chain_after", "load_before", "load_after")
        )
        steady = (np.minimum(before, after) > 0) & (np.maximum(before, after) <= STEADY * np.minimum(before, after))
        chains = (before, after)
        self._ratios += [load[steady] / chain[steady] for load, chain in zip(loads, chains, strict=True)]
        self._value = None

    @property
    def value(self) -> float:
        """The level, or 0 while too little is known."""
        if self._value is None:
            ratios = np.concatenate(self._ratios) if self._ratios else np.empty(0)
            self._value = float(np.quantile(ratios, QUANTILE)) if len(ratios) >= MIN_PROBES else 0.0
        return self._value


def undisturbed(samples: pa.Table, quiet: float) -> npt.NDArray[np.bool_]:
    """Of each sample whether nothing disturbed it, as far as this level of load/chain tells (0: not known)."""
    names = ("chain_before", "chain_after", "load_before", "load_after", "context_switches")
    before, after, load_before, load_after, switches = (samples[name].to_numpy() for name in names)
    steady = np.asarray(np.maximum(before, after) <= DISTURBED_ABOVE * np.minimum(before, after))
    with np.errstate(all="ignore"):
        loaded = np.fmax(load_before / before, load_after / after) > DISTURBED_ABOVE * (quiet or np.inf)
    return np.asarray((switches == 0) & steady & ~loaded)
