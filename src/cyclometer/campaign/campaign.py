# SPDX-License-Identifier: MIT OR Apache-2.0
"""The main job from end to end; it reads like a table of contents. Only this file and contest.py (build, check and
choose, for all that stands on each other) import the stages.

    discover -> build -> check -> choose -> measure -> store

(analyse and report work on what is stored, whenever they are asked.)
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cyclometer.campaign.environment import Bench, Options, options_of, plan_of, prepare, run_info, same_conditions
from cyclometer.campaign.tune import Progress, choose_each, contenders, flat, grouped, spares_some
from cyclometer.check import as_warning, check_constant_time, vectors_passed
from cyclometer.choose.screening import ahead
from cyclometer.compile import check_names, requests, tuned_first, versions, with_compilers
from cyclometer.discover import default_operations, first_table, select
from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.measure import Quietness, Survivors, Turn, all_sizes, interleaved, labelled, once_more, turns
from cyclometer.records.executable import Executable, Request
from cyclometer.records.failure import ConstantTime, Failure, Severity
from cyclometer.records.run import CONSTANT_TIME, RunInfo, Size
from cyclometer.records.tuning import Subject, Trial
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import RunWriter, unused_name

__all__ = ["Bench", "Options", "Progress", "check", "constant_time", "interleave", "prepare", "resume", "run"]


def check(bench: Bench, options: Options, progress: Progress) -> tuple[list[Executable], list[Failure]]:
    """Builds and checks the selected systems' every tuning: (those that are right, what went wrong).
    Without a name: of all systems of the default operations."""
    systems = options.systems or default_operations(bench.catalogue)
    options = replace(options, systems=systems, all_compilers=True)
    right, failures, _ = _candidates(bench, options, progress)
    return flat(right), [*_left_out(bench, options), *failures]


def _left_out(bench: Bench, options: Options) -> list[Failure]:
    """What the bench lacks, but nothing of primitives that those asked for only stand on."""
    selected = select(bench.catalogue, options.systems)
    beneath = {key for level in tuned_first(bench.catalogue, selected) for key in level}
    beneath -= {primitive.key for primitive in selected}
    return [f for f in bench.failures if f"{f.subject.operation}/{f.subject.primitive}" not in beneath]


def constant_time(
    bench: Bench, options: Options, progress: Progress, only: Collection[Subject] = ()
) -> tuple[list[ConstantTime], list[Failure]]:
    """Verdicts on the selected systems' every tuning (or on some), on a bench prepared for the checker."""
    requests, failures, _ = _requests(bench, options, progress)
    requests = [request for request in requests if not only or request.subject in only]
    with progress.stage("build for the checker", len(requests)) as step:
        built, failed = bench.builder.build(requests, step)
    with progress.stage("follow the secrets", len(built)) as step:
        return check_constant_time(built, step), [*bench.failures, *failures, *failed]


def run(bench: Bench, options: Options, results: Path, progress: Progress) -> Path:
    """A whole campaign; the folder of the finished run."""
    with _started(results, run_info(bench, options)) as writer:
        return _campaign(bench, options, writer, progress)


def resume(bench: Bench, folder: Path, progress: Progress) -> Path:
    """Finishes an interrupted run as it was planned."""
    with RunWriter.resume(folder) as writer:
        same_conditions(bench, writer.info)
        finish = _interleaved if "pair" in writer.info.plan else _campaign
        return finish(bench, options_of(writer.info), writer, progress)


def interleave(
    bench: Bench, options: Options, pair: tuple[TuningName, TuningName], results: Path, progress: Progress
) -> Path:
    """Measures two tunings against each other; the folder of the run, whose plan names them as `pair`."""
    info = run_info(bench, options)
    run, plan = f"{info.run.removesuffix(options.profile)}compare", {**info.plan, "pair": [str(name) for name in pair]}
    with _started(results, replace(info, run=run, plan=plan)) as writer:
        return _interleaved(bench, options, writer, progress)


@contextmanager
def _started(results: Path, info: RunInfo) -> Iterator[RunWriter]:
    """A new run. One in which there proves to be nothing to do is no run: `--resume` must not find it."""
    with RunWriter.start(results, replace(info, run=unused_name(results, info.machine, info.run))) as writer:
        try:
            yield writer
        except (NothingToDo, UnknownName):
            writer.discard()
            raise


def _campaign(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, options, progress, settled)
    writer.add_failures([*bench.failures, *failures])
    settled += [trial for trial in trials if trial.chosen]
    chosen, more, failed = choose_each(bench, right, plan.seed, settled, progress)
    writer.add_trials([*trials, *more])
    writer.add_failures(failed)
    if not chosen:
        raise NothingToDo(f"nothing passes its checks: {_first_reason([*failures, *failed])}")
    _describe(bench, chosen, writer, progress)
    if options.constant_time:
        _follow(bench, options, chosen, writer, progress)
    start, survivors = time.monotonic(), Survivors(plan, bench.core, bench.quiet)
    order = turns(chosen, _controls(chosen, writer.trials()), plan)
    quietness = _measure(survivors, order, writer, progress)
    _measure_more(survivors, quietness, writer, progress, plan.more * (time.monotonic() - start))
    return writer.finish()


def _describe(bench: Bench, chosen: Sequence[Executable], writer: RunWriter, progress: Progress) -> None:
    """What goes with the chosen tunings: sizes, vectors passed, the libraries that they stand on."""
    with progress.stage("ask for sizes", len(chosen)) as step:
        writer.add_sizes(all_sizes(chosen, step))
    writer.add_sizes(vectors_passed(chosen, bench.catalogue))
    if libraries := versions(executable.implementation for executable in chosen):
        writer.update(facts={**writer.info.facts, "libraries": ", ".join(libraries)})


def _controls(chosen: Sequence[Executable], trials: Sequence[Trial]) -> list[Executable]:
    """Of each operation the fastest, which is the cheapest A/A control."""
    raced = {trial.subject: trial.cycles for trial in trials}
    fastest: dict[str, Executable] = {}
    for executable in sorted(chosen, key=lambda executable: raced[executable.subject]):
        fastest.setdefault(executable.subject.operation, executable)
    return list(fastest.values())


def _follow(
    bench: Bench, options: Options, chosen: Sequence[Executable], writer: RunWriter, progress: Progress
) -> None:
    """The verdict of the checker of constant time on each chosen tuning, stored beside its sizes."""
    tree = bench.builder.harness.parent
    checker = prepare(tree, systems=options.systems, foreign=options.tree, checker="constant-time")
    verdicts, failures = constant_time(checker, options, progress, {e.subject for e in chosen})
    judged = [verdict for verdict in verdicts if not verdict.unchecked]
    writer.add_sizes([Size(subject=v.subject, name=CONSTANT_TIME, value=int(v.constant)) for v in judged])
    writer.add_failures([*map(as_warning, verdicts), *(replace(f, severity=Severity.WARNING) for f in failures)])


def _interleaved(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, replace(options, all_compilers=True), progress, settled)
    writer.add_failures([*bench.failures, *failures])
    every = flat(right)
    pair = []
    for name in map(TuningName.parse, writer.info.plan["pair"]):
        fitting = [executable for executable in every if name.fits(executable.subject)]
        chosen, more, failed = choose_each(bench, grouped(fitting), plan.seed, [], progress)
        trials += more
        if len(chosen) != 1:
            raise NothingToDo(f"nothing to measure as {name}: {_first_reason([*failed, *_about(name, failures)])}")
        pair += chosen
    if pair[0].subject == pair[1].subject:
        raise NothingToDo(f"both sides are {pair[0].subject}; name two that differ")
    writer.update(plan={**writer.info.plan, "pair": [str(TuningName.of(each.subject)) for each in pair]})
    writer.add_trials(trials)
    _describe(bench, pair, writer, progress)
    _measure(Survivors(plan, bench.core, bench.quiet), interleaved(pair, plan), writer, progress)
    return writer.finish()


def _candidates(
    bench: Bench, options: Options, progress: Progress, settled: Sequence[Trial] = ()
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """Right executables by primitive, what went wrong, and how the parts of compositions were chosen."""
    systems, failures, trials = _requests(bench, options, progress, settled)
    right, more, left = contenders(bench, systems, options, progress, settled)
    return right, [*failures, *more], [*trials, *left]


def _requests(
    bench: Bench, options: Options, progress: Progress, settled: Sequence[Trial] = ()
) -> tuple[list[Request], list[Failure], list[Trial]]:
    """What to build. What the systems stand on goes through the stages first, the lowest first."""
    tree = bench.catalogue if options.systems else first_table(bench.catalogue)
    catalogue, names = with_compilers(tree, options.compilers), options.implementations
    selected = select(catalogue, options.systems)
    check_names(catalogue, selected, names)
    tuned: dict[str, Executable] = {}
    failures: list[Failure] = []
    trials: list[Trial] = []
    spares = spares_some(bench, options)

    def best() -> set[Subject]:
        return ahead(trials) if spares else set()

    raced = {primitive.key for primitive in selected} if spares else set()
    for level in tuned_first(catalogue, selected, raced):
        first = [r for key in level for r in requests(catalogue, catalogue.primitives[key], tuned, (), best())]
        parts, wrong, left = contenders(bench, first, options, progress, settled, parts=True)
        chosen, tried, failed = choose_each(bench, parts, options.seed, settled, progress)
        tuned |= {f"{e.subject.operation}/{e.subject.primitive}": e for e in chosen}
        failures += [*wrong, *failed]
        trials += [*tried, *left]
    return [r for p in selected for r in requests(catalogue, p, tuned, names, best())], failures, trials


def _measure(survivors: Survivors, order: Sequence[Turn], writer: RunWriter, progress: Progress) -> Quietness:
    """The turns not yet stored; how quiet it was."""
    waiting = [turn for turn in order if not writer.has(turn.name)]
    quietness = Quietness()
    with progress.stage("measure", len(waiting)) as step:
        for turn in waiting:
            if not survivors.has_its_share(turn):
                _take(survivors, turn, quietness, writer)
            step()
    writer.update(counter={**writer.info.counter, "quiet_ratio": survivors.quiet.value})
    return quietness


def _take(survivors: Survivors, turn: Turn, quietness: Quietness, writer: RunWriter) -> None:
    """One turn, stored."""
    batch, failures = survivors.take(turn)
    if failures:
        writer.add_failures(failures)
    if batch:
        quietness.add(turn, batch, survivors.quiet.value)
        writer.add_samples(turn.name, labelled(batch, writer.info.run, writer.info.machine))


def _measure_more(
    survivors: Survivors, quietness: Quietness, writer: RunWriter, progress: Progress, seconds: float
) -> None:
    """Rounds beyond those planned for what lacks quiet moments, while time is left."""
    begin, told = time.monotonic(), 0
    if not seconds or not _wanting(survivors, quietness):
        return
    with progress.stage("measure more, % of the time for it", 100) as step:
        for turn in _more_turns(survivors, quietness, writer):
            _take(survivors, turn, quietness, writer)
            spent = min(100, int(100 * (time.monotonic() - begin) / seconds))
            for _ in range(told, spent):
                step()
            told = spent
            if told == 100:
                return


def _more_turns(survivors: Survivors, quietness: Quietness, writer: RunWriter) -> Iterator[Turn]:
    """One of each that is wanting, in rounds not yet stored, and again while any is."""
    while wanting := _wanting(survivors, quietness):
        for turn in wanting:
            more = once_more(turn)
            while writer.has(more.name):
                more = once_more(more)
            yield more


def _wanting(survivors: Survivors, quietness: Quietness) -> list[Turn]:
    return [turn for turn in quietness.wanting() if not survivors.has_its_share(turn)]


def _about(name: TuningName, failures: Sequence[Failure]) -> list[Failure]:
    return [failure for failure in failures if name.fits(failure.subject)]


def _first_reason(failures: Sequence[Failure]) -> str:
    return f"{failures[0].subject}: {failures[0].reason}" if failures else "no implementation found"
