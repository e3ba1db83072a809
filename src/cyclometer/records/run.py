# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run: its description, its sizes and the columns of its Parquet files."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cyclometer.records.columns import BOOLEAN, INT16, INT32, INT64, INT64_LIST, NUMBER, TEXT, Columns, Types
from cyclometer.records.grid import POINT
from cyclometer.records.tuning import Tuning

FORMAT = 2
"""Version of a stored run. A reader upgrades older ones; raw data is never rewritten."""

SERIES_TIMINGS = 15
"""Timings of a sample, as in the paper; a series of slow calls has fewer."""

DISTURBED_ABOVE = 1.04
"""A probe is disturbed if its load/chain ratio is off the noise floor by more than this factor (as in noise.h).

Above it, a neighbour has slowed the load; below it, something has slowed the chain alone.
"""

STEPS, NEAR = 1.01, 0.01
"""A dithered timing counts if it is within so many steps of the counter and this part of it from the median."""

SAME_CLOCK = 0.01
"""Timings of the chain that differ by at most this fraction show the same clock."""

OTHER_DISTURBANCE = 100
"""Added to that factor if anything but load disturbed a sample, so that it ranks last (as in noise.h)."""

HARMLESS_INTERRUPTIONS = 0.01
"""Share of the time for which something may take the core away, microseconds at a time, without changing anything."""

EMPTY = "empty"
"""The measure of every operation that calls nothing: the overhead of a timing follows from it."""

PROTOCOL = "protocol"
"""The operation of `cyclometer protocol`, whose primitives are rungs; reports show it on a page of its own."""

CALIBRATION = "calibration"
"""The operation whose samples are of known cost (harness/calibration); they are part of every run, in no table."""

TYPICAL_LENGTH = 576
"""Bytes of a packet that stand for all where one length must do."""

MIX = "mix"
"""The first word of a grid line that declares a mix of packets, which is no measure (docs/harness.md)."""

REPLAY = "replay-"
"""With this begin the measures of packets among others of one workload's mix, which only rankings show."""

VECTORS_PASSED = "vectors_passed"
"""The Size that is the number of published vectors that a tuning passed."""

SHARED_CORE = "core shared with"
"""The fact that names the other processes that measured on the same core at the same time."""

EARLIER_RUNS = "earlier runs"
"""The fact that says how many earlier runs of the same programs are known, at most; their numbers are in `earlier`."""

CONSTANT_TIME = "constant_time"
"""The Size that is the verdict of the constant-time checker: 1, or 0 if something depends on a secret."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The samples of one executable in one round, with the columns of SAMPLES that the process knows."""

    subject: Tuning
    control: bool
    round: int
    chain_cycles: int
    table: Columns
    layout: int = 0  # in which the executable was timed


@dataclass(frozen=True, kw_only=True)
class Size:
    """A number that belongs to a chosen tuning: a size in bytes, `vectors_passed` or `constant_time`.

    `constant_time` is 1, or 0 if something was seen to depend on a secret; it is absent if it was not checked.
    """

    subject: Tuning
    name: str  # expanded_key_bytes | packet_overhead_bytes | code_bytes | vectors_passed | ...
    value: int


@dataclass(frozen=True, kw_only=True)
class EarlierCost:
    """What an earlier run on the same machine has measured of the same program at one point, in the unit of both."""

    subject: Tuning
    measure: str
    length: int
    ad_length: int
    keys: int
    alignment: int
    runs_ago: int  # 1: the last one that measured it
    cycles: float


def code_size(sizes: Mapping[str, int]) -> int | None:
    """Return the bytes of code of a tuning, from its sizes by name: what can be reached, libraries included.

    Where that is not known, the text and constants of its objects; None if that is not known, either.
    """
    return sizes.get("reachable_bytes", sizes.get("code_bytes"))


@dataclass(frozen=True, kw_only=True)
class RunInfo:
    """run.json: the description of a run. Every value can be written as JSON."""

    format: int
    run: str  # folder name: 2026-11-21T21-00-00-quick
    machine: str
    started: datetime.datetime
    finished: datetime.datetime | None  # None while the run is not finished
    profile: str
    command: tuple[str, ...]
    version: str
    contracts: dict[str, str]  # operation -> hash
    counter: dict[str, Any]  # name, unit ("core cycles" | "TSC ticks" | "ns"), per_second, chain_cycles
    facts: dict[str, Any]  # CPU, kernel, governor, turbo, noise ... from cyclometer.host
    compilers: dict[str, str]  # name -> command line and version
    primitives: dict[str, dict[str, Any]]  # "operation/primitive" -> its declaration, attacks included
    plan: dict[str, Any]  # what a resumed run must not change: seed, rounds, grids, systems
    id: str = ""  # random, kept by every copy and under every name; "" in format 1
    label: str = ""  # the user's words about the run; they select it, like its name
    recorded_as: tuple[str, str] | None = None  # run and machine in the columns of samples.parquet, if it was renamed

    @property
    def study(self) -> str:
        """Return the name of the study of `cyclometer protocol` that the run is of; '' if it is another kind of run."""
        return str(self.plan.get(PROTOCOL, {}).get("study", ""))


_TUNING: Types = {name: TEXT for name in ("operation", "primitive", "implementation", "compiler")}

SAMPLES: Types = {
    "run": TEXT,
    "machine": TEXT,
    **_TUNING,
    "control": BOOLEAN,  # taken to judge the run: the A/A twin of a tuning, or the calibration
    "round": INT16,
    "measure": TEXT,  # encrypt, decrypt, reject, expandkey, empty ...
    "length": INT32,  # packet (plaintext) bytes
    "ad_length": INT32,  # associated-data bytes
    "keys": INT32,  # active keys; 1 = the same expanded key every time
    "alignment": INT16,  # address of input and output modulo 64
    "counter": TEXT,
    "context_switches": INT16,  # during the series that was kept
    "retakes": INT16,  # disturbed series that were discarded before it
    "tsc": INT64,  # ticks of the time-stamp counter over the whole series, 0 if there is none
    # The reference kernels timed just before and after the series, in counter units, overhead
    # included: `chain` is chain_cycles dependent one-cycle additions, which show the clock rate; `load`
    # keeps execution ports and L1 busy, which shows a neighbour on the same core.
    "chain_before": INT32,
    "chain_after": INT32,
    "load_before": INT32,
    "load_after": INT32,
    "series": INT64_LIST,  # raw successive timings, counter units, overhead included
}
"""The columns of samples.parquet, with one row per sample."""

FAILURES: Types = {"stage": TEXT, **_TUNING, "reason": TEXT, "detail": TEXT, "kind": TEXT, "severity": TEXT}
TRIALS: Types = {
    **_TUNING,
    "cycles": NUMBER,
    "timings": INT32,
    "chosen": BOOLEAN,
    "place": INT32,
    "decided_by": TEXT,
    "quick_ratio": NUMBER,
    "parts": TEXT,
}
SIZES: Types = {**_TUNING, "name": TEXT, "value": INT64}
EARLIER: Types = {
    **_TUNING,
    **{name: SAMPLES[name] for name in POINT},
    "runs_ago": INT16,
    "cycles": NUMBER,
}
