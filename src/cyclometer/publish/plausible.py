# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether a run that somebody sent can be what it says: columns, contract, raw series, A/A control, calibration."""

from __future__ import annotations

import datetime
import io
import json
from collections import Counter
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
MAX_SPREAD = 0.25
"""By how much an A/A twin may differ from its tuning, at the median of all points: more than where a machine works."""

MAX_CALIBRATION_ERROR = 0.15
"""By how much code of known cost may seem too fast or slow, as a part of it: many times the error of a real counter."""

LONG_RUN = datetime.timedelta(days=30)
MAX_AHEAD = datetime.timedelta(days=1)

MIN_DISTINCT = 0.01
"""At least so many of the series must not be one number repeated: real timings vary."""

MIN_UNIQUE, LIVELY, ENOUGH = 0.5, 4, 50
"""Of at least ENOUGH series with LIVELY or more different numbers, so many must occur once: noise does not repeat."""


def require_plausible(files: Mapping[str, bytes], contracts: Mapping[str, str], where: str) -> None:
    """Raise `RefusedBundle` with the reason unless the run is plausible."""
    info = json.loads(files["run.json"])
    for operation, contract in info["contracts"].items():
        if contracts.get(operation) != contract:
            ours = contracts.get(operation, "none")
            raise RefusedBundle(f"{where}: its contract of {operation} is {contract}, the collection's is {ours}")
    for name in SMALL_TABLES:
        _table(files[f"{name}.parquet"], SMALL_TABLES[name], f"{where}/{name}.parquet")
    samples = _table(files["samples.parquet"], STORED, f"{where}/samples.parquet")
    for check in (_series, _copies, _twice, _chain, _control):
        _refuse(check(samples), where)
    _refuse(_calibration(samples, info["counter"]), where)
    _refuse(_dates(info), where)


def _refuse(problem: str, where: str) -> None:
    if problem:
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
    ratios = [controls[key] / others[key] for key in shared if min(controls[key], others[key]) > 0]
    spread = float(np.expm1(np.median(np.abs(np.log(ratios))))) if ratios else 0.0
    return "" if spread <= MAX_SPREAD else f"its A/A control differs by {spread:.0%}, more than {MAX_SPREAD:.0%}"


def _calibration(samples: pa.Table, counter: Mapping[str, Any]) -> str:
    """Say what is wrong with the calibration: code of known cost, whose slope the reference kernel must share."""
    kinds = zip(*(samples[name].cast(pa.string()).to_pylist() for name in ("operation", "measure")), strict=True)
    chains = samples.filter(pa.array([kind == (CALIBRATION, "chain") for kind in kinds], pa.bool_()))
    if not chains.num_rows:
        return "it has no calibration"
    columns = [chains[name].to_pylist() for name in ("length", "series", "chain_before")]
    rows = [(known, float(np.median(series)), chain) for known, series, chain in zip(*columns, strict=True)]
    shortest, longest = (bound(known for known, _, _ in rows) for bound in (min, max))
    if shortest == longest or not counter.get("chain_cycles"):
        return ""
    ends = [float(np.median([ticks for known, ticks, _ in rows if known == end])) for end in (shortest, longest)]
    per_cycle = float(np.median([chain for _, _, chain in rows])) / float(counter["chain_cycles"])
    error = (ends[1] - ends[0]) / (longest - shortest) / per_cycle - 1
    off = abs(error) > MAX_CALIBRATION_ERROR
    return f"its calibration is off by {error:+.0%}, more than {MAX_CALIBRATION_ERROR:.0%}" if off else ""


def _dates(info: Mapping[str, Any]) -> str:
    """Say what is wrong with the times at which the run began and ended."""
    started, finished = (datetime.datetime.fromisoformat(str(info[name])) for name in ("started", "finished"))
    if not started <= finished <= started + LONG_RUN:
        return "it ended before it began, or took more than a month"
    return "it ends in the future" if finished > datetime.datetime.now(datetime.UTC) + MAX_AHEAD else ""


def _copies(samples: pa.Table) -> str:
    """Say whether raw series are copies of each other, as when one round is made into many."""
    raw: list[Any] = samples["series"].slice(0, 20_000).to_pylist()
    every = [tuple(series) for series in raw]
    lively = [series for series in every if len(set(series)) >= LIVELY]
    unique = sum(times == 1 for times in Counter(lively).values())
    if len(lively) >= ENOUGH and unique < MIN_UNIQUE * len(lively):
        return f"of {len(lively):,} raw series, only {unique:,} are not copies of others"
    return ""


def _twice(samples: pa.Table) -> str:
    """Say whether a process took one of its samples twice."""
    tuning = ("operation", "primitive", "implementation", "compiler")
    trial = ("link", "environment", "cold", "call_site", "between", "trial")
    columns = [samples[name].to_pylist() for name in (*tuning, "control", "round", *trial, "sequence")]
    rows = list(zip(*columns, strict=True))
    return "it has a sample twice" if len(set(rows)) < len(rows) else ""


def _medians(samples: pa.Table, control: bool) -> dict[tuple[object, ...], float]:
    """Return the median timing of each measured point of the tunings, or of their A/A twins."""
    found: dict[tuple[object, ...], list[float]] = {}
    point = ("operation", "primitive", "implementation", "compiler", "length", "ad_length", "keys")
    columns: list[list[Any]] = [samples[name].to_pylist() for name in ("control", "measure", *point, "series")]
    for is_control, *key, series in zip(*columns, strict=True):
        if is_control == control and key[0] != "empty":
            found.setdefault(tuple(key), []).append(float(np.median(series)))
    return {key: float(np.median(values)) for key, values in found.items()}
