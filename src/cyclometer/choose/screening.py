# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which compilers a large campaign spares: every implementation is built with one, and only those that are ahead
then with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from cyclometer.records.catalogue import Compiler
from cyclometer.records.executable import BuildRequest
from cyclometer.records.tuning import Trial, Tuning

MAX_EXHAUSTIVE_BUILDS = 24  # of implementation and compiler: more race in two heats
MAX_EXHAUSTIVE_SYSTEMS = 32  # systems: of more, the second heat spares compilers, too
KEPT = 2  # implementations of a primitive that are ahead


def screening_pass(requests: Sequence[BuildRequest]) -> tuple[list[BuildRequest], list[BuildRequest]]:
    """(all implementations with the first compiler, all with the others)."""
    one = [r for r in requests if r.compiler == requests[0].compiler]
    return one, [r for r in requests if r.compiler != requests[0].compiler]


def leaders(trials: Iterable[Trial], kept: int = KEPT) -> set[Tuning]:
    """The fastest implementations of each primitive, each with its best compiler; named without one."""
    times: dict[tuple[str, str], dict[Tuning, float]] = defaultdict(dict)
    for trial in trials:
        of_it, alone = times[trial.subject.operation, trial.subject.primitive], without_compiler(trial.subject)
        of_it[alone] = min(trial.cycles, of_it.get(alone, trial.cycles))
    return {subject for of_it in times.values() for subject in sorted(of_it, key=of_it.__getitem__)[:kept]}


def without_compiler(subject: Tuning) -> Tuning:
    """The implementation alone."""
    return replace(subject, compiler="")


def full_pass(
    first: Compiler,
    others: Sequence[BuildRequest],
    trials: Iterable[Trial],
    known: Collection[Tuning],
    uncompilable: Collection[Tuning] = (),
    every: bool = False,
) -> list[BuildRequest]:
    """Of the other compilers' requests: those of the implementations that are ahead, the fastest with `every` compiler
    and the next with the first one of each other toolchain, or else the fastest alone with those; all of a primitive of
    which nothing raced; those that the first compiler could not build; and tunings known to be good."""
    fastest, best = leaders(trials, 1), leaders(trials)
    raced = {(subject.operation, subject.primitive) for subject in best}
    elsewhere = [r.compiler for r in others if r.compiler.toolchain != first.toolchain]
    first_of_toolchain = {compiler.toolchain: compiler.name for compiler in reversed(elsewhere)}.values()
    unbuilt = {without_compiler(subject) for subject in uncompilable}

    def is_wanted(request: BuildRequest) -> bool:
        subject = request.subject
        if subject in known or (subject.operation, subject.primitive) not in raced:
            return True
        alone = without_compiler(subject)
        if subject.compiler in first_of_toolchain and alone in unbuilt | (best if every else fastest):
            return True
        return every and alone in fastest

    return [request for request in others if is_wanted(request)]
