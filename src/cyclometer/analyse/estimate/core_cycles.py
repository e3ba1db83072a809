# SPDX-License-Identifier: MIT OR Apache-2.0
"""From raw series to core cycles, sample by sample, inside the database.

`prepare` derives the conditions of whole runs once; then `corrected_sql` is a query over exactly the samples needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from cyclometer.analyse.estimate.estimators import (
    dithered_mean_sql,
    has_several_values_sql,
    mean_sql,
    stq2_sql,
    trimmed_mean_sql,
)
from cyclometer.analyse.estimate.interruptions import (
    INTERRUPTIONS,
    interrupted_share_sql,
    interrupts_most_sql,
    middle_sql,
)
from cyclometer.analyse.estimate.run_to_run import run_to_run_sql
from cyclometer.analyse.estimate.unclear import UNCLEAR_TUNINGS
from cyclometer.records.grid import POINT
from cyclometer.records.run import DISTURBED_ABOVE, EMPTY, OTHER_DISTURBANCE, SAME_CLOCK, RunInfo

SUBJECT = "operation, primitive, implementation, compiler"
PROCESS = f"run, machine, {SUBJECT}, control, round"
VARIABLES = POINT[1:]

NOISE_FLOOR_QUANTILE = 0.05
"""Quantile of a run's load/chain ratios that is its noise floor, unless run.json records a lower one."""

NEAR_MINIMUM = 1.02
"""If no sample is undisturbed, those are used whose contention is at most this multiple of the cell's least."""

BLOCK = 16
"""Number of consecutive samples whose chain timings are averaged if they show the same clock."""

INTERRUPTED = 1.5
"""A chain slower than its block's median by more than this factor was interrupted, even if before and after agree.

No clock changes that much and back, and a sample scaled by it would seem too fast.
"""

COARSE_BELOW = 1000
"""A step of the timer counts as coarse if a timing is shorter than this many steps."""


def prepare(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo]) -> None:
    """Create the tables that `corrected_sql` and `cells` need, for the runs behind `samples`.

    These are noise_floors, coarse_timers, overheads, clocks, interruptions, run_to_run, and the tunings that are
    `unclear`.
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE conversions (run VARCHAR, machine VARCHAR, chain_cycles DOUBLE)")
    connection.execute("CREATE OR REPLACE TEMP TABLE recorded_floors (run VARCHAR, machine VARCHAR, recorded DOUBLE)")
    connection.execute("CREATE OR REPLACE TEMP TABLE coarse_timers (run VARCHAR, machine VARCHAR, step DOUBLE)")
    for info in infos:
        if info.counter.get("dither_cycles"):
            row = [info.run, info.machine, info.counter.get("resolution") or 1.0]
            connection.execute("INSERT INTO coarse_timers VALUES (?, ?, ?)", row)
        if converts(info):
            row = [info.run, info.machine, chain_cycles(info)]
            connection.execute("INSERT INTO conversions VALUES (?, ?, ?)", row)
        if recorded := info.counter.get("quiet_ratio"):
            connection.execute("INSERT INTO recorded_floors VALUES (?, ?, ?)", [info.run, info.machine, recorded])
    for statement in (_NOISE_FLOORS, _OVERHEADS, _CLOCKS, INTERRUPTIONS):
        connection.execute(statement)
    apart = run_to_run_sql(SUBJECT, ", ".join(VARIABLES))
    connection.execute(f"CREATE OR REPLACE TEMP TABLE run_to_run AS {apart}")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE unclear AS {UNCLEAR_TUNINGS}")


def chain_cycles(info: RunInfo) -> float:
    """Return the core cycles of the chain kernel; 0 if its latency is not known."""
    return float(info.counter.get("chain_cycles") or 0)


def converts(info: RunInfo) -> bool:
    """Return whether the run's counter units are converted to core cycles."""
    return info.counter.get("unit") != "core cycles" and chain_cycles(info) > 0


def figure_unit(info: RunInfo) -> str:
    """Return the unit of the run's numbers."""
    return "core cycles" if converts(info) else str(info.counter.get("unit", "counter units"))


# Of a sorted series s: StQ2, or the dithered mean if the timer's step is not small beside the timing.
COARSE = f"coalesce(step > list_median(s) / {COARSE_BELOW}, false)"
_DITHERED = dithered_mean_sql("s", "step")
TYPICAL = f"if({COARSE}, {_DITHERED}, {stq2_sql('s')})"
_TYPICAL_UNINTERRUPTED = f"if({COARSE}, {_DITHERED}, {stq2_sql('s', middle_sql('interrupted_share'))})"

_ALL = "list_sort(flatten(list(timings) FILTER (used)))"
_WEIGHTED = "list_sort(flatten(list(list_resize([cycles], len(timings), cycles)) FILTER (used)))"
CENTER = f"""CASE WHEN {has_several_values_sql(_ALL, "max(step_cycles)")} THEN {trimmed_mean_sql(_ALL)}
             WHEN bool_or(coarse) THEN {mean_sql("cycles", "used")} ELSE {stq2_sql(_WEIGHTED)} END"""
"""Aggregate of a round's samples: their stabilised median, each with the weight of its timings.

Of a coarse timer it is the mean, because the step makes clusters of them. If the timings have several values, it is
their trimmed mean: a median would be one value or another by chance.
"""

_STEADY = f"greatest(chain_before, chain_after) <= {DISTURBED_ABOVE} * least(chain_before, chain_after)"

_PROBES = "load_before / nullif(chain_before, 0), load_after / nullif(chain_after, 0)"
_SLOW_CHAIN = f"coalesce(least({_PROBES}) * {DISTURBED_ABOVE} < noise_floor, false)"

# load/chain over its noise floor, the worse of before and after. Samples disturbed in another way sort after all
# of these.
_CONTENTION = (
    f"coalesce(greatest({_PROBES}) / noise_floor, 1)"
    f" + if(context_switches > 0 OR NOT {_STEADY} OR {_SLOW_CHAIN}, {OTHER_DISTURBANCE}, 0)"
)

# If only one of the two chain timings is long, the cause is an interruption, not the clock.
CHAIN = f"if({_STEADY}, (chain_before + chain_after) / 2, least(chain_before, chain_after))"

# Ratios are counted in steps of a thousandth, so that the quantile of any number of samples
# needs little memory and is reproducible. There is one floor for the whole run: the kernels are
# the same code in every executable, and a single executable may never have run undisturbed. The probes beside empty
# functions count, because others may leave wide vector units that are just waking up, which slow the chain.
_NOISE_FLOORS = f"""
CREATE OR REPLACE TEMP TABLE noise_floors AS
WITH probes AS (
    SELECT run, machine, unnest([load_before / chain_before, load_after / chain_after]) AS ratio
    FROM samples
    WHERE measure = '{EMPTY}' AND chain_before > 0 AND chain_after > 0 AND load_before > 0 AND {_STEADY}),
steps AS (
    SELECT run, machine, CAST(round(1000 * ratio) AS INT) AS step, count(*) AS times FROM probes GROUP BY ALL),
reached AS (
    SELECT *, sum(times) OVER (PARTITION BY run, machine ORDER BY step)
              / sum(times) OVER (PARTITION BY run, machine) AS share FROM steps)
SELECT run, machine, least(min(step) / 1000, min(recorded)) AS noise_floor
FROM reached LEFT JOIN recorded_floors USING (run, machine) WHERE share >= {NOISE_FLOOR_QUANTILE} GROUP BY ALL
"""


def used_sql(contentions: str, least: str) -> str:
    """Return the SQL condition that a sample is used: undisturbed, or if none is, among the least disturbed.

    `least` is the least contention of all samples of the cell.
    """
    return f"({contentions} <= if({least} <= {DISTURBED_ABOVE}, {DISTURBED_ABOVE}, {NEAR_MINIMUM} * {least}))"


# The overhead is what a timing takes beyond the timed code, in the same process: the time of short chains (`empty`
# without a key, `length` is its core cycles) less their own cycles at the clock that the long chain shows. The mean of
# the samples used counts, with a fine counter the median; both of the times and of the lengths. (Lengths differ because
# processors pass on several instructions at a time, and what the reads take depends on how many lie between them: every
# fourth length takes a cycle more on Cascade Lake.) If all were disturbed it may be far too long, so it is limited to
# that of the run's undisturbed processes, scaled to the clock of this one. The clock may change within a process:
# `at_clock` is the chain timing for which `overhead` holds. `call` is what the call of an empty function takes beyond
# it.
# Runs of 2026-11-23 timed the counter alone (`length` 0), which misses up to 14 cycles. Earlier runs subtract the empty
# call, and its `call` is 0.
_OVERHEADS = f"""
CREATE OR REPLACE TEMP TABLE overheads AS
WITH ordered AS (
    SELECT {PROCESS}, keys > 0 AS called, length AS known, context_switches,
           chain_before, chain_after, load_before, load_after, list_sort(series) AS s
    FROM samples WHERE measure = 'empty' AND len(series) > 0),
rated AS (
    SELECT {PROCESS}, called, known, {COARSE} AS coarse, {TYPICAL} AS ticks, {CHAIN} AS chain,
           {_CONTENTION} AS contention
    FROM ordered LEFT JOIN noise_floors USING (run, machine) LEFT JOIN coarse_timers USING (run, machine)),
compared AS (SELECT *, min(contention) OVER (PARTITION BY {PROCESS}, called) AS least FROM rated),
medians AS (
    SELECT {PROCESS}, called, if(bool_or(coarse), {mean_sql("ticks")}, median(ticks)) AS units,
           if(bool_or(coarse), {mean_sql("ticks / nullif(chain, 0)")}, median(ticks / nullif(chain, 0))) AS share,
           if(bool_or(coarse), {mean_sql("known")}, median(known)) AS known, nullif(median(chain), 0) AS clock,
           min(contention) <= {DISTURBED_ABOVE} AS quiet
    FROM compared WHERE {used_sql("contention", "least")} GROUP BY ALL),
typical AS (
    SELECT run, machine, called, median(share) FILTER (quiet) AS most FROM medians GROUP BY ALL),
limited AS (
    SELECT {PROCESS}, called, clock, known, coalesce(clock * if(quiet, share, least(share, most)), units) AS whole
    FROM medians JOIN typical USING (run, machine, called)),
alone AS (
    SELECT {PROCESS}, called, clock, whole - known * coalesce((clock - whole) / (chain_cycles - known), 1) AS ticks
    FROM limited LEFT JOIN conversions USING (run, machine))
SELECT {PROCESS}, coalesce(any_value(ticks) FILTER (NOT called), any_value(ticks)) AS overhead,
       coalesce(any_value(clock) FILTER (NOT called), any_value(clock)) AS at_clock,
       coalesce(any_value(ticks) FILTER (called) - any_value(ticks) FILTER (NOT called), 0) AS call
FROM alone GROUP BY ALL
"""

# The sorted chain timings of each block of a process, only for runs whose ticks are converted to core cycles.
_CLOCKS = f"""
CREATE OR REPLACE TEMP TABLE clocks AS
SELECT {PROCESS}, sequence // {BLOCK} AS block, list_sort(list({CHAIN})) AS chains
FROM samples SEMI JOIN conversions USING (run, machine) GROUP BY ALL
"""


def corrected_sql(where: str, each_run: bool = False) -> str:
    """Return a query for the samples meeting `where`: their columns, `cycles`, `disturbed`, and whether `used`.

    The headline of a cell uses undisturbed samples, or else the least disturbed, of all runs together or of
    `each_run` by itself. `timings` is the sorted series, corrected like the headline; `successive` the same in the
    order taken; `call_cycles` is what the call of an empty function takes in the same process.
    """
    variables = ", ".join(VARIABLES)
    cell = f"{'run, ' if each_run else ''}machine, {SUBJECT}, control, measure, {variables}"
    same_clock = f"[x FOR x IN chains IF abs(x - chain) <= {SAME_CLOCK} * chain]"
    return f"""
    WITH picked AS (
        SELECT {PROCESS}, measure, {variables}, sequence, context_switches,
               chain_before, chain_after, load_before, load_after,
               {CHAIN} AS chain, sequence // {BLOCK} AS block, series, list_sort(series) AS s
        FROM samples WHERE measure <> 'empty' AND len(series) > 0 AND ({where})),
    conditions AS (
        SELECT *, coalesce(chain > {INTERRUPTED} * list_median(chains), false) AS interrupted,
               if(interrupted, list_median(chains), list_avg({same_clock})) AS clock,
               if(chain_cycles IS NULL, 1, coalesce(clock / at_clock, 1)) AS slower,
               coalesce(slower * overhead, 0) AS subtracted, coalesce(slower * call, 0) AS call_ticks,
               if(chain_cycles IS NULL, 1, chain_cycles / (clock - subtracted)) AS scale,
               {interrupted_share_sql("list_median(s)")} AS interrupted_share
        FROM picked LEFT JOIN overheads USING ({PROCESS})
        LEFT JOIN conversions USING (run, machine) LEFT JOIN clocks USING ({PROCESS}, block)
        LEFT JOIN noise_floors USING (run, machine) LEFT JOIN coarse_timers USING (run, machine)
        LEFT JOIN interruptions USING (run, machine)),
    rated AS (
        SELECT *, {_CONTENTION}
                  + if(interrupted OR {interrupts_most_sql("interrupted_share")}, {OTHER_DISTURBANCE}, 0) AS contention
        FROM conditions WHERE scale > 0),
    minima AS (SELECT {cell}, min(contention) AS least FROM rated GROUP BY ALL)
    SELECT {PROCESS}, measure, {variables}, sequence,
           ({_TYPICAL_UNINTERRUPTED} - subtracted) * scale AS cycles,
           call_ticks * scale AS call_cycles, {COARSE} AS coarse, coalesce(step, 0) * scale AS step_cycles,
           contention > {DISTURBED_ABOVE} AS disturbed, {used_sql("contention", "least")} AS used,
           [(x - subtracted) * scale FOR x IN s] AS timings,
           [(x - subtracted) * scale FOR x IN series] AS successive
    FROM rated JOIN minima USING ({cell})
    """


def core_cycles_a_tick_sql() -> str:
    """Return a query for the median clock of each (run, machine) whose ticks are converted."""
    return f"""
    SELECT run, machine, median(chain_cycles / (list_median(chains) - coalesce(overhead, 0))) AS clock
    FROM clocks JOIN conversions USING (run, machine) LEFT JOIN overheads USING ({PROCESS}) GROUP BY ALL
    """
