# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells made once: what `summarise` says of each complete run, kept beside the build cache.

A file is named by all it depends on: the run's samples (their size and date), its
run.json, and the code that makes cells. So it never has to be made valid again, and
may be deleted at any time. Only runs that nothing is pooled with can stand on it.

It is an Arrow file of small batches, sorted by point (measure, keys, length ...), whose
metadata say what was measured, at which point each batch begins, and what a table needs
besides cells. So a table reads the few batches that hold its points, and no samples.
"""

from __future__ import annotations

import bisect
import hashlib
import json
import os
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from cyclometer.analyse.estimate.aa_control import Spreads
from cyclometer.analyse.estimate.cell_source import Point, SampleSource
from cyclometer.analyse.estimate.cells import Cell, cells_of, summarise
from cyclometer.analyse.estimate.code_digest import code_digest
from cyclometer.analyse.estimate.comparability import Scope, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES, prepare
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.records.run import RunInfo
from cyclometer.store import StoredRun, connect

_POINT = ("measure", "keys", "ad_length", "alignment", "length")
_ORDER = ("operation", *_POINT, "control", "primitive", "implementation", "compiler")
_ROWS = 1024  # of a batch: a table needs a few lengths of many
_FACTS = b"cyclometer"
_SYSTEM = "operation || '/' || primitive"
TOGETHER = 50_000
"""Samples whose cells are made at once: to make some takes fifty milliseconds, however few they are."""

Facts = Mapping[str, Any]


class CellCache:
    """The files of several runs, each of another machine."""

    def __init__(self, readers: Sequence[pa.RecordBatchFileReader]) -> None:
        self.readers = readers
        self.facts: list[Facts] = [json.loads((reader.schema.metadata or {})[_FACTS]) for reader in readers]
        self.inventory = MeasurementIndex.merged(MeasurementIndex.load(facts["inventory"]) for facts in self.facts)

    def cells(self, scope: Scope, points: Collection[Point], primitives: Sequence[str] | None) -> list[Cell]:
        """Those of the scope at these points, controls left out; of these primitives, or (None) of all."""
        found: list[Cell] = []
        runs = {(info.run, info.machine) for info in scope.infos}
        keys = sorted({_key_of(scope.operation, point) for point in points})
        for reader, facts in zip(self.readers, self.facts, strict=True):
            if tuple(facts["run"]) in runs:
                found += _read(reader, _batches(facts["begins"], keys), scope.operation, points, primitives)
        return found

    def spreads(self, scope: Scope) -> Spreads:
        """The A/A spreads."""
        here = self._of(scope)
        return {
            (machine, measure): Spread(quiet=quiet, every=every)
            for machine, facts in here.items()
            for measure, (quiet, every) in facts["spreads"].get(scope.operation, {}).items()
        }

    def overhead(self, scope: Scope, machine: str) -> float | None:
        """The median empty call."""
        facts = self._of(scope).get(machine)
        return facts["overheads"].get(scope.operation) if facts else None

    def clock(self, info: RunInfo) -> float | None:
        """Core cycles a second during a run."""
        for facts in self.facts:
            if facts["run"] == [info.run, info.machine]:
                found: float | None = facts["clock"]
                return found
        return None

    def _of(self, scope: Scope) -> dict[str, Facts]:
        runs = {(info.run, info.machine) for info in scope.infos}
        return {facts["run"][1]: facts for facts in self.facts if tuple(facts["run"]) in runs}


def open_cells(stored: Sequence[StoredRun], folder: Path) -> CellCache | None:
    """The cells of these runs, which are made where `folder` lacks them.

    None where cells are pooled over runs, a run is under way or damaged, or `folder` cannot be written.
    """
    machines = Counter(entry.machine for entry in stored)
    if any(entry.state != "complete" for entry in stored) or max(machines.values()) > 1:
        return None
    try:
        return CellCache([_opened(entry, folder / "cells") for entry in stored])
    except (OSError, duckdb.Error, pa.ArrowException, KeyError, ValueError):
        return None  # whoever reads the samples themselves says what is wrong with them


def _opened(entry: StoredRun, folder: Path) -> pa.RecordBatchFileReader:
    path = folder / f"{_key(entry)}.arrow"
    with suppress(OSError, pa.ArrowException):  # not there, or a full disk or a crash has cut it
        return pa.ipc.open_file(pa.memory_map(str(path)))
    folder.mkdir(parents=True, exist_ok=True)
    table, facts = _build(entry)
    _write(path, table, facts)
    return pa.ipc.open_file(pa.memory_map(str(path)))


def _key(entry: StoredRun) -> str:
    mix = hashlib.sha256((entry.folder / "run.json").read_bytes())
    for path in entry.sample_files:
        status = path.stat()
        mix.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    mix.update(code_digest().encode())
    return mix.hexdigest()[:40]


def _build(entry: StoredRun) -> tuple[pa.Table, Facts]:
    """A few systems at a time, so that not all timings are in memory."""
    info = entry.info
    assert info
    with connect([entry]) as connection:
        connection.execute("SET memory_limit = '1GB'")
        prepare(connection, [info])
        source = SampleSource(connection)
        systems = source.inventory.systems()
        parts = [summarise(connection, f"{_SYSTEM} IN ({', '.join(some)})") for some in _some_systems(connection)]
        scopes = [Scope(operation=operation, infos=(info,)) for operation in systems]
        spreads = {
            scope.operation: {name: [spread.quiet, spread.every] for (_, name), spread in source.spreads(scope).items()}
            for scope in scopes
        }
        facts = {
            "run": [info.run, info.machine],
            "inventory": source.inventory.dump(),
            "spreads": spreads,
            "overheads": {scope.operation: source.overhead(scope, info.machine) for scope in scopes},
            "clock": source.clock(info),
        }
        table = pa.concat_tables(parts) if parts else summarise(connection, "false")
    return table.sort_by([(name, "ascending") for name in _ORDER]), facts


def _some_systems(connection: duckdb.DuckDBPyConnection) -> Iterator[list[str]]:
    """Systems with no more than TOGETHER samples, or a single one."""
    query = f"SELECT {_SYSTEM} AS system, count(*) FROM samples GROUP BY ALL ORDER BY ALL"
    some: list[str] = []
    samples = 0
    for system, count in connection.sql(query).fetchall():
        if some and samples + count > TOGETHER:
            yield some
            some, samples = [], 0
        some.append(quoted(system))
        samples += count
    if some:
        yield some


def _write(path: Path, table: pa.Table, facts: Facts) -> None:
    """Batches of few rows: what is not asked for is not even unpacked."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            coded = table.column(place).combine_chunks().dictionary_encode()
            table = table.set_column(place, field.name, coded)
    batches = table.combine_chunks().to_batches(max_chunksize=_ROWS)
    begins = [[batch.column(name)[0].as_py() for name in ("operation", *_POINT)] for batch in batches]
    schema = table.schema.with_metadata({_FACTS: json.dumps({**facts, "begins": begins})})
    scratch = path.with_name(f".{secrets.token_hex(8)}")
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    try:
        with pa.OSFile(str(scratch), "wb") as file, pa.ipc.new_file(file, schema, options=options) as writer:
            for batch in batches:
                writer.write_batch(batch.replace_schema_metadata(schema.metadata))
        os.replace(scratch, path)
    finally:
        with suppress(OSError):
            scratch.unlink()


def _key_of(operation: str, point: Point) -> tuple[str | int, ...]:
    measure, *values = point
    known = dict(zip(VARIABLES, values, strict=True))
    return (operation, measure, *(known[name] for name in _POINT[1:]))


def _batches(begins: Sequence[Sequence[Any]], keys: Iterable[tuple[str | int, ...]]) -> list[int]:
    """Which batches can hold these points: of each, from the one it may begin in."""
    firsts = [tuple(begin) for begin in begins]
    found: set[int] = set()
    for key in keys:
        found.update(range(max(bisect.bisect_left(firsts, key) - 1, 0), bisect.bisect_right(firsts, key)))
    return sorted(found)


def _read(
    reader: pa.RecordBatchFileReader,
    batches: Sequence[int],
    operation: str,
    points: Collection[Point],
    primitives: Sequence[str] | None,
) -> list[Cell]:
    if not batches:
        return []
    table = pa.Table.from_batches([reader.get_batch(place) for place in batches], reader.schema)
    columns = {name: _column(table[name]) for name in table.column_names}
    names = zip(("measure", *VARIABLES), zip(*points, strict=True), strict=True)
    wanted: dict[str, set[Any]] = {"operation": {operation}, **{name: set(values) for name, values in names}}
    if primitives is not None:
        wanted["primitive"] = set(primitives)
    chosen = ~columns["control"][1]
    for name, several in wanted.items():
        values, places = columns[name]
        kept = [place for place, value in enumerate(values) if value in several] if values else sorted(several)
        chosen &= np.isin(places, kept)
    rows = np.flatnonzero(chosen)
    found = cells_of({name: _list(column, rows) for name, column in columns.items()})
    exact = set(points)
    return [cell for cell in found if (cell.measure, *cell.variables.values()) in exact]


# By numpy: to import what pyarrow computes with takes longer than to read these few rows.
_Column = tuple[list[Any], npt.NDArray[Any]]  # the values that the places name; without any, the places themselves


def _column(column: pa.ChunkedArray[Any]) -> _Column:
    whole = column.combine_chunks()
    if isinstance(whole, pa.DictionaryArray):
        return whole.dictionary.to_pylist(), whole.indices.to_numpy()
    return [], whole.to_numpy(zero_copy_only=False)


def _list(column: _Column, rows: npt.NDArray[np.intp]) -> list[Any]:
    values, places = column
    picked: list[Any] = places[rows].tolist()
    return [values[place] for place in picked] if values else picked
