# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether a run that somebody sent can be what it says: columns, contract, raw series, A/A control, calibration."""

from __future__ import annotations

import datetime
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import duckdb
import numpy as np

from cyclometer.errors import first_line
from cyclometer.publish.bundle import RefusedBundle
from cyclometer.publish.described import wrong_description
from cyclometer.publish.values import (
    missing_value,
    too_much,
    wrong_counter,
    wrong_declaration,
    wrong_name,
    wrong_number,
    wrong_run,
    wrong_time,
)
from cyclometer.records.columns import Types
from cyclometer.records.run import CALIBRATION
from cyclometer.store import SMALL_TABLES, STORED, as_types, open_database

MAX_ROWS = 5_000_000
MAX_BYTES = 2 << 30  # of a table, unpacked
MEMORY = "1GB"
MAX_SPREAD = 0.25
"""By how much an A/A twin may differ from its tuning, at the median of all points: more than where a machine works."""

MAX_CALIBRATION_ERROR = 0.15
"""By how much code of known cost may seem too fast or slow, as a part of it: many times the error of a real counter."""

MIN_DISTINCT = 0.01
"""At least so many of the series must not be one number repeated: real timings vary."""

MIN_UNIQUE, LIVELY, ENOUGH = 0.5, 4, 50
"""Of at least ENOUGH series with LIVELY or more different numbers, so many must occur once: noise does not repeat."""

SERIES_LOOKED_AT = 20_000


def require_plausible(files: Mapping[str, bytes], contracts: Mapping[str, str], where: str) -> None:
    """Raise `RefusedBundle` with the reason unless the run is plausible."""
    _refuse(wrong_description(files["run.json"]), where)
    info = json.loads(files["run.json"])
    for operation, contract in info["contracts"].items():
        if contracts.get(operation) != contract:
            ours = contracts.get(operation, "none")
            raise RefusedBundle(f"{where}: its contract of {operation} is {contract}, the collection's is {ours}")
    for name, types in {**SMALL_TABLES, "samples": STORED}.items():
        if f"{name}.parquet" not in files:  # of an older version
            continue
        with _table(files[f"{name}.parquet"], types, f"{where}/{name}.parquet") as table:
            _refuse(missing_value(table, types), f"{where}/{name}.parquet")
            _refuse(wrong_name(table, info["contracts"]), where)
            if name == "samples":
                for check in (_series, wrong_number, _copies, _twice, _chain, _control):
                    _refuse(check(table), where)
                _refuse(wrong_run(table, info), where)
                _refuse(wrong_counter(table, info["counter"]), where)
                _refuse(wrong_time(table, info["counter"], _seconds(info)), where)
                _refuse(_calibration(table, info["counter"]), where)
    _refuse(wrong_declaration(info["primitives"]), where)


def _refuse(problem: str, where: str) -> None:
    if problem:
        raise RefusedBundle(f"{where}: {problem}")


@contextmanager
def _table(content: bytes, types: Types, where: str) -> Iterator[duckdb.DuckDBPyRelation]:
    """Read a table that has exactly these columns and is not larger than it may be.

    The database has no access to any other file.
    """
    with tempfile.NamedTemporaryFile(prefix="cyclometer-") as file:
        file.write(content)
        file.flush()
        path = [file.name]
        try:
            with open_database(memory_limit=MEMORY) as database:
                database.execute("SET allowed_paths = ?", [path])
                database.execute("SET enable_external_access = false")
                _require_size(database, path, where)
                stored = database.read_parquet(path)
                if stored.columns != list(types):
                    raise RefusedBundle(f"{where}: its columns are not those of the format")
                table = stored.project(as_types(types))
                _refuse(too_much(table, types), where)
                table.aggregate(", ".join(f'count("{name}")' for name in types)).fetchall()  # reads every value
                yield table
        except (duckdb.Error, OSError, ValueError) as error:
            raise RefusedBundle(f"{where}: cannot be read: {first_line(error)[:200]}") from None


def _require_size(database: duckdb.DuckDBPyConnection, path: list[str], where: str) -> None:
    sizes = "SELECT sum(total_uncompressed_size) FROM parquet_metadata(?)"
    ((size,),) = database.execute(sizes, path).fetchall()
    ((rows,),) = database.execute("SELECT num_rows FROM parquet_file_metadata(?)", path).fetchall()
    if rows > MAX_ROWS or (size or 0) > MAX_BYTES:
        raise RefusedBundle(f"{where}: more than {MAX_ROWS:,} rows or {MAX_BYTES:,} bytes")


def _series(samples: duckdb.DuckDBPyRelation) -> str:
    """Say what is wrong with the raw timings: they are there and vary."""
    counts = "count(*), min(coalesce(len(series), 0)), coalesce(bool_or(len(series) > list_count(series)), false)"
    ((rows, shortest, missing),) = samples.aggregate(counts).fetchall()
    if not rows:
        return "it has no samples"
    if not shortest:
        return "a sample has no raw timings"
    if missing:
        return "a raw timing is missing"
    looked_at = samples.limit(SERIES_LOOKED_AT).filter("len(series) > 2")
    ((long, varied),) = looked_at.aggregate("count(*), count(*) FILTER (list_unique(series) > 1)").fetchall()
    return "its raw timings do not vary, which no counter does" if long and varied < MIN_DISTINCT * long else ""


def _chain(samples: duckdb.DuckDBPyRelation) -> str:
    """Say what is wrong with the reference kernel, which takes time before and after every sample."""
    ((least,),) = samples.aggregate("least(min(chain_before), min(chain_after))").fetchall()
    return "" if (least or 0) > 0 else "the reference kernel took no time, so that its clock cannot be known"


def _control(samples: duckdb.DuckDBPyRelation) -> str:
    """Say what is wrong with the A/A control: a tuning measured as if it were another has about the same medians."""
    controls, others = _medians(samples, "control"), _medians(samples, "NOT control")
    shared = controls.keys() & others.keys()
    if not shared:
        return "it has no A/A control"
    ratios = [controls[key] / others[key] for key in shared if min(controls[key], others[key]) > 0]
    spread = float(np.expm1(np.median(np.abs(np.log(ratios))))) if ratios else 0.0
    return "" if spread <= MAX_SPREAD else f"its A/A control differs by {spread:.0%}, more than {MAX_SPREAD:.0%}"


def _calibration(samples: duckdb.DuckDBPyRelation, counter: Mapping[str, Any]) -> str:
    """Say what is wrong with the calibration: code of known cost, whose slope the reference kernel must share."""
    chains = samples.filter(f"operation = '{CALIBRATION}' AND measure = 'chain'")
    columns = "length, median(list_median(series)), median(chain_before)"
    points = sorted(chains.aggregate(columns, "length").fetchall())
    if not points:
        return "it has no calibration"
    (shortest, start, chain), (longest, end, _) = points[0], points[-1]
    if shortest == longest or not counter.get("chain_cycles"):
        return ""
    error = (end - start) / (longest - shortest) / (chain / float(counter["chain_cycles"])) - 1
    off = abs(error) > MAX_CALIBRATION_ERROR
    return f"its calibration is off by {error:+.0%}, more than {MAX_CALIBRATION_ERROR:.0%}" if off else ""


def _seconds(info: Mapping[str, Any]) -> float:
    started, finished = (datetime.datetime.fromisoformat(info[name]) for name in ("started", "finished"))
    return (finished - started).total_seconds()


def _copies(samples: duckdb.DuckDBPyRelation) -> str:
    """Say whether raw series are copies of each other, as when one round is made into many."""
    lively = samples.limit(SERIES_LOOKED_AT).filter(f"list_unique(series) >= {LIVELY}")
    often = lively.aggregate("series, count(*) AS times", "series")
    ((every, unique),) = often.aggregate("coalesce(sum(times), 0), count(*) FILTER (times = 1)").fetchall()
    if every >= ENOUGH and unique < MIN_UNIQUE * every:
        return f"of {every:,} raw series, only {unique:,} are not copies of others"
    return ""


def _twice(samples: duckdb.DuckDBPyRelation) -> str:
    """Say whether a process took one of its samples twice."""
    process = "operation, primitive, implementation, compiler, control, round, sequence"
    trial = 'link, environment, cold, call_site, "between", trial'
    often = samples.aggregate(f"{process}, {trial}, count(*) AS times", f"{process}, {trial}")
    return "it has a sample twice" if often.filter("times > 1").limit(1).fetchall() else ""


def _medians(samples: duckdb.DuckDBPyRelation, which: str) -> dict[tuple[Any, ...], float]:
    """Return the median timing of each measured point of the tunings, or of their A/A twins."""
    point = "measure, operation, primitive, implementation, compiler, length, ad_length, keys"
    kept = samples.filter(f"{which} AND measure <> 'empty'")
    rows = kept.aggregate(f"{point}, median(list_median(series))", point).fetchall()
    return {tuple(key): float(median) for *key, median in rows}
