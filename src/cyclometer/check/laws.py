# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs vectors and laws over executables, in parallel, and compares the implementations of a primitive."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cyclometer import process
from cyclometer.check.vectors import SECONDS, check_vectors, limits, must_fit, read_vectors, verdict
from cyclometer.model import Catalogue, Executable, Failure

SEED = 20071119  # any; fixed so that a failure repeats


class Remembered(Protocol):
    """Verdicts of earlier runs: the same executable and vectors need not be checked twice."""

    def recall(self, executable: Executable, vectors: Sequence[Path]) -> str: ...

    def remember(self, executable: Executable, vectors: Sequence[Path], digest: str) -> None: ...


@dataclass(frozen=True)
class _Passed:
    executable: Executable
    digest: str


def check_all(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    memory: Remembered,
    progress: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
) -> tuple[list[Executable], list[Failure]]:
    """The executables that passed, in the order given, and a Failure for each that did not.
    `seconds` is what one process may take."""
    passed: list[_Passed] = []
    failed: list[Failure] = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for future in as_completed([pool.submit(_check, e, catalogue, memory, seconds) for e in executables]):
            result = future.result()
            (passed if isinstance(result, _Passed) else failed).append(result)  # type: ignore[arg-type]
            progress()
    agreed, disagreed = _agreement(passed)
    order = {executable.subject: place for place, executable in enumerate(executables)}
    return sorted(agreed, key=lambda e: order[e.subject]), sorted(
        [*failed, *disagreed], key=lambda f: order[f.subject]
    )


def _check(
    executable: Executable, catalogue: Catalogue, memory: Remembered, seconds: float
) -> _Passed | Failure:
    subject = executable.subject
    primitive = catalogue.primitives[f"{subject.operation}/{subject.primitive}"]
    if digest := memory.recall(executable, primitive.vectors):
        return _Passed(executable, digest)
    for path in primitive.vectors:
        file, operation = read_vectors(path), catalogue.operations[subject.operation]
        must_fit(file, operation, primitive)
        if failure := check_vectors(executable, operation, file, seconds):
            return failure
    outcome = process.run(
        [*executable.compiler.emulator, str(executable.path), "check", str(SEED)],
        limits=limits(executable.compiler, seconds),
        environment=dict(executable.compiler.environment),
        visible=[executable.path.parent],
    )
    words = outcome.stdout.decode(errors="replace").splitlines()[-1:] or [""]
    if outcome.problem or not words[0].startswith("verdict\tok\t"):
        reason = verdict(outcome) or outcome.problem or "gives no verdict"
        return Failure(stage="check", subject=subject, reason=reason, detail=outcome.last_words())
    digest = words[0].split("\t")[2]
    memory.remember(executable, primitive.vectors, digest)
    return _Passed(executable, digest)


def _agreement(passed: Sequence[_Passed]) -> tuple[list[Executable], list[Failure]]:
    """All implementations of a primitive compute the same; `ref`, else the majority, says what."""
    groups: dict[tuple[str, str], list[_Passed]] = defaultdict(list)
    for one in passed:
        groups[one.executable.subject.operation, one.executable.subject.primitive].append(one)
    agreed, failed = [], []
    for group in groups.values():
        votes = [one.digest for one in group if one.executable.implementation.name == "ref"]
        right = Counter(votes or [one.digest for one in group]).most_common(1)[0][0]
        for one in group:
            if one.digest == right:
                agreed.append(one.executable)
            else:
                reason = (
                    f"disagrees with {'ref' if votes else 'the other implementations'} on the check's inputs"
                )
                failed.append(Failure(stage="check", subject=one.executable.subject, reason=reason))
    return agreed, failed
