# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks executables: published vectors, property tests, and agreement among a primitive's implementations."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

from cyclometer.check.oracle import run_oracles
from cyclometer.check.vectors import (
    SECONDS,
    VectorRequests,
    all_requests,
    check_vectors,
    failure_of,
    limits,
    validate,
    vectors_of,
)
from cyclometer.errors import BadVectors, RefusedFile
from cyclometer.execute import keypair_cache
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity

SEED = 20071119  # arbitrary, but fixed, so that failures can be reproduced
CACHED_PRIMITIVES = 8  # primitives whose vectors stay in memory; executables of one primitive come together
EMPTY_DIGEST = "243f6a8885a308d313198a2e03707344"  # harness/runtime/records.c: the digest of no bytes
NOT_COMPARED = (EMPTY_DIGEST, "")  # the executable uses its own random bytes; an oracle has confirmed it


# Failures of the lenient property tests that are only warnings. If an oracle or vectors have confirmed the results:
# kinds that make no result wrong and overwrite nothing.
TOLERATED_IF_CONFIRMED = frozenset(
    {FailureKind.FORGERY_ACCEPTED, FailureKind.SAME_OUTPUT, FailureKind.CALL_FAILED, FailureKind.TIME_LIMIT}
)
# If the implementation survived the thousands of calls of a checksum, made between canaries: kinds that only calls
# can cause which the tree's own test does not make.
TOLERATED_AFTER_CHECKSUM = frozenset(
    {
        FailureKind.CALL_FAILED,
        FailureKind.VALID_REJECTED,
        FailureKind.CRASH,
        FailureKind.OUT_OF_BOUNDS,
        FailureKind.ILLEGAL_INSTRUCTION,
        FailureKind.ABORTED,
        FailureKind.EXITED,
        FailureKind.TIME_LIMIT,
    }
)
NONE: frozenset[FailureKind] = frozenset()


class Verdicts(Protocol):
    """Verdicts of earlier runs, so that the same executable and vectors are not checked twice."""

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str: ...

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None: ...


@dataclass(frozen=True)
class Passed:
    """A check that was passed."""

    executable: Executable
    digest: str  # of its outputs; '' if they need not be compared with those of other implementations
    warning: Failure | None = None  # the property test that it fails and need not pass


def check_all(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: Verdicts,
    progress: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
) -> tuple[list[Executable], list[Failure]]:
    """Check all executables; return those that passed, in their order, and a Failure for each of the others.

    `seconds` is the time limit of one process.
    """
    passed: list[Passed] = []
    failed: list[Failure] = []
    published = lru_cache(maxsize=CACHED_PRIMITIVES)(partial(_published_vectors, catalogue))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        groups = _identical(executables)
        running = {pool.submit(_checked, group[0], catalogue, published, cache, seconds): group for group in groups}
        for future in as_completed(running):
            result = future.result()
            for executable in running[future]:
                if isinstance(result, Passed):
                    passed.append(replace(result, executable=executable))
                else:
                    failed.append(replace(result, subject=executable.subject))
                progress()
    agreed, disagreed = _agreement(passed)
    disagreed += _warnings(passed, agreed)
    order = {executable.subject: index for index, executable in enumerate(executables)}
    return sorted(agreed, key=lambda e: order[e.subject]), sorted([*failed, *disagreed], key=lambda f: order[f.subject])


def _identical(executables: Sequence[Executable]) -> list[list[Executable]]:
    """Group tunings that compile to the same program, which is checked once."""
    groups: dict[tuple[Path, str, str], list[Executable]] = {}
    for executable in executables:
        subject = executable.subject
        groups.setdefault((executable.path, subject.operation, subject.primitive), []).append(executable)
    return list(groups.values())


def _published_vectors(catalogue: Catalogue, key: str) -> list[VectorRequests]:
    """Return the requests of a primitive's vector files; BadVectors if a vector does not fit the primitive."""
    primitive = catalogue.primitives[key]
    operation, files = catalogue.operations[primitive.operation], []
    for path in primitive.vectors:
        file = vectors_of(path, primitive)
        validate(file, operation, primitive)
        files.append(all_requests(file, operation))
    return files


def _checked(
    executable: Executable,
    catalogue: Catalogue,
    published: Callable[[str], list[VectorRequests]],
    cache: Verdicts,
    seconds: float,
) -> Passed | Failure:
    """Check an executable; the vectors of a foreign tree may be unusable, which is a failure, too."""
    try:
        return _check(executable, catalogue, published, cache, seconds)
    except (BadVectors, RefusedFile) as error:
        if not executable.implementation.foreign:
            raise
        reason = f"the tree's vectors cannot be used: {error}"
        return Failure(stage="check", subject=executable.subject, kind=FailureKind.NO_VERDICT, reason=reason)


def _check(
    executable: Executable,
    catalogue: Catalogue,
    published: Callable[[str], list[VectorRequests]],
    cache: Verdicts,
    seconds: float,
) -> Passed | Failure:
    subject = executable.subject
    key = f"{subject.operation}/{subject.primitive}"
    primitive = catalogue.primitives[key]
    time_limit = limits(executable.compiler, seconds).seconds
    verdict = cache.get(executable, primitive.vectors)
    if verdict and (passed := restore(verdict, executable, time_limit)):
        return passed
    files = published(key)
    for file in files:
        if failure := check_vectors(executable, file, seconds):
            return _as_missing_feature(failure) if executable.implementation.foreign else failure
    foreign = executable.implementation.foreign is not None
    has_vectors = any(file.requests for file in files)
    result = _check_foreign(executable, seconds, has_vectors) if foreign else _check_properties(executable, seconds)
    if isinstance(result, Passed):
        cache.put(executable, primitive.vectors, serialise(result, time_limit))
    return result


def serialise(passed: Passed, seconds: float) -> str:
    """Return the verdict as text for the cache; `seconds` is the time limit that a process had."""
    warning = passed.warning and {"kind": passed.warning.kind, "reason": passed.warning.reason}
    return json.dumps({"digest": passed.digest, "warning": warning, "seconds": seconds})


def restore(verdict: str, executable: Executable, seconds: float) -> Passed | None:
    """Return the cached verdict; None if it is only that a shorter time limit than `seconds` was exceeded."""
    entry = json.loads(verdict)
    if not entry["warning"]:
        return Passed(executable, entry["digest"])
    kind = FailureKind(entry["warning"]["kind"])
    if kind is FailureKind.TIME_LIMIT and entry["seconds"] < seconds:
        return None
    return Passed(executable, entry["digest"], _warning(executable, kind, entry["warning"]["reason"]))


def _check_properties(executable: Executable, seconds: float, *lenient: str) -> Passed | Failure:
    outcome = call(executable, "check", str(SEED), *lenient, limits=limits(executable.compiler, seconds))
    last = outcome.stdout.decode(errors="replace").splitlines()[-1:] or [""]
    if not outcome.problem and last[0].startswith("verdict\tok\t"):
        keypair_cache.put(executable, outcome.stdout.splitlines())
        return Passed(executable, last[0].split("\t")[2])
    kind, reason = failure_of(outcome)
    if kind is FailureKind.TIME_LIMIT:
        reason = f"property tests: {reason}"
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())


def _check_foreign(executable: Executable, seconds: float, has_vectors: bool) -> Passed | Failure:
    """Check a foreign implementation, which must pass the tests of its own tree, but not all of ours.

    With `has_vectors`, its tree has vectors, and it passed them.
    """
    oracles = run_oracles(executable, seconds)
    if oracles.failure:
        return _as_missing_feature(oracles.failure)
    confirmed = has_vectors or bool(oracles.confirmed)
    strict = _check_properties(executable, seconds)
    if confirmed and isinstance(strict, Passed):
        return replace(strict, digest="", warning=oracles.warning)
    lenient = _check_properties(executable, seconds, "lenient")
    if isinstance(lenient, Failure):
        summed = oracles.checksum or "checksumsmall" in oracles.confirmed
        tolerated = (TOLERATED_IF_CONFIRMED if confirmed else NONE) | (TOLERATED_AFTER_CHECKSUM if summed else NONE)
        if lenient.kind not in tolerated:
            return _as_missing_feature(lenient)
        return Passed(executable, "" if confirmed else oracles.checksum, _as_warning(lenient))
    # The lenient test has other inputs than the strict one; implementations without an oracle are compared on these.
    incomparable = isinstance(strict, Failure) and strict.kind is FailureKind.HIDDEN_RNG
    digest = "" if confirmed or incomparable else oracles.checksum or lenient.digest
    return Passed(executable, digest, _as_warning(strict) if isinstance(strict, Failure) else None)


def _as_warning(failure: Failure) -> Failure:
    return replace(failure, severity=Severity.WARNING)


def _as_missing_feature(failure: Failure) -> Failure:
    """Return an illegal instruction as a missing CPU feature: foreign trees do not declare what they need."""
    if failure.kind is not FailureKind.ILLEGAL_INSTRUCTION:
        return failure
    return replace(failure, kind=FailureKind.NEEDS_FEATURE, reason="needs an instruction that this CPU lacks")


def _warnings(passed: Sequence[Passed], agreed: Sequence[Executable]) -> list[Failure]:
    subjects = {executable.subject for executable in agreed}
    return [
        _warning(each.executable, each.warning.kind, each.warning.reason)
        for each in passed
        if each.warning and each.executable.subject in subjects
    ]


def _agreement(passed: Sequence[Passed]) -> tuple[list[Executable], list[Failure]]:
    """Compare the outputs of each primitive's implementations with those of `ref`, else of the majority.

    An implementation that disagrees is a failure; if it consumes random bytes in its own way and no oracle confirms
    the results, it is only a warning.
    """
    groups: dict[tuple[str, str], list[Passed]] = defaultdict(list)
    for each in sorted(passed, key=lambda each: str(each.executable.subject)):  # so that ties always break the same way
        groups[each.executable.subject.operation, each.executable.subject.primitive].append(each)
    agreed, failed = [], []
    for group in groups.values():
        comparable = [each for each in group if each.digest not in NOT_COMPARED]
        references = [each.digest for each in comparable if each.executable.implementation.name == "ref"]
        expected = Counter(references or [each.digest for each in comparable or group]).most_common(1)[0][0]
        for each in group:
            if each.digest in (expected, *NOT_COMPARED) or _has_keypair(each.executable):
                agreed.append(each.executable)
            if each.digest not in (expected, *NOT_COMPARED):
                failed.append(_disagreement(each.executable, "ref" if references else "the other implementations"))
    return agreed, failed


def _has_keypair(executable: Executable) -> bool:
    """Return whether a foreign implementation generates key pairs, for which it uses random bytes in its own way."""
    foreign = executable.implementation.foreign
    return foreign is not None and any(name.endswith("_keypair") for name, _ in foreign.names)


def _disagreement(executable: Executable, others: str) -> Failure:
    if _has_keypair(executable):
        reason = f"disagrees with {others} on the same random bytes; the tree does not tell which is right"
        return _warning(executable, FailureKind.DISAGREEMENT, reason)
    reason = f"disagrees with {others} on the inputs of the property tests"
    return Failure(stage="check", subject=executable.subject, kind=FailureKind.DISAGREEMENT, reason=reason)


def _warning(executable: Executable, kind: FailureKind, reason: str) -> Failure:
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, severity=Severity.WARNING)
