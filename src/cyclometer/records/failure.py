# SPDX-License-Identifier: MIT OR Apache-2.0
"""Failures, and the verdicts of the constant-time checker."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto

from cyclometer.records.tuning import Tuning


class FailureKind(StrEnum):
    """The kinds of failure, explained in harness/api/failure_kinds.def.

    Every verdict depends on the kind, never on the wording of a reason.
    """

    WRONG_OUTPUT = auto()
    NOT_DETERMINISTIC = auto()
    SAME_OUTPUT = auto()
    INPUT_MODIFIED = auto()
    BUFFER_OVERRUN = auto()
    OUT_OF_BOUNDS = auto()
    FORGERY_ACCEPTED = auto()
    UNSIGNED_ACCEPTED = auto()
    VALID_REJECTED = auto()
    CALL_FAILED = auto()
    RETURN_VALUE = auto()
    SECRET_EXPOSED = auto()
    STATE_REUSED = auto()
    HIDDEN_RNG = auto()
    RANDOM_MISUSED = auto()
    FUNCTION_MISSING = auto()
    CALLING_CONVENTION = auto()
    SIDE_EFFECT = auto()
    CRASH = auto()
    ILLEGAL_INSTRUCTION = auto()
    ABORTED = auto()
    EXITED = auto()
    FORBIDDEN_SYSCALL = auto()
    WRONG_WHEN_TIMED = auto()
    TIME_NOT_CONFIRMED = auto()
    TIME_LIMIT = auto()
    DOES_NOT_RETURN = auto()
    MEMORY_LIMIT = auto()
    PEER_FAILED = auto()
    HARNESS_ERROR = auto()
    OUTPUT_LIMIT = auto()
    KILLED = auto()
    NO_VERDICT = auto()
    TAMPERED_RECORDS = auto()
    DISAGREEMENT = auto()
    TIME_DEPENDS_ON_SECRET = auto()
    CONSTANT_TIME = auto()
    NOT_CHECKED = auto()
    DOES_NOT_COMPILE = auto()
    DOES_NOT_LINK = auto()
    TOOL_FAILED = auto()
    NEEDS_FEATURE = auto()
    NEEDS_LIBRARY = auto()
    NEEDS_TOOL = auto()
    NOT_EVICTED = auto()
    SKIPPED = auto()
    UNKNOWN = auto()

    @classmethod
    def _missing_(cls, value: object) -> FailureKind:
        """Read a kind that a newer Cyclometer has stored."""
        return cls.UNKNOWN


UNAVAILABLE = frozenset(
    {FailureKind.NEEDS_FEATURE, FailureKind.NEEDS_LIBRARY, FailureKind.NEEDS_TOOL, FailureKind.SKIPPED}
)
"""Kinds that say only what this machine lacks, not that the code is wrong."""


UNTRUE = frozenset({FailureKind.WRONG_WHEN_TIMED, FailureKind.TIME_NOT_CONFIRMED, FailureKind.DISAGREEMENT})
"""Kinds that say that no timing of the code is to be believed, whichever process found it."""


class Severity(StrEnum):
    """What a failure means for the implementation."""

    ERROR = auto()  # it is not used
    WARNING = auto()  # it is used nevertheless

    @classmethod
    def _missing_(cls, value: object) -> Severity:
        """Take a severity that this version does not know for an error."""
        return cls.ERROR


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What went wrong, where, and the last words of the compiler or program."""

    stage: str  # discover | build | check | choose | measure
    subject: Tuning
    kind: FailureKind
    reason: str  # one line: "needs avx512f", "accepts a forgery: ..."
    detail: str = ""  # compiler's or program's last words
    severity: Severity = Severity.ERROR


BRANCHES_ON_SECRET = "branches on a secret"
ADDRESS_DEPENDS_ON_SECRET = "address depends on a secret"
LEAKS = (BRANCHES_ON_SECRET, ADDRESS_DEPENDS_ON_SECRET)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A line of code whose time depends on a secret, or may."""

    what: str  # one of LEAKS, or an instruction: "has div"
    where: str  # function (file:line)


@dataclass(frozen=True, kw_only=True)
class ConstantTime:
    """The constant-time checker's verdict on a tuning."""

    subject: Tuning
    line: str  # the command line that compiled it for the checker
    claimed: bool | None
    findings: tuple[Finding, ...]
    unchecked: str = ""  # why there is no verdict
    library: bool = False  # a provider's glue, whose library's own code is not searched for instructions

    @property
    def constant(self) -> bool:
        """Whether no branch and no address was seen to depend on a secret."""
        return not self.unchecked and not any(f.what in LEAKS for f in self.findings)
