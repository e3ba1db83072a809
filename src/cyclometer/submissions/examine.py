# SPDX-License-Identifier: MIT OR Apache-2.0
"""The examination of one submission on this machine: unpacked, recognised, built, checked and timed in the sandbox.

It is a process of its own, `python -m cyclometer.submissions.examine FOLDER MACHINE SECONDS TOOLCHAIN`, so that a
submission that takes too long, or too much memory, ends with it and not the queue. It reads FOLDER/submission.tar,
stores runs in FOLDER/results and prints the verdict as JSON on its last line.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.discover import recognise
from cyclometer.errors import BadDeclaration, BadVectors, CyclometerError, NothingToDo, RefusedFile, UnknownName
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Failure, Severity
from cyclometer.records.submission import Decision, Judged, MachineVerdict
from cyclometer.records.tuning import Tuning
from cyclometer.store import run_failures
from cyclometer.submissions.archive import MAX_ARCHIVE, unpack
from cyclometer.submissions.queue import ARCHIVE, RESULTS, SOURCE
from cyclometer.untrusted import printable, read_bytes

EVERYTHING = ("*",)
MAX_JUDGED = 5000
"""Implementations that a verdict names."""

_THEIR_FAULT = (RefusedFile, NothingToDo, UnknownName, BadDeclaration, BadVectors)
_WORDS = 2000  # characters of a compiler's output that a verdict keeps


class Silent:
    """No progress: what a submission costs is bounded from outside."""

    @contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        """Say nothing."""
        yield lambda: None


def examine(folder: Path, machine: str, check_seconds: float = 60.0, toolchain: str = "") -> MachineVerdict:
    """Return the verdict of this machine on the submission in `folder`; its runs are then in FOLDER/results.

    With the `toolchain` of an emulated machine, everything is checked and nothing timed.

    What is the machine's fault (no compiler, no sandbox, a full disk) is a `CyclometerError`, no verdict.
    """
    source, results = folder / SOURCE, folder / RESULTS
    for old in (source, results):
        shutil.rmtree(old, ignore_errors=True)
    try:
        unpack(read_bytes(folder / ARCHIVE, limit=MAX_ARCHIVE), source)
        verdict = _examined(_tree(source), results, machine, check_seconds, toolchain)
        judged = [
            replace(j, reason=_hidden(j.reason, folder), detail=_hidden(j.detail, folder)) for j in verdict.judged
        ]
        return replace(verdict, judged=tuple(judged))
    except _THEIR_FAULT as error:
        return MachineVerdict(machine=machine, decision=Decision.REFUSED, reason=_hidden(str(error), folder))
    finally:
        shutil.rmtree(source, ignore_errors=True)


def _tree(source: Path) -> Path:
    """Return the folder of the tree: an archive often has everything below one folder."""
    top = source
    while len(inside := list(top.iterdir())) == 1 and inside[0].is_dir() and not inside[0].name.startswith("crypto_"):
        top = inside[0]
    if not recognise(top).root.is_relative_to(source.resolve()):
        raise RefusedFile("it is a part of a tree; submit it with the folders above it, such as crypto_hash/mine/ref")
    return top


def _examined(tree: Path, results: Path, machine: str, seconds: float, toolchain: str) -> MachineVerdict:
    options = campaign.Options(
        systems=EVERYTHING,
        tree=str(tree),
        machine=machine,
        seed=campaign.drawn_seed(),
        check_seconds=seconds,
        toolchain=toolchain,
    )
    environment = campaign.environment_for(paths.root(), options)
    right, failures = campaign.check(environment, options, Silent())
    judged = _judged(right, failures)
    run, reason = "", "" if judged else "no implementation in it can be built here"
    if not environment.is_timed:
        reason = reason or f"checked in an emulator of {toolchain}, not timed"
    elif _passed(judged):
        try:
            folder = campaign.run(environment, options, results, Silent())
        except NothingToDo as error:  # what is right in every check fails when it is timed
            return MachineVerdict(machine=machine, decision=Decision.REJECTED, reason=str(error), judged=judged)
        run, judged = str(folder.relative_to(results.parent)), _judged(right, [*failures, *_when_timed(folder)])
    accepted = _passed(judged) and not any(each.verdict == "wrong" for each in judged)
    decision = Decision.ACCEPTED if accepted else Decision.REJECTED
    return MachineVerdict(machine=machine, decision=decision, reason=reason, judged=judged, run=run)


def _when_timed(run: Path) -> list[Failure]:
    """Return what failed only when it was chosen or measured; the checks' failures are known."""
    return [failure for failure in run_failures(run) if failure.stage in ("choose", "measure")]


def _passed(judged: Sequence[Judged]) -> bool:
    return any(each.verdict in ("ok", "warning") for each in judged)


def _judged(right: Sequence[Executable], failures: Sequence[Failure]) -> tuple[Judged, ...]:
    """Return the verdict on each implementation, as many as there may be."""
    return tuple(itertools.islice(_each(right, failures), MAX_JUDGED))


def _each(right: Sequence[Executable], failures: Sequence[Failure]) -> Iterator[Judged]:
    """Yield the verdict on each implementation; failures that differ only in the compiler are one."""
    passed: dict[str, int] = {}
    groups: dict[tuple[str, str, str], list[Failure]] = {}
    errors = {failure.subject for failure in failures if failure.severity is not Severity.WARNING}
    for executable in right:
        if executable.subject not in errors:
            passed[_name(executable.subject)] = passed.get(_name(executable.subject), 0) + 1
    for failure in failures:
        if failure.subject.primitive:  # others are about this machine: a compiler that does not work
            groups.setdefault((_name(failure.subject), failure.kind, failure.reason), []).append(failure)
    for name, count in passed.items():
        yield Judged(implementation=name, verdict="ok", compilers=count)
    for (name, kind, reason), group in groups.items():
        yield Judged(
            implementation=name,
            verdict=_verdict(group[0]),
            compilers=len(group),
            kind=str(kind),
            reason=reason,
            detail=group[0].detail[-_WORDS:],
        )


def _verdict(failure: Failure) -> str:
    if failure.severity is Severity.WARNING:
        return "warning"
    return "without" if failure.kind in UNAVAILABLE or not failure.subject.implementation else "wrong"


def _name(subject: Tuning) -> str:
    return printable(f"{subject.operation}/{subject.primitive} {subject.implementation}".strip())


def _hidden(text: str, folder: Path) -> str:
    """Return a message without the path of the queue, which is nobody's business."""
    for path in (folder.resolve(), folder):
        text = text.replace(f"{path}/{SOURCE}/", "").replace(f"{path}/{SOURCE}", "the archive").replace(f"{path}/", "")
    return printable(text, keep="\n\t")


def _end_with_input() -> None:
    """End this process when the worker that started it has ended, and with it what it started."""
    os.read(0, 1)  # not sys.stdin, whose lock a thread that waits would hold at the end of the process
    os._exit(1)


def main(folder: str, machine: str, seconds: str, toolchain: str = "") -> int:
    """Print the verdict; exit with status 2 and one line if this machine cannot examine anything."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        verdict = examine(Path(folder), machine, float(seconds), toolchain)
    except CyclometerError as error:
        print(printable(error), file=sys.stderr)
        return error.exit_status
    print(json.dumps(asdict(verdict)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
