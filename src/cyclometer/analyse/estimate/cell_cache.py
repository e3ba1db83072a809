# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of cells: what `summarise` computes for each complete run, kept beside the build cache.

A file's name is a hash of everything it depends on: the run's samples (size and date), its run.json, the name of its
machine, and the code that computes cells. So files never need invalidation and may be deleted at any time; runs whose
samples are pooled with others' cannot use them.

A file (cell_file.py) is sorted by point (measure, keys, length ...) and has the facts that a table needs besides cells,
so a table reads a few rows and no samples.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from cyclometer.analyse.estimate.aa_control import Spreads, spreads_of
from cyclometer.analyse.estimate.cell_file import CellFile, write_cells
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.cells import Cell, cells, cells_of, summarise
from cyclometer.analyse.estimate.code_digest import code_digest
from cyclometer.analyse.estimate.comparability import Scope, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES, prepare
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.analyse.estimate.queries import read_together
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.records.columns import Columns, joined
from cyclometer.records.grid import Point
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Calibration
from cyclometer.store import StoredRun, connect, storage

_POINT = ("measure", "keys", "ad_length", "alignment", "length")
_KEY, _ORDER = ("operation", *_POINT), ("control", "primitive", "implementation", "compiler")
_SYSTEM = "operation || '/' || primitive"
Facts = Mapping[str, Any]


class CellCache:
    """The files of several runs, each from another machine; a CellSource."""

    def __init__(self, files: Sequence[CellFile]) -> None:
        self.files = files
        self.facts: list[Facts] = [file.facts for file in files]
        self.inventory = MeasurementIndex.merged(MeasurementIndex.load(facts["inventory"]) for facts in self.facts)

    def cells(self, scope: Scope, points: Collection[Point], primitives: Sequence[str] | None) -> list[Cell]:
        """Return the cells of the scope at these points, without controls; None as primitives means all."""
        result: list[Cell] = []
        runs = {(info.run, info.machine) for info in scope.infos}
        for file in self.files:
            if tuple(file.facts["run"]) in runs:
                result += _read(file, scope.operation, points, primitives)
        return result

    def spreads(self, scope: Scope) -> Spreads:
        """Return the A/A spreads."""
        facts_by_machine = self._facts_of(scope)
        return {
            (machine, measure): Spread(quiet=quiet, every=every)
            for machine, facts in facts_by_machine.items()
            for measure, (quiet, every) in facts["spreads"].get(scope.operation, {}).items()
        }

    def overhead(self, scope: Scope, machine: str) -> float | None:
        """Return the median overhead of a timing, in counter units."""
        facts = self._facts_of(scope).get(machine)
        return facts["overheads"].get(scope.operation) if facts else None

    def calibration(self, scope: Scope, machine: str) -> Calibration | None:
        """Return the error of code of known cost."""
        facts = self._facts_of(scope).get(machine)
        return Calibration(**facts["calibration"]) if facts and facts["calibration"] else None

    def clock(self, info: RunInfo) -> float | None:
        """Return the core cycles per second during a run; None if unknown."""
        for facts in self.facts:
            if facts["run"] == [info.run, info.machine]:
                clock: float | None = facts["clock"]
                return clock
        return None

    def _facts_of(self, scope: Scope) -> dict[str, Facts]:
        runs = {(info.run, info.machine) for info in scope.infos}
        return {facts["run"][1]: facts for facts in self.facts if tuple(facts["run"]) in runs}


def open_cells(stored: Sequence[StoredRun], folder: Path) -> CellCache | None:
    """Open the cells of these runs, computing those that `folder` lacks.

    None if cells are pooled over runs, a run is under way or damaged, or `folder` cannot be written.
    """
    machines = Counter(entry.machine for entry in stored)
    if any(entry.state != "complete" for entry in stored) or max(machines.values()) > 1:
        return None
    try:
        return CellCache([_open_or_build(entry, folder / "cells") for entry in stored])
    except (OSError, duckdb.Error, KeyError, ValueError):
        return None  # reading the samples themselves will give the error message


def open_run_cells(entry: StoredRun, folder: Path) -> CellFile:
    """Open the cells of one complete run in the cache `folder`, computing them if they are not there.

    Where the cache cannot be written they are computed each time. `StorageFailed` if a file of the run cannot be read.
    """
    with storage("read", entry.folder):
        path = _path(entry, folder / "cells")
        with suppress(OSError, KeyError, ValueError):
            return CellFile(path)
        built = _build(entry)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            return _written(path, *built)
        with TemporaryDirectory(prefix="cyclometer-cells-") as temporary:
            return _written(Path(temporary) / path.name, *built)


def keeps_cells(folder: Path) -> bool:
    """Return whether the cache `folder` can be written."""
    with suppress(OSError):
        (folder / "cells").mkdir(parents=True, exist_ok=True)
        return os.access(folder / "cells", os.W_OK)
    return False


def has_run_cells(entry: StoredRun, folder: Path) -> bool:
    """Return whether the cells of a run are in the cache `folder`."""
    return _path(entry, folder / "cells").exists()


def run_key(entry: StoredRun) -> str:
    """Return a name for everything computed from one run: another one once the run or the code changes."""
    return _key(entry)


def _path(entry: StoredRun, folder: Path) -> Path:
    return folder / f"{_key(entry)}.cells"


def _open_or_build(entry: StoredRun, folder: Path) -> CellFile:
    path = _path(entry, folder)
    with suppress(OSError, KeyError, ValueError):  # absent, or truncated by a full disk or a crash
        return CellFile(path)
    folder.mkdir(parents=True, exist_ok=True)  # first: computing is in vain if this fails
    return _written(path, *_build(entry))


def _written(path: Path, table: Columns, facts: Facts) -> CellFile:
    write_cells(path, table, _KEY, _ORDER, facts)
    return CellFile(path)


def _key(entry: StoredRun) -> str:
    hash_ = hashlib.sha256((entry.folder / "run.json").read_bytes())
    hash_.update(f"{entry.machine}\n".encode())
    for path in entry.sample_files:
        status = path.stat()
        hash_.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    hash_.update(code_digest().encode())
    return hash_.hexdigest()[:40]


def _build(entry: StoredRun) -> tuple[Columns, Facts]:
    """Compute the cells a few systems at a time, so that memory never holds all timings."""
    info = entry.info
    assert info
    with connect([entry]) as connection:
        connection.execute("SET memory_limit = '1GB'; SET enable_progress_bar = false")
        prepare(connection, [info])
        source = SampleSource(connection)
        systems = source.inventory.systems()
        parts = [
            summarise(connection, f"{_SYSTEM} IN ({', '.join(group)})") for group in _groups_of_systems(connection)
        ]
        table = joined(parts) if parts else summarise(connection, "false")
        scopes = [Scope(operation=operation, infos=(info,)) for operation in systems]
        calibration = source.calibration(scopes[0], info.machine) if scopes else None
        facts = {
            "run": [info.run, info.machine],
            "calibration": asdict(calibration) if calibration else None,
            "inventory": source.inventory.dump(),
            "spreads": _spreads_by_operation(table),
            "overheads": {scope.operation: source.overhead(scope, info.machine) for scope in scopes},
            "clock": source.clock(info),
        }
    return table, facts


def _spreads_by_operation(table: Columns) -> dict[str, dict[str, list[float]]]:
    """Return operation -> measure -> both spreads, of what was measured twice."""
    measured: dict[str, list[Cell]] = {}
    for cell in cells(table):
        measured.setdefault(cell.subject.operation, []).append(cell)
    return {
        operation: {measure: [spread.quiet, spread.every] for measure, spread in spreads_of(several).items()}
        for operation, several in measured.items()
    }


def _groups_of_systems(connection: duckdb.DuckDBPyConnection) -> Iterator[list[str]]:
    """Yield groups of systems that are read together."""
    query = f"SELECT {_SYSTEM} AS system, count(*) FROM samples GROUP BY ALL ORDER BY ALL"
    counts = {quoted(system): count for system, count in connection.sql(query).fetchall()}
    return read_together(counts, counts.__getitem__)


def _key_of(operation: str, point: Point) -> tuple[str | int, ...]:
    measure, *values = point
    known = dict(zip(VARIABLES, values, strict=True))
    return (operation, measure, *(known[name] for name in _POINT[1:]))


def _read(file: CellFile, operation: str, points: Collection[Point], primitives: Sequence[str] | None) -> list[Cell]:
    if not points:
        return []
    names = zip(("measure", *VARIABLES), zip(*points, strict=True), strict=True)
    conditions: dict[str, set[Any]] = {"operation": {operation}, "control": {False}}
    conditions |= {name: set(values) for name, values in names}
    if primitives is not None:
        conditions["primitive"] = set(primitives)
    found = cells_of(file.rows(sorted({_key_of(operation, point) for point in points}), conditions))
    requested = set(points)
    return [cell for cell in found if (cell.measure, *cell.variables.values()) in requested]
