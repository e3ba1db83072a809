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
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from cyclometer.errors import CyclometerError, RefusedFile, StorageFailed
from cyclometer.execute.bubblewrap import shows
from cyclometer.records.submission import Decision, MachineVerdict, Submission, SubmissionVerdict
from cyclometer.store import FolderLock, rename_folder, storage, write_whole
from cyclometer.submissions.archive import MAX_ARCHIVE
from cyclometer.untrusted import MAX_LINE_FILE, MEGABYTE, printable, read_bytes

INCOMING, RUNNING, DONE = "incoming", "running", "done"
ARCHIVE, FACTS, VERDICT, LOCK = "submission.tar", "submission.json", "verdict.json", "lock"
RESULTS, SOURCE = "results", "source"
MAX_WAITING = 10_000
MAX_VERDICT = 64 * MEGABYTE
_NAME_LENGTH = 200
_NAMELESS = "unknown (damaged description)"
_HOUR = 3600
_DIGITS = 12  # of the SHA-256, with which the number of a submission ends
_TIME = "%Y-%m-%dT%H-%M-%S"  # with which the number of a submission begins


_Record = TypeVar("_Record")
_SUBMISSION, _VERDICT = TypeAdapter(Submission), TypeAdapter(SubmissionVerdict)
_MACHINE_VERDICT = TypeAdapter(MachineVerdict)


@dataclass(frozen=True)
class Claim:
    """A submission that this process examines, in its folder below `running/`."""

    folder: Path
    submission: Submission

    @property
    def archive(self) -> bytes:
        """What was handed in. `RefusedFile` if something else lies in its place."""
        return read_bytes(self.folder / ARCHIVE, limit=MAX_ARCHIVE)


@dataclass(frozen=True)
class Queue:
    """The folder of a queue. Submitting, examining and looking may happen at the same time, in many processes."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether the folder is a queue, empty or not."""
        return any((self.folder / state).is_dir() for state in (INCOMING, RUNNING, DONE))

    def add(self, content: bytes, name: str, sender: str = "") -> Submission:
        """Put an archive into the queue, whole or not at all; its content is not looked at yet.

        `sender` is the fingerprint of the key that signed it.
        """
        self._make()
        if sum(1 for _ in (self.folder / INCOMING).iterdir()) >= MAX_WAITING:
            raise CyclometerError(f"{MAX_WAITING:,} submissions wait in {self.folder}, the most that may; try later")
        digest = hashlib.sha256(content).hexdigest()
        now = datetime.datetime.now(datetime.UTC)
        submission = Submission(
            id=f"{now.strftime(_TIME)}-{now.microsecond:06}-{digest[:_DIGITS]}",
            name=printable(name)[:_NAME_LENGTH] or "without a name",
            received=f"{now:%Y-%m-%dT%H:%M:%SZ}",
            sha256=digest,
            bytes=len(content),
            sender=sender,
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
        """Take the next submission, one that a dead process left before the others; None if nothing waits.

        One that cannot be taken, because somebody has changed its folder, holds up no other; `StorageFailed` says why
        if nothing else waits.
        """
        self._make()
        problem: StorageFailed | None = None
        for folder in [*self._listed(RUNNING), *self._listed(INCOMING)]:
            lock = self._locked(folder)
            if not lock:
                continue
            try:
                claim = self._taken(folder)
            except StorageFailed as error:
                lock.release()
                problem = problem or error
                continue
            try:
                yield claim
                return
            finally:
                lock.release()
        if problem:
            raise problem
        yield None

    def _taken(self, folder: Path) -> Claim:
        """Move a folder that is locked to `running/`, and count the attempt."""
        claimed = self.folder / RUNNING / folder.name
        if folder != claimed:
            rename_folder(folder, claimed)
        submission = known_submission(claimed)
        submission = replace(submission, attempts=submission.attempts + 1)
        _write_json(claimed / FACTS, asdict(submission))
        return Claim(claimed, submission)

    def finish(self, claim: Claim, verdicts: tuple[MachineVerdict, ...]) -> SubmissionVerdict:
        """Store the verdict and move the submission to `done/`."""
        verdict = SubmissionVerdict(submission=claim.submission, machines=verdicts)
        _write_json(claim.folder / VERDICT, {"decision": verdict.decision, **asdict(verdict)})
        done = self.folder / DONE / claim.folder.name
        rename_folder(claim.folder, done)  # with its lock, or another worker could take it just before
        with suppress(FileNotFoundError):
            (done / LOCK).unlink()
        return verdict

    def put_back(self, claim: Claim) -> None:
        """Return a submission that could not be examined for a reason of this machine's."""
        _write_json(claim.folder / FACTS, asdict(replace(claim.submission, attempts=claim.submission.attempts - 1)))
        rename_folder(claim.folder, self.folder / INCOMING / claim.folder.name)

    def sent_by(self, sender: str, within: datetime.timedelta) -> int:
        """Return how many submissions a key has sent lately, whatever became of them."""
        since = (datetime.datetime.now(datetime.UTC) - within).strftime(_TIME)
        recent = [f for state in (INCOMING, RUNNING, DONE) for f in self._listed(state) if f.name >= since]
        return sum(known_submission(folder).sender == sender for folder in recent)

    def sent_before(self, sender: str, content: bytes) -> str:
        """Return the number of the same archive from the same key, '' if there is none."""
        digest = hashlib.sha256(content).hexdigest()
        ending = f"-{digest[:_DIGITS]}"
        alike = [f for state in (INCOMING, RUNNING, DONE) for f in self._listed(state) if f.name.endswith(ending)]
        submissions = map(known_submission, alike)
        return next((each.id for each in submissions if (each.sha256, each.sender) == (digest, sender)), "")

    def sweep(self) -> None:
        """Remove what arrived only in part, an hour or more ago."""
        self._make()
        for folder in (self.folder / INCOMING).glob(".*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _HOUR:
                    shutil.rmtree(folder)

    def waiting(self) -> list[Submission]:
        """Return what waits, in the order in which it came."""
        return [known_submission(folder) for folder in self._listed(INCOMING)]

    def running(self) -> list[Submission]:
        """Return what is being examined."""
        return [known_submission(folder) for folder in self._listed(RUNNING)]

    def done(self) -> list[SubmissionVerdict]:
        """Return the verdicts, the newest first; one that cannot be read says so."""
        return [_known_verdict(folder) for folder in reversed(self._listed(DONE))]

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


def known_submission(folder: Path) -> Submission:
    """Return what a folder of the queue holds; of one whose description is damaged, what its archive says."""
    try:
        return read_submission(folder)
    except StorageFailed:
        digest, size = "", 0
        with suppress(RefusedFile):
            content = read_bytes(folder / ARCHIVE, limit=MAX_ARCHIVE)
            digest, size = hashlib.sha256(content).hexdigest(), len(content)
        return Submission(id=folder.name, name=_NAMELESS, received="", sha256=digest, bytes=size)


def read_submission(folder: Path) -> Submission:
    """Return what a folder of the queue holds; `StorageFailed` if its description is not what was written there."""
    return _of_folder(_read(_SUBMISSION, folder / FACTS, MAX_LINE_FILE), folder / FACTS)


def read_verdict(folder: Path) -> SubmissionVerdict:
    """Return the verdict that a folder of `done/` holds."""
    verdict = _read(_VERDICT, folder / VERDICT, MAX_VERDICT)
    _of_folder(verdict.submission, folder / VERDICT)
    return verdict


def _known_verdict(folder: Path) -> SubmissionVerdict:
    """Return the verdict of a folder, or one that says that there is none which can be read."""
    try:
        return read_verdict(folder)
    except StorageFailed:
        reason = f"{VERDICT} of {folder.name} is damaged; restore it from a copy"
        unknown = MachineVerdict(machine="", decision=Decision.NOT_EXAMINED, reason=reason)
        return SubmissionVerdict(submission=known_submission(folder), machines=(unknown,))


def read_machine_verdict(text: str | bytes) -> MachineVerdict:
    """Return the verdict that `asdict` made JSON of; ValueError if it is none."""
    return _MACHINE_VERDICT.validate_json(text)


def _of_folder(submission: Submission, file: Path) -> Submission:
    """Return a submission that was read from a file of its folder, whose name is its number."""
    if submission.id != file.parent.name or submission.attempts < 0:
        raise StorageFailed(f"{file} is not of this submission; restore it from a copy")
    return submission


def _write_json(file: Path, value: dict[str, Any]) -> None:
    write_whole(file, lambda temporary: temporary.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8"))


def _read(kind: TypeAdapter[_Record], file: Path, limit: int) -> _Record:
    try:
        return kind.validate_json(read_bytes(file, limit=limit))
    except (RefusedFile, ValueError) as error:
        what = "; ".join(str(error).splitlines()[1:3]) if isinstance(error, ValidationError) else error
        raise StorageFailed(f"{file} cannot be read: {what}; restore it from a copy or remove its folder") from None
