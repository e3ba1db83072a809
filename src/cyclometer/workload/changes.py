# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where the winner of a ranking changes: with the share of forgeries, the length, the number of keys."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cyclometer.analyse.estimate.estimators import COVERAGE
from cyclometer.analyse.estimate.ranking import Spread, ranks
from cyclometer.workload.costs import Cost, Measured, cost_of, resampled_cost
from cyclometer.workload.coverage import Coverage
from cyclometer.workload.model import model_terms, one_key
from cyclometer.workload.workload import Workload


@dataclass(frozen=True, kw_only=True)
class Change:
    """Who leads where one variable of the workload has another value."""

    variable: str  # forged share | bytes | keys, or `from bytes` and `from keys`, where the leader changes between two
    value: float  # at which the leader changes, or for which it is given
    interval: tuple[float, float] | None  # of the value, if it is computed
    leaders: tuple[str, ...]  # those that tie for the lead


@dataclass(frozen=True, kw_only=True)
class Contest:
    """The systems of a ranking, the winner first."""

    workload: Workload
    names: Sequence[str]
    measured: Mapping[str, Measured]
    coverage: Mapping[str, Coverage]
    spread: Spread | None

    def changes(self) -> list[Change]:
        """Return every change of the leader that the measured points show; the model counts, without the replay."""
        return [*self._forged(), *self._lengths(), *self._one_key()]

    def _forged(self) -> Iterator[Change]:
        """Yield the nearest shares of forgeries, below and above the workload's, at which another system leads."""
        if self.workload.encrypt == 1 or not all(self._has(replace(self.workload, forged=f)) for f in (0.0, 1.0)):
            return
        winner, *others = self.names
        ends = (replace(self.workload, forged=0.0), replace(self.workload, forged=1.0))
        crossings = [(self._crossing(winner, other, ends), other) for other in others]
        known = [(share, other) for (share, *_), other in crossings if 0 <= share <= 1]
        for below in (True, False):
            near = [(share, other) for share, other in known if (share < self.workload.forged) == below]
            if near:
                share, other = (max if below else min)(near)
                _, low, high = self._crossing(winner, other, ends)
                yield Change(variable="forged share", value=share, interval=(low, high), leaders=(other,))

    def _crossing(self, one: str, other: str, workloads: tuple[Workload, Workload]) -> tuple[float, float, float]:
        """Return where between two workloads two systems cost the same, 0 to 1, and its interval; NaN if nowhere.

        Costs are linear between the two.
        """
        ends = [model_terms(workload) for workload in workloads]
        first, last = (cost_of(self.measured[one], e).value - cost_of(self.measured[other], e).value for e in ends)
        if first * last > 0 or first == last:
            return (np.nan, np.nan, np.nan)
        drawn = [resampled_cost(self.measured[one], e) - resampled_cost(self.measured[other], e) for e in ends]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.clip(drawn[0] / (drawn[0] - drawn[1]), 0, 1)
        low, high = np.nanquantile(shares, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
        return (first / (first - last), float(low), float(high))

    def _lengths(self) -> Iterator[Change]:
        """Yield the leaders for each length alone, if they are not everywhere the same."""
        lengths = sorted({length for length, _ in self.workload.packets})
        leaders = {length: self._leaders(self._only(length)) for length in lengths}
        if len(set(leaders.values())) > 1:
            for length, names in leaders.items():
                yield Change(variable="bytes", value=length, interval=None, leaders=names)
            for low, high in itertools.pairwise(lengths):
                ends = (self._only(low), self._only(high))
                yield from self._between("from bytes", ends, _line(low, high))

    def _one_key(self) -> Iterator[Change]:
        """Yield the leaders under a single key, if they are others."""
        single = one_key(self.workload)
        if self.workload.keys > 1 and self._leaders(single) != self._leaders(self.workload):
            yield Change(variable="keys", value=1, interval=None, leaders=self._leaders(single))
            keys = self.workload.keys
            yield from self._between("from keys", (single, self.workload), lambda share: float(keys**share))

    def _between(
        self, variable: str, ends: tuple[Workload, Workload], place: Callable[[float], float]
    ) -> Iterator[Change]:
        """Yield where the leader changes between two measured workloads, if none leads both; `place` maps 0 to 1."""
        if set(self._leaders(ends[0])) & set(self._leaders(ends[1])):
            return
        first, last = (self._cheapest(end) for end in ends)
        share, low, high = self._crossing(first, last, ends)
        if not np.isnan(share):
            yield Change(variable=variable, value=place(share), interval=(place(low), place(high)), leaders=(last,))

    def _cheapest(self, workload: Workload) -> str:
        terms = model_terms(workload)
        return min(self.names, key=lambda name: cost_of(self.measured[name], terms).value)

    def _only(self, length: int) -> Workload:
        shares = {packet: share for packet, share in self.workload.packets.items() if packet[0] == length}
        total = sum(shares.values())
        return replace(self.workload, packets={packet: share / total for packet, share in shares.items()})

    def _has(self, workload: Workload) -> bool:
        points = {term.point for term in model_terms(workload)}
        return all(points <= self.measured[name].keys() for name in self.names)

    def _leaders(self, workload: Workload) -> tuple[str, ...]:
        costs: list[tuple[str, Cost]] = [
            (name, cost_of(self.measured[name], model_terms(workload))) for name in self.names
        ]
        places = ranks([cost.as_cell(self.coverage[name].tuning) for name, cost in costs], self.spread)
        return tuple(sorted(name for (name, _), place in zip(costs, places, strict=True) if place.position == 1))


def _line(low: float, high: float) -> Callable[[float], float]:
    return lambda share: low + share * (high - low)
