# SPDX-License-Identifier: MIT OR Apache-2.0
"""Samples of placement are stored like any other, and ordinary tables do not see them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from cyclometer.records.columns import with_constants
from cyclometer.records.placement import PLACEMENT
from cyclometer.store import RunWriter, connect, select_runs
from cyclometer.store.digests import append_digest
from support.synthetic import process, run_info, sample


def stored(results: Path) -> duckdb.DuckDBPyConnection:
    """Open what was stored."""
    return connect(select_runs(results))


def test_a_placed_sample_is_in_a_view_of_its_own(tmp_path: Path) -> None:
    ordinary = process("salsa20", [sample("encrypt", 100.0)])
    cold = with_constants(ordinary, {"cold": "code", "call_site": 1}, PLACEMENT)
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.add_samples("ordinary", ordinary)
        writer.add_samples("placed", cold)
        writer.finish()
    database = stored(tmp_path)
    assert database.sql("SELECT count(*) FROM samples").fetchall() == [(1,)]
    assert database.sql("SELECT cold, call_site, between FROM placed").fetchall() == [("code", 1, 0)]


def test_a_run_from_before_placement_and_with_texts_as_dictionaries_is_read(tmp_path: Path) -> None:
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.add_samples("ordinary", process("salsa20", [sample("encrypt", 100.0)]))
        folder = writer.finish()
    path = folder / "samples.parquet"
    old = pq.read_table(path).drop_columns([*PLACEMENT])
    texts = [field.name for field in old.schema if pa.types.is_string(field.type)]
    columns = {name: old[name].dictionary_encode() if name in texts else old[name] for name in old.column_names}
    pq.write_table(pa.table(columns), path)
    append_digest(folder, path, path)
    database = stored(tmp_path)
    assert database.sql("SELECT primitive, length, series[1] FROM samples").fetchall() == [("salsa20", 0, 124)]
    assert database.sql("SELECT count(*) FROM placed").fetchall() == [(0,)]
