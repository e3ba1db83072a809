# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records that plots are drawn from.

Lengths are in the operation's unit; cycles are in the unit that the machine's context names, with
the overhead subtracted.
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
    """A tuning that was measured on a machine."""

    machine: str
    operation: str
    primitive: str
    implementation: str
    compiler: str
    label: str  # the primitive, with the tuning if the machine measured several


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One measure of one system over the packet lengths; all arrays are as long as `lengths`."""

    system: System
    measure: str
    keys: int  # active keys
    lengths: Integers  # ascending, each once; a single 0 if the measure has no length
    cycles: Floats  # headlines
    rounds: Floats  # (lengths, rounds): the headline of each round that is used, else NaN
    low: Floats  # interval of the headline; NaN with a single round
    high: Floats
    first_quartile: Floats  # of all timings of the rounds used
    third_quartile: Floats
    disturbed: Flags  # none of its samples is undisturbed
    between: tuple[int, ...] = ()  # the measured lengths that its only length is interpolated from; empty: measured


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """Every raw timing, disturbed ones included, of one measure of one system with one active key."""

    system: System
    measure: str
    lengths: npt.NDArray[np.int32]
    cycles: npt.NDArray[np.float32]
    first: Flags  # the first timing of a series


@dataclass(frozen=True, kw_only=True)
class PlacedCurve:
    """The time of one measure of one system in one situation, over one variable of placement.

    A situation is a value of the column `cold`, of which the first timing after the eviction counts, or one of WARM.
    """

    system: System
    measure: str
    variable: str  # TIMING | BETWEEN | LENGTH
    situation: str
    length: int  # of TIMING and BETWEEN
    at: Integers  # the number of the timing after the eviction, KiB of other code before each call, or the length
    cycles: Floats  # medians over trials and processes


TIMING, BETWEEN, LENGTH = "timing", "between", "length"
BEST, WORST = "best place", "worst place"
WARM = ("warm", BEST, WORST)
"""Situations in which everything is warm: at the first place, and at the best and the worst of all."""

FIRST, UNDECIDED, SECOND = -1, 0, 1
"""Which of two systems is faster at a length."""


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """A length at which the order of two systems changes for good."""

    length: int  # from here on `faster_above` is faster, on the whole
    low: int  # up to this length `faster_below` is clearly faster
    high: int  # from this length on `faster_above` is clearly faster
    faster_below: int  # FIRST | SECOND
    faster_above: int


@dataclass(frozen=True, kw_only=True)
class Ordering:
    """The order of two systems at the lengths at which both were measured."""

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
    """The data that a plot needs; the less it needs, the faster it is read."""

    clouds: bool = False
    rivalries: bool = False
    one_length: bool = False  # with one active key, only the requested length
    ends: bool = False  # unless a length is requested: the shortest and the longest one instead of the typical one
    many_keys: bool = False  # also more than one active key
    leaders: bool = False  # unless systems are named: only the few that matter
    placement: bool = False  # instead of ordinary numbers, how they depend on placement
    all_machines: bool = False  # unless runs are named: the last run of each machine instead of the last run


@dataclass(frozen=True, kw_only=True)
class PlotData:
    """Everything that the plots of one operation are drawn from."""

    operation: str
    contexts: Mapping[str, Context]  # by machine
    expanded_key_bytes: Mapping[System, int]
    curves: tuple[Curve, ...]
    clouds: tuple[Cloud, ...]
    rivalries: tuple[PairOrder, ...]
    length: int  # the typical packet length, for plots that show one
    length_unit: str = "bytes"
    ends: tuple[int, ...] = ()  # the shortest and the longest length, if the plot needs them
    placed: tuple[PlacedCurve, ...] = ()  # if the plot needs placement


@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """What the user requested; 0, None and "" leave the choice to the plot."""

    measure: str = ""
    length: int | None = None
    up_to: int = 0  # longest packet shown
    diagonal: float = 0.0  # cycles per byte, or whatever a length counts
