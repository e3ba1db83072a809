# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records of comparisons and exports: headlines by round, and the source of an export.

The functions in `ExportSource` read when they are called, so that exports of any
size can be streamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.columns import Row
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning import Tuning

RunKey = tuple[str, str]
"""(run, machine), which identifies a run."""


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """One cell of one run, with a headline per round."""

    run: str
    machine: str
    subject: Tuning
    control: bool
    measure: str
    variables: Mapping[str, int]  # length, ad_length, keys, alignment
    numbers: tuple[int, ...]  # the rounds used, ascending
    headlines: tuple[float, ...]  # of each round: core cycles, or counter units if the run has no cycles
    timings: tuple[int, ...]  # the number of timings in each round
    disturbed: bool  # none of its samples is undisturbed
    unclear: bool = False  # disturbed timings chose the tuning, so another may be faster


@dataclass(frozen=True, kw_only=True)
class ExportSource:
    """What an export reads from."""

    infos: tuple[RunInfo, ...]
    units: Mapping[RunKey, str]  # of headlines
    length_units: Mapping[str, str]  # what a length counts, by operation
    hertz: Mapping[RunKey, float | None]  # those units per second; None if unknown
    rounds: Callable[[], Iterator[Rounds]]  # without the A/A control
    samples: Callable[[Sequence[str]], Iterator[Row]]
    """Stored rows, including the A/A control, ordered by the named columns.

    Two columns are added: `cycles`, the sample's headline (null for the empty call), and `disturbed`.
    """
    copy: Callable[[Literal["csv", "parquet"], Sequence[str], Path], None]
    """Writes those rows to a new file of that format."""
    foreign: Mapping[str, ForeignOperation]  # names in SUPERCOP's data lines, by operation

    def info(self, run: str, machine: str) -> RunInfo:
        """Return the description of a run."""
        return next(info for info in self.infos if (info.run, info.machine) == (run, machine))
