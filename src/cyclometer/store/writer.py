# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writing a run: part after part, each complete on disk before the next begins."""

from __future__ import annotations

import dataclasses
import datetime
import os
import re
import shutil
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from cyclometer.errors import StorageFailed
from cyclometer.records.columns import TEXT, Columns, Types, columns_of, count_of, with_constants
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.grid import POINT
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.run import EarlierCost, RunInfo, Size
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store.digests import (
    Digests,
    append_digest,
    digest_of,
    missing_parts,
    read_digests,
    verify,
    write_digests,
)
from cyclometer.store.files import TEMPORARY_SUFFIX, rename_folder, storage, write_whole
from cyclometer.store.folder import (
    LOCK_FILE,
    PARTS,
    RUN_FILE,
    SAMPLES_FILE,
    STARTING_SUFFIX,
    finished_folder,
    is_partial,
    partial_folder,
    unused_name,
)
from cyclometer.store.lock import FolderLock, is_locked
from cyclometer.store.merge import check_part, merge_parts, verify_part
from cyclometer.store.parquet import read_rows, write_parquet
from cyclometer.store.runfile import digests_of, read_run_info, write_run_info
from cyclometer.store.schema import SEQUENCE, SMALL_TABLES, STORED

START_SECONDS = 60
"""A start that is older than this and not locked was killed."""

_SUBJECT = ("operation", "primitive", "implementation", "compiler")


class RunWriter:
    """One run being written: whatever is added is on disk when the call returns.

    Use it as a context manager: leaving it releases the lock and keeps what was stored. `finish` turns the partial
    folder into a complete run.
    """

    def __init__(self, folder: Path, info: RunInfo, lock: FolderLock) -> None:
        self.folder = folder
        self.info = info
        self._lock = lock

    @classmethod
    def start(cls, results: Path, info: RunInfo) -> RunWriter:
        """Create a new run in <results>/<machine>/.<run>.partial; `StorageFailed` if it exists."""
        folder = partial_folder(results, info.machine, info.run)
        finished = finished_folder(results, info.machine, info.run)
        if is_locked(folder / LOCK_FILE):
            raise StorageFailed(f"{folder} is being written by another process; choose another name")
        if finished.exists() or folder.exists():
            raise StorageFailed(
                f"{finished if finished.exists() else folder} already exists; remove it, or choose another name"
            )
        remove_killed_starts(folder.parent)
        starting = folder.with_name(f"{folder.name}.{os.getpid()}{STARTING_SUFFIX}")
        with storage("write", folder):
            (starting / PARTS).mkdir(parents=True)
        writer = cls(starting, info, FolderLock(starting / LOCK_FILE))
        try:
            write_digests(starting, {})
            write_run_info(starting / RUN_FILE, info)
            rename_folder(starting, folder)
        except BaseException:
            writer.close()
            shutil.rmtree(starting, ignore_errors=True)
            raise
        writer.folder = folder
        return writer

    @classmethod
    def start_numbered(cls, results: Path, info: RunInfo) -> RunWriter:
        """Create a new run as `start` does, with a number behind its name if another has it or takes it meanwhile."""
        while True:
            name = unused_name(results, info.machine, info.run)
            try:
                return cls.start(results, replace(info, run=name))
            except StorageFailed:
                if name == unused_name(results, info.machine, info.run):
                    raise

    @classmethod
    def resume(cls, folder: Path) -> RunWriter:
        """Continue an interrupted run after checking what it holds.

        `StorageFailed` if the folder is not an interrupted run, is locked, or holds a damaged file.
        """
        if not is_partial(folder):
            raise StorageFailed(f"{folder} is not an interrupted run; `cyclometer runs` lists these")
        info = read_run_info(folder / RUN_FILE)
        writer = cls(folder, info, FolderLock(folder / LOCK_FILE))
        try:
            digests = digests_of(folder, info)
            if digests is None:  # format 1
                stored = [folder / RUN_FILE, *folder.glob("*.parquet"), *writer._parts()]
                write_digests(folder, {path.relative_to(folder).as_posix(): digest_of(path) for path in stored})
                digests = read_digests(folder) or {}
            writer._tidy(digests)
        except BaseException:
            writer.close()
            raise
        return writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; the run stays as it is and can be resumed."""
        self._lock.release()

    def discard(self) -> None:
        """Remove the run if it holds no sample; otherwise do nothing."""
        if not self._parts():
            shutil.rmtree(self.folder, ignore_errors=True)
            self._lock.release()

    def update(self, **changes: Any) -> None:
        """Change fields of run.json that become known only during the run."""
        self.info = dataclasses.replace(self.info, **changes)
        write_run_info(self.folder / RUN_FILE, self.info)

    def has(self, name: str) -> bool:
        """Return whether the part `name` is stored."""
        return self._part(name).exists()

    def add_samples(self, name: str, samples: Columns) -> None:
        """Store one process's samples as part `name`: the columns of records.run.SAMPLES, rows in the order taken."""
        numbered = {SEQUENCE: np.arange(count_of(samples), dtype=np.int32), **samples}
        self._write(self._part(name), with_placement(numbered), STORED)

    def remove_samples(self, subject: Tuning) -> None:
        """Remove all stored samples of a tuning, because its timings proved to be untrue."""
        with storage("write", self.folder):
            for part in self._parts():
                if _subject_of(part) == subject:
                    part.unlink()
        self._list_once(read_digests(self.folder) or {})

    def add_failures(self, failures: Iterable[Failure]) -> None:
        """Store failures; one with the stage, tuning, severity and reason of a stored one replaces it."""
        self._add("failures", [_row(failure) for failure in failures], ("stage", *_SUBJECT, "severity", "reason"))

    def add_trials(self, trials: Iterable[Trial]) -> None:
        """Store trials; a trial of the same tuning replaces the stored one."""
        self._add("trials", [_row(trial) for trial in trials], _SUBJECT)

    def add_sizes(self, sizes: Iterable[Size]) -> None:
        """Store sizes; a size of the same name and tuning replaces the stored one."""
        self._add("sizes", [_row(size) for size in sizes], (*_SUBJECT, "name"))

    def add_earlier(self, costs: Iterable[EarlierCost]) -> None:
        """Store what earlier runs measured; of the same run, tuning and point the last counts."""
        self._add("earlier", [_row(cost) for cost in costs], (*_SUBJECT, *POINT, "runs_ago"))

    def failures(self) -> list[Failure]:
        """Return the failures stored so far, which a resumed run need not find again."""
        return [_failure(row) for row in self._rows("failures")]

    def trials(self) -> list[Trial]:
        """Return the trials stored so far, so that a resumed run keeps its tunings."""
        return [_record(Trial, row) for row in self._rows("trials")]

    def sizes(self) -> list[Size]:
        """Return the sizes stored so far."""
        return [_record(Size, row) for row in self._rows("sizes")]

    def finish(self, finished: datetime.datetime | None = None) -> Path:
        """Merge the parts, complete run.json, give the folder its final name and return it.

        `finished` is when measuring ended, if not now, as in an import. An error leaves the partial run as it was, to
        be resumed or finished again.
        """
        target = finished_folder(self.folder.parents[1], self.info.machine, self.info.run)
        self._check_parts()
        merge_parts(self._parts(), self.folder / SAMPLES_FILE, self._record)
        for name in SMALL_TABLES:
            self._add(name, [], ())
        self.update(finished=finished or datetime.datetime.now(datetime.UTC))
        rename_folder(self.folder, target)
        self.folder = target
        with suppress(StorageFailed):  # a longer list is valid, too
            self._list_once(read_digests(target) or {})
        self._lock.release()
        # The run is complete and safe; remove what only the writer needed.
        shutil.rmtree(target / PARTS, ignore_errors=True)
        (target / LOCK_FILE).unlink(missing_ok=True)
        return target

    def _part(self, name: str) -> Path:
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+=@,-]*", name):
            raise StorageFailed(f"part name {name!r} cannot name a file; use letters, digits and _.+=@,- only")
        return self.folder / PARTS / f"{name}.parquet"

    def _parts(self) -> list[Path]:
        return sorted((self.folder / PARTS).glob("[!.]*.parquet"))

    def _record(self, path: Path, content: Path) -> None:
        append_digest(self.folder, path, content)

    def _write(self, path: Path, columns: Columns, types: Types) -> None:
        write_whole(path, lambda temporary: write_parquet(temporary, columns, types), self._record)

    def _check_parts(self) -> None:
        """Raise `StorageFailed` if a part is damaged, or was deleted since it was stored."""
        digests = read_digests(self.folder) or {}
        if gone := missing_parts(self.folder, digests):
            raise StorageFailed(
                f"{gone[0]} was deleted since it was stored ({len(gone)} in all); "
                "`cyclometer run --resume` measures it again"
            )
        for part in self._parts():
            verify_part(self.folder, part, digests)  # its columns were checked when it was written, or resumed

    def _tidy(self, digests: Digests) -> None:
        """Check every file, and complete or remove what a killed writer left.

        A temporary file whose digest is listed is whole and only lacks its name. Deleted parts are forgotten, so that
        they are measured again.
        """
        with storage("read", self.folder):
            for leftover in [
                *self.folder.glob(f".*{TEMPORARY_SUFFIX}"),
                *(self.folder / PARTS).glob(f".*{TEMPORARY_SUFFIX}"),
            ]:
                path = leftover.with_name(leftover.name[1 : -len(TEMPORARY_SUFFIX)])
                listed = digests.get(path.relative_to(self.folder).as_posix(), ("",))[-1]
                if leftover.is_file() and digest_of(leftover) == listed:
                    leftover.replace(path)
                elif leftover.is_dir():
                    shutil.rmtree(leftover)
                else:
                    leftover.unlink()
            (self.folder / PARTS).mkdir(exist_ok=True)
        verify(self.folder, [name for name in digests if "/" not in name], digests)
        for part in self._parts():
            check_part(self.folder, part, digests)
        self._list_once(digests)

    def _list_once(self, digests: Digests) -> None:
        """List each file that belongs to the run once, with the digest that it has."""
        parts = f"{PARTS}/" if not is_partial(self.folder) else "\0"
        names = [name for name in digests if (self.folder / name).exists() and not name.startswith(parts)]
        known = {name: set(digests[name]) for name in names}
        once = {name: known[name].pop() if len(known[name]) == 1 else digest_of(self.folder / name) for name in names}
        write_digests(self.folder, once)

    def _rows(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / f"{name}.parquet"
        if not path.exists():
            return []
        with storage("read", path):
            return read_rows(path, SMALL_TABLES[name])

    def _add(self, name: str, rows: Sequence[dict[str, Any]], identity: tuple[str, ...]) -> None:
        """Rewrite a small table with `rows` added; a row replaces an earlier one with the same `identity` columns."""
        merged: dict[Any, dict[str, Any]] = {}
        for index, row in enumerate([*self._rows(name), *rows]):
            merged[tuple(row[column] for column in identity) or index] = row
        types = SMALL_TABLES[name]
        self._write(self.folder / f"{name}.parquet", columns_of(merged.values(), types), types)


def remove_killed_starts(machine: Path) -> None:
    """Remove what writers left that were killed before their run had a run.json; young ones may just be starting."""
    for folder in machine.glob(f".*{STARTING_SUFFIX}"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > START_SECONDS and not is_locked(folder / LOCK_FILE):
                shutil.rmtree(folder)


def run_info(folder: Path) -> RunInfo:
    """Return what a stored run says of itself."""
    return read_run_info(folder / RUN_FILE)


def run_failures(folder: Path) -> list[Failure]:
    """Return the failures that a finished run has stored."""
    path = folder / "failures.parquet"
    with storage("read", path):
        return [_failure(row) for row in read_rows(path, SMALL_TABLES["failures"])]


def with_placement(samples: Columns) -> Columns:
    """Return samples with the columns of placement, which are 0 or empty where nobody asked for any."""
    usual = {name: "" if kind == TEXT else 0 for name, kind in PLACEMENT.items() if name not in samples}
    return with_constants(samples, usual, PLACEMENT)


def _subject_of(part: Path) -> Tuning | None:
    """Return the tuning whose samples a part holds; None if it holds none."""
    with storage("read", part):
        rows = read_rows(part, dict.fromkeys(_SUBJECT, TEXT))
    return Tuning(**rows[0]) if rows else None


def _row(record: Failure | Trial | Size | EarlierCost) -> dict[str, Any]:
    """Return a record as a row, in which the parts of its tuning are columns."""
    row = dataclasses.asdict(record)
    return {**row.pop("subject"), **row}


def _failure(row: dict[str, Any]) -> Failure:
    """Return the failure of a row; versions before this one stored a warning as a stage."""
    warning = "warning" in (row["stage"], row["severity"])
    stage = "check" if row["stage"] == "warning" else row["stage"]
    kind, severity = FailureKind(row["kind"]), Severity.WARNING if warning else Severity.ERROR
    return _record(Failure, {**row, "stage": stage, "kind": kind, "severity": severity})


_Kind = TypeVar("_Kind", Failure, Trial, Size)


def _record(kind: type[_Kind], row: dict[str, Any]) -> _Kind:
    subject = Tuning(**{part: row.pop(part) for part in _SUBJECT})
    return kind(subject=subject, **row)
