# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks executables: each by itself, then with the other implementations of its primitive."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from cyclometer.check.agreement import Passed, difference, disagreements, strangers
from cyclometer.check.cache import VerdictCache, restore, serialise
from cyclometer.check.exchange import exchange, repeats_its_keys
from cyclometer.check.foreign import as_missing_feature, check_foreign
from cyclometer.check.properties import BUDGET, LENIENT, THOROUGH, check_properties, outputs_of
from cyclometer.check.tolerated import NONE, WRONG_BESIDE_OURS
from cyclometer.check.vectors import (
    SECONDS,
    LabelledRequest,
    all_requests,
    check_vectors,
    limits,
    validate,
    vector_files,
    vectors_of,
)
from cyclometer.errors import BadVectors, RefusedFile
from cyclometer.execute.pool import on_all_cores, under_way
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity

Published = Callable[[str, tuple[Path, ...]], list[LabelledRequest]]
"""Returns the requests of a primitive's vector files, by its key."""

MISSES_A_BUFFER = {FailureKind.BUFFER_OVERRUN, FailureKind.OUT_OF_BOUNDS, FailureKind.INPUT_MODIFIED}
CACHED_PRIMITIVES = 8  # primitives whose vectors stay in memory; executables of one primitive come together


@dataclass(frozen=True, kw_only=True)
class Independent:
    """Executables that help to decide which outputs are right, by the key of the primitive that is checked."""

    catalogue: Catalogue
    executables: Mapping[str, Sequence[Executable]]
    namesakes: Mapping[str, str] = field(default_factory=dict)  # our primitive of the same name as a foreign one


def check_all(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: VerdictCache,
    progress: Callable[[], None] = lambda: None,
    seconds: float = SECONDS,
    independent: Independent | None = None,
    share: float = 1.0,
) -> tuple[list[Executable], list[Failure]]:
    """Check all executables; return those that passed, in their order, and a Failure for each of the others.

    `seconds` is the time limit of one process. The `independent` executables are checked, too, but not returned.
    `share` is that of the CPU time which property tests may spend on cases beyond the fixed ones.
    """
    passed, failed = _check_each(executables, catalogue, cache, progress, seconds, share)
    beside = _check_independent(independent, passed, catalogue, cache, seconds) if independent else {}
    groups: dict[str, list[Passed]] = {}
    for each in sorted(passed, key=lambda each: str(each.executable.subject)):
        groups.setdefault(each.executable.subject.key, []).append(each)
    wrong = [f for key, group in groups.items() for f in disagreements(group, beside.get(key, ()), outputs_of)]
    fits = partial(_fits, catalogue, independent.catalogue if independent else catalogue, cache, seconds)
    alone = on_all_cores(lambda key: strangers(groups[key], beside.get(key, ()), fits), [*groups])
    wrong += itertools.chain.from_iterable(alone)
    if independent:
        wrong += _wrong_by_our_vectors(independent, _without(passed, wrong), cache, seconds)
    own_random = [each.executable for each in _without(passed, wrong) if not each.outputs.count]
    predictable = on_all_cores(partial(_predictable_keys, catalogue, cache, seconds), own_random)
    wrong += [failure for failure in predictable if failure]
    right = _without(passed, [failure for failure in wrong if failure.severity is Severity.ERROR])
    order = {executable.subject: index for index, executable in enumerate(executables)}
    failures = sorted([*failed, *wrong, *_warnings(right)], key=lambda failure: order[failure.subject])
    return sorted((each.executable for each in right), key=lambda e: order[e.subject]), failures


def unlike(
    one: Executable, other: Executable, catalogue: Catalogue, cache: VerdictCache, seconds: float = SECONDS
) -> str:
    """Return the first output of the property tests in which two executables differ; '' if none can be shown.

    Code that draws key pairs may do so in its own way, so nothing is held against it.
    """
    passed, _ = _check_each([one, other], catalogue, cache, lambda: None, seconds)
    if len(passed) < 2 or any(each.draws_keys for each in passed):
        return ""
    ours, theirs = sorted(passed, key=lambda each: each.executable.subject != one.subject)
    return "" if ours.agrees(theirs) else difference(ours, theirs, outputs_of).removeprefix(": ")


def _check_each(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: VerdictCache,
    progress: Callable[[], None],
    seconds: float,
    share: float = 1.0,
) -> tuple[list[Passed], list[Failure]]:
    """Check each executable by itself."""
    passed: list[Passed] = []
    failed: list[Failure] = []
    published = lru_cache(maxsize=CACHED_PRIMITIVES)(partial(_published_vectors, catalogue))

    def check(group: Sequence[Executable]) -> Passed | Failure:
        try:
            return _check(group[0], catalogue, published, cache, seconds, share)
        except (BadVectors, RefusedFile) as error:
            return _unusable_vectors(group[0], error)

    with under_way(check, _identical(executables)) as running:
        for future in as_completed(running):
            result = future.result()
            for executable in running[future]:
                if isinstance(result, Passed):
                    passed.append(replace(result, executable=executable))
                else:
                    failed.append(replace(result, subject=executable.subject))
                progress()
    return passed, failed


def _check_independent(
    independent: Independent, passed: Sequence[Passed], catalogue: Catalogue, cache: VerdictCache, seconds: float
) -> dict[str, list[Passed]]:
    """Return those that pass, by the key of the primitive that is checked.

    Implementations that passed only the lenient property tests need the outputs of the others in these.
    """
    lenient = {each.executable.subject.key for each in passed if each.outputs.lenient}
    beside: dict[str, list[Passed]] = {}
    for key, executables in independent.executables.items():
        share = _share(catalogue.primitives[key])
        right, _ = _check_each(executables, independent.catalogue, cache, lambda: None, seconds, share)
        if key in lenient:
            again = [check_properties(each.executable, seconds, LENIENT, BUDGET, str(share)) for each in right]
            right += [each for each in again if isinstance(each, Passed)]
        beside[key] = right
    return beside


def _wrong_by_our_vectors(
    independent: Independent, passed: Sequence[Passed], cache: VerdictCache, seconds: float
) -> list[Failure]:
    """Check foreign implementations that nothing published has confirmed with the vectors of our namesake.

    Those that draw keys are left out: they use the random bytes of a vector in their own way.
    """
    published = lru_cache(maxsize=CACHED_PRIMITIVES)(partial(_published_vectors, independent.catalogue))

    def held(each: Passed) -> Failure | None:
        ours = independent.namesakes[each.executable.subject.key]
        vectors = independent.catalogue.primitives[ours].vectors
        if cache.get(each.executable, vectors, each.executable):
            return None
        failure = check_vectors(each.executable, published(ours, vectors), seconds)
        if not failure:
            cache.put(each.executable, vectors, "held", each.executable)
        return failure

    chosen = [
        each
        for each in passed
        if each.executable.subject.key in independent.namesakes and not each.confirmed and not each.draws_keys
    ]
    return [failure for failure in on_all_cores(held, chosen) if failure]


def _fits(
    catalogue: Catalogue, native: Catalogue, cache: VerdictCache, seconds: float, one: Executable, other: Executable
) -> str:
    """Return how two implementations fail to use each other's keys, or ''. What worked is not tried again."""
    primitive = catalogue.primitives[one.subject.key]
    steps = catalogue.operations[primitive.operation].exchange
    if not steps or cache.get(one, beside=other):
        return ""
    known = native.primitives.get(other.subject.key, primitive)  # a foreign tree does not tell all sizes
    problem = exchange(one, other, steps, {**known.sizes, **primitive.sizes}, seconds)
    if not problem:
        cache.put(one, (), "exchanged", other)
    return problem


def _predictable_keys(
    catalogue: Catalogue, cache: VerdictCache, seconds: float, executable: Executable
) -> Failure | None:
    """Return a failure if an implementation with random bytes of its own has the same ones in every process."""
    primitive = catalogue.primitives[executable.subject.key]
    steps = catalogue.operations[primitive.operation].exchange
    if not steps or cache.get(executable, beside=executable):
        return None
    if not repeats_its_keys(executable, steps, primitive, seconds):
        cache.put(executable, (), "drawn", executable)
        return None
    reason = "draws the same key pair in every process: its own random bytes can be predicted"
    return Failure(stage="check", subject=executable.subject, kind=FailureKind.SAME_OUTPUT, reason=reason)


def _published_vectors(catalogue: Catalogue, key: str, files: Sequence[Path]) -> list[LabelledRequest]:
    """Return the requests of vector files; BadVectors if a vector does not fit the primitive."""
    primitive = catalogue.primitives[key]
    operation, found = catalogue.operations[primitive.operation], []
    for path in files:
        file = vectors_of(path, primitive)
        validate(file, operation, primitive)
        found += all_requests(file, operation)
    return found


def _unusable_vectors(executable: Executable, error: BadVectors | RefusedFile) -> Failure:
    """Return the failure of an implementation whose tree's vectors are unusable; of our own tree, raise the error."""
    if not executable.implementation.foreign:
        raise error
    reason = f"the tree's vectors cannot be used: {error}"
    return Failure(stage="check", subject=executable.subject, kind=FailureKind.NO_VERDICT, reason=reason)


def _check(
    executable: Executable,
    catalogue: Catalogue,
    published: Published,
    cache: VerdictCache,
    seconds: float,
    share: float,
) -> Passed | Failure:
    subject = executable.subject
    key = f"{subject.operation}/{subject.primitive}"
    primitive = catalogue.primitives[key]
    time_limit = limits(executable.compiler, seconds).seconds
    files = vector_files(executable.implementation, primitive)
    share = _share(primitive, max(share, 1.0) if executable.implementation.foreign else share)
    words = [BUDGET, str(share)] if share != 1 else []
    verdict = cache.get(executable, files)
    if verdict and (passed := restore(verdict, executable, time_limit, share)):
        return passed
    requests = published(key, files)
    if executable.implementation.foreign:
        if requests and (failure := check_vectors(executable, requests, seconds)):
            return as_missing_feature(_better_explained(failure, executable, seconds))
        result = check_foreign(
            executable,
            seconds,
            *words,
            confirmed=bool(requests),
            authenticates=catalogue.operations[primitive.operation].authenticates,
            wrong=WRONG_BESIDE_OURS if primitive.same_as else NONE,
        )
    else:
        result = check_properties(executable, seconds, *words, requests=requests)
    if isinstance(result, Passed):
        cache.put(executable, files, serialise(result, time_limit, share))
    return result


def _share(primitive: Primitive, share: float = 1.0) -> float:
    """Return the share of CPU time: more for a folder that the user compares with a system of ours, and for that one.

    Such code is new, and its author waits for the verdict: it may be wrong at one length alone.
    """
    return THOROUGH if primitive.same_as else share


def _better_explained(failure: Failure, executable: Executable, seconds: float) -> Failure:
    """Return what the property tests say of code that crashed with a vector, if it misses a buffer.

    There, unlike in answers, every buffer is between canaries and guard pages.
    """
    if failure.kind not in (FailureKind.CRASH, FailureKind.OUT_OF_BOUNDS, FailureKind.ABORTED):
        return failure
    strict = check_properties(executable, seconds)
    return strict if isinstance(strict, Failure) and strict.kind in MISSES_A_BUFFER else failure


def _identical(executables: Sequence[Executable]) -> list[list[Executable]]:
    """Group tunings that compile to the same program, which is checked once with the same vectors."""
    groups: dict[tuple[Path, str, str, tuple[Path, ...]], list[Executable]] = {}
    for executable in executables:
        subject = executable.subject
        foreign = executable.implementation.foreign
        key = (executable.path, subject.operation, subject.primitive, foreign.vectors if foreign else ())
        groups.setdefault(key, []).append(executable)
    return list(groups.values())


def _without(passed: Sequence[Passed], failures: Sequence[Failure]) -> list[Passed]:
    """Return those to which none of the failures belongs."""
    failed = {failure.subject for failure in failures}
    return [each for each in passed if each.executable.subject not in failed]


def _warnings(right: Sequence[Passed]) -> list[Failure]:
    """Return what may be tolerated, without the words of a process: verdicts of the cache have none."""
    return [replace(each.warning, subject=each.executable.subject, detail="") for each in right if each.warning]
