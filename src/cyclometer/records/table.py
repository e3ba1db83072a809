# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records of the end of the line: what analysis makes of samples and reporters print.

Frozen, keyword-only, without behaviour. A figure keeps its full precision;
how many digits are shown is the reporter's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.failure import Failure

RATIO = "ratio"
"""The unit of a figure that is one quantity over another of the same unit."""


@dataclass(frozen=True, kw_only=True)
class Value:
    """One number of a table, or one text (a tuning)."""

    value: float | int | str
    quartiles: tuple[float, float] | None = None  # first and third, of all timings of all rounds
    interval: tuple[float, float] | None = None  # 95 % of the headline; None with a single round
    rounds: int = 0  # processes the value rests on
    samples: int = 0
    timings: int = 0  # all that the samples have; a series of slow calls has fewer than usual
    disturbed: bool = False  # fewer than half of its rounds had a quiet moment
    rank: int = 0  # within its column, 1 = the fastest; those that tie share it
    shares_rank: bool = False  # no difference seen from another of the same rank
    ties_with_best: bool = False  # no difference seen from the fastest of the column, and not the fastest
    implementation: str = ""
    compiler: str = ""


@dataclass(frozen=True, kw_only=True)
class Column:
    """What runs across a table."""

    label: str
    unit: str  # core cycles | core cycles/byte | MB/s | bytes | RATIO | "" for text


@dataclass(frozen=True, kw_only=True)
class Row:
    """One system; `figures` is as long as the table has columns, None where nothing was measured."""

    operation: str
    primitive: str
    implementation: str  # empty where the figures come from different ones
    compiler: str
    label: str
    figures: tuple[Value | None, ...]


@dataclass(frozen=True, kw_only=True)
class Context:
    """What must be known to read the numbers of one machine."""

    machine: str
    cpu: str
    counter: str
    unit: str  # of the figures, before any division by bytes
    converted_from: str  # the counter's own unit where figures were converted, else empty
    profile: str
    runs: tuple[str, ...]
    overhead: float | None  # median subtracted, in the counter's unit; None = no empty call was measured
    spread: float | None  # of the A/A control, as a ratio minus 1; None = the run has no control


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table with all that its caption must say."""

    view: str
    operation: str
    measure: str  # empty where columns are measures or tunings
    title: str
    variable: str  # what the columns are: length, keys, machine, measure, comparison
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    contexts: tuple[Context, ...]  # one a machine
    ranked_by: str = ""  # label of the column the rows are sorted by; empty when sorted by name
    rows_are: str = "system"  # or the variable whose values the labels of the rows are


@dataclass(frozen=True, kw_only=True)
class MachineFailure:
    """A failure and the machine it happened on."""

    machine: str
    failure: Failure


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything one call prints."""

    tables: tuple[Table, ...]
    failures: tuple[MachineFailure, ...] = ()
    notes: tuple[str, ...] = ()  # what was left out and why
    with_quartiles: bool = False
    with_all_failures: bool = False
    verbose: bool = False  # captions also name counter, profile and overhead
