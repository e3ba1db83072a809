# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs vectors and laws over executables, in parallel, and compares the implementations of a primitive."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

from cyclometer import pairs
from cyclometer.check.oracle import ask_oracles
from cyclometer.check.vectors import SECONDS, Asked, all_asked, check_vectors, ending, limits, must_fit, vectors_of
from cyclometer.model import Catalogue, Executable, Failure
from cyclometer.sealed import ask

SEED = 20071119  # any; fixed so that a failure repeats
FEW = 8  # primitives whose vectors are kept: executables of one come together
OF_NOTHING = "243f6a8885a308d313198a2e03707344"  # harness/record.c: the digest of no bytes
APART = (OF_NOTHING, "")  # it draws its own random bytes; an oracle has confirmed it


# What a foreign implementation may do under the lenient laws when an oracle says that its results are
# right: no result is wrong and nothing is overwritten.
TOLERATED = ("accepts", "still running", "gives the same", ": fails")
# ... when it went through the thousands of calls of a sum, made between canaries: what it then refuses, or does not
# survive, are calls that the tree's own test does not make.
_DOES_NOT = ("sign", "open", "encapsulate", "decapsulate", "encrypt", "box")
REFUSALS = ("refuses", "rejects", "draws no", *(f"does not {it}" for it in _DOES_NOT))
BEYOND_SUMS = ("still running", ": fails", "crashes", "aborts", "ends the process", *REFUSALS)
OWN_RANDOM = "equal random bytes"  # the case of the laws that shows random bytes which are not the harness's


class Remembered(Protocol):
    """Verdicts of earlier runs: the same executable and vectors need not be checked twice."""

    def recall(self, executable: Executable, vectors: Sequence[Path]) -> str: ...

    def remember(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None: ...


@dataclass(frozen=True)
class _Passed:
    executable: Executable
    digest: str  # '' where nobody needs to be compared with it
    warning: str = ""  # the law that it breaks and need not keep

    def __str__(self) -> str:
        return f"{self.digest}\n{self.warning}"


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
    published = lru_cache(maxsize=FEW)(partial(_published, catalogue))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        groups = _identical(executables)
        running = {pool.submit(_check, group[0], catalogue, published, memory, seconds): group for group in groups}
        for future in as_completed(running):
            result = future.result()
            for executable in running[future]:
                if isinstance(result, _Passed):
                    passed.append(replace(result, executable=executable))
                else:
                    failed.append(replace(result, subject=executable.subject))
                progress()
    agreed, disagreed = _agreement(passed)
    disagreed += _warnings(passed, agreed)
    order = {executable.subject: place for place, executable in enumerate(executables)}
    return sorted(agreed, key=lambda e: order[e.subject]), sorted(
        [*failed, *disagreed], key=lambda f: order[f.subject]
    )


def _identical(executables: Sequence[Executable]) -> list[list[Executable]]:
    """Tunings that compile to the very same program are checked once."""
    groups: dict[tuple[Path, str, str], list[Executable]] = {}
    for executable in executables:
        subject = executable.subject
        groups.setdefault((executable.path, subject.operation, subject.primitive), []).append(executable)
    return list(groups.values())


def _published(catalogue: Catalogue, key: str) -> list[Asked]:
    """What the vector files of a primitive ask. BadVectors for what does not fit it."""
    primitive = catalogue.primitives[key]
    operation, files = catalogue.operations[primitive.operation], []
    for path in primitive.vectors:
        file = vectors_of(path, primitive)
        must_fit(file, operation, primitive)
        files.append(all_asked(file, operation))
    return files


def _check(
    executable: Executable,
    catalogue: Catalogue,
    published: Callable[[str], list[Asked]],
    memory: Remembered,
    seconds: float,
) -> _Passed | Failure:
    subject = executable.subject
    key = f"{subject.operation}/{subject.primitive}"
    primitive = catalogue.primitives[key]
    if words := memory.recall(executable, primitive.vectors):
        digest, _, warning = words.partition("\n")
        if not had_less_time(warning, limits(executable.compiler, seconds).seconds):
            return _Passed(executable, digest, warning)
    files = published(key)
    for file in files:
        if failure := check_vectors(executable, file, seconds):
            return _unfit(failure) if executable.implementation.foreign else failure
    foreign = executable.implementation.foreign is not None
    known = any(file.requests for file in files)
    result = _foreign(executable, seconds, known) if foreign else _laws(executable, seconds)
    if isinstance(result, _Passed):
        memory.remember(executable, primitive.vectors, str(result))
    return result


def had_less_time(warning: str, seconds: float) -> bool:
    """Whether a remembered warning only says that a shorter time than this was not enough."""
    match = re.search(r"still running after (\d+) s", warning)
    return match is not None and int(match[1]) < round(seconds)


def _laws(executable: Executable, seconds: float, *lenient: str) -> _Passed | Failure:
    outcome = ask(executable, "check", str(SEED), *lenient, limits=limits(executable.compiler, seconds))
    words = outcome.stdout.decode(errors="replace").splitlines()[-1:] or [""]
    if not outcome.problem and words[0].startswith("verdict\tok\t"):
        pairs.learn(executable, outcome.stdout.splitlines())
        return _Passed(executable, words[0].split("\t")[2])
    reason = ending(outcome) or "gives no verdict"
    if reason.startswith("still running"):
        reason = f"our laws: {reason}"
    return Failure(stage="check", subject=executable.subject, reason=reason, detail=outcome.last_words())


def _foreign(executable: Executable, seconds: float, known: bool) -> _Passed | Failure:
    """An implementation that never promised to keep our laws: it must keep its own tree's. `known`: its
    tree has vectors, and it passed them."""
    answers = ask_oracles(executable, seconds)
    if answers.failure:
        return _unfit(answers.failure)
    confirmed = known or bool(answers.confirmed)
    strict = _laws(executable, seconds)
    if confirmed and isinstance(strict, _Passed):
        return replace(strict, digest="", warning=answers.warning)
    lenient = _laws(executable, seconds, "lenient")
    if isinstance(lenient, Failure):
        summed = answers.sum or "checksumsmall" in answers.confirmed
        tolerated = (*(TOLERATED if confirmed else ()), *(BEYOND_SUMS if summed else ()))
        if not any(words in lenient.reason for words in tolerated):
            return _unfit(lenient)
        return _Passed(executable, "" if confirmed else answers.sum, lenient.reason)
    # Another sequence of inputs than the strict one: every implementation without an oracle takes this one.
    alone = isinstance(strict, Failure) and OWN_RANDOM in strict.reason  # then its results are nobody else's
    digest = "" if confirmed or alone else answers.sum or lenient.digest
    return _Passed(executable, digest, strict.reason if isinstance(strict, Failure) else "")


def _unfit(failure: Failure) -> Failure:
    """These trees do not say what CPU features an implementation needs: it is tried."""
    if "an instruction this CPU lacks" not in failure.reason:
        return failure
    return replace(failure, reason="needs an instruction that this CPU lacks")


def _warnings(passed: Sequence[_Passed], agreed: Sequence[Executable]) -> list[Failure]:
    right = {executable.subject for executable in agreed}
    return [
        Failure(stage="warning", subject=one.executable.subject, reason=one.warning)
        for one in passed
        if one.warning and one.executable.subject in right
    ]


def _agreement(passed: Sequence[_Passed]) -> tuple[list[Executable], list[Failure]]:
    """All implementations of a primitive compute the same; `ref`, else the majority, says what. Where they draw
    random bytes, each as it likes, and nobody says what is expected, another result is no mistake."""
    groups: dict[tuple[str, str], list[_Passed]] = defaultdict(list)
    for one in sorted(passed, key=lambda one: str(one.executable.subject)):  # of equal votes the same one wins again
        groups[one.executable.subject.operation, one.executable.subject.primitive].append(one)
    agreed, failed = [], []
    for group in groups.values():
        comparable = [one for one in group if one.digest not in APART]
        votes = [one.digest for one in comparable if one.executable.implementation.name == "ref"]
        right = Counter(votes or [one.digest for one in comparable or group]).most_common(1)[0][0]
        for one in group:
            if one.digest in (right, *APART) or _draws(one.executable):
                agreed.append(one.executable)
            if one.digest not in (right, *APART):
                failed.append(_disagreement(one.executable, "ref" if votes else "the other implementations"))
    return agreed, failed


def _draws(executable: Executable) -> bool:
    """Whether a foreign implementation makes key pairs: of random bytes, as many and in the order it likes."""
    foreign = executable.implementation.foreign
    return foreign is not None and any(name.endswith("_keypair") for name, _ in foreign.names)


def _disagreement(executable: Executable, others: str) -> Failure:
    if _draws(executable):
        reason = f"equal random bytes: gives other results than {others}, and nothing in the tree says which are right"
        return Failure(stage="warning", subject=executable.subject, reason=reason)
    reason = f"disagrees with {others} on the check's inputs"
    return Failure(stage="check", subject=executable.subject, reason=reason)
