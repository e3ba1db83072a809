# SPDX-License-Identifier: MIT OR Apache-2.0
"""Campaigns that time nothing: they check whether code is right and constant-time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from cyclometer.campaign.environment import Environment, environment_for
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.tune import Tuner, flattened
from cyclometer.check import as_warning, check_constant_time
from cyclometer.choose import screening_pass
from cyclometer.compile import dependency_levels
from cyclometer.discover import FOLLOWS_SECRETS, default_operations, select
from cyclometer.records.executable import Executable
from cyclometer.records.failure import ConstantTime, Failure, Severity
from cyclometer.records.run import CONSTANT_TIME, Size
from cyclometer.records.tuning import Trial, Tuning


@dataclass(frozen=True)
class Findings:
    """A journal in memory, for a campaign that stores nothing."""

    failures: list[Failure] = field(default_factory=list)

    def add_failures(self, failures: Sequence[Failure]) -> None:
        """Keep failures, in the order in which they arise."""
        self.failures.extend(failures)

    def add_trials(self, trials: Sequence[Trial]) -> None:
        """Drop trials: nothing here asks how tunings were chosen."""


def check(environment: Environment, options: Options, progress: Progress) -> tuple[list[Executable], list[Failure]]:
    """Build and check every tuning of the selected systems, by default of the default operations.

    Returns the executables that are right, and what went wrong.
    """
    systems = options.systems or default_operations(environment.catalogue)
    options = replace(options, systems=systems, all_compilers=True)
    findings = Findings()
    right = Tuner(environment, options, findings, progress).candidates()
    return flattened(right), [*_asked_for(environment, options), *findings.failures]


def counterpart(environment: Environment, key: str) -> str:
    """Return the key of our own system that decides about one of a folder or another tree, or '' if there is none."""
    ours = IndependentBuilder(environment).counterpart(environment.catalogue.primitives[key])
    return ours.key if ours and environment.native else ""


def build_ahead(environment: Environment, options: Options, progress: Progress) -> None:
    """Build and check, for the caches, what a campaign will need however its timings turn out; time nothing.

    Composed systems are left out, as their parts are chosen by timing; so are, in a large campaign, all compilers but
    the first.
    """
    untimed = replace(environment, probe=None)
    is_narrowed = Tuner(environment, options, Findings(), progress).is_narrowed()
    tuner = Tuner(untimed, options, Findings(), progress)
    requests = [request for request in tuner.requests() if not request.primitive.composed]
    if is_narrowed and requests:
        requests = screening_pass(requests)[0]
    tuner.build_and_check(requests, "")


def constant_time(
    environment: Environment, options: Options, progress: Progress, only: Collection[Tuning] = ()
) -> tuple[list[ConstantTime], list[Failure]]:
    """Follow the secrets of every tuning of the selected systems, with every compiler, or of `only` some tunings.

    The environment must be prepared for a checker.
    """
    findings = Findings()
    options = options if only else replace(options, all_compilers=True)
    requests = Tuner(environment, options, findings, progress).requests()
    requests = [request for request in requests if not only or request.subject in only]
    with progress.stage("building for the checker", len(requests)) as step:
        built, failed = environment.builder.build(requests, step)
    with progress.stage("following secrets", len(built)) as step:
        verdicts = check_constant_time(built, step)
    return verdicts, [*environment.failures, *findings.failures, *failed]


def constant_time_of(
    environment: Environment, options: Options, executables: Sequence[Executable], progress: Progress
) -> tuple[list[Size], list[Failure]]:
    """Return the checker's verdicts on chosen tunings, as sizes to store and as warnings."""
    checker = environment_for(environment.tree, options, checker=FOLLOWS_SECRETS)
    verdicts, failures = constant_time(checker, options, progress, {e.subject for e in executables})
    judged = [verdict for verdict in verdicts if not verdict.unchecked]
    sizes = [Size(subject=v.subject, name=CONSTANT_TIME, value=int(v.constant)) for v in judged]
    warnings = [replace(failure, severity=Severity.WARNING) for failure in failures]
    return sizes, [*map(as_warning, verdicts), *warnings]


def _asked_for(environment: Environment, options: Options) -> list[Failure]:
    """Return the failures of the environment, except those of primitives that are only needed as dependencies."""
    selected = select(environment.catalogue, options.systems)
    dependencies = {key for level in dependency_levels(environment.catalogue, selected) for key in level}
    dependencies -= {primitive.key for primitive in selected}
    return [failure for failure in environment.failures if failure.subject.key not in dependencies]
