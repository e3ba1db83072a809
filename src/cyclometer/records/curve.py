# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records pictures are drawn from: what analysis makes of samples where tables would be too long.

Frozen, keyword-only, without behaviour. Lengths are in bytes; cycles in the
unit that the machine's context names, overhead subtracted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.records.table import Context

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class System:
    """A primitive as it was built and measured on a machine."""

    machine: str
    operation: str
    primitive: str
    implementation: str
    compiler: str
    label: str  # the primitive; with its tuning where the machine has several


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One measure of one system over the packet lengths. All arrays are as long as `lengths`."""

    system: System
    measure: str
    keys: int  # active keys
    lengths: Integers  # ascending, each once; a single 0 where the measure has no length
    cycles: Floats  # headlines
    rounds: Floats  # (lengths, rounds): those of the rounds that count, NaN where one does not
    low: Floats  # interval of the headline; NaN with a single round
    high: Floats
    first_quartile: Floats  # of all timings of all rounds that count
    third_quartile: Floats
    disturbed: Flags  # fewer than half of the rounds had a quiet moment


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """Every raw timing of one measure of one system with one active key, disturbed ones included."""

    system: System
    measure: str
    lengths: npt.NDArray[np.int32]
    cycles: npt.NDArray[np.float32]
    first: Flags  # the first of its series: code and data were cold


FIRST, UNDECIDED, SECOND = -1, 0, 1
"""Who of two is faster at a length."""


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """A length at which the order of two systems turns for good."""

    length: int  # from here on the other one is faster, on the whole
    low: int  # the last length up to which `faster_below` is clearly faster
    high: int  # the first length from which `faster_above` is clearly faster
    faster_below: int  # FIRST | SECOND
    faster_above: int


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """Two systems over the lengths at which both were measured."""

    lengths: Integers
    verdicts: npt.NDArray[np.int8]  # FIRST | UNDECIDED | SECOND at each length
    cutoffs: tuple[Crossover, ...]


@dataclass(frozen=True, kw_only=True)
class PairOrder:
    """The order of two systems on one machine by one measure, with one active key."""

    first: System
    second: System
    measure: str
    order: Ordering


@dataclass(frozen=True, kw_only=True)
class PlotInputs:
    """What a picture wants to be given; less is faster."""

    clouds: bool = False
    rivalries: bool = False
    one_length: bool = False  # of one active key, only the length wished for
    ends: bool = False  # without a wish: the shortest and the longest length instead of the typical one
    many_keys: bool = False  # more than one active key too
    all_machines: bool = False  # unless runs are named: the last run of each machine instead of the last of all


@dataclass(frozen=True, kw_only=True)
class PlotData:
    """All that pictures of one operation are drawn from."""

    operation: str
    contexts: Mapping[str, Context]  # by machine
    expanded_key_bytes: Mapping[System, int]
    curves: tuple[Curve, ...]
    clouds: tuple[Cloud, ...]
    rivalries: tuple[PairOrder, ...]
    length: int  # the packet length that stands for all where there is room for one
    ends: tuple[int, ...] = ()  # the shortest and the longest, where they were asked for


@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """What the user wished of a picture; 0 and "" leave it to the picture."""

    measure: str = ""
    length: int | None = None
    up_to: int = 0  # longest packet drawn
    diagonal: float = 0.0  # cycles per byte
