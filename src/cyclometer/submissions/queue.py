# SPDX-License-Identifier: MIT OR Apache-2.0
"""A queue of submissions: a folder with `incoming/`, `running/` and `done/`, each with a folder per submission.

A submission moves from one to the next by a rename, so it is in exactly one of them at any moment. Who examines it
holds the lock in its folder, which the kernel releases when that process ends for whatever reason: what is in
`running/` and not locked was left by a process that died, and is examined anew.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cyclometer.errors import CyclometerError, RefusedFile, StorageFailed
from cyclometer.execute.bubblewrap import shows
from cyclometer.records.submission import Decision, Judged, MachineVerdict, Submission, SubmissionVerdict
from cyclometer.store import FolderLock, rename_folder, storage, write_whole
from cyclometer.untrusted import MAX_LINE_FILE, MEGABYTE, printable, read_bytes

INCOMING, RUNNING, DONE = "incoming", "running", "done"
ARCHIVE, FACTS, VERDICT, LOCK = "submission.tar", "submission.json", "verdict.json", "lock"
RESULTS, SOURCE = "results", "source"
MAX_WAITING = 10_000
MAX_VERDICT = 64 * MEGABYTE
_NAME_LENGTH = 200
_HOUR = 3600


@dataclass(frozen=True)
class Claim:
    """A submission that this process examines, in its folder below `running/`."""

    folder: Path
    submission: Submission

    @property
    def archive(self) -> bytes:
        """What was handed in."""
        with storage("read", self.folder / ARCHIVE):
            return (self.folder / ARCHIVE).read_bytes()


@dataclass(frozen=True)
class Queue:
    """The folder of a queue. Submitting, examining and looking may happen at the same time, in many processes."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether the folder is a queue, empty or not."""
        return any((self.folder / state).is_dir() for state in (INCOMING, RUNNING, DONE))

    def add(self, content: bytes, name: str) -> Submission:
        """Put an archive into the queue, whole or not at all; its content is not looked at yet."""
        self._make()
        if sum(1 for _ in (self.folder / INCOMING).iterdir()) >= MAX_WAITING:
            raise CyclometerError(f"{MAX_WAITING:,} submissions wait in {self.folder}, the most that may; try later")
        digest = hashlib.sha256(content).hexdigest()
        now = datetime.datetime.now(datetime.UTC)
        submission = Submission(
            id=f"{now:%Y-%m-%dT%H-%M-%S}-{now.microsecond:06}-{digest[:12]}",
            name=printable(name)[:_NAME_LENGTH] or "without a name",
            received=f"{now:%Y-%m-%dT%H:%M:%SZ}",
            sha256=digest,
            bytes=len(content),
        )
        arriving = self.folder / INCOMING / f".{submission.id}"
        with storage("write", arriving):
            arriving.mkdir()
        write_whole(arriving / ARCHIVE, lambda temporary: temporary.write_bytes(content))
        _write_json(arriving / FACTS, asdict(submission))
        rename_folder(arriving, self.folder / INCOMING / submission.id)
        return submission

    @contextmanager
    def claim(self) -> Iterator[Claim | None]:
        """Take the next submission, one that a dead process left before the others; None if nothing waits."""
        self._make()
        for folder in [*self._listed(RUNNING), *self._listed(INCOMING)]:
            lock = self._locked(folder)
            if not lock:
                continue
            try:
                claimed = self.folder / RUNNING / folder.name
                if folder != claimed:
                    rename_folder(folder, claimed)
                submission = read_submission(claimed)
                submission = replace(submission, attempts=submission.attempts + 1)
                _write_json(claimed / FACTS, asdict(submission))
                yield Claim(claimed, submission)
                return
            finally:
                lock.release()
        yield None

    def finish(self, claim: Claim, verdicts: tuple[MachineVerdict, ...]) -> SubmissionVerdict:
        """Store the verdict and move the submission to `done/`."""
        verdict = SubmissionVerdict(submission=claim.submission, machines=verdicts)
        _write_json(claim.folder / VERDICT, {"decision": verdict.decision, **asdict(verdict)})
        with suppress(FileNotFoundError):
            (claim.folder / LOCK).unlink()
        rename_folder(claim.folder, self.folder / DONE / claim.folder.name)
        return verdict

    def put_back(self, claim: Claim) -> None:
        """Return a submission that could not be examined for a reason of this machine's."""
        _write_json(claim.folder / FACTS, asdict(replace(claim.submission, attempts=claim.submission.attempts - 1)))
        rename_folder(claim.folder, self.folder / INCOMING / claim.folder.name)

    def sweep(self) -> None:
        """Remove what arrived only in part, an hour or more ago."""
        self._make()
        for folder in (self.folder / INCOMING).glob(".*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _HOUR:
                    shutil.rmtree(folder)

    def waiting(self) -> list[Submission]:
        """Return what waits, in the order in which it came."""
        return [read_submission(folder) for folder in self._listed(INCOMING)]

    def running(self) -> list[Submission]:
        """Return what is being examined."""
        return [read_submission(folder) for folder in self._listed(RUNNING)]

    def done(self) -> list[SubmissionVerdict]:
        """Return the verdicts, the newest first."""
        return [read_verdict(folder) for folder in reversed(self._listed(DONE))]

    def folder_of(self, verdict: SubmissionVerdict) -> Path:
        """Return the folder of a verdict."""
        return self.folder / DONE / verdict.submission.id

    def _make(self) -> None:
        if shows(self.folder):
            raise CyclometerError(
                f"{self.folder}: the sandbox shows this folder to what it runs; choose one that is not below /usr or "
                "/opt, such as ./queue"
            )
        for state in (INCOMING, RUNNING, DONE):
            with storage("write", self.folder / state):
                (self.folder / state).mkdir(parents=True, exist_ok=True)

    def _listed(self, state: str) -> list[Path]:
        if not (self.folder / state).is_dir():
            return []
        return sorted(path for path in (self.folder / state).iterdir() if path.name[0] != "." and path.is_dir())

    @staticmethod
    def _locked(folder: Path) -> FolderLock | None:
        """Return the lock of a submission's folder; None if another process examines it, or has moved it away."""
        try:
            lock = FolderLock(folder / LOCK)
        except StorageFailed:
            return None
        if (folder / FACTS).exists():
            return lock
        lock.release()
        return None


def read_submission(folder: Path) -> Submission:
    """Return what a folder of the queue holds."""
    value = _read_json(folder / FACTS, MAX_LINE_FILE)
    try:
        return Submission(**value)
    except TypeError:
        raise StorageFailed(f"{folder / FACTS} is not the description of a submission; remove its folder") from None


def read_verdict(folder: Path) -> SubmissionVerdict:
    """Return the verdict that a folder of `done/` holds."""
    value = _read_json(folder / VERDICT, MAX_VERDICT)
    try:
        machines = tuple(read_machine_verdict(each) for each in value["machines"])
        return SubmissionVerdict(submission=Submission(**value["submission"]), machines=machines)
    except (KeyError, TypeError, ValueError):
        raise StorageFailed(f"{folder / VERDICT} is not a verdict; restore it from a copy") from None


def read_machine_verdict(value: dict[str, Any]) -> MachineVerdict:
    """Return the verdict that `asdict` made JSON of; KeyError, TypeError or ValueError if it is none."""
    judged = tuple(Judged(**each) for each in value["judged"])
    return MachineVerdict(**{**value, "decision": Decision(value["decision"]), "judged": judged})


def _write_json(file: Path, value: dict[str, Any]) -> None:
    write_whole(file, lambda temporary: temporary.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8"))


def _read_json(file: Path, limit: int) -> dict[str, Any]:
    try:
        return dict(json.loads(read_bytes(file, limit=limit)))
    except (RefusedFile, ValueError, TypeError) as error:
        raise StorageFailed(f"{file} cannot be read: {error}; restore it from a copy or remove its folder") from None
