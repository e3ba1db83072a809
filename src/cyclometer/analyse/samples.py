# SPDX-License-Identifier: MIT OR Apache-2.0
"""From raw series to core cycles, sample by sample, inside the database.

`prepare` looks once at what a whole run tells about its conditions; after it,
`corrected_sql` is a query over exactly the samples asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from cyclometer.analyse.estimators import stq2_sql
from cyclometer.model import RunInfo

SUBJECT = "operation, primitive, implementation, compiler"
PROCESS = f"run, machine, {SUBJECT}, control, round"
VARIABLES = ("length", "ad_length", "keys", "alignment")

TOLERANCE = 1.04
"""A moment whose load kernel is slower than the quiet level by more than this is disturbed."""

QUIET_QUANTILE = 0.10
"""Of an executable's load/chain ratios over the whole run: the quiet level."""

BLOCK = 16
"""Samples in succession whose chain timings are smoothed by one median."""


def prepare(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo]) -> None:
    """Create the tables overheads, quiet_levels and clocks for the runs behind the view `samples`."""
    connection.execute("CREATE OR REPLACE TEMP TABLE conversions (run VARCHAR, machine VARCHAR, chain_cycles DOUBLE)")
    for info in infos:
        if converts(info):
            row = [info.run, info.machine, chain_cycles(info)]
            connection.execute("INSERT INTO conversions VALUES (?, ?, ?)", row)
    connection.execute(_OVERHEADS)
    connection.execute(_QUIET_LEVELS)
    connection.execute(_CLOCKS)


def chain_cycles(info: RunInfo) -> float:
    """Core cycles of the chain kernel; 0 where none of known latency exists."""
    return float(info.counter.get("chain_cycles") or 0)


def converts(info: RunInfo) -> bool:
    """Whether the run's counter units are turned into core cycles."""
    return info.counter.get("unit") != "core cycles" and chain_cycles(info) > 0


def figure_unit(info: RunInfo) -> str:
    """The unit of the run's figures."""
    return "core cycles" if converts(info) else str(info.counter.get("unit", "counter units"))


# The empty call of the same process: eight and more samples, of which the median.
_OVERHEADS = f"""
CREATE OR REPLACE TEMP TABLE overheads AS
SELECT {PROCESS}, median(ticks) AS overhead
FROM (SELECT {PROCESS}, {stq2_sql("s")} AS ticks
      FROM (SELECT {PROCESS}, list_sort(series) AS s FROM samples WHERE measure = 'empty'))
GROUP BY ALL
"""

# Ratios are counted in steps of a thousandth, so that the quantile of any number of samples
# needs little memory and comes out the same every time. The level is the executable's own: the
# load kernel is compiled with it, and another compiler may make another loop of it.
_QUIET_LEVELS = f"""
CREATE OR REPLACE TEMP TABLE quiet_levels AS
WITH steps AS (
    SELECT run, machine, {SUBJECT},
           CAST(round(1000 * load_before / chain_before) AS INT) AS step, count(*) AS times
    FROM samples WHERE chain_before > 0 AND load_before > 0 GROUP BY ALL),
reached AS (
    SELECT *, sum(times) OVER (PARTITION BY run, machine, {SUBJECT} ORDER BY step)
              / sum(times) OVER (PARTITION BY run, machine, {SUBJECT}) AS share FROM steps)
SELECT run, machine, {SUBJECT}, min(step) / 1000 AS quiet_ratio FROM reached
WHERE share >= {QUIET_QUANTILE} GROUP BY ALL
"""

# Core cycles a tick, block by block of a process; only where ticks are no core cycles.
_CLOCKS = f"""
CREATE OR REPLACE TEMP TABLE clocks AS
WITH blocks AS (
    SELECT {PROCESS}, sequence // {BLOCK} AS block, median((chain_before + chain_after) / 2) AS chain
    FROM samples SEMI JOIN conversions USING (run, machine) GROUP BY ALL)
SELECT {PROCESS}, block, chain_cycles / (chain - coalesce(overhead, 0)) AS cycles_a_tick
FROM blocks JOIN conversions USING (run, machine) LEFT JOIN overheads USING ({PROCESS})
WHERE chain > coalesce(overhead, 0)
"""


def corrected_sql(where: str) -> str:
    """A query: per sample meeting `where`, its columns, `cycles` (StQ2) and `disturbed`.

    `timings` is the sorted series, corrected like the headline.
    """
    variables = ", ".join(VARIABLES)
    changed = f"greatest(chain_before, chain_after) > {TOLERANCE} * least(chain_before, chain_after)"
    loaded = (
        "greatest(load_before / nullif(chain_before, 0), load_after / nullif(chain_after, 0))"
        f" > {TOLERANCE} * quiet_ratio"
    )
    return f"""
    WITH picked AS (
        SELECT {PROCESS}, measure, {variables}, context_switches,
               chain_before, chain_after, load_before, load_after,
               sequence // {BLOCK} AS block, list_sort(series) AS s
        FROM samples WHERE measure <> 'empty' AND len(series) > 0 AND ({where})),
    known AS (
        SELECT *, coalesce(overhead, 0) AS less, if(chain_cycles IS NULL, 1, cycles_a_tick) AS scale
        FROM picked LEFT JOIN overheads USING ({PROCESS})
        LEFT JOIN conversions USING (run, machine) LEFT JOIN clocks USING ({PROCESS}, block)
        LEFT JOIN quiet_levels USING (run, machine, {SUBJECT}))
    SELECT {PROCESS}, measure, {variables}, ({stq2_sql("s")} - less) * scale AS cycles,
           context_switches > 0 OR {changed} OR coalesce({loaded}, false) AS disturbed,
           [(x - less) * scale FOR x IN s] AS timings
    FROM known WHERE scale IS NOT NULL
    """
