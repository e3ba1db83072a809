# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether a run that somebody sent can be what it says: columns, contract, raw series, A/A control, calibration."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import duckdb
import numpy as np

from cyclometer.errors import first_line
from cyclometer.publish.bundle import RefusedBundle
from cyclometer.records.columns import Types
from cyclometer.records.run import CALIBRATION
from cyclometer.store import SMALL_TABLES, STORED, as_types, open_database

MAX_ROWS = 5_000_000
MAX_BYTES = 2 << 30  # of a table, unpacked
MEMORY = "1GB"
MAX_SPREAD = 0.5
"""By how much the A/A twin of a tuning may differ from it: much more than on any machine that works."""

MIN_DISTINCT = 0.01
"""At least so many of the series must not be one number repeated: real timings vary."""

SERIES_LOOKED_AT = 20_000


def require_plausible(files: Mapping[str, bytes], contracts: Mapping[str, str], where: str) -> None:
    """Raise `RefusedBundle` with the reason unless the run is plausible."""
    stated = json.loads(files["run.json"])["contracts"]
    for operation, contract in stated.items():
        if contracts.get(operation) != contract:
            ours = contracts.get(operation, "none")
            raise RefusedBundle(f"{where}: its contract of {operation} is {contract}, the collection's is {ours}")
    for name, types in {**SMALL_TABLES, "samples": STORED}.items():
        with _table(files[f"{name}.parquet"], types, f"{where}/{name}.parquet") as table:
            for check in (_series, _chain, _control, _calibration) if name == "samples" else ():
                if problem := check(table):
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
    ratios = [controls[key] / others[key] for key in shared if others[key] > 0]
    spread = abs(float(np.median(ratios)) - 1) if ratios else 0.0
    return "" if spread <= MAX_SPREAD else f"its A/A control differs by {spread:.0%}, more than {MAX_SPREAD:.0%}"


def _calibration(samples: duckdb.DuckDBPyRelation) -> str:
    """Say what is wrong with the calibration: code of known cost is measured in every run."""
    found = samples.filter(f"operation = '{CALIBRATION}'").limit(1).fetchall()
    return "" if found else "it has no calibration"


def _medians(samples: duckdb.DuckDBPyRelation, which: str) -> dict[tuple[Any, ...], float]:
    """Return the median timing of each measured point of the tunings, or of their A/A twins."""
    point = "measure, operation, primitive, implementation, compiler, length, ad_length, keys"
    kept = samples.filter(f"{which} AND measure <> 'empty'")
    rows = kept.aggregate(f"{point}, median(list_median(series))", point).fetchall()
    return {tuple(key): float(median) for *key, median in rows}
