# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks executables: published vectors, property tests, and agreement among a primitive's implementations."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

from cyclometer.check.agreement import Outputs, Passed, disagreements, strangers
from cyclometer.check.exchange import exchange, repeats_its_keys
from cyclometer.check.oracle import run_oracles
from cyclometer.check.tolerated import (
    AUTHENTICATES,
    NONE,
    TOLERATED_AFTER_CHECKSUM,
    TOLERATED_IF_BOTH,
    TOLERATED_IF_CONFIRMED,
    WRONG_BESIDE_OURS,
    WRONG_UNLESS_CONFIRMED,
)
from cyclometer.check.vectors import (
    SECONDS,
    LabelledRequest,
    all_requests,
    check_vectors,
    failure_of,
    limits,
    lines_of,
    unlike_vectors,
    validate,
    vectors_of,
)
from cyclometer.errors import BadVectors, RefusedFile
from cyclometer.execute import keypair_cache
from cyclometer.execute.pool import on_all_cores, under_way
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity

LENIENT, BUDGET = "lenient", "budget"  # words for the verb `check`
SEED = 20071119  # arbitrary, but fixed, so that failures can be reproduced
CACHED_PRIMITIVES = 8  # primitives whose vectors stay in memory; executables of one primitive come together


class Verdicts(Protocol):
    """Verdicts of earlier runs, so that the same executable and vectors are not checked twice."""

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str: ...

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Independent:
    """Executables that help to decide which outputs are right, by the key of the primitive that is checked."""

    catalogue: Catalogue
    executables: Mapping[str, Sequence[Executable]]
    namesakes: Mapping[str, str] = field(default_factory=dict)  # our primitive of the same name as a foreign one


def check_all(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: Verdicts,
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
    beside = _check_independent(independent, passed, cache, seconds) if independent else {}
    groups: dict[str, list[Passed]] = {}
    for each in sorted(passed, key=lambda each: str(each.executable.subject)):
        groups.setdefault(each.executable.subject.key, []).append(each)
    wrong = [f for key, group in groups.items() for f in disagreements(group, beside.get(key, ()), _outputs)]
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


def _check_each(
    executables: Sequence[Executable],
    catalogue: Catalogue,
    cache: Verdicts,
    progress: Callable[[], None],
    seconds: float,
    share: float = 1.0,
) -> tuple[list[Passed], list[Failure]]:
    """Check each executable by itself."""
    passed: list[Passed] = []
    failed: list[Failure] = []
    published = lru_cache(maxsize=CACHED_PRIMITIVES)(partial(_published_vectors, catalogue))

    def check(group: Sequence[Executable]) -> Passed | Failure:
        return _checked(group[0], catalogue, published, cache, seconds, share)

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
    independent: Independent, passed: Sequence[Passed], cache: Verdicts, seconds: float
) -> dict[str, list[Passed]]:
    """Return those that pass, by the key of the primitive that is checked.

    Implementations that passed only the lenient property tests need the outputs of the others in these.
    """
    lenient = {each.executable.subject.key for each in passed if each.outputs.lenient}
    beside: dict[str, list[Passed]] = {}
    for key, executables in independent.executables.items():
        right, _ = _check_each(executables, independent.catalogue, cache, lambda: None, seconds)
        if key in lenient:
            again = [_check_properties(each.executable, seconds, LENIENT) for each in right]
            right += [each for each in again if isinstance(each, Passed)]
        beside[key] = right
    return beside


def _without(passed: Sequence[Passed], failures: Sequence[Failure]) -> list[Passed]:
    """Return those to which none of the failures belongs."""
    failed = {failure.subject for failure in failures}
    return [each for each in passed if each.executable.subject not in failed]


def _wrong_by_our_vectors(
    independent: Independent, passed: Sequence[Passed], cache: Verdicts, seconds: float
) -> list[Failure]:
    """Check foreign implementations that nothing published has confirmed with the vectors of our namesake.

    Those that draw keys are left out: they use the random bytes of a vector in their own way.
    """
    published = lru_cache(maxsize=CACHED_PRIMITIVES)(partial(_published_vectors, independent.catalogue))

    def held(each: Passed) -> Failure | None:
        ours = independent.namesakes[each.executable.subject.key]
        vectors = independent.catalogue.primitives[ours].vectors
        if cache.get(each.executable, [*vectors, each.executable.path]):
            return None
        failure = check_vectors(each.executable, published(ours), seconds)
        if not failure:
            cache.put(each.executable, [*vectors, each.executable.path], "held")
        return failure

    chosen = [
        each
        for each in passed
        if each.executable.subject.key in independent.namesakes and not each.confirmed and not each.draws_keys
    ]
    return [failure for failure in on_all_cores(held, chosen) if failure]


def _identical(executables: Sequence[Executable]) -> list[list[Executable]]:
    """Group tunings that compile to the same program, which is checked once."""
    groups: dict[tuple[Path, str, str], list[Executable]] = {}
    for executable in executables:
        subject = executable.subject
        groups.setdefault((executable.path, subject.operation, subject.primitive), []).append(executable)
    return list(groups.values())


def _fits(
    catalogue: Catalogue, native: Catalogue, cache: Verdicts, seconds: float, one: Executable, other: Executable
) -> str:
    """Return how two implementations fail to use each other's keys, or ''. What worked is not tried again."""
    primitive = catalogue.primitives[one.subject.key]
    steps = catalogue.operations[primitive.operation].exchange
    if not steps or cache.get(one, [other.path]):
        return ""
    known = native.primitives.get(other.subject.key, primitive)  # a foreign tree does not tell all sizes
    problem = exchange(one, other, steps, {**known.sizes, **primitive.sizes}, seconds)
    if not problem:
        cache.put(one, [other.path], "exchanged")
    return problem


def _predictable_keys(catalogue: Catalogue, cache: Verdicts, seconds: float, executable: Executable) -> Failure | None:
    """Return a failure if an implementation with random bytes of its own has the same ones in every process."""
    primitive = catalogue.primitives[executable.subject.key]
    steps = catalogue.operations[primitive.operation].exchange
    if not steps or cache.get(executable, [executable.path]):
        return None
    if not repeats_its_keys(executable, steps, primitive, seconds):
        cache.put(executable, [executable.path], "drawn")
        return None
    reason = "draws the same key pair in every process: its own random bytes can be predicted"
    return Failure(stage="check", subject=executable.subject, kind=FailureKind.SAME_OUTPUT, reason=reason)


def _published_vectors(catalogue: Catalogue, key: str) -> list[LabelledRequest]:
    """Return the requests of a primitive's vector files; BadVectors if a vector does not fit the primitive."""
    primitive = catalogue.primitives[key]
    operation, found = catalogue.operations[primitive.operation], []
    for path in primitive.vectors:
        file = vectors_of(path, primitive)
        validate(file, operation, primitive)
        found += all_requests(file, operation)
    return found


def _checked(
    executable: Executable,
    catalogue: Catalogue,
    published: Callable[[str], list[LabelledRequest]],
    cache: Verdicts,
    seconds: float,
    share: float,
) -> Passed | Failure:
    """Check an executable; the vectors of a foreign tree may be unusable, which is a failure, too."""
    try:
        return _check(executable, catalogue, published, cache, seconds, share)
    except (BadVectors, RefusedFile) as error:
        if not executable.implementation.foreign:
            raise
        reason = f"the tree's vectors cannot be used: {error}"
        return Failure(stage="check", subject=executable.subject, kind=FailureKind.NO_VERDICT, reason=reason)


def _check(
    executable: Executable,
    catalogue: Catalogue,
    published: Callable[[str], list[LabelledRequest]],
    cache: Verdicts,
    seconds: float,
    share: float,
) -> Passed | Failure:
    subject = executable.subject
    key = f"{subject.operation}/{subject.primitive}"
    primitive = catalogue.primitives[key]
    time_limit = limits(executable.compiler, seconds).seconds
    verdict = cache.get(executable, primitive.vectors)
    if verdict and (passed := restore(verdict, executable, time_limit, share)):
        return passed
    requests = published(key)
    if executable.implementation.foreign:
        if requests and (failure := check_vectors(executable, requests, seconds)):
            return _as_missing_feature(failure)
        wrong = WRONG_BESIDE_OURS if primitive.same_as else NONE
        result, share = _check_foreign(executable, seconds, bool(requests), wrong), 1.0
    else:
        words = [BUDGET, str(share)] if share < 1 else []
        result = _check_properties(executable, seconds, *words, requests=requests)
    if isinstance(result, Passed):
        cache.put(executable, primitive.vectors, serialise(result, time_limit, share))
    return result


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
    return replace(passed, warning=_warning(executable, kind, entry["warning"]["reason"]))


def _check_properties(
    executable: Executable, seconds: float, *words: str, requests: Sequence[LabelledRequest] = ()
) -> Passed | Failure:
    """Run the property tests, in a process that answers these requests of published vectors first."""
    limit = limits(executable.compiler, seconds)
    outcome = call(executable, "check", str(SEED), *words, stdin=lines_of(requests), limits=limit)
    if failure := unlike_vectors(executable, requests, outcome):
        return failure
    records = outcome.stdout.decode(errors="replace").splitlines()
    if not outcome.problem and (outputs := _digests(records, LENIENT in words)):
        keypair_cache.put(executable, outcome.stdout.splitlines())
        return Passed(executable, outputs)
    kind, reason = failure_of(outcome)
    if kind is FailureKind.TIME_LIMIT:
        reason = f"property tests: {reason}"
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())


def _digests(records: Sequence[str], lenient: bool) -> Outputs | None:
    """Read the last two records of a check that was passed; None if they are others."""
    last = [record.split("\t") for record in records[-2:]]
    if [fields[0] for fields in last] != ["digests", "verdict"] or last[1][1] != "ok":
        return None
    return Outputs(count=int(last[0][1]), digest=last[1][2], digests=last[0][2], lenient=lenient)


def _outputs(executable: Executable, first: int, lenient: bool) -> list[tuple[str, bytes]]:
    """Return some outputs of the property tests with their cases, from the number `first` on."""
    words = ("check", str(SEED), *([LENIENT] if lenient else []), "outputs", str(first))
    outcome = call(executable, *words, limits=limits(executable.compiler, SECONDS))
    records = [record.split("\t") for record in outcome.stdout.decode(errors="replace").splitlines()]
    return [(fields[1], bytes.fromhex(fields[2])) for fields in records if fields[0] == "output"]


def _check_foreign(
    executable: Executable, seconds: float, confirmed: bool, wrong: frozenset[FailureKind]
) -> Passed | Failure:
    """Check a foreign implementation, which must pass the tests of its own tree, but not all of ours.

    It is `confirmed` if its tree has vectors: it passed them. `wrong` are failures of our tests that are errors.
    """
    oracles = run_oracles(executable, seconds)
    if oracles.failure:
        return _as_missing_feature(oracles.failure)
    confirmed = confirmed or bool(oracles.confirmed)
    strict = _check_properties(executable, seconds)
    if confirmed and isinstance(strict, Passed):
        return replace(strict, confirmed=True, warning=oracles.warning)
    summed = bool(oracles.checksum) or any(oracle.is_checksum for oracle in oracles.confirmed)
    if isinstance(strict, Failure) and (strict.kind in wrong or _is_wrong(strict, confirmed=confirmed, summed=summed)):
        return strict
    checksum = "" if confirmed else oracles.checksum
    lenient = _check_properties(executable, seconds, LENIENT)
    if isinstance(lenient, Failure):
        tolerated = (TOLERATED_IF_CONFIRMED if confirmed else NONE) | (TOLERATED_AFTER_CHECKSUM if summed else NONE)
        tolerated |= TOLERATED_IF_BOTH if confirmed and summed else NONE
        if lenient.kind not in tolerated:
            return _as_missing_feature(lenient)
        return Passed(executable, checksum=checksum, confirmed=confirmed, warning=_as_warning(lenient))
    # The lenient test has other inputs than the strict one; implementations without an oracle are compared on these.
    incomparable = isinstance(strict, Failure) and strict.kind is FailureKind.HIDDEN_RNG
    return Passed(
        executable,
        outputs=Outputs() if incomparable else lenient.outputs,
        strict=strict.outputs if isinstance(strict, Passed) else Outputs(),
        checksum="" if incomparable else checksum,
        confirmed=confirmed,
        warning=_as_warning(strict) if isinstance(strict, Failure) else None,
    )


def _is_wrong(strict: Failure, *, confirmed: bool, summed: bool) -> bool:
    """Return whether a failure of the strict property tests is an error, whatever the lenient ones find."""
    if not confirmed:
        return strict.kind in WRONG_UNLESS_CONFIRMED
    if strict.kind is FailureKind.UNSIGNED_ACCEPTED:  # signatures may be malleable, but not of nothing
        return not summed
    is_forgery = strict.kind is FailureKind.FORGERY_ACCEPTED
    return is_forgery and not summed and strict.subject.operation in AUTHENTICATES


def _as_warning(failure: Failure) -> Failure:
    return replace(failure, severity=Severity.WARNING)


def _as_missing_feature(failure: Failure) -> Failure:
    """Return an illegal instruction as a missing CPU feature: foreign trees do not declare what they need."""
    if failure.kind is not FailureKind.ILLEGAL_INSTRUCTION:
        return failure
    return replace(failure, kind=FailureKind.NEEDS_FEATURE, reason="needs an instruction that this CPU lacks")


def _warnings(right: Sequence[Passed]) -> list[Failure]:
    return [_warning(each.executable, each.warning.kind, each.warning.reason) for each in right if each.warning]


def _warning(executable: Executable, kind: FailureKind, reason: str) -> Failure:
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, severity=Severity.WARNING)
