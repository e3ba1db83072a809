# SPDX-License-Identifier: MIT OR Apache-2.0
"""Screening for large campaigns: build all with one compiler, then only the leaders with the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from cyclometer.records.catalogue import Compiler
from cyclometer.records.executable import BuildRequest
from cyclometer.records.tuning import Trial, Tuning

MAX_EXHAUSTIVE_BUILDS = 24  # pairs of implementation and compiler; more of them are screened
MAX_EXHAUSTIVE_SYSTEMS = 32  # systems; beyond these the full pass uses fewer compilers, too
LEADERS = 2  # implementations of a primitive that count as leaders ...
LEADER_MARGIN = 1.02  # ... with those this close to the last of them
COMPOSED_MARGIN = 1.5  # of the fastest: Serpent (avx512) takes 1.4 times as long by itself, and leads in ECB and CTR
OTHER_COMPILERS_MARGIN = 2.0  # of a library that leads: one compiler's code takes up to 1.6 times as long as another's
FASTEST_MARGIN = 1.05  # of the fastest: single timings vary by 3 %, and what is not built cannot win


def screening_pass(requests: Sequence[BuildRequest]) -> tuple[list[BuildRequest], list[BuildRequest]]:
    """Split requests into (every implementation with its first compiler, all with the other compilers)."""
    seen: set[Tuning] = set()
    first: list[BuildRequest] = []
    others: list[BuildRequest] = []
    for request in requests:
        implementation = without_compiler(request.subject)
        (others if implementation in seen else first).append(request)
        seen.add(implementation)
    return first, others


def screening_compiler(first: Sequence[BuildRequest]) -> Compiler:
    """Return the compiler of the screening pass. Glue of libraries may have another one, its only one."""
    return next((request for request in first if not request.implementation.library), first[0]).compiler


def leaders(trials: Iterable[Trial], count: int = LEADERS, margin: float = LEADER_MARGIN) -> set[Tuning]:
    """Return the `count` fastest implementations of each primitive, and those within the margin of the last of them.

    They are compared by their best compilers; the tunings name no compiler.
    """
    best: dict[tuple[str, str], dict[Tuning, float]] = defaultdict(dict)
    for trial in trials:
        cycles, implementation = best[trial.subject.operation, trial.subject.primitive], without_compiler(trial.subject)
        cycles[implementation] = min(trial.cycles, cycles.get(implementation, trial.cycles))
    result = set()
    for cycles in best.values():
        limit = margin * sorted(cycles.values())[:count][-1]
        result |= {tuning for tuning, value in cycles.items() if value <= limit}
    return result


def worth_composing(trials: Iterable[Trial]) -> set[Tuning]:
    """Return the leaders, and what is close enough to be faster as a part of something that uses it otherwise."""
    trials = list(trials)
    return leaders(trials) | leaders(trials, 1, COMPOSED_MARGIN)


def without_compiler(subject: Tuning) -> Tuning:
    """Return the tuning with an empty compiler: the implementation alone."""
    return replace(subject, compiler="")


def full_pass(
    first: Compiler,
    others: Sequence[BuildRequest],
    trials: Iterable[Trial],
    incumbents: Collection[Tuning],
    unbuilt: Collection[Tuning] = (),
    every: bool = False,
    unconfirmed: Collection[Tuning] = (),
) -> list[BuildRequest]:
    """Select the builds worth making with the compilers other than `first`.

    With `every`, these are the fastest implementation with every compiler, and the runner-up with one compiler per
    other toolchain; without it, the fastest one with one compiler per other toolchain. What might be the fastest, but
    was always disturbed (`unconfirmed`), counts as such. So does the fastest one that has other compilers, if a library
    leads. Incumbents, implementations that `first` could not build (`unbuilt`) and primitives without any trial are
    built as well.
    """
    trials = list(trials)
    hopeful = {without_compiler(subject) for subject in unconfirmed} | _fastest_compiled(trials, others)
    fastest, best = leaders(trials, 1, FASTEST_MARGIN) | hopeful, leaders(trials) | hopeful
    timed = {(subject.operation, subject.primitive) for subject in best}
    elsewhere = [r.compiler for r in others if r.compiler.toolchain != first.toolchain]
    first_of_toolchain = {compiler.toolchain: compiler.name for compiler in reversed(elsewhere)}.values()
    failed = {without_compiler(subject) for subject in unbuilt}

    def is_worthwhile(request: BuildRequest) -> bool:
        subject = request.subject
        if subject in incumbents or (subject.operation, subject.primitive) not in timed:
            return True
        implementation = without_compiler(subject)
        if subject.compiler in first_of_toolchain and implementation in failed | (best if every else fastest):
            return True
        return every and implementation in fastest

    return [request for request in others if is_worthwhile(request)]


def _fastest_compiled(trials: Sequence[Trial], others: Iterable[BuildRequest]) -> set[Tuning]:
    """Return the fastest implementation of each primitive that other compilers can build, unless it is hopeless."""
    compiled = {without_compiler(request.subject) for request in others}
    near = leaders(trials, 1, OTHER_COMPILERS_MARGIN)
    return leaders([trial for trial in trials if without_compiler(trial.subject) in compiled & near], 1, 1.0)
