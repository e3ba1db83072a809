# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of verdicts, keyed by the contents of executable and vectors and by the machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from cyclometer.check.agreement import Outputs, Passed
from cyclometer.kept import keep, kept
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.untrusted import MAX_VECTORS, read_bytes


class VerdictCache:
    """Passed checks, one small file each below `folder`. Failures are checked again every time."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder, self.identity = folder / "verdicts", identity

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str:
        """Return the stored verdict, or '' if there is none that is whole."""
        return kept(self._path(executable, vectors))

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None:
        """Store the verdict of a check that was passed."""
        with suppress(OSError):  # without a cache entry it is checked again
            keep(self._path(executable, vectors), verdict)

    def _path(self, executable: Executable, vectors: Sequence[Path]) -> Path:
        """Name the file after the executable's key, a hash of all that went into it, libraries included."""
        key = hashlib.sha256(f"verdict 6\n{self.identity}\n{executable.path.stem}\n".encode())
        foreign = executable.implementation.foreign
        key.update(repr(foreign.oracles if foreign else ()).encode())
        for path in vectors:
            content = read_bytes(path, limit=MAX_VECTORS)
            key.update(f"{len(content)}\n".encode() + content)  # an empty file is not the same as none
        return self.folder / key.hexdigest()[:2] / key.hexdigest()[:40]


def serialise(passed: Passed, seconds: float, share: float = 1.0) -> str:
    """Return the verdict as text for the cache, with the time limit and the share of CPU time that a process had."""
    verdict = {
        "outputs": asdict(passed.outputs),
        "strict": asdict(passed.strict),
        "checksum": passed.checksum,
        "confirmed": passed.confirmed,
        "warning": passed.warning and {"kind": passed.warning.kind, "reason": passed.warning.reason},
        "seconds": seconds,
        "share": share,
    }
    return json.dumps(verdict)


def restore(verdict: str, executable: Executable, seconds: float, share: float = 1.0) -> Passed | None:
    """Return the cached verdict.

    None if it rests on a smaller share of CPU time, or is only that a shorter time limit than `seconds` was exceeded.
    """
    entry = json.loads(verdict)
    if entry["share"] < share:
        return None
    outputs, strict = (Outputs(**entry[name]) for name in ("outputs", "strict"))
    passed = Passed(executable, outputs, strict, entry["checksum"], entry["confirmed"])
    if not entry["warning"]:
        return passed
    kind = FailureKind(entry["warning"]["kind"])
    if kind is FailureKind.TIME_LIMIT and entry["seconds"] < seconds:
        return None
    reason = entry["warning"]["reason"]
    warning = Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, severity=Severity.WARNING)
    return replace(passed, warning=warning)
