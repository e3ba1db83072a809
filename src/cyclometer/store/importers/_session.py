# SPDX-License-Identifier: MIT OR Apache-2.0
"""The import session: runs being filled, and a count of the lines with problems."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import resource
import shutil
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from cyclometer.errors import NothingToDo, RefusedFile, StorageFailed
from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.columns import columns_of
from cyclometer.records.failure import Failure
from cyclometer.records.run import FORMAT, RunInfo, Size
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store.files import storage
from cyclometer.store.folder import LOCK_FILE, RUN_FILE, finished_folder, numbered, partial_folder
from cyclometer.store.lock import is_locked
from cyclometer.store.runfile import read_run_info
from cyclometer.store.schema import STORED
from cyclometer.store.writer import RunWriter

FLUSH_AT = 50_000
"""Samples held in memory before they are written: about 40 MB."""

FLUSH_TIMINGS = 1_000_000
"""Timings held in memory before they are written."""

MAX_RUNS = 500
"""Runs of one import; each has files open until all are complete."""

MAX_MEMORY = min(4 << 30, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
"""Bytes by which this process may grow: the names, trials and failures of all files are held until the end."""

_LOOK_EVERY = 16 << 20  # characters of lines after which the memory is looked at


@dataclass(frozen=True, kw_only=True)
class RunName:
    """The identity of an imported run; all parts are plain names."""

    machine: str
    date: datetime.date
    source: str  # the program that measured and its version: supercop-20260330
    variant: str = ""  # what else distinguishes runs of one day: the ABI

    def __str__(self) -> str:
        return "-".join(part for part in (self.date.isoformat(), self.source, self.variant) if part)


@dataclass(frozen=True, kw_only=True)
class SkippedLines:
    """Lines of a file with the same problem."""

    file: Path
    reason: str
    count: int
    first: int  # line number of the first
    read: bool  # whether they were read nevertheless


@dataclass(frozen=True, kw_only=True)
class ImportResult:
    """The runs stored by an import, and the lines with problems."""

    stored: tuple[Path, ...]
    samples: Mapping[Path, int]
    lines: Mapping[Path, int]  # by file
    odd: tuple[SkippedLines, ...]
    left_out: Mapping[str, int]  # kind of record without timings -> lines


@dataclass
class RunBuffer:
    """One run being filled; the dictionaries become fields of run.json."""

    writer: RunWriter
    # the run as which it is there already, since this import was killed while it stored its runs
    stored: Path | None = None
    counter: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    compilers: dict[str, str] = field(default_factory=dict)
    primitives: dict[str, dict[str, Any]] = field(default_factory=dict)
    contracts: dict[str, str] = field(default_factory=dict)
    trials: dict[Tuning, Trial] = field(default_factory=dict)
    failures: dict[Tuning, Failure] = field(default_factory=dict)
    sizes: dict[tuple[Tuning, str], Size] = field(default_factory=dict)
    samples: int = 0
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _timings: int = 0
    _parts: int = 0

    def add_sample(self, subject: Tuning, row: Mapping[str, Any]) -> None:
        """Add a sample; `row` has measure, series, round, sequence, counter, and any other known columns."""
        self._rows.append(
            {
                "run": self.writer.info.run,
                "machine": self.writer.info.machine,
                "operation": subject.operation,
                "primitive": subject.primitive,
                "implementation": subject.implementation,
                "compiler": subject.compiler,
                "control": False,
                **_MISSING,
                **row,
            }
        )
        self.samples += 1
        self._timings += len(row["series"])
        if len(self._rows) >= FLUSH_AT or self._timings >= FLUSH_TIMINGS:
            self.flush()

    def flush(self) -> None:
        """Write the samples in memory to disk."""
        if self._rows:
            self.writer.add_samples(f"import-{self._parts:06d}", columns_of(self._rows, STORED))
            self._parts += 1
            self._rows, self._timings = [], 0

    def finish(self) -> Path:
        """Complete the run and return its folder.

        Its finishing time is its starting time, since foreign data do not tell how long measuring took.
        """
        self.flush()
        self.writer.update(
            counter={"name": "unknown", "unit": "counter units", "per_second": 0, "chain_cycles": 0} | self.counter,
            facts=self.facts,
            compilers=self.compilers,
            primitives=self.primitives,
            contracts=self.contracts,
        )
        self.writer.add_trials(self.trials.values())
        self.writer.add_failures(self.failures.values())
        self.writer.add_sizes(self.sizes.values())
        return self.writer.finish(self.writer.info.started)


# Columns that foreign data lacks.
_MISSING: dict[str, Any] = {
    "length": 0,
    "ad_length": 0,
    "keys": 1,
    "alignment": 0,
    "context_switches": 0,
    "retakes": 0,
    "tsc": 0,
    "chain_before": 0,
    "chain_after": 0,
    "load_before": 0,
    "load_after": 0,
}


class ImportSession:
    """Use it as a context manager: leaving it removes whatever was not stored."""

    def __init__(
        self, results: Path, machine: str, digests: Mapping[str, str], foreign: Mapping[str, ForeignOperation]
    ) -> None:
        self.foreign = foreign
        self._results = results
        self._machine = machine
        self._digests = dict(digests)
        self._runs: dict[RunName, RunBuffer] = {}
        self._file = Path()
        self._line = 0
        self._characters = 0
        self._memory_before = _memory()
        self._lines: Counter[Path] = Counter()
        self._problems: dict[tuple[Path, str, bool], tuple[int, int]] = {}  # count, first line
        self._skipped_records: Counter[str] = Counter()
        self._was_killed: bool | None = None  # None: not yet known
        self._is_stored = False  # all of it
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def begin_file(self, file: Path) -> None:
        """Start a file, to which all following lines belong."""
        self._file, self._line = file, 0

    def next_line(self, line: str) -> None:
        """Count a line, so that problems can name it; `RefusedFile` if what is kept of all grows too large."""
        self._line += 1
        self._lines[self._file] += 1
        self._characters += len(line) + 1
        if self._characters >= _LOOK_EVERY:
            self._characters = 0
            if _memory() - self._memory_before > MAX_MEMORY:
                self._refuse(f"it has so many names that more than {MAX_MEMORY >> 20:,} MiB of memory are needed")

    def malformed(self, reason: str) -> None:
        """Record that the current line cannot be read."""
        self._count_problem(reason, read=False)

    def suspicious(self, reason: str) -> None:
        """Record that the current line was read but is inconsistent."""
        self._count_problem(reason, read=True)

    def _count_problem(self, reason: str, *, read: bool) -> None:
        count, first = self._problems.get((self._file, reason, read), (0, self._line))
        self._problems[self._file, reason, read] = (count + 1, first)

    def skip(self, kind: str) -> None:
        """Record that the current line is valid but has no timings."""
        self._skipped_records[kind] += 1

    def run(self, name: RunName) -> RunBuffer:
        """Return the run of that name, created on first use."""
        if name not in self._runs:
            if len(self._runs) >= MAX_RUNS:
                self._refuse(f"it begins more than {MAX_RUNS} runs, each of a machine and a day")
            self._runs[name] = self._begin(name)
        return self._runs[name]

    def _refuse(self, why: str) -> NoReturn:
        raise RefusedFile(f"{self._file}: line {self._line}: {why}; import a part of it, or fewer files at once")

    def store(self) -> ImportResult:
        """Complete all runs; `NothingToDo` if there is no measurement."""
        buffers = [run for run in self._runs.values() if run.samples]
        if not buffers:
            first_problem = next(
                (f"line {first}: {reason}" for (_, reason, _), (_, first) in self._problems.items()), ""
            )
            raise NothingToDo("no measurement in these files" + (f"; {first_problem}" if first_problem else ""))
        missing = [run for run in buffers if not run.stored]
        if not missing:
            self._refuse_imported(buffers[0].stored or Path())
        stored = {run.finish(): run.samples for run in missing}
        self._is_stored = True
        return ImportResult(
            stored=tuple(stored),
            samples=stored,
            lines=self._lines,
            odd=tuple(
                SkippedLines(file=file, reason=reason, count=count, first=first, read=read)
                for (file, reason, read), (count, first) in self._problems.items()
            ),
            left_out=self._skipped_records,
        )

    def _begin(self, name: RunName) -> RunBuffer:
        machine = self._machine or name.machine
        run, before = self._unused_name(machine, str(name))
        info = RunInfo(
            format=FORMAT,
            run=run,
            machine=machine,
            started=datetime.datetime.combine(name.date, datetime.time(), datetime.UTC),
            finished=None,
            profile=name.source.partition("-")[0],
            command=(Path(sys.argv[0]).name, *sys.argv[1:]),
            version=importlib.metadata.version("cyclometer"),
            contracts={},
            counter={},
            facts={},
            compilers={},
            primitives={},
            plan={"imported": self._digests},
        )
        writer = RunWriter.start(self._results, info)
        self._stack.callback(self._remove_unless_stored, writer)
        return RunBuffer(writer=writer, stored=before)

    def _remove_unless_stored(self, writer: RunWriter) -> None:
        """Remove a run that was not completed, or was completed before another of the same import failed."""
        writer.close()
        if writer.folder.name.startswith(".") or not self._is_stored:
            shutil.rmtree(writer.folder, ignore_errors=True)
            with suppress(OSError):  # it has other runs
                writer.folder.parent.rmdir()

    def _unused_name(self, machine: str, name: str) -> tuple[str, Path | None]:
        """Return the name, numbered if other files of the same day are stored already, and the same run if it is."""
        before = None
        for candidate in numbered(name):
            finished = finished_folder(self._results, machine, candidate)
            partial = partial_folder(self._results, machine, candidate)
            if partial.exists() and not is_locked(partial / LOCK_FILE):  # left by a killed import
                with storage("write", partial):
                    shutil.rmtree(partial)
            if not finished.exists() and not partial.exists():
                return candidate, before
            imported = _imported(finished) if finished.exists() else {}
            if set(imported.values()) & set(self._digests.values()):
                if imported != self._digests or not self._was_begun():
                    self._refuse_imported(finished)
                before = finished
        raise AssertionError("numbered() never ends")

    def _was_begun(self) -> bool:
        """Return whether an import of the same files was killed before it had stored all its runs."""
        if self._was_killed is None:
            partial = [file.parent for file in self._results.glob(f"*/.*.partial/{RUN_FILE}")]
            left = [folder for folder in partial if not is_locked(folder / LOCK_FILE)]
            self._was_killed = False
            for folder in left:
                with suppress(StorageFailed):  # what another import left is none of ours
                    self._was_killed = self._was_killed or _imported(folder) == self._digests
        return self._was_killed

    def _refuse_imported(self, finished: Path) -> NoReturn:
        imported = _imported(finished).values()
        file = next((file for file, content in self._digests.items() if content in imported), self._file)
        raise StorageFailed(f"{file} was imported already, as {finished}; remove that folder to import it again")


def _imported(folder: Path) -> Mapping[str, str]:
    """Return the digests of the files that a run was imported from, by name."""
    imported: Mapping[str, str] = read_run_info(folder / RUN_FILE).plan.get("imported", {})
    return imported


def _memory() -> int:
    """Return the most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
