# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions and the verdicts on them (docs/submissions.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto


class Decision(StrEnum):
    """What became of a submission on a machine."""

    ACCEPTED = auto()  # something of it is right and measured, nothing is wrong
    REJECTED = auto()  # an implementation is wrong, or none is right
    REFUSED = auto()  # it is not read: a hostile archive, or no tree of a known kind
    ABANDONED = auto()  # its examination took too long, or ended three times without a verdict
    NOT_EXAMINED = auto()  # the machine could not be reached; nothing is known of the submission

    @property
    def words(self) -> str:
        """What people read."""
        return self.value.replace("_", " ")


_EXACT = {"extra": "forbid", "strict": True}
"""For pydantic, which reads these records from JSON: no unknown key, and no value of another type."""

_WORST_FIRST = (Decision.REFUSED, Decision.REJECTED, Decision.ABANDONED, Decision.ACCEPTED, Decision.NOT_EXAMINED)


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A tree that was handed in. `id` names its folder, `name` is what the sender calls it."""

    __pydantic_config__ = _EXACT

    id: str
    name: str
    received: str  # UTC, as in 2026-11-25T08:00:00Z
    sha256: str
    bytes: int
    attempts: int = 0  # how often an examination was begun
    sender: str = ""  # fingerprint of the key that signed it; '' if it came from this machine


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a check says of an implementation; those that differ only in the compiler are one."""

    __pydantic_config__ = _EXACT

    implementation: str  # crypto_hash/sha-256 fast
    verdict: str  # ok | warning | wrong | without
    compilers: int
    kind: str = ""  # of the failure (`FailureKind`)
    reason: str = ""
    detail: str = ""  # compiler's or program's last words


@dataclass(frozen=True, kw_only=True)
class MachineVerdict:
    """The verdict of one machine."""

    __pydantic_config__ = _EXACT

    machine: str
    decision: Decision
    reason: str = ""  # why it is not accepted; '' if `judged` says it
    judged: tuple[Judged, ...] = ()
    run: str = ""  # folder of the run, below the submission's; '' if nothing was measured

    @property
    def why(self) -> str:
        """Why it is not accepted, in one line: the reason, or the first implementation that is wrong."""
        wrong = [f"{judged.implementation}: {judged.reason}" for judged in self.judged if judged.verdict == "wrong"]
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        return self.reason or (wrong[0] + more if wrong else "")


@dataclass(frozen=True, kw_only=True)
class SubmissionVerdict:
    """The verdicts of all machines on a submission."""

    submission: Submission
    machines: tuple[MachineVerdict, ...]

    @property
    def decision(self) -> Decision:
        """The worst verdict of a machine that examined it."""
        found = {each.decision for each in self.machines}
        return next((decision for decision in _WORST_FIRST if decision in found), Decision.NOT_EXAMINED)

    @property
    def reasons(self) -> str:
        """Why, in one line; of a machine whose verdict is another one, with its name and its verdict."""
        said = (
            each.why if each.decision is self.decision else f"{each.machine}: {each.decision.words}: {each.why}"
            for each in sorted(self.machines, key=lambda each: each.decision is not self.decision)
            if each.why
        )
        return "; ".join(dict.fromkeys(said))
