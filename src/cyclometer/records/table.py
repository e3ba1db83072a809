# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records of tables: what `analyse` computes and `report` prints.

Values keep their full precision; a report decides how many digits it shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cyclometer.records.failure import Failure
from cyclometer.records.verdict import Missing, Verdict

RATIO = "ratio"
"""The unit of a value that is a quantity divided by another one in the same unit."""

PERCENT, BITS, YEARS = "%", "bits", "years"
"""Units that a column's label names itself."""

SIZES = frozenset({"bytes", "calls", "lines", "pages"})
"""Units of sizes and counts, which are read from an executable instead of timed."""

RATES = frozenset({"calls/s", "handshakes/s", "M packets/s", "Gbit/s"})
"""Units of what happens in a second on one core."""

NOT_TIMES = frozenset({"", *SIZES, *RATES, RATIO, PERCENT, BITS, YEARS})
"""Units of what is not measured in time."""


def size_unit(name: str) -> str:
    """Return the unit of a size: what its name ends in, such as `executed_lines`, or else bytes."""
    last = name.rpartition("_")[2]
    return last if last in SIZES else "bytes"


@dataclass(frozen=True, kw_only=True)
class Value:
    """One number of a table, or one text (a tuning)."""

    value: float | int | str
    quartiles: tuple[float, float] | None = None  # first and third, of all timings of all rounds
    interval: tuple[float, float] | None = None  # 95 % of the headline; None with a single round
    error: float | None = None  # half of the interval, or what the A/A spread makes of the value if that is more
    is_difference: bool = False  # of two numbers: within its error it is nothing measurable
    between: tuple[int, ...] = ()  # the measured lengths it is interpolated from; empty: measured
    rounds: int = 0  # the number of rounds used
    samples: int = 0
    timings: int = 0  # in all samples; a series of slow calls has fewer than usual
    disturbed: bool = False  # none of its samples is undisturbed
    varies: bool = False  # another run may say something else: its interval is wide, it has few rounds, or is unclear
    unclear: bool = False  # disturbed timings chose its tuning, so another may be faster
    rank: int = 0  # in its column; 1 is the fastest, and values that tie share a rank
    shares_rank: bool = False  # ties with another value of the same rank
    ties_with_best: bool = False  # ties with the fastest of the column without being it
    implementation: str = ""
    compiler: str = ""

    def times(self, factor: float) -> Value:
        """Return this number by a positive factor, with all that says how far to trust it."""
        assert not isinstance(self.value, str)
        return replace(
            self,
            value=factor * self.value,
            quartiles=self.quartiles and (factor * self.quartiles[0], factor * self.quartiles[1]),
            interval=self.interval and (factor * self.interval[0], factor * self.interval[1]),
            error=self.error and factor * self.error,
        )


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table."""

    label: str
    unit: str  # core cycles | core cycles/byte | MB/s | bytes | RATIO | "" for text


@dataclass(frozen=True, kw_only=True)
class Row:
    """One system; `figures` has one entry per column, None if nothing was measured."""

    operation: str
    primitive: str
    implementation: str  # empty if the values are from different ones
    compiler: str
    label: str
    figures: tuple[Value | None, ...]


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How far the numbers of code of known cost are off, in core cycles."""

    error: float  # the worst beside what is tolerated: measured less true
    true: int  # the cost of the code that it was seen at
    up_to: int  # the largest cost that was tried
    fails: bool  # it is more than tolerated
    disturbed: bool  # no undisturbed sample shows it


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a reader must know about the numbers of one machine."""

    machine: str
    cpu: str
    counter: str
    unit: str  # of the values, before any division by bytes
    converted_from: str  # the counter's own unit if values were converted, else empty
    profile: str
    runs: tuple[str, ...]
    overhead: float | None  # the median that was subtracted, in the counter's unit; None: not measured
    spread: float | None  # of the A/A control, as a ratio minus 1; None: the run has no control
    dithered_step: float | None = None  # of a coarse counter, in its own unit; None: the counter is fine
    is_read_twice: bool = False  # for each count, half a step apart
    calibration: Calibration | None = None  # None: the run has none, or its unit is not core cycles
    earlier_runs: int = 0  # how many of the same programs the intervals know; 0: too few


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table with everything that its caption needs."""

    view: str
    operation: str
    measure: str  # empty if columns are measures or tunings
    title: str
    variable: str  # what the columns are: length, keys, machine, measure, comparison
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    contexts: tuple[Context, ...]  # one per machine
    ranked_by: str = ""  # label of the column that the rows are sorted by; empty if sorted by name
    rows_are: str = "system"  # or the variable whose values label the rows
    tie: str = "tie: no significant difference from the fastest in the column"  # what the mark of a tie says


@dataclass(frozen=True, kw_only=True)
class MachineFailure:
    """A failure and the machine on which it happened."""

    machine: str
    failure: Failure


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that one call of a subcommand prints."""

    tables: tuple[Table, ...]
    failures: tuple[MachineFailure, ...] = ()
    notes: tuple[str, ...] = ()  # such as what was left out, and why
    verdicts: tuple[Verdict, ...] = ()  # of a comparison
    missing: tuple[Missing, ...] = ()  # systems of A that B lacks
    with_quartiles: bool = False
    with_all_failures: bool = False
    verbose: bool = False  # captions also name counter, profile and overhead

    @property
    def passed(self) -> bool:
        """Return whether every verdict is within its limit and nothing is missing."""
        return all(verdict.passed for verdict in self.verdicts) and all(missing.passed for missing in self.missing)
