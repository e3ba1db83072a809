# SPDX-License-Identifier: MIT OR Apache-2.0
"""One run from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cyclometer.campaign.calibrate import calibration_executables
from cyclometer.campaign.earlier_runs import RunCosts, earlier_runs
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.hot_paths import hot_paths
from cyclometer.campaign.measurement import Measurement
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.placement import Placement
from cyclometer.campaign.plan import plan_for
from cyclometer.campaign.tune import Tuner, by_primitive, flattened
from cyclometer.campaign.verify import constant_time_of
from cyclometer.check import unlike, vectors_passed
from cyclometer.compile import first_error, versions
from cyclometer.errors import NothingToDo
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import Job, Precision, all_sizes, interleaved_jobs, plan_jobs
from cyclometer.records.executable import Executable
from cyclometer.records.failure import UNAVAILABLE, Severity
from cyclometer.records.run import EARLIER_RUNS, Size
from cyclometer.records.tuning import Tuning
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import RunWriter

PAIR_VARYING_MS = 30  # what varies of two executables gets more samples for longer than it does among many
MOST_MORE_ROUNDS = 200  # of a pair that varies


class Campaign:
    """One run on one machine. Each step stores its results and returns what the next one needs."""

    def __init__(self, environment: Environment, options: Options, writer: RunWriter, progress: Progress) -> None:
        self.environment, self.options = environment, options
        self.writer, self.progress = writer, progress
        self.plan = plan_for(environment, options)
        writer.add_failures(environment.failures)

    def run(self) -> Path:
        """Measure the fastest tuning of every selected system; return the folder of the finished run."""
        executables = self.in_layouts(self.tune())
        self.describe(executables)
        measurement = Measurement(self.environment, self.plan, self.writer, self.progress)
        controls = [*self.controls(executables), *calibration_executables(self.environment)]
        self._planned_rounds(measurement, plan_jobs(executables, controls, self.plan), executables)
        measurement.extra_rounds()
        self.measure_placement(executables)
        return self._finished(executables, measurement.costs)

    def run_pair(self, names: Sequence[TuningName]) -> Path:
        """Measure two tunings against each other, interleaved; return the folder of the finished run."""
        pair = self.in_layouts(self.tune_pair(names))
        self.describe(pair)
        plan = replace(self.plan, varying_ms=min(PAIR_VARYING_MS, self.plan.patience_ms))
        measurement = Measurement(self.environment, plan, self.writer, self.progress, Precision())
        calibration = calibration_executables(self.environment)
        self._planned_rounds(measurement, interleaved_jobs(pair, plan, calibration), pair)
        if self.options.until_precise:
            more = replace(plan, rounds=plan.rounds + MOST_MORE_ROUNDS)
            measurement.more_rounds(interleaved_jobs(pair, more, calibration))
        self.measure_placement(pair)
        return self._finished(pair, measurement.costs)

    def tune(self) -> list[Executable]:
        """Build, check and choose: the fastest working executable of each system. NothingToDo if there is none."""
        tuner = Tuner(self.environment, self.options, self.writer, self.progress, self._settled())
        chosen = tuner.choose(tuner.candidates())
        if not chosen:
            raise NothingToDo(f"nothing passes its checks: {self._first_reason()}")
        return chosen

    def tune_pair(self, names: Sequence[TuningName]) -> list[Executable]:
        """Return the fastest executable that fits each name; NothingToDo if one has none, or both are the same."""
        options = replace(self.options, all_compilers=True)
        tuner = Tuner(self.environment, options, self.writer, self.progress, self._settled())
        candidates = flattened(tuner.candidates())
        pair: list[Executable] = []
        for name in names:
            tuner.settled.clear()  # the sides are chosen independently
            fitting = [e for e in candidates if name.fits(e.subject)]
            if pair and options.same_compiler:
                fitting = [e for e in fitting if e.subject.compiler == pair[0].subject.compiler] or fitting
            chosen = tuner.choose(by_primitive(fitting))
            if len(chosen) != 1:
                raise NothingToDo(f"nothing to measure as {name}: {self._first_reason(name, candidates)}")
            pair += chosen
        if pair[0].subject == pair[1].subject:
            raise NothingToDo(f"both sides are {pair[0].subject}; name two different tunings")
        if options.same_compiler and len(options.folders) > 1 and not options.same_as:
            self._require_one_function(*pair)
        self.writer.update(plan={**self.writer.info.plan, "pair": [str(TuningName.of(e.subject)) for e in pair]})
        return pair

    def _require_one_function(self, one: Executable, other: Executable) -> None:
        """Raise NothingToDo if two folders compute different results: a gate compares two versions of one function."""
        environment = self.environment
        if difference := unlike(one, other, environment.catalogue, environment.verdicts, self.options.check_seconds):
            names = f"{one.subject.primitive} and {other.subject.primitive}"
            raise NothingToDo(
                f"{names} compute different results, so they are not two versions of one function: {difference}; "
                "--as OPERATION/NAME tells which is right"
            )

    def in_layouts(self, executables: Sequence[Executable]) -> list[Executable]:
        """Link executables in all layouts that their processes will have."""
        with self.progress.stage("linking in other layouts", len(executables)) as step:
            linked = partial(self.environment.builder.with_layouts, layouts=self.plan.layouts)
            return on_all_cores(linked, executables, step)

    def describe(self, executables: Sequence[Executable]) -> None:
        """Store what belongs to the chosen tunings: vectors passed, library versions, constant time."""
        self.writer.add_sizes(vectors_passed(executables, self.environment.catalogue))
        if libraries := versions(executable.implementation for executable in executables):
            self.writer.update(facts={**self.writer.info.facts, "libraries": ", ".join(libraries)})
        if self.options.constant_time:
            sizes, findings = constant_time_of(self.environment, self.options, executables, self.progress)
            self.writer.add_sizes(sizes)
            self.writer.add_failures(findings)

    def _planned_rounds(self, measurement: Measurement, jobs: Sequence[Job], executables: Sequence[Executable]) -> None:
        """Run the planned rounds; beside them, read the sizes of each executable and count what one call executes."""
        sizes: list[Size] = []

        def read_and_count() -> None:
            sizes.extend(all_sizes(executables))
            sizes.extend(hot_paths(self.environment, self.options, self.plan, executables))

        measurement.planned_rounds(jobs, read_and_count)
        self.writer.add_sizes(sizes)

    def measure_placement(self, executables: Sequence[Executable]) -> None:
        """Measure them elsewhere and cold, if anything of that is asked for."""
        if self.options.placement.asks:
            Placement(self.environment, self.options, self.plan, self.writer, self.progress).measure(executables)

    def controls(self, executables: Sequence[Executable]) -> list[Executable]:
        """Return the A/A controls: of each operation the fastest executable, which costs the least time."""
        cycles = {trial.subject: trial.cycles for trial in self.writer.trials()}
        fastest: dict[str, Executable] = {}
        for executable in sorted(executables, key=lambda executable: cycles[executable.subject]):
            fastest.setdefault(executable.subject.operation, executable)
        return list(fastest.values())

    def _finished(self, executables: Sequence[Executable], costs: RunCosts) -> Path:
        """Store what earlier runs measured of the same programs, and keep what this one did for those to come."""
        known = earlier_runs(self.environment)
        earlier = [cost for executable in executables for cost in known.costs(executable)]
        if earlier:
            number = max(cost.runs_ago for cost in earlier)
            self.writer.update(facts={**self.writer.info.facts, EARLIER_RUNS: str(number)})
        self.writer.add_earlier(earlier)
        folder = self.writer.finish()
        for executable in executables:
            known.add(executable, costs.of(executable.subject))
        return folder

    def _settled(self) -> list[Tuning]:
        """Return the tunings that this run had chosen before it was interrupted."""
        return [trial.subject for trial in self.writer.trials() if trial.chosen]

    def _first_reason(self, name: TuningName | None = None, built: Sequence[Executable] = ()) -> str:
        """Return the first failure that has to do with a tuning of that name; what this machine lacks comes last.

        Failures of the implementations that the options name come first. Without any, the compilers by which it was
        `built` if the name asks for another: a library has only one.
        """
        failures = [f for f in self.writer.failures() if not name or name.fits(f.subject)]
        asked = self.options.implementations
        failures.sort(
            key=lambda f: (
                bool(asked) and f.subject.implementation not in asked,
                f.kind in UNAVAILABLE or f.severity is Severity.WARNING,
            )
        )
        if not failures:
            fitting = [e for e in built if name and name.without_compiler().fits(e.subject)]
            compilers = ", ".join(dict.fromkeys(e.subject.compiler for e in fitting))
            remedy = f"it is built by {compilers}; --compiler has both sides built by another"
            return remedy if fitting else "no implementation found"
        first = failures[0]
        return ": ".join(filter(None, [str(first.subject), first.reason, first_error(first)]))
