# SPDX-License-Identifier: MIT OR Apache-2.0
"""From raw series to core cycles, sample by sample, inside the database.

`prepare` looks once at what a whole run tells about its conditions; after it,
`corrected_sql` is a query over exactly the samples asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from cyclometer.analyse.estimate.estimators import stq2_sql
from cyclometer.records.run import DISTURBED_ABOVE, OTHER_DISTURBANCE, RunInfo

SUBJECT = "operation, primitive, implementation, compiler"
PROCESS = f"run, machine, {SUBJECT}, control, round"
VARIABLES = ("length", "ad_length", "keys", "alignment")

QUIET_QUANTILE = 0.05
"""Of the load/chain ratios of a whole run: the quiet level, unless the run tells of a lower one."""

NEAR_LEAST = 1.02
"""Where no sample is quiet, those count whose pressure is up to so many times the least of the cell."""

BLOCK = 16
"""Samples in succession whose chain timings are averaged as far as they show the same clock."""

INTERRUPTED = 1.5
"""A chain slower than its block's median by more than this was interrupted, even where before and after agree: no
clock changes so much for a moment, and a sample scaled by it would be falsely fast."""

SAME_CLOCK = 0.01
"""Chain timings that differ by no more than this part show the same clock."""


def prepare(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo]) -> None:
    """Create the tables quiet_levels, overheads and clocks for the runs behind the view `samples`."""
    connection.execute("CREATE OR REPLACE TEMP TABLE conversions (run VARCHAR, machine VARCHAR, chain_cycles DOUBLE)")
    connection.execute("CREATE OR REPLACE TEMP TABLE told_quiet (run VARCHAR, machine VARCHAR, told DOUBLE)")
    for info in infos:
        if converts(info):
            row = [info.run, info.machine, chain_cycles(info)]
            connection.execute("INSERT INTO conversions VALUES (?, ?, ?)", row)
        if told := info.counter.get("quiet_ratio"):
            connection.execute("INSERT INTO told_quiet VALUES (?, ?, ?)", [info.run, info.machine, told])
    for statement in (_QUIET_LEVELS, _OVERHEADS, _CLOCKS):
        connection.execute(statement)


def chain_cycles(info: RunInfo) -> float:
    """Core cycles of the chain kernel; 0 where none of known latency exists."""
    return float(info.counter.get("chain_cycles") or 0)


def converts(info: RunInfo) -> bool:
    """Whether the run's counter units are turned into core cycles."""
    return info.counter.get("unit") != "core cycles" and chain_cycles(info) > 0


def figure_unit(info: RunInfo) -> str:
    """The unit of the run's figures."""
    return "core cycles" if converts(info) else str(info.counter.get("unit", "counter units"))


_STEADY = f"greatest(chain_before, chain_after) <= {DISTURBED_ABOVE} * least(chain_before, chain_after)"

# load/chain over its quiet level, the worse of before and after. What is disturbed otherwise comes after all
# that is so disturbed.
_PRESSURE = (
    "coalesce(greatest(load_before / nullif(chain_before, 0), load_after / nullif(chain_after, 0)) / quiet_ratio, 1)"
    f" + if(context_switches > 0 OR NOT {_STEADY}, {OTHER_DISTURBANCE}, 0)"
)

# What lengthens one chain timing of the two alone is an interruption, not the clock.
_CHAIN = f"if({_STEADY}, (chain_before + chain_after) / 2, least(chain_before, chain_after))"

# Ratios are counted in steps of a thousandth, so that the quantile of any number of samples
# needs little memory and comes out the same every time. One level for the whole run: the kernels
# are the same code in every executable, and a single one may never have had a quiet moment.
_QUIET_LEVELS = f"""
CREATE OR REPLACE TEMP TABLE quiet_levels AS
WITH moments AS (
    SELECT run, machine, unnest([load_before / chain_before, load_after / chain_after]) AS ratio
    FROM samples WHERE chain_before > 0 AND chain_after > 0 AND load_before > 0 AND {_STEADY}),
steps AS (
    SELECT run, machine, CAST(round(1000 * ratio) AS INT) AS step, count(*) AS times FROM moments GROUP BY ALL),
reached AS (
    SELECT *, sum(times) OVER (PARTITION BY run, machine ORDER BY step)
              / sum(times) OVER (PARTITION BY run, machine) AS share FROM steps)
SELECT run, machine, least(min(step) / 1000, min(told)) AS quiet_ratio
FROM reached LEFT JOIN told_quiet USING (run, machine) WHERE share >= {QUIET_QUANTILE} GROUP BY ALL
"""


def counting_sql(pressures: str, least: str) -> str:
    """Whether a sample counts among its like, of which the least disturbed has the pressure `least`:
    all that are quiet; where none is, the least disturbed."""
    return f"({pressures} <= if({least} <= {DISTURBED_ABOVE}, {DISTURBED_ABOVE}, {NEAR_LEAST} * {least}))"


# The empty call of the same process: the median of the samples that count. Where none was quiet it may be much too
# long, and no more is subtracted than in the run's quiet processes, by the clock of this one.
_OVERHEADS = f"""
CREATE OR REPLACE TEMP TABLE overheads AS
WITH ordered AS (
    SELECT {PROCESS}, context_switches, chain_before, chain_after, load_before, load_after, list_sort(series) AS s
    FROM samples WHERE measure = 'empty' AND len(series) > 0),
judged AS (
    SELECT {PROCESS}, {stq2_sql("s")} AS ticks, {_CHAIN} AS chain, {_PRESSURE} AS pressure
    FROM ordered LEFT JOIN quiet_levels USING (run, machine)),
compared AS (SELECT *, min(pressure) OVER (PARTITION BY {PROCESS}) AS least FROM judged),
found AS (
    SELECT {PROCESS}, median(ticks) AS ticks, nullif(median(chain), 0) AS chain,
           min(pressure) <= {DISTURBED_ABOVE} AS quiet
    FROM compared WHERE {counting_sql("pressure", "least")} GROUP BY ALL),
usual AS (SELECT run, machine, median(ticks / chain) FILTER (quiet) AS share FROM found GROUP BY ALL)
SELECT {PROCESS}, if(quiet, ticks, least(ticks, share * chain)) AS overhead FROM found JOIN usual USING (run, machine)
"""

# The chain timings of a block of a process; only where ticks are no core cycles.
_CLOCKS = f"""
CREATE OR REPLACE TEMP TABLE clocks AS
SELECT {PROCESS}, sequence // {BLOCK} AS block, list({_CHAIN}) AS chains
FROM samples SEMI JOIN conversions USING (run, machine) GROUP BY ALL
"""


def corrected_sql(where: str, each_run: bool = False) -> str:
    """A query: per sample meeting `where`, its columns, `cycles` (StQ2), `disturbed`, and whether it `counts`:
    the headline of a thing measured rests on its quiet samples, where there is none on the least disturbed.
    (Of all runs together, or of `each_run` by itself.)

    `timings` is the sorted series, corrected like the headline; `successive` the same in the order taken.
    """
    variables = ", ".join(VARIABLES)
    cell = f"{'run, ' if each_run else ''}machine, {SUBJECT}, control, measure, {variables}"
    alike = f"[x FOR x IN chains IF abs(x - chain) <= {SAME_CLOCK} * chain]"
    return f"""
    WITH picked AS (
        SELECT {PROCESS}, measure, {variables}, sequence, context_switches,
               chain_before, chain_after, load_before, load_after,
               {_CHAIN} AS chain, sequence // {BLOCK} AS block, series, list_sort(series) AS s
        FROM samples WHERE measure <> 'empty' AND len(series) > 0 AND ({where})),
    known AS (
        SELECT *, coalesce(overhead, 0) AS less,
               coalesce(chain > {INTERRUPTED} * list_median(chains), false) AS interrupted,
               if(interrupted, list_median(chains), list_avg({alike})) AS clock,
               if(chain_cycles IS NULL, 1, chain_cycles / (clock - coalesce(overhead, 0))) AS scale
        FROM picked LEFT JOIN overheads USING ({PROCESS})
        LEFT JOIN conversions USING (run, machine) LEFT JOIN clocks USING ({PROCESS}, block)
        LEFT JOIN quiet_levels USING (run, machine)),
    judged AS (SELECT *, {_PRESSURE} + if(interrupted, {OTHER_DISTURBANCE}, 0) AS pressure FROM known WHERE scale > 0),
    leasts AS (SELECT {cell}, min(pressure) AS least FROM judged GROUP BY ALL)
    SELECT {PROCESS}, measure, {variables}, sequence, ({stq2_sql("s")} - less) * scale AS cycles,
           pressure > {DISTURBED_ABOVE} AS disturbed, {counting_sql("pressure", "least")} AS counts,
           [(x - less) * scale FOR x IN s] AS timings,
           [(x - less) * scale FOR x IN series] AS successive
    FROM judged JOIN leasts USING ({cell})
    """


def core_cycles_a_tick_sql() -> str:
    """A query: the median clock of each (run, machine) whose ticks are converted."""
    return f"""
    SELECT run, machine, median(chain_cycles / (list_median(chains) - coalesce(overhead, 0))) AS clock
    FROM clocks JOIN conversions USING (run, machine) LEFT JOIN overheads USING ({PROCESS}) GROUP BY ALL
    """
