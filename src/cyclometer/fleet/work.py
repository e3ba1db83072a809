# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a worker does for a part of a campaign: prepare, measure, hand over, forget.

Each may be done again after its worker was lost, at any moment: it goes on where the disk says that it stopped.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from distributed import get_worker

from cyclometer import campaign, host, paths
from cyclometer.campaign import Options
from cyclometer.errors import CyclometerError, StorageFailed
from cyclometer.records.failure import UNAVAILABLE, Severity
from cyclometer.store import StoredRun, list_runs, run_files

TOPIC = "cyclometer"
EVENT_SECONDS = 2.0
DYING_SECONDS = 30.0
"""How long the lock of a worker that was just killed may still be held."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """The systems of one operation on one machine: one run."""

    name: str  # of the campaign
    machine: str
    operation: str
    options: Options

    @property
    def folder(self) -> Path:
        """Where the machine keeps the run until the client has it."""
        return paths.cache_folder() / "fleet" / self.name / self.machine / self.operation


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A finished run, as files by name; or what an emulated machine has checked; or why there is neither."""

    problem: str = ""
    checked: dict[str, Any] | None = None  # of an emulated machine, which has no runs
    folder: str = ""
    files: dict[str, bytes] | None = None


class Reporter:
    """The progress of a campaign, sent to the client (`campaign.Progress`)."""

    def __init__(self, part: Part) -> None:
        self.part, self.worker = part, get_worker()

    @contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        """Tell that a stage begins, and from time to time how far it is."""
        done, told = 0, time.monotonic()

        def step() -> None:
            nonlocal done, told
            done += 1
            if done < steps and time.monotonic() - told >= EVENT_SECONDS:
                told = time.monotonic()
                self._tell(title, done, steps)

        self._tell(title, 0, steps)
        yield step

    def _tell(self, title: str, done: int, steps: int) -> None:
        event: dict[str, Any] = {"machine": self.part.machine, "part": self.part.operation}
        self.worker.log_event(TOPIC, {**event, "title": title, "done": done, "steps": steps})


def prepare(part: Part) -> Outcome:
    """Build and check what needs no timing, on the cores that do not measure; the caches keep it."""
    if part.options.toolchain:
        return Outcome()  # what is checked is checked once
    try:
        with _cores(measuring=False):
            campaign.build_ahead(_environment(part.options), part.options, Reporter(part))
    except CyclometerError as error:
        return Outcome(problem=str(error))
    return Outcome()


def measure(part: Part, prepared: Outcome) -> Outcome:
    """Measure the part; go on with its run if it was begun."""
    if prepared.problem:
        return prepared
    try:
        if part.options.toolchain:
            return Outcome(checked=_checked(part))
        with _cores(measuring=True):
            return Outcome(folder=str(_measured(part)))
    except CyclometerError as error:
        return Outcome(problem=str(error))


def collect(part: Part, measured: Outcome) -> Outcome:
    """Return the files of the finished run."""
    if measured.problem or measured.checked:
        return measured
    try:
        return Outcome(files=run_files(Path(measured.folder)))
    except StorageFailed as error:
        return Outcome(problem=str(error))


def forget(part: Part) -> None:
    """Remove the machine's copy, which the client has stored."""
    shutil.rmtree(part.folder, ignore_errors=True)
    for folder in part.folder.parents[:2]:
        with suppress(OSError):  # not empty yet
            folder.rmdir()


def _checked(part: Part) -> dict[str, Any]:
    """Build and check the part in the emulator and count instructions, which are never cycles."""
    environment = campaign.environment_for(paths.root(), part.options, counter=campaign.COUNTED)
    reporter = Reporter(part)
    right, failures = campaign.check(environment, part.options, reporter)
    counts, uncounted = campaign.count_instructions(environment, right, reporter)
    wrong = [f for f in (*failures, *uncounted) if f.subject.implementation and f.kind not in UNAVAILABLE]
    return {
        "toolchain": part.options.toolchain,
        "right": [str(executable.subject) for executable in right],
        "wrong": {str(f.subject): f.reason for f in wrong if f.severity is not Severity.WARNING},
        "instructions": [{**asdict(count), "subject": str(count.subject)} for count in counts],
    }


def _measured(part: Part) -> Path:
    run = _begun(part)
    if run and run.state == "complete":
        return run.folder
    if run and run.state == "interrupted" and run.info:
        options = Options.of_run(run.info)
        return campaign.resume(_environment(options, run.info.counter["name"]), run.folder, Reporter(part))
    if run:
        raise StorageFailed(f"{run.folder} is {run.state}: {run.reason or 'another worker writes it'}")
    return campaign.run(_environment(part.options), part.options, part.folder, Reporter(part))


def _begun(part: Part) -> StoredRun | None:
    """Return the run of this part, if it was begun, after its last writer has ended."""
    until = time.monotonic() + DYING_SECONDS
    while True:
        runs = list_runs(part.folder)
        run = next((run for run in runs if run.state == "complete"), runs[-1] if runs else None)
        if not run or run.state != "under way" or time.monotonic() > until:
            return run
        time.sleep(0.1)


def _environment(options: Options, counter: str = "") -> campaign.Environment:
    return campaign.prepare_environment(
        paths.root(),
        systems=options.systems,
        counter=counter,
        foreign=options.tree,
        time_limit=options.check_seconds,
        unsafe=options.unsafe,
    )


@contextmanager
def _cores(measuring: bool) -> Iterator[None]:
    """Keep this thread and what it starts off the measuring core, unless it is the one that measures."""
    everything = os.sched_getaffinity(0)
    others = everything - {host.measuring_core()}
    if not measuring and others:
        os.sched_setaffinity(0, others)
    try:
        yield
    finally:
        os.sched_setaffinity(0, everything)
