# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs vectors and laws over executables, in parallel, and compares the implementations of a primitive."""

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

from cyclometer.check.oracle import ask_oracles
from cyclometer.check.vectors import (
    SECONDS,
    VectorRequests,
    all_requests,
    check_vectors,
    ending,
    limits,
    validate,
    vectors_of,
)
from cyclometer.execute import keypair_cache
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity

SEED = 20071119  # any; fixed so that a failure repeats
PRIMITIVES_KEPT = 8  # primitives whose vectors are kept: executables of one come together
EMPTY_DIGEST = "243f6a8885a308d313198a2e03707344"  # harness/runtime/records.c: the digest of no bytes
NOT_COMPARED = (EMPTY_DIGEST, "")  # it draws its own random bytes; an oracle has confirmed it


# Kinds of failure of the lenient laws that are only warnings. Where an oracle says that the results are right, those
# that make no result wrong and overwrite nothing:
TOLERATED = frozenset(
    {FailureKind.FORGERY_ACCEPTED, FailureKind.SAME_OUTPUT, FailureKind.CALL_FAILED, FailureKind.TIME_LIMIT}
)
# Where the implementation survived the thousands of calls of a sum, made between canaries: what it refuses, or does
# not survive, are calls that the tree's own test does not make.
BEYOND_SUMS = frozenset(
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
    """Verdicts of earlier runs: the same executable and vectors need not be checked twice."""

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str: ...

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None: ...


@dataclass(frozen=True)
class Passed:
    """A check that was passed."""

    executable: Executable
    digest: str  # '' where nobody needs to be compared with it
    warning: Failure | None = None  # the law that it breaks and need not keep


def check_all(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: Verdicts,
    progress: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
) -> tuple[list[Executable], list[Failure]]:
    """The executables that passed, in the order given, and a Failure for each that did not.
    `seconds` is what one process may take."""
    passed: list[Passed] = []
    failed: list[Failure] = []
    published = lru_cache(maxsize=PRIMITIVES_KEPT)(partial(_published_vectors, catalogue))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        groups = _identical(executables)
        running = {pool.submit(_check, group[0], catalogue, published, cache, seconds): group for group in groups}
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
    order = {executable.subject: place for place, executable in enumerate(executables)}
    return sorted(agreed, key=lambda e: order[e.subject]), sorted([*failed, *disagreed], key=lambda f: order[f.subject])


def _identical(executables: Sequence[Executable]) -> list[list[Executable]]:
    """Tunings that compile to the very same program are checked once."""
    groups: dict[tuple[Path, str, str], list[Executable]] = {}
    for executable in executables:
        subject = executable.subject
        groups.setdefault((executable.path, subject.operation, subject.primitive), []).append(executable)
    return list(groups.values())


def _published_vectors(catalogue: Catalogue, key: str) -> list[VectorRequests]:
    """What the vector files of a primitive ask. BadVectors for what does not fit it."""
    primitive = catalogue.primitives[key]
    operation, files = catalogue.operations[primitive.operation], []
    for path in primitive.vectors:
        file = vectors_of(path, primitive)
        validate(file, operation, primitive)
        files.append(all_requests(file, operation))
    return files


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
    allowed = limits(executable.compiler, seconds).seconds
    verdict = cache.get(executable, primitive.vectors)
    if verdict and (passed := remembered(verdict, executable, allowed)):
        return passed
    files = published(key)
    for file in files:
        if failure := check_vectors(executable, file, seconds):
            return _unfit(failure) if executable.implementation.foreign else failure
    foreign = executable.implementation.foreign is not None
    known = any(file.requests for file in files)
    result = _check_foreign(executable, seconds, known) if foreign else _check_properties(executable, seconds)
    if isinstance(result, Passed):
        cache.put(executable, primitive.vectors, noted(result, allowed))
    return result


def noted(passed: Passed, seconds: float) -> str:
    """What to remember of a check; `seconds` are what a process could take."""
    warning = passed.warning and {"kind": passed.warning.kind, "reason": passed.warning.reason}
    return json.dumps({"digest": passed.digest, "warning": warning, "seconds": seconds})


def remembered(verdict: str, executable: Executable, seconds: float) -> Passed | None:
    """The check remembered, unless all it says is that fewer seconds than these were not enough."""
    noted = json.loads(verdict)
    if not noted["warning"]:
        return Passed(executable, noted["digest"])
    kind = FailureKind(noted["warning"]["kind"])
    if kind is FailureKind.TIME_LIMIT and noted["seconds"] < seconds:
        return None
    return Passed(executable, noted["digest"], _warning(executable, kind, noted["warning"]["reason"]))


def _check_properties(executable: Executable, seconds: float, *lenient: str) -> Passed | Failure:
    outcome = call(executable, "check", str(SEED), *lenient, limits=limits(executable.compiler, seconds))
    last = outcome.stdout.decode(errors="replace").splitlines()[-1:] or [""]
    if not outcome.problem and last[0].startswith("verdict\tok\t"):
        keypair_cache.put(executable, outcome.stdout.splitlines())
        return Passed(executable, last[0].split("\t")[2])
    kind, reason = ending(outcome)
    if kind is FailureKind.TIME_LIMIT:
        reason = f"our laws: {reason}"
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())


def _check_foreign(executable: Executable, seconds: float, known: bool) -> Passed | Failure:
    """An implementation that never promised to keep our laws: it must keep its own tree's. `known`: its
    tree has vectors, and it passed them."""
    answers = ask_oracles(executable, seconds)
    if answers.failure:
        return _unfit(answers.failure)
    confirmed = known or bool(answers.confirmed)
    strict = _check_properties(executable, seconds)
    if confirmed and isinstance(strict, Passed):
        return replace(strict, digest="", warning=answers.warning)
    lenient = _check_properties(executable, seconds, "lenient")
    if isinstance(lenient, Failure):
        summed = answers.sum or "checksumsmall" in answers.confirmed
        tolerated = (TOLERATED if confirmed else NONE) | (BEYOND_SUMS if summed else NONE)
        if lenient.kind not in tolerated:
            return _unfit(lenient)
        return Passed(executable, "" if confirmed else answers.sum, _as_warning(lenient))
    # Another sequence of inputs than the strict one: every implementation without an oracle takes this one.
    alone = isinstance(strict, Failure) and strict.kind is FailureKind.HIDDEN_RNG  # its results are nobody else's
    digest = "" if confirmed or alone else answers.sum or lenient.digest
    return Passed(executable, digest, _as_warning(strict) if isinstance(strict, Failure) else None)


def _as_warning(failure: Failure) -> Failure:
    return replace(failure, severity=Severity.WARNING)


def _unfit(failure: Failure) -> Failure:
    """These trees do not say what CPU features an implementation needs: it is tried."""
    if failure.kind is not FailureKind.ILLEGAL_INSTRUCTION:
        return failure
    return replace(failure, kind=FailureKind.NEEDS_FEATURE, reason="needs an instruction that this CPU lacks")


def _warnings(passed: Sequence[Passed], agreed: Sequence[Executable]) -> list[Failure]:
    right = {executable.subject for executable in agreed}
    return [
        _warning(one.executable, one.warning.kind, one.warning.reason)
        for one in passed
        if one.warning and one.executable.subject in right
    ]


def _agreement(passed: Sequence[Passed]) -> tuple[list[Executable], list[Failure]]:
    """All implementations of a primitive compute the same; `ref`, else the majority, says what. Where they draw
    random bytes, each as it likes, and nobody says what is expected, another result is no mistake."""
    groups: dict[tuple[str, str], list[Passed]] = defaultdict(list)
    for one in sorted(passed, key=lambda one: str(one.executable.subject)):  # of equal votes the same one wins again
        groups[one.executable.subject.operation, one.executable.subject.primitive].append(one)
    agreed, failed = [], []
    for group in groups.values():
        comparable = [one for one in group if one.digest not in NOT_COMPARED]
        votes = [one.digest for one in comparable if one.executable.implementation.name == "ref"]
        right = Counter(votes or [one.digest for one in comparable or group]).most_common(1)[0][0]
        for one in group:
            if one.digest in (right, *NOT_COMPARED) or _has_keypair(one.executable):
                agreed.append(one.executable)
            if one.digest not in (right, *NOT_COMPARED):
                failed.append(_disagreement(one.executable, "ref" if votes else "the other implementations"))
    return agreed, failed


def _has_keypair(executable: Executable) -> bool:
    """Whether a foreign implementation makes key pairs: of random bytes, as many and in the order it likes."""
    foreign = executable.implementation.foreign
    return foreign is not None and any(name.endswith("_keypair") for name, _ in foreign.names)


def _disagreement(executable: Executable, others: str) -> Failure:
    if _has_keypair(executable):
        reason = f"equal random bytes: gives other results than {others}, and nothing in the tree says which are right"
        return _warning(executable, FailureKind.DISAGREEMENT, reason)
    reason = f"disagrees with {others} on the check's inputs"
    return Failure(stage="check", subject=executable.subject, kind=FailureKind.DISAGREEMENT, reason=reason)


def _warning(executable: Executable, kind: FailureKind, reason: str) -> Failure:
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, severity=Severity.WARNING)
