# SPDX-License-Identifier: MIT OR Apache-2.0
"""The worker of a queue: takes one submission after the other until none waits, and publishes each verdict.

A submission costs at most its budget. One whose examination ended three times without a verdict (it kills its worker,
or fills the memory) is abandoned, so that no submission holds up the others for long.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cyclometer.errors import MachineUnfit, RefusedFile, StorageFailed, first_line
from cyclometer.execute.bubblewrap import why_none
from cyclometer.records.submission import Decision, MachineVerdict, SubmissionVerdict
from cyclometer.store import finished_folder
from cyclometer.submissions.queue import RESULTS, SOURCE, Claim, Queue, read_machine_verdict

MAX_ATTEMPTS = 3

Publish = Callable[[SubmissionVerdict], None]
"""Called when a verdict is stored: writes its page."""


@dataclass(frozen=True, kw_only=True)
class LocalExaminer:
    """Examines submissions on this machine, one at a time."""

    machine: str
    budget: float  # seconds of a whole examination
    check_seconds: float = 60.0
    toolchain: str = ""  # of an emulated machine

    def require(self) -> None:
        """Raise `MachineUnfit` where submissions would run without a sandbox, `StorageFailed` for an unfit name."""
        finished_folder(Path(), self.machine, "run")
        if reason := why_none():
            raise MachineUnfit(f"submissions are built and run in a sandbox, and {reason}")

    def __call__(self, claim: Claim) -> tuple[MachineVerdict, ...]:
        """Examine a submission; `MachineUnfit` if this machine cannot."""
        return (self.in_folder(claim.folder),)

    def in_folder(self, folder: Path) -> MachineVerdict:
        """Examine the archive in a folder; its run is then there, too."""
        module = ("-m", "cyclometer.submissions.examine")
        command = [sys.executable, *module, str(folder), self.machine, str(self.check_seconds), self.toolchain]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0
        )
        try:
            out, err = _outputs(process, self.budget)
        except subprocess.TimeoutExpired:
            return self._abandoned(folder, f"its examination was still running after {self.budget:.0f} s")
        finally:
            _end(process)
        if process.returncode == MachineUnfit.exit_status:
            raise MachineUnfit((err.decode(errors="replace").strip().splitlines() or ["no reason"])[-1])
        try:
            return read_machine_verdict(out.splitlines()[-1])
        except (IndexError, ValueError):
            words = (err.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            why = f"its examination ended with status {process.returncode}: {words}"
            return self._abandoned(folder, why)

    def _abandoned(self, folder: Path, why: str) -> MachineVerdict:
        for left in (RESULTS, SOURCE):
            shutil.rmtree(folder / left, ignore_errors=True)
        return MachineVerdict(machine=self.machine, decision=Decision.ABANDONED, reason=why)


Examiner = Callable[[Claim], tuple[MachineVerdict, ...]]


def work(queue: Queue, examine: Examiner, publish: Publish, say: Callable[[str], None]) -> int:
    """Examine everything that waits; return how many verdicts there are.

    `MachineUnfit` and `StorageFailed` leave the rest waiting.
    """
    queue.sweep()
    done = 0
    while True:
        with queue.claim() as claim:
            if not claim:
                return done
            say(f"{claim.submission.id}: {claim.submission.name}: examining")
            try:
                verdicts = _verdicts(claim, examine)
            except (MachineUnfit, StorageFailed, KeyboardInterrupt):
                queue.put_back(claim)
                raise
            verdict = queue.finish(claim, verdicts)
        publish_alone(verdict, publish, say)
        say(": ".join(filter(None, (verdict.submission.id, verdict.decision.words, verdict.reasons))))
        done += 1


def publish_alone(verdict: SubmissionVerdict, publish: Publish, say: Callable[[str], None]) -> None:
    """Publish a verdict; say so if that fails, because it is stored and others wait."""
    try:
        publish(verdict)
    except Exception as error:  # whatever is odd in what a stranger sent
        say(f"{verdict.submission.id}: its page cannot be written: {first_line(error)}")


def _verdicts(claim: Claim, examine: Examiner) -> tuple[MachineVerdict, ...]:
    if claim.submission.attempts > MAX_ATTEMPTS:
        why = f"its examination was begun {MAX_ATTEMPTS} times and never ended"
        return (MachineVerdict(machine="", decision=Decision.ABANDONED, reason=why),)
    try:
        return examine(claim)
    except RefusedFile as error:  # something else lies in the place of its archive
        return (MachineVerdict(machine="", decision=Decision.REFUSED, reason=str(error)),)


def _outputs(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bytes]:
    """Return both outputs when the process has ended; its standard input stays open, as it ends when that closes."""
    assert process.stdout
    assert process.stderr
    with ThreadPoolExecutor(2) as readers:
        reading = [readers.submit(stream.read) for stream in (process.stdout, process.stderr)]
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            raise
        out, err = (each.result() for each in reading)
    return out, err


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of an examination; sandboxes end with the process that made them."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
