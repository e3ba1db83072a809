# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares the outputs of a primitive's implementations, which must be equal on equal inputs.

Where they disagree, the independent implementations decide: `ref` and libraries first, then the majority.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity

DIGEST_EVERY = 16  # outputs between two digests; harness/runtime/records.c has the same number
DIGEST_DIGITS = 8
SHOWN_BYTES = 8  # of an output in a message
NAMED = 3  # implementations in a message
SHARED = 2  # first outputs that two implementations have in common if they compute the same and draw alike


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The digests of an executable's outputs: of all, and of the first 16, 32, 48 and so on.

    A slow implementation has fewer outputs than a fast one, so two of them are compared as far as both go.
    """

    count: int = 0
    digest: str = ""  # of all outputs
    digests: str = ""  # of the first ones, DIGEST_DIGITS hexadecimal digits each
    lenient: bool = False  # the lenient property tests have other inputs than the strict ones

    def comparable(self, other: Outputs) -> bool:
        """Whether both have outputs, on the same inputs."""
        return bool(self.count and other.count and self.lenient == other.lenient)

    def first_difference(self, other: Outputs) -> int | None:
        """Return the number of the first output of the DIGEST_EVERY among which they differ; None if they agree."""
        common = min(len(self.digests), len(other.digests)) // DIGEST_DIGITS
        for number in range(common):
            part = slice(number * DIGEST_DIGITS, (number + 1) * DIGEST_DIGITS)
            if self.digests[part] != other.digests[part]:
                return number * DIGEST_EVERY
        if self.count == other.count and self.digest != other.digest:
            return common * DIGEST_EVERY
        return None


@dataclass(frozen=True)
class Passed:
    """A check that was passed."""

    executable: Executable
    outputs: Outputs = Outputs()  # compared with those of other implementations, if there are any
    strict: Outputs = Outputs()  # those of the strict tests, if `outputs` are of the lenient ones and it passed both
    checksum: str = ""  # of a foreign tree that publishes none: what its implementations must share
    confirmed: bool = False  # published vectors or checksums have confirmed some of its results
    warning: Failure | None = None  # the property test that it fails and need not pass

    @property
    def trusted(self) -> bool:
        """Whether it is independent of what was submitted: our reference implementation, or an installed library."""
        implementation = self.executable.implementation
        return not implementation.foreign and (implementation.is_reference or implementation.library)

    @property
    def draws_keys(self) -> bool:
        """Whether it is foreign and generates key pairs, for which it uses random bytes in its own way."""
        foreign = self.executable.implementation.foreign
        return foreign is not None and any(name.endswith("_keypair") for name, _ in foreign.names)

    def agrees(self, other: Passed) -> bool:
        """Return whether nothing shows that the two compute different results."""
        if self.checksum and other.checksum and self.checksum != other.checksum:
            return False
        return all(ours.first_difference(theirs) is None for ours, theirs in self.comparable(other))

    def comparable(self, other: Passed) -> list[tuple[Outputs, Outputs]]:
        """Return the outputs of both that are on the same inputs."""
        pairs = itertools.product((self.outputs, self.strict), (other.outputs, other.strict))
        return [(ours, theirs) for ours, theirs in pairs if ours.comparable(theirs)]


Finder = Callable[[Executable, int, bool], list[tuple[str, bytes]]]
"""Returns the case and the bytes of DIGEST_EVERY outputs: of the executable, from a number on, lenient or not."""


def disagreements(group: Sequence[Passed], beside: Sequence[Passed], outputs_of: Finder) -> list[Failure]:
    """Return a failure for each of the group that disagrees with the implementations that are believed.

    `beside` are implementations that only help to decide. An implementation that draws random bytes in its own way
    gets a warning; if published results confirm it, it is not compared.
    """
    group = [
        each for each in group if not (each.draws_keys and each.confirmed) or _begins_as_ours(each, beside, outputs_of)
    ]
    classes = _classes([*beside, *group])
    if len(classes) < 2:
        return []
    ranked = sorted(classes, key=_weight, reverse=True)
    undecided = _weight(ranked[0]) == _weight(ranked[1])
    deciding = ranked if undecided else ranked[:1]
    failures = []
    for each in group:
        others, other = next(((c, opponent) for c in deciding if (opponent := _opponent(each, c))), ([], None))
        if other is None or (_confirms_itself(each, other) and not _begins_alike(each, other, outputs_of)):
            continue
        reason = f"disagrees with {_names(others)}{_doubt(others, undecided)}"
        varies = each.draws_keys and not _begins_as_ours(each, others, outputs_of)
        failures.append(_failure(each, reason + difference(each, other, outputs_of), varies=varies))
    return failures


def _begins_as_ours(each: Passed, others: Sequence[Passed], outputs_of: Finder) -> bool:
    return any(one.trusted and _begins_alike(each, one, outputs_of) for one in others)


def _begins_alike(each: Passed, other: Passed, outputs_of: Finder) -> bool:
    """Return whether the first outputs of both agree: they compute the same function, from random bytes used alike."""
    for ours, theirs in each.comparable(other):
        if ours.first_difference(theirs) != 0:
            return True
        first = [outputs_of(e.executable, 0, ours.lenient)[:SHARED] for e in (each, other)]
        if len(first[0]) == SHARED and first[0] == first[1]:
            return True
    return False


def _confirms_itself(each: Passed, other: Passed) -> bool:
    """Return whether a foreign tree confirms what it gives the name of our primitive; it may be another function."""
    return each.confirmed and each.executable.implementation.foreign is not None and _is_ours(other)


def _is_ours(each: Passed) -> bool:
    return each.executable.implementation.foreign is None


def _opponent(each: Passed, group: Sequence[Passed]) -> Passed | None:
    """Return one of the group that disagrees with it: not all have outputs on the same inputs."""
    return next((other for other in group if not other.agrees(each)), None)


Fits = Callable[[Executable, Executable], str]
"""Returns how two executables fail to use each other's keys, or ''."""

PARTNERS = 2  # independent implementations with which keys are exchanged


def strangers(group: Sequence[Passed], beside: Sequence[Passed], fits: Fits) -> list[Failure]:
    """Return a failure for each of the group whose outputs no other can confirm and whose keys nobody else can use."""
    failures = []
    trusted = sorted((p for p in (*beside, *group) if p.trusted), key=_believed)
    for each in group:
        if each.confirmed or each.executable.implementation.is_reference:
            continue
        if any(each.comparable(one) for one in trusted if one is not each):
            continue
        partners: dict[str, Passed] = {}
        for partner in trusted:
            partners.setdefault(_name(partner), partner)
        partners.pop(_name(each), None)
        problems = []
        for partner in list(partners.values())[:PARTNERS]:
            problem = fits(each.executable, partner.executable)
            if not problem:
                break
            problems.append(f"disagrees with {_name(partner)} when they use each other's keys: {problem}")
        else:
            failures += [_failure(each, problems[0], varies=each.draws_keys)] if problems else []
    return failures


def _believed(each: Passed) -> tuple[bool, str]:
    return not each.executable.implementation.is_reference, str(each.executable.subject)


def _classes(voters: Sequence[Passed]) -> list[list[Passed]]:
    """Group those that agree with each other, the trusted ones first: what cannot be compared joins them."""
    classes: list[list[Passed]] = []
    for each in sorted(voters, key=lambda each: (not each.trusted, -each.outputs.count, str(each.executable.subject))):
        if not each.outputs.count and not each.checksum:
            continue
        home = next((group for group in classes if not _opponent(each, group)), None)
        if home is None:
            classes.append([each])
        else:
            home.append(each)
    return classes


def _weight(group: Sequence[Passed]) -> tuple[int, bool, int, int]:
    """Return how much a group counts: its independent implementations, then `ref`, then all implementations."""
    trusted = {_name(each) for each in group if each.trusted}
    has_ref = any(each.executable.implementation.is_reference for each in group)
    return len(trusted), has_ref, len({_name(each) for each in group}), len(group)


def _doubt(others: Sequence[Passed], undecided: bool) -> str:
    if undecided:
        return ", and nothing decides which is right"
    return ", and no third implementation decides" if len({_name(o) for o in others}) == 1 else ""


def difference(each: Passed, other: Passed, outputs_of: Finder) -> str:
    """Describe the first output in which the two differ; '' if it is not found."""
    differ = ((one.lenient, one.first_difference(another)) for one, another in each.comparable(other))
    lenient, first = next(((lenient, first) for lenient, first in differ if first is not None), (False, None))
    if first is None:
        return ""
    ours, theirs = (outputs_of(executable, first, lenient) for executable in (each.executable, other.executable))
    for (case, got), (_, expected) in zip(ours, theirs, strict=False):
        if got != expected:
            return f": {case}: {describe(got, expected)}"
    return ""


def describe(got: bytes, expected: bytes) -> str:
    """Describe two outputs that differ: both, shortened, and the first byte in which they do."""
    if len(got) != len(expected):
        return f"{len(got)} bytes instead of {len(expected)}"
    at = next(i for i in range(len(got)) if got[i] != expected[i])
    return f"{_shortened(got, at)} instead of {_shortened(expected, at)}, different from byte {at} of {len(got)} on"


def _shortened(output: bytes, at: int) -> str:
    """Return the beginning of an output in hexadecimal, and some bytes from `at` on."""
    start = 0 if at < SHOWN_BYTES else at
    shown = f"{output[:SHOWN_BYTES].hex()}..." if start else ""
    shown += output[start : start + SHOWN_BYTES].hex()
    return shown + ("..." if start + SHOWN_BYTES < len(output) else "")


def _names(group: Sequence[Passed]) -> str:
    """Name the implementations of a group, `ref` and libraries first."""
    independent = {_name(each) for each in group if each.trusted}
    names = sorted({_name(each) for each in group}, key=lambda name: (name != "ref", name not in independent, name))
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    named = [*names[:NAMED], *more]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _name(each: Passed) -> str:
    return each.executable.subject.implementation


def _failure(each: Passed, reason: str, *, varies: bool) -> Failure:
    return Failure(
        stage="check",
        subject=each.executable.subject,
        kind=FailureKind.DISAGREEMENT,
        reason=f"{reason} (the tree does not tell which is right)" if varies else reason,
        severity=Severity.WARNING if varies else Severity.ERROR,
    )
