# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records of comparing and exporting: one thing measured, round by round, and what an exporter is handed.

Frozen, keyword-only, without I/O of their own: the two functions inside
`Exported` read when they are called, so that an export of any size streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning import Tuning

RunKey = tuple[str, str]
"""(run, machine): what names a run among all."""


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """One thing measured in one run, a headline a round."""

    run: str
    machine: str
    subject: Tuning
    control: bool
    measure: str
    variables: Mapping[str, int]  # length, ad_length, keys, alignment
    numbers: tuple[int, ...]  # the rounds that count, ascending
    headlines: tuple[float, ...]  # of each: core cycles, or counter units where the run has no cycles
    timings: tuple[int, ...]  # single timings each rests on
    disturbed: bool  # fewer than half of its rounds had a quiet moment


@dataclass(frozen=True, kw_only=True)
class ExportSource:
    """What an exporter is handed."""

    infos: tuple[RunInfo, ...]
    units: Mapping[RunKey, str]  # of headlines
    hertz: Mapping[RunKey, float | None]  # those units a second; None where the run does not say
    rounds: Callable[[], Iterator[Rounds]]  # without the A/A control
    samples: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
    """Stored rows, the A/A control among them, ordered by the columns named; two more columns:
    `cycles`, the sample's headline (null for the empty call), and `disturbed`."""
    foreign: Mapping[str, ForeignOperation]  # names in SUPERCOP's data lines, by operation

    def info(self, run: str, machine: str) -> RunInfo:
        """The record of a run by its name."""
        return next(info for info in self.infos if (info.run, info.machine) == (run, machine))
