# SPDX-License-Identifier: MIT OR Apache-2.0
"""The few systems that matter: what a plot of many systems shows by default."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import duckdb

from cyclometer.analyse.estimate.comparability import one_of

Systems = Mapping[str, Sequence[str]]
"""Operation to primitives."""


def leaders(
    connection: duckdb.DuckDBPyConnection, systems: Systems, most: int, measure: str = ""
) -> tuple[dict[str, list[str]], list[str]]:
    """Return at most `most` systems of each operation, and a note on each operation that has more.

    First come those that are the fastest somewhere (a machine, measure and length with one active key), then those
    with the smallest geometric mean of their time over the fastest one's.
    """
    kept: dict[str, list[str]] = {}
    notes = []
    for operation, names in systems.items():
        kept[operation] = list(names)
        if len(names) > most:
            chosen = set(_ranked(connection, operation, names, measure)[:most])
            kept[operation] = [name for name in names if name in chosen]
            notes.append(
                f"{operation}: {most} of {len(names)} systems drawn, the fastest; name others, or --top {len(names)}"
            )
    return kept, notes


def _ranked(connection: duckdb.DuckDBPyConnection, operation: str, names: Sequence[str], measure: str) -> list[str]:
    rows = connection.execute(
        "SELECT machine, measure, length, primitive, greatest(median(list_median(series)), 1) AS time FROM samples "
        f"WHERE NOT control AND keys = 1 AND operation = ? AND measure <> 'empty' AND {one_of('primitive', names)} "
        "AND (measure = ? OR ? = '') GROUP BY ALL",
        [operation, measure, measure],
    ).fetchall()
    points: dict[tuple[str, str, int], dict[str, float]] = {}
    for machine, timed, length, name, time in rows:
        points.setdefault((machine, timed, length), {})[name] = float(time)
    wins = dict.fromkeys(names, 0)
    ratios: dict[str, list[float]] = {name: [] for name in names}
    for times in points.values():
        best = min(times.values())
        for name, time in times.items():
            wins[name] += time == best
            ratios[name].append(math.log(time / best))
    mean = {name: sum(several) / len(several) if several else math.inf for name, several in ratios.items()}
    return sorted(names, key=lambda name: (-wins[name], mean[name], name))
