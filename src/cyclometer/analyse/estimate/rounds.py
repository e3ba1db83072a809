# SPDX-License-Identifier: MIT OR Apache-2.0
"""Headlines of single rounds, from which ratios and exported statistics are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import duckdb

from cyclometer.analyse.estimate.comparability import core_cycles_a_second
from cyclometer.analyse.estimate.core_cycles import CENTER, PROCESS, SUBJECT, VARIABLES, corrected_sql, figure_unit
from cyclometer.analyse.estimate.estimators import clamp_to_zero
from cyclometer.analyse.estimate.unclear import TUNING
from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.columns import BOOLEAN, INT32, NUMBER, TEXT
from cyclometer.records.rounds import ExportSource, Rounds
from cyclometer.records.run import SAMPLES, RunInfo
from cyclometer.records.tuning import Tuning
from cyclometer.store import PARQUET, as_types
from cyclometer.store.schema import SEQUENCE

_BATCH = 8192  # rows
_EXPORTED = {**SAMPLES, SEQUENCE: INT32, "cycles": NUMBER, "disturbed": BOOLEAN}
_TEXTS = [name for name, kind in _EXPORTED.items() if kind == TEXT]
_CSV = f"FORMAT csv, HEADER, FORCE_QUOTE ({', '.join(_TEXTS)}, series)"
_INERT = r"regexp_replace({0}, '^([=+@\t\r-])', '''\1') AS {0}"  # no spreadsheet takes it for a formula
_CSV_COLUMNS = f"* REPLACE (array_to_string(series, ' ') AS series, {', '.join(map(_INERT.format, _TEXTS))})"
_KEY = f"run, machine, {SUBJECT}, control, measure, {', '.join(VARIABLES)}"


def roundwise(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Iterator[Rounds]:
    """Yield the rounds of everything measured that meets `where`, in the order of names. Needs `prepare`.

    As in `cells`, only undisturbed samples of a round are used, and only rounds with such samples; if there are none,
    the least disturbed. Cycles that an empty function could take become 0.
    """
    query = f"""
    WITH corrected AS ({corrected_sql(where, each_run=True)}),
    rounds AS (
        SELECT {_KEY}, round, bool_or(NOT disturbed) AS quiet, bool_or(used) AS used,
               {CENTER} AS headline, median(call_cycles) AS call_cycles,
               CAST(sum(len(timings)) FILTER (used) AS INT) AS timings
        FROM corrected GROUP BY ALL)
    SELECT {_KEY}, list(round ORDER BY round) FILTER (used) AS numbers,
           list(headline ORDER BY round) FILTER (used) AS headlines,
           list(timings ORDER BY round) FILTER (used) AS timings, median(call_cycles) AS call,
           NOT bool_or(quiet) AS disturbed,
           ({TUNING}) IN (SELECT ({TUNING}) FROM unclear) AS unclear
    FROM rounds GROUP BY ALL ORDER BY {_KEY}
    """
    yield from map(_rounds, _rows(connection, query))


def exported(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    foreign: Mapping[str, ForeignOperation],
    where: str = "true",
    length_units: Mapping[str, str] = MappingProxyType({}),
) -> ExportSource:
    """Return what exporters need of the samples that meet `where`. Needs `prepare`.

    `foreign` has other projects' names, by operation, and `length_units` what a length counts if not bytes.
    """
    keys = [(info.run, info.machine) for info in infos]
    return ExportSource(
        infos=tuple(infos),
        units={key: figure_unit(info) for key, info in zip(keys, infos, strict=True)},
        length_units=length_units,
        hertz={key: core_cycles_a_second(connection, info) for key, info in zip(keys, infos, strict=True)},
        rounds=lambda: roundwise(connection, f"NOT control AND ({where})"),
        samples=lambda order: _rows(connection, _samples_sql(where, order)),
        copy=lambda kind, order, path: _copy(connection, kind, _samples_sql(where, order), path),
        foreign=foreign,
    )


def _samples_sql(where: str, order: Sequence[str]) -> str:
    identity = f"{PROCESS}, measure, {', '.join(VARIABLES)}, sequence"
    return f"""
    SELECT samples.*, corrected.cycles, corrected.disturbed
    FROM samples LEFT JOIN ({corrected_sql(where)}) corrected USING ({identity})
    WHERE {where} ORDER BY {", ".join(order)}
    """


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> Iterator[dict[str, Any]]:
    answer = connection.execute(query)
    names = [column[0] for column in answer.description]
    while rows := answer.fetchmany(_BATCH):
        yield from (dict(zip(names, row, strict=True)) for row in rows)


def _copy(connection: duckdb.DuckDBPyConnection, kind: Literal["csv", "parquet"], query: str, path: Path) -> None:
    columns, options = (as_types(_EXPORTED), PARQUET) if kind == "parquet" else (_CSV_COLUMNS, _CSV)
    connection.execute(f"COPY (SELECT {columns} FROM ({query})) TO ? ({options})", [str(path)])


def _rounds(row: Mapping[str, Any]) -> Rounds:
    return Rounds(
        run=row["run"],
        machine=row["machine"],
        subject=Tuning(**{part: row[part] for part in ("operation", "primitive", "implementation", "compiler")}),
        control=row["control"],
        measure=row["measure"],
        variables={name: row[name] for name in VARIABLES},
        numbers=tuple(row["numbers"]),
        headlines=tuple(clamp_to_zero(row["headlines"], row["call"]).tolist()),
        timings=tuple(row["timings"]),
        disturbed=row["disturbed"],
        unclear=row["unclear"],
    )
