# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether a run that somebody sent can be what it says: columns, contract, raw series, A/A control, calibration."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cyclometer.errors import first_line
from cyclometer.publish.bundle import RefusedBundle
from cyclometer.records.run import CALIBRATION
from cyclometer.store import SMALL_TABLES, STORED

MAX_ROWS = 5_000_000
MAX_BYTES = 2 << 30  # of a table, unpacked
MAX_SPREAD = 0.5
"""By how much the A/A twin of a tuning may differ from it: much more than on any machine that works."""

MIN_DISTINCT = 0.01
"""At least so many of the series must not be one number repeated: real timings vary."""


def require_plausible(files: Mapping[str, bytes], contracts: Mapping[str, str], where: str) -> None:
    """Raise `RefusedBundle` with the reason unless the run is plausible."""
    stated = json.loads(files["run.json"])["contracts"]
    for operation, contract in stated.items():
        if contracts.get(operation) != contract:
            ours = contracts.get(operation, "none")
            raise RefusedBundle(f"{where}: its contract of {operation} is {contract}, the collection's is {ours}")
    for name in SMALL_TABLES:
        _table(files[f"{name}.parquet"], SMALL_TABLES[name], f"{where}/{name}.parquet")
    samples = _table(files["samples.parquet"], STORED, f"{where}/samples.parquet")
    for check in (_series, _chain, _control, _calibration):
        if problem := check(samples):
            raise RefusedBundle(f"{where}: {problem}")


def _table(content: bytes, schema: pa.Schema, where: str) -> pa.Table:
    """Return a table that has exactly these columns and is not larger than it may be."""
    with _refusing(where):
        file = pq.ParquetFile(io.BytesIO(content))
        size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        if file.metadata.num_rows > MAX_ROWS or size > MAX_BYTES:
            raise RefusedBundle(f"{where}: more than {MAX_ROWS:,} rows or {MAX_BYTES:,} bytes")
        if file.schema_arrow.names != schema.names:
            raise RefusedBundle(f"{where}: its columns are not those of the format")
        table: pa.Table = file.read().cast(schema)
        return table


@contextmanager
def _refusing(where: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        raise RefusedBundle(f"{where}: cannot be read: {first_line(error)[:200]}") from None


def _series(samples: pa.Table) -> str:
    """Say what is wrong with the raw timings: they are there and vary."""
    if not samples.num_rows:
        return "it has no samples"
    if pc.min(pc.list_value_length(samples["series"])).as_py() in (None, 0):
        return "a sample has no raw timings"
    series: list[Any] = samples["series"].slice(0, 20_000).to_pylist()
    firsts = [set(timings) for timings in series if len(timings) > 2]
    if any(None in values for values in firsts):
        return "a raw timing is missing"
    if firsts and sum(len(values) > 1 for values in firsts) < MIN_DISTINCT * len(firsts):
        return "its raw timings do not vary, which no counter does"
    return ""


def _chain(samples: pa.Table) -> str:
    """Say what is wrong with the reference kernel, which takes time before and after every sample."""
    least = min(int(pc.min(samples[name]).as_py() or 0) for name in ("chain_before", "chain_after"))
    return "" if least > 0 else "the reference kernel took no time, so that its clock cannot be known"


def _control(samples: pa.Table) -> str:
    """Say what is wrong with the A/A control: a tuning measured as if it were another has about the same medians."""
    controls, others = _medians(samples, True), _medians(samples, False)
    shared = controls.keys() & others.keys()
    if not shared:
        return "it has no A/A control"
    ratios = [controls[key] / others[key] for key in shared if others[key] > 0]
    spread = abs(float(np.median(ratios)) - 1) if ratios else 0.0
    return "" if spread <= MAX_SPREAD else f"its A/A control differs by {spread:.0%}, more than {MAX_SPREAD:.0%}"


def _calibration(samples: pa.Table) -> str:
    """Say what is wrong with the calibration: code of known cost is measured in every run."""
    kinds = set(pc.unique(samples["operation"].cast(pa.string())).to_pylist())
    return "" if CALIBRATION in kinds else "it has no calibration"


def _medians(samples: pa.Table, control: bool) -> dict[tuple[object, ...], float]:
    """Return the median timing of each measured point of the tunings, or of their A/A twins."""
    found: dict[tuple[object, ...], list[float]] = {}
    point = ("operation", "primitive", "implementation", "compiler", "length", "ad_length", "keys")
    columns: list[list[Any]] = [samples[name].to_pylist() for name in ("control", "measure", *point, "series")]
    for is_control, *key, series in zip(*columns, strict=True):
        if is_control == control and key[0] != "empty":
            found.setdefault(tuple(key), []).append(float(np.median(series)))
    return {key: float(np.median(values)) for key, values in found.items()}
