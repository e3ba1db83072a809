# SPDX-License-Identifier: MIT OR Apache-2.0
"""An entrant's own verdict: built, checked, secrets followed, and the classes that the declaration admits it to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer import campaign
from cyclometer.competition.files import Competition
from cyclometer.competition.stage import discovered, new_labels, staged
from cyclometer.discover import FOLLOWS_SECRETS
from cyclometer.errors import MachineUnfit, UnknownName
from cyclometer.execute.bubblewrap import why_none
from cyclometer.records.catalogue import Primitive
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, ConstantTime, Failure, Severity
from cyclometer.records.tuning import Tuning
from cyclometer.workload import OPERATION, Workload, insecure, unfit


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is found about one submission; implementations are named with their compiler."""

    submission: str
    right: tuple[str, ...]  # implementations that pass with at least one compiler
    failures: tuple[str, ...]  # the first failing case of each implementation
    unavailable: tuple[str, ...]  # what this machine lacks
    constant: tuple[str, ...]  # implementations in which nothing was seen to depend on a secret
    leaks: tuple[str, ...]  # implementation: what depends on a secret, and where
    classes: dict[str, str]  # class -> why the declaration keeps it out, or ""

    @property
    def admitted(self) -> bool:
        """Whether an implementation works, none is wrong, and a class takes it."""
        return bool(self.right) and not self.failures and "" in self.classes.values()


def require_sandbox(*, unsafe: bool) -> None:
    """Raise `MachineUnfit` where submissions would run without a sandbox."""
    if (reason := why_none()) and not unsafe:
        raise MachineUnfit(f"submissions are built and run in a sandbox, and {reason}; --unsafe goes without it")


def check_submissions(
    tree: Path,
    competition: Competition,
    names: Sequence[str],
    progress: campaign.Progress,
    *,
    time_limit: float,
    unsafe: bool,
) -> list[Verdict]:
    """Return the verdicts on the submissions of these names, or on all."""
    for name in names:
        if name not in competition.submissions:
            raise UnknownName("submission", name, competition.submissions, str(competition.folder))
    require_sandbox(unsafe=unsafe)
    wanted = list(names or competition.submissions)
    labels = new_labels(wanted)
    with staged(tree, competition, labels) as root:
        primitives = discovered(root, competition, labels).primitives
        options = campaign.Options(
            systems=tuple(f"{OPERATION}/{label}" for label in labels.values()), check_seconds=time_limit
        )
        environment = campaign.prepare_environment(root, systems=options.systems, time_limit=time_limit)
        right, failures = campaign.check(environment, options, progress)
        checker = campaign.prepare_environment(
            root, systems=options.systems, checker=FOLLOWS_SECRETS, time_limit=time_limit
        )
        followed, _ = campaign.constant_time(checker, options, progress)
        return [
            _verdict(competition, name, primitives[f"{OPERATION}/{label}"], (right, failures, followed))
            for name, label in labels.items()
        ]


Found = tuple[Sequence[Executable], Sequence[Failure], Sequence[ConstantTime]]
"""What is right, what failed, and what was followed."""


def _verdict(competition: Competition, name: str, primitive: Primitive, found: Found) -> Verdict:
    right, failures, followed = found
    label = primitive.name
    own = [verdict for verdict in followed if verdict.subject.primitive == label]
    constant = _names(verdict.subject for verdict in own if verdict.constant)
    return Verdict(
        submission=name,
        right=_names(executable.subject for executable in right if executable.subject.primitive == label),
        failures=_first(failures, label, available=True),
        unavailable=_first(failures, label, available=False),
        constant=constant,
        leaks=_leaks(own),
        classes={
            each: "; ".join(_reasons(load, primitive, constant=bool(constant)))
            for each, load in competition.classes.items()
        },
    )


def _names(subjects: Iterable[Tuning]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(subject.implementation for subject in subjects))


def _reasons(load: Workload, primitive: Primitive, *, constant: bool) -> list[str]:
    """Return why a class does not take a system, as far as that is known without measuring."""
    reasons = unfit(load, primitive) or insecure(load, primitive, None)
    if load.limits.constant_time and not constant:
        reasons = [*reasons, "constant_time: no implementation keeps its secrets from branches and addresses"]
    return reasons


def _first(failures: Sequence[Failure], label: str, *, available: bool) -> tuple[str, ...]:
    """Return the first failure of each implementation."""
    found: dict[str, str] = {}
    for failure in failures:
        subject = failure.subject
        own = subject.primitive == label and subject.implementation and failure.severity is not Severity.WARNING
        if own and (failure.kind not in UNAVAILABLE) == available:
            where = f"{subject.implementation} ({subject.compiler})" if subject.compiler else subject.implementation
            found.setdefault(subject.implementation, f"{where}: {failure.reason}")
    return tuple(found.values())


def _leaks(followed: Sequence[ConstantTime]) -> tuple[str, ...]:
    """Return the first place of each implementation where something depends on a secret."""
    found: dict[str, str] = {}
    for verdict in followed:
        if not verdict.constant and not verdict.unchecked:
            first, name = verdict.findings[0], verdict.subject.implementation
            found.setdefault(name, f"{name}: {first.what}: {first.where}")
    return tuple(found.values())
