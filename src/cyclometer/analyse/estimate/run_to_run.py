# SPDX-License-Identifier: MIT OR Apache-2.0
"""How far runs of one machine lie apart: more than the rounds of one of them may show.

A processor may take one of several times for seconds, or for the life of a guest, and a run then sees one of them. What
earlier runs of the same program measured is stored with each run (`earlier`), so an interval knows it.
"""

from __future__ import annotations

from typing import Final

from cyclometer.records.varying import students_t

FEWEST: Final = 4
"""Earlier runs below which nothing is said of how far the next may lie from them."""

WITHOUT_FARTHEST: Final = 6
"""Of so many and more, the one that is farthest from their median is left out: a neighbour may have met it."""

_MANY: Final = 15
"""Earlier runs from which Student's t is that of so many."""


def run_to_run_sql(subject: str, variables: str) -> str:
    """Return a query for `reach`: how far from the number of a run the 95 % interval reaches, for each of its points.

    It is Student's t times the standard deviation of what earlier runs measured. Few runs make it long.
    """
    point = f"run, machine, {subject}, measure, {variables}"
    ts = [students_t(count - 1) for count in range(FEWEST, _MANY + 1)]
    return f"""
    WITH known AS (
        SELECT {point}, list(cycles) AS costs, median(cycles) AS middle FROM earlier
        WHERE isfinite(cycles) GROUP BY ALL
        HAVING count(*) >= {FEWEST}),
    nearest AS (
        SELECT {point}, list_sort([[abs(cost - middle), cost] FOR cost IN costs]) AS pairs FROM known),
    kept AS (
        SELECT {point}, [pair[2] FOR pair IN
                         pairs[1 : if(len(pairs) >= {WITHOUT_FARTHEST}, len(pairs) - 1, len(pairs))]] AS costs
        FROM nearest)
    SELECT {point}, list_aggregate(costs, 'stddev_samp')
                    * {ts}[least(len(costs) - {FEWEST - 1}, {len(ts)})] AS reach
    FROM kept
    """
