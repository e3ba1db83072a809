# SPDX-License-Identifier: MIT OR Apache-2.0
"""How often something takes the core away for a few microseconds, and what then stands for a series of long calls.

Hosts of virtual machines do it up to twenty thousand times a second, and no guest is told. It lengthens few calls of a
microsecond, every other of 25 microseconds, and all of a millisecond.
"""

from __future__ import annotations

from cyclometer.analyse.estimate.estimators import LEAST_MIDDLE, MIDDLE
from cyclometer.records.run import CALIBRATION, HARMLESS_INTERRUPTIONS

FEWEST = 5
"""Interruptions that a run must show before it is believed to have any."""

_STEPS = 4  # of a coarse counter, which a timing may err by
_LONGEST = 4  # times the least: what is longer is a neighbour's turn, which the noise probes see

# A timing of code of known cost was interrupted if it took 2048 cycles (a quarter of the chain) more than the fastest.
INTERRUPTIONS = f"""
CREATE OR REPLACE TEMP TABLE interruptions AS
WITH timings AS (
    SELECT run, machine, unnest(series) AS ticks, list_min(series) AS usual,
           greatest(least(chain_before, chain_after) / 4, {_STEPS} * coalesce(step, 0)) AS least_excess
    FROM samples LEFT JOIN coarse_timers USING (run, machine) WHERE operation = '{CALIBRATION}' AND measure = 'chain'),
compared AS (SELECT *, ticks - usual > least_excess AS interrupted FROM timings),
counted AS (
    SELECT run, machine, count(*) FILTER (interrupted) AS times, sum(ticks) AS whole,
           sum(least(ticks - usual, {_LONGEST} * least_excess)) FILTER (interrupted) AS taken
    FROM compared GROUP BY ALL)
SELECT run, machine, times / whole AS rate FROM counted
WHERE times >= {FEWEST} AND taken > {HARMLESS_INTERRUPTIONS} * whole
"""
"""Create the table of the interruptions in a counter unit, of the runs that have some. Needs coarse_timers."""


def interrupted_share_sql(ticks: str) -> str:
    """Return the share of calls of so many ticks that something interrupts, as a DuckDB expression."""
    return f"(coalesce(rate, 0) * {ticks})"


def middle_sql(share: str) -> str:
    """Return where the middle of the uninterrupted timings lies among all sorted ones, if a `share` is interrupted.

    As if it were twice as many: interruptions come in bursts, and a series has few timings.
    """
    return f"greatest({LEAST_MIDDLE}, {MIDDLE} - {share})"


def interrupts_most_sql(share: str) -> str:
    """Return whether fewer timings are uninterrupted than the least quarter has."""
    return f"({share} > {1 - 2 * LEAST_MIDDLE})"
