# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether what is stored of a run is whole: its files, their columns, and values that nothing may lack."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.records.run import CALIBRATION
from cyclometer.store.database import own_database
from cyclometer.store.digests import Digests, missing_parts, read_digests, verify
from cyclometer.store.files import REMEDY, storage
from cyclometer.store.folder import RUN_FILE, SAMPLES_FILE
from cyclometer.store.parquet import column_ranges, column_types, count_rows
from cyclometer.store.schema import ADDED, POINT, SMALL_TABLES, STORED, files_of_tables, holds
from cyclometer.store.stored_run import StoredRun
from cyclometer.untrusted import shortened

NO_CALIBRATION = f"operation <> '{CALIBRATION}'"


def check_complete(folder: Path, digests: Digests | None) -> None:
    """Check that the files are as they were stored, and Parquet with the right columns."""
    with storage("read", folder):
        present = {*(digests or {}), *os.listdir(folder)}
    tables = {SAMPLES_FILE: STORED, **files_of_tables(present)}
    if digests is not None:
        verify(folder, tables, digests)
    for (name, types), stored in zip(tables.items(), _column_types(folder, tables), strict=True):
        path = folder / name
        for column, kind in types.items():
            if column in stored and not holds(stored[column], kind):
                raise StorageFailed(f"{path}: the column {column!r} has {stored[column]}, not {kind}; {REMEDY}")
            if column not in (*stored, *ADDED.get(path.stem, ())):
                raise StorageFailed(f"{path} lacks the column {column!r}; {REMEDY}")


def _column_types(folder: Path, names: Iterable[str]) -> Sequence[Mapping[str, str]]:
    """Return the types of the columns of these files; `StorageFailed` names the first that is no Parquet file."""
    files = [folder / name for name in names]
    if all(file.is_file() for file in files):
        with suppress(StorageFailed), storage("read", folder):
            return column_types(files)  # together, which takes a third of the time
    types: list[Mapping[str, str]] = []
    for file in files:
        with storage("read", file):
            types += column_types([file])
    return types


def verify_run(entry: StoredRun, *, samples: bool, thorough: bool) -> None:
    """Raise `StorageFailed` if a file that will be read is damaged, or a part is missing."""
    digests = read_digests(entry.folder)
    if digests is None:
        return
    if entry.state == "interrupted" and (gone := missing_parts(entry.folder, digests)):
        raise StorageFailed(f"{gone[0]} was deleted; `cyclometer run --resume` measures it again")
    small = [f"{name}.parquet" for name in SMALL_TABLES]
    verify(entry.folder, [RUN_FILE, *(name for name in small if (entry.folder / name).exists())], digests)
    if samples:
        files = [path.relative_to(entry.folder).as_posix() for path in entry.sample_files]
        verify(entry.folder, files, digests, thorough=thorough)


def require_points(entry: StoredRun) -> None:
    """Raise `StorageFailed` if a sample does not say what was measured, or is of another run."""
    names = dict(zip(("run", "machine"), entry.recorded_as, strict=True))
    with storage("read", entry.folder):
        ranges = column_ranges(entry.sample_files, {*POINT, *names})
    for found in ranges:
        if found.incomplete and found.column in POINT:
            raise StorageFailed(f"{found.file}: values of the column {found.column!r} are missing; {REMEDY}")
        for other in (found.least, found.greatest):
            if other is not None and other != names.get(found.column, other):
                raise StorageFailed(f"{found.file}: has samples of the {found.column} {shortened(other)}; {REMEDY}")


def require_values(stored: Sequence[StoredRun]) -> None:
    """Raise `StorageFailed` if values of a small table are missing that every version stores."""
    files = [file for entry in stored for name in SMALL_TABLES if (file := entry.folder / f"{name}.parquet").exists()]
    if not files:
        return
    with storage("read", files[0]):
        ranges = column_ranges(files)
    for found in ranges:
        if found.incomplete and found.column not in ADDED.get(Path(found.file).stem, ()):
            raise StorageFailed(f"{found.file}: values of the column {found.column!r} are missing; {REMEDY}")


def count_contents(entry: StoredRun) -> tuple[int, int]:
    """Return how many systems a run measured, and how many samples it has; `StorageFailed` if it is damaged."""
    verify_run(entry, samples=True, thorough=False)
    require_points(entry)
    require_values([entry])
    return sum(map(len, systems_of_runs([entry]).values())), count_rows(entry.sample_files)


def systems_of_runs(stored: Sequence[StoredRun]) -> dict[str, list[str]]:
    """Return what runs measured, calibration aside: operation -> primitives, sorted."""
    result: dict[str, list[str]] = {}
    files = [str(file) for entry in stored for file in entry.sample_files]
    if not files:
        return result
    query = f"SELECT DISTINCT operation, primitive FROM read_parquet(?) WHERE {NO_CALIBRATION} ORDER BY ALL"
    with storage("read", stored[0].folder), own_database() as database:
        for operation, primitive in database.execute(query, [files]).fetchall():
            result.setdefault(operation, []).append(primitive)
    return result
