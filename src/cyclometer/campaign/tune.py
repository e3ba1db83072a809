# SPDX-License-Identifier: MIT OR Apache-2.0
"""From primitives to one tuning each: build -> check -> choose, dependencies first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, partial
from typing import Protocol, TypeVar

from cyclometer.campaign.background_builds import background_builds
from cyclometer.campaign.candidate_timer import CandidateTimer
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.systems import is_large
from cyclometer.check import check_all
from cyclometer.choose import (
    DEFAULT,
    MAX_EXHAUSTIVE_BUILDS,
    REDUCED,
    Budget,
    Selection,
    full_pass,
    leaders,
    screening_compiler,
    screening_pass,
    with_another_look,
    without_compiler,
    worth_composing,
)
from cyclometer.compile import build_requests, check_names, dependency_levels, with_compilers
from cyclometer.discover import first_table, select
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Trial, Tuning

LOOK_AGAIN_SECONDS = 10.0  # for what was disturbed while many systems were screened
OWN_CODE_SHARE = 0.05  # of the CPU time that property tests spend on cases beyond the fixed ones

Built = TypeVar("Built", Executable, BuildRequest)

Groups = dict[str, list[Executable]]
"""Executables by primitive (`operation/primitive`)."""


class Journal(Protocol):
    """Where failures and trials go as they arise: a run being written, or a list."""

    def add_failures(self, failures: Sequence[Failure]) -> None: ...

    def add_trials(self, trials: Sequence[Trial]) -> None: ...


class Tuner:
    """Builds, checks and chooses the selected systems.

    `settled` are the tunings that an interrupted run has chosen already; they are not chosen again.
    """

    def __init__(
        self,
        environment: Environment,
        options: Options,
        journal: Journal,
        progress: Progress,
        settled: Iterable[Tuning] = (),
    ) -> None:
        self.environment, self.options = environment, options
        self.journal, self.progress = journal, progress
        self.settled = set(settled)
        named = {key.partition("/")[0] for key in options.systems} if options.choose_grid else ()
        work_loads = dict.fromkeys(named, options.choose_grid)
        self.timer = CandidateTimer(environment, options.seed, options.check_seconds, work_loads)
        self._tuned: dict[str, Executable] = {}  # the chosen parts of compositions
        self._unbuilt: set[Tuning] = set()
        self._reserve: Groups = {}  # what was slower than the leaders when it was screened
        self._trials: list[Trial] = []  # all so far: those of parts show which implementations lead

    def candidates(self) -> Groups:
        """Return the working executables of the selected systems; their dependencies are tuned on the way."""
        return self._candidates(self.requests())

    def requests(self) -> list[BuildRequest]:
        """Return what to build for the selected systems, after tuning what they depend on, lowest level first."""
        catalogue = self.environment.catalogue if self.options.systems else first_table(self.environment.catalogue)
        catalogue = with_compilers(catalogue, self.options.compilers, self.options.all_compilers)
        names, selected = self.options.implementations, select(catalogue, self.options.systems)
        check_names(catalogue, selected, names)
        tuned, levels = self._tuned, dependency_levels(catalogue, selected, self._searched_parts(selected))
        with self._background_builds() as build:
            build(self._first_requests(catalogue, selected) if levels else ())
            for level in levels:
                wanted = [
                    request
                    for key in level
                    for request in build_requests(catalogue, catalogue.primitives[key], tuned, (), self._leaders())
                ]
                chosen = self.choose(self._candidates(wanted, dependencies=True))
                tuned |= {executable.subject.key: executable for executable in chosen}
        return [
            request
            for primitive in selected
            for request in build_requests(catalogue, primitive, tuned, names, self._leaders())
        ]

    def _first_requests(self, catalogue: Catalogue, selected: Iterable[Primitive]) -> list[BuildRequest]:
        """Return what will be built first of the selected systems, and depends on no other one."""
        names = self.options.implementations
        requests = [request for primitive in selected for request in build_requests(catalogue, primitive, {}, names)]
        alone = [request for request in requests if not request.implementation.foreign]
        return screening_pass(alone)[0] if self._screens(alone) else alone

    def _background_builds(self) -> AbstractContextManager[Callable[[Iterable[BuildRequest]], None]]:
        return background_builds(self.environment.builder.build, self.environment.beside)

    def choose(self, groups: Groups) -> list[Executable]:
        """Return one executable per primitive: the settled one, else the fastest. Where nothing is timed: the first."""
        if not self.environment.is_timed or not groups:
            return [group[0] for group in groups.values()]
        self.timer.learn_noise_floor(flattened(groups))
        with self.progress.stage("choosing the fastest implementation", len(groups)) as step:
            chosen = self._fastest(groups, self._budget, step)
        return [executable for key in groups for executable in chosen[key]]

    @cached_property
    def _is_large(self) -> bool:
        return is_large(self.environment.catalogue, self.options)

    def is_narrowed(self) -> bool:
        """Return whether there are too many systems to try every compiler and composition."""
        return self._is_large and not self.options.all_compilers and self.environment.is_timed

    def check_share(self) -> float:
        """Return the share of their CPU time for further cases that property tests have here.

        The first table and a large campaign check hundreds of builds of our own code and of libraries, which nobody
        asked about one by one. A system that is named has all of it, and so has others' code.
        """
        options = self.options
        unnamed = self.is_narrowed() or (not options.systems and self.environment.is_timed)
        return OWN_CODE_SHARE if unnamed and not (options.tree or options.folders) else 1.0

    def _fastest(self, groups: Groups, budget: Budget, step: Callable[[], None]) -> Groups:
        """Return one executable for each primitive, or none: the settled one, else the fastest."""
        settled = {key: [e for e in group if e.subject in self.settled] for key, group in groups.items()}
        chosen = {key: kept for key, kept in settled.items() if kept}

        def selected(key: str, selection: Selection) -> None:
            parts = self._parts(key)
            self._note([replace(trial, parts=parts) for trial in selection.trials], selection.failures)
            if selection.winner:
                self.settled.add(selection.winner.subject)
                chosen[key] = [selection.winner]
            else:
                reserve = self._reserve_without(key, selection.failures)
                chosen[key] = self._fastest({key: reserve}, budget, lambda: None)[key] if reserve else []
            step()

        for _ in chosen:
            step()
        self.timer.select({key: group for key, group in groups.items() if key not in chosen}, budget, selected)
        return chosen

    def _reserve_without(self, key: str, failures: Sequence[Failure]) -> list[Executable]:
        """Return those that were slower when screened, as what was faster is not to be believed."""
        failed = {without_compiler(failure.subject) for failure in failures}
        return [e for e in self._reserve.pop(key, []) if without_compiler(e.subject) not in failed]

    def _candidates(self, requests: Sequence[BuildRequest], dependencies: bool = False) -> Groups:
        """Build and check. In a large search, screen with one compiler first and keep the leaders."""
        what = " dependencies" if dependencies else ""
        if dependencies and not self.environment.is_timed:
            return self._first_working(requests)
        return self._screened(requests, what) if self._screens(requests) else self.build_and_check(requests, what)

    def _screens(self, requests: Sequence[BuildRequest]) -> bool:
        """Return whether these are so many that only the leaders are built with all compilers."""
        large = self.is_narrowed() or len(requests) > MAX_EXHAUSTIVE_BUILDS
        return bool(requests) and large and not self.options.all_compilers and self.environment.is_timed

    def _screened(self, requests: Sequence[BuildRequest], what: str) -> Groups:
        """Build everything with one compiler and time it once; build the leaders with the other compilers."""
        first, others = screening_pass(requests)
        compiler = screening_compiler(first)
        groups = self.build_and_check(first, f"{what} with {compiler.name}")
        incumbents = self.settled | {chosen for key in groups if (chosen := self.timer.incumbent(key))}
        worth_building = partial(
            full_pass, compiler, incumbents=incumbents, unbuilt=self._unbuilt, every=not self.is_narrowed()
        )
        trials, unconfirmed = self._screen(groups, by_primitive(others), worth_building)
        more = worth_building(others, trials, unconfirmed=unconfirmed)
        passed = {executable.subject for executable in flattened(groups)}
        again = [request for request in first if request.subject in passed]  # what the others must agree with
        screened, groups = groups, self.build_and_check([*again, *more], " leaders with other compilers")
        doubtful = [*unconfirmed, *(request.subject for request in more)]
        best = leaders(trials) | {without_compiler(subject) for subject in doubtful}
        kept = [e for e in flattened(groups) if without_compiler(e.subject) in best]
        subjects = {executable.subject for executable in kept}
        self._note([trial for trial in trials if trial.subject not in subjects], [])
        self._reserve |= by_primitive(e for e in flattened(screened) if e.subject not in subjects)
        return by_primitive(kept)

    def _screen(
        self,
        groups: Groups,
        others: Mapping[str, Sequence[BuildRequest]],
        worth_building: Callable[..., list[BuildRequest]],
    ) -> tuple[list[Trial], list[Tuning]]:
        """Time each executable once that has no timing of an earlier campaign; return what is in doubt, too.

        A few systems are gone through twice, so that a neighbour's half second does not meet both timings of a leader.
        Those of the `others` that are `worth_building` then are built meanwhile, on a core that does not disturb the
        timings.
        """
        selections: dict[str, Selection] = {}
        looks = 1 if self.is_narrowed() else 2

        def found(key: str, one: Selection) -> None:
            selections[key] = one
            build(worth_building(others.get(key, ()), one.trials, unconfirmed=one.unconfirmed))

        self.timer.learn_noise_floor(flattened(groups))
        with (
            self.progress.stage("screening", looks * len(groups)) as step,
            self._background_builds() as build,
        ):
            for look in range(1, looks + 1):
                for key, group in groups.items():
                    found(key, self.timer.screen(key, group, self._budget, again=look == looks))
                    step()
            if looks == 1:
                for key, one in self._look_again(groups, selections):
                    found(key, one)
        self._note([], [failure for selection in selections.values() for failure in selection.failures])
        trials = [trial for selection in selections.values() for trial in selection.trials]
        return trials, [subject for selection in selections.values() for subject in selection.unconfirmed]

    def _look_again(self, groups: Groups, selections: Mapping[str, Selection]) -> Iterator[tuple[str, Selection]]:
        """Time once more what was always disturbed and may lead, the fastest first; yield what is known then.

        A neighbour who was there may have gone, but a loud minute outlasts anybody's patience.
        """
        end = time.monotonic() + LOOK_AGAIN_SECONDS
        open_ones = [(key, one) for key, one in selections.items() if one.disturbed and len(groups[key]) > 1]
        for key, one in sorted(open_ones, key=lambda each: min(trial.cycles for trial in each[1].trials)):
            if time.monotonic() >= end:
                return
            disturbed = [e for e in groups[key] if e.subject in one.disturbed]
            yield key, with_another_look(one, self.timer.screen(key, disturbed, self._budget, again=False))

    def build_and_check(self, requests: Sequence[BuildRequest], what: str) -> Groups:
        """Return the executables that build and pass their checks."""
        if not requests:
            return {}
        with self.progress.stage(f"building{what}", len(requests)) as step:
            built, failures = self.environment.builder.build(requests, step)
        self._unbuilt |= {failure.subject for failure in failures}
        self._note([], failures)
        if self.environment.checker:  # the constant-time checker does not ask whether results are right
            return by_primitive(built)
        with self.progress.stage(f"checking{what}", len(built)) as step:
            independent = IndependentBuilder(self.environment).beside(built, self._tuned)
            passed, failures = check_all(
                built,
                self.environment.catalogue,
                self.environment.verdicts,
                step,
                self.options.check_seconds,
                independent,
                self.check_share(),
            )
        self._note([], failures)
        return by_primitive(passed)

    def _first_working(self, requests: Sequence[BuildRequest]) -> Groups:
        """Return the first executable of each primitive that works: where nothing is timed, any serves as a part."""
        working: Groups = {}
        waiting = list(requests)
        while waiting:
            first = {request.primitive.key: request for request in reversed(waiting)}
            working |= self.build_and_check(list(first.values()), " dependencies")
            waiting = [r for r in waiting if r.primitive.key not in working and r is not first[r.primitive.key]]
        return working

    def _searched_parts(self, selected: Sequence[Primitive]) -> set[str]:
        """Return the keys of systems whose own timings show which part of a composition leads."""
        return {primitive.key for primitive in selected} if self.is_narrowed() else set()

    def _parts(self, key: str) -> str:
        """Return the tunings of the parts that a composed system is built with, each followed by its own parts."""
        composed = self.environment.catalogue.primitives[key].composed
        texts = []
        for part in ["/".join(composed.parts[name]) for name in composed.tuned_first] if composed else []:
            if part in self._tuned:
                subject = self._tuned[part].subject
                texts += [f"{subject.primitive} {subject.implementation} {subject.compiler}", self._parts(part)]
        return ", ".join(text for text in texts if text)

    def _leaders(self) -> set[Tuning]:
        return worth_composing(self._trials) if self.is_narrowed() else set()

    @property
    def _budget(self) -> Budget:
        return REDUCED if self._is_large else DEFAULT

    def _note(self, trials: Sequence[Trial], failures: Sequence[Failure]) -> None:
        self._trials += trials
        if trials:
            self.journal.add_trials(trials)
        if failures:
            self.journal.add_failures(failures)


def by_primitive(tunings: Iterable[Built]) -> dict[str, list[Built]]:
    """Group executables, or requests for them, by `operation/primitive`."""
    groups: dict[str, list[Built]] = {}
    for each in tunings:
        groups.setdefault(each.subject.key, []).append(each)
    return groups


def flattened(groups: Groups) -> list[Executable]:
    """Return the executables of all groups."""
    return [executable for group in groups.values() for executable in group]
