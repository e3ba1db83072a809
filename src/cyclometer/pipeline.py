# SPDX-License-Identifier: MIT OR Apache-2.0
"""The main job from end to end. The one file that imports the stages; it reads like a table of contents.

    discover -> build -> check -> choose -> measure -> store

(analyse and report work on what is stored, whenever they are asked.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cyclometer.bench import Bench, Options, options_of, plan_of, prepare, run_info, same_conditions
from cyclometer.build import (
    MANY,
    Request,
    ahead,
    check_names,
    first_heat,
    requests,
    second_heat,
    tuned_first,
    uncompiled,
    with_compilers,
)
from cyclometer.check import as_warning, check_all, check_constant_time, vectors_passed
from cyclometer.check.memory import VerdictMemory
from cyclometer.choose import Timer, choose, heat
from cyclometer.choose.memory import ChoiceMemory
from cyclometer.discover import default_operations, first_table, select
from cyclometer.errors import NothingToDo
from cyclometer.measure import Plan, Quietness, Turn, interleaved, labelled, once_more, sizes, take, timings, turns
from cyclometer.model import CONSTANT_TIME, Batch, ConstantTime, Executable, Failure, RunInfo, Size, Subject, Trial
from cyclometer.store import RunWriter, unused_name
from cyclometer.tuning import TuningName

__all__ = ["Bench", "Options", "Progress", "check", "constant_time", "interleave", "prepare", "resume", "run"]

CHOOSE_PATIENCE_MS = 10
MORE = 0.5  # of the time that the planned rounds took may go into others, for what had no quiet moment


class Progress(Protocol):
    """How a campaign tells what it is doing: a stage with so many steps, and lines that stay."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[], None]]: ...


def check(bench: Bench, options: Options, progress: Progress) -> tuple[list[Executable], list[Failure]]:
    """Builds and checks the selected systems' every tuning: (those that are right, what went wrong).
    Without a name: of all systems of the default operations."""
    systems = options.systems or default_operations(bench.catalogue)
    options = replace(options, systems=systems, all_compilers=True)
    right, failures, _ = _candidates(bench, options, progress)
    return _flat(right), [*bench.failures, *failures]


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


def _started(results: Path, info: RunInfo) -> RunWriter:
    return RunWriter.start(results, replace(info, run=unused_name(results, info.machine, info.run)))


def _campaign(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, options, progress, settled)
    writer.add_failures([*bench.failures, *failures])
    settled += [trial for trial in trials if trial.chosen]
    chosen, more, failed = _choose(bench, right, plan.seed, settled, progress)
    writer.add_trials([*trials, *more])
    writer.add_failures(failed)
    if not chosen:
        raise NothingToDo(f"nothing passes its checks: {_first_reason([*failures, *failed])}")
    writer.add_sizes([size for executable in chosen for size in sizes(executable)])
    writer.add_sizes(vectors_passed(chosen, bench.catalogue))
    if options.constant_time:
        _follow(bench, options, chosen, writer, progress)
    start = time.monotonic()
    quietness = _measure(bench, turns(chosen, _controls(chosen, writer.trials()), plan), plan, writer, progress)
    _measure_more(bench, quietness, plan, writer, progress, MORE * (time.monotonic() - start))
    return writer.finish()


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
    writer.add_failures([*map(as_warning, verdicts), *(replace(f, stage="warning") for f in failures)])


def _interleaved(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, replace(options, all_compilers=True), progress, settled)
    writer.add_failures([*bench.failures, *failures])
    every = _flat(right)
    pair = []
    for name in map(TuningName.parse, writer.info.plan["pair"]):
        fitting = [executable for executable in every if name.fits(executable.subject)]
        chosen, more, failed = _choose(bench, _grouped(fitting), plan.seed, [], progress)
        trials += more
        if len(chosen) != 1:
            raise NothingToDo(f"nothing to measure as {name}: {_first_reason([*failed, *_about(name, failures)])}")
        pair += chosen
    if pair[0].subject == pair[1].subject:
        raise NothingToDo(f"both sides are {pair[0].subject}; name two that differ")
    writer.update(plan={**writer.info.plan, "pair": [str(TuningName.of(each.subject)) for each in pair]})
    writer.add_trials(trials)
    writer.add_sizes([size for executable in pair for size in sizes(executable)])
    writer.add_sizes(vectors_passed(pair, bench.catalogue))
    _measure(bench, interleaved(pair, plan), plan, writer, progress)
    return writer.finish()


def _candidates(
    bench: Bench, options: Options, progress: Progress, settled: Sequence[Trial] = ()
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """Right executables by primitive, what went wrong, and how the parts of compositions were chosen."""
    systems, failures, trials = _requests(bench, options, progress, settled)
    right, more, left = _contenders(bench, systems, options, progress, settled, "the systems")
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
    failures, trials = [], []
    for level in tuned_first(catalogue, selected):
        first = [r for key in level for r in requests(catalogue, catalogue.primitives[key], tuned)]
        parts, wrong, left = _contenders(bench, first, options, progress, settled, "the parts tuned first")
        chosen, tried, failed = _choose(bench, parts, options.seed, settled, progress)
        tuned |= {f"{e.subject.operation}/{e.subject.primitive}": e for e in chosen}
        failures += [*wrong, *failed]
        trials += [*tried, *left]
    return [r for p in selected for r in requests(catalogue, p, tuned, names)], failures, trials


def _contenders(
    bench: Bench,
    wanted: Sequence[Request],
    options: Options,
    progress: Progress,
    settled: Sequence[Trial],
    what: str,
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """As _right; of a campaign over many systems those that a first heat with one compiler kept, and the
    trials of the others."""
    many = len(select(bench.catalogue, options.systems)) > MANY
    if not wanted or not many or options.all_compilers or options.compilers or bench.probe is None:
        return *_right(bench, wanted, options, progress, what), []
    first, others = first_heat(wanted)
    groups, failures = _right(bench, first, options, progress, f"{what} with {first[0].compiler.name}")
    trials, failed = _heat(bench, groups, options.seed, progress)
    memory = ChoiceMemory(bench.cache.folder, bench.builder.cpu)
    known = {trial.subject for trial in settled} | {memory.recall(*key.split("/", 1)) for key in groups}
    later = second_heat(first[0].compiler, others, trials, {subject for subject in known if subject})
    passed = {executable.subject for executable in _flat(groups)}
    again = [request for request in first if request.subject in passed]  # what the others must agree with
    groups, wrong = _right(bench, [*again, *later], options, progress, "those ahead with other compilers")
    best = ahead(trials) | {uncompiled(request.subject) for request in later}
    racing = [e for e in _flat(groups) if uncompiled(e.subject) in best]
    still = {executable.subject for executable in racing}
    left = [trial for trial in trials if trial.subject not in still]
    return _grouped(racing), [*failures, *failed, *wrong], left


def _heat(
    bench: Bench, groups: dict[str, list[Executable]], seed: int, progress: Progress
) -> tuple[list[Trial], list[Failure]]:
    """One timing of everything."""
    trials, failures = [], []
    with progress.stage("first heat", len(groups)) as step:
        for group in groups.values():
            timed, failed = heat(group, _timer(bench, group[0].subject.operation), seed)
            trials += timed
            failures += failed
            step()
    return trials, failures


def _right(
    bench: Bench, requests: Sequence[Request], options: Options, progress: Progress, what: str
) -> tuple[dict[str, list[Executable]], list[Failure]]:
    """Builds and checks; executables by primitive."""
    if not requests:
        return {}, []
    with progress.stage(f"build {what}", len(requests)) as step:
        built, failures = bench.builder.build(requests, step)
    if bench.checker:  # there, secrets are followed and laws are not asked
        return _grouped(built), failures
    memory = VerdictMemory(bench.cache.folder, bench.builder.cpu)
    with progress.stage(f"check {what}", len(built)) as step:
        passed, wrong = check_all(built, bench.catalogue, memory, step, options.check_seconds)
    return _grouped(passed), [*failures, *wrong]


def _grouped(executables: Sequence[Executable]) -> dict[str, list[Executable]]:
    groups: dict[str, list[Executable]] = {}
    for executable in executables:
        groups.setdefault(f"{executable.subject.operation}/{executable.subject.primitive}", []).append(executable)
    return groups


def _flat(groups: dict[str, list[Executable]]) -> list[Executable]:
    return [executable for group in groups.values() for executable in group]


def _choose(
    bench: Bench, groups: dict[str, list[Executable]], seed: int, settled: Sequence[Trial], progress: Progress
) -> tuple[list[Executable], list[Trial], list[Failure]]:
    """One tuning a primitive; a resumed run keeps those it had settled on."""
    chosen, trials, failures = [], [], []
    if bench.probe is None or not groups:  # a check-only toolchain: any right one will do as a part
        return [group[0] for group in groups.values()], [], []
    before = {trial.subject for trial in settled}
    memory = ChoiceMemory(bench.cache.folder, bench.builder.cpu)
    with progress.stage("choose tunings", len(groups)) as step:
        for key, group in groups.items():
            kept = [executable for executable in group if executable.subject in before]
            if kept:
                chosen += kept
            else:
                operation, _, primitive = key.partition("/")
                before_this = memory.recall(operation, primitive)
                winner, tried, failed = choose(group, _timer(bench, operation), seed, before_this)
                if winner:
                    memory.remember(winner.subject)
                chosen += [winner] if winner else []
                trials += tried
                failures += failed
            step()
    return chosen, trials, failures


def _timer(bench: Bench, operation: str) -> Timer:
    grid = bench.catalogue.operations[operation].choose_grid
    return lambda executable, seed: _race_time(bench, executable, grid, seed)


def _race_time(bench: Bench, executable: Executable, grid: Sequence[str], seed: int) -> float | Failure:
    """Cycles of the choose work load: medians of the series, scaled by the chain beside them."""
    result = timings(
        executable, grid, seed=seed, patience_ms=CHOOSE_PATIENCE_MS, quiet=bench.quiet, core=bench.core, seconds=60
    )
    if isinstance(result, Failure):
        return replace(result, stage="choose")
    table, chain_cycles = result
    total = 0.0
    for row in table.to_pylist():
        if row["measure"] != "empty":
            series = sorted(row["series"])
            chain = (row["chain_before"] + row["chain_after"]) / 2
            scale = chain_cycles / chain if bench.counter.unit != "core cycles" and chain_cycles else 1.0
            total += series[len(series) // 2] * scale
    return total


def _measure(bench: Bench, order: Sequence[Turn], plan: Plan, writer: RunWriter, progress: Progress) -> Quietness:
    """The turns not yet stored; how quiet it was."""
    waiting = [turn for turn in order if not writer.has(turn.name)]
    broken: set[str] = set()
    quietness = Quietness()
    with progress.stage("measure", len(waiting)) as step:
        for turn in waiting:
            if str(turn.executable.subject) not in broken:
                result = take(turn, plan, bench.core, bench.quiet)
                if isinstance(result, Failure):
                    broken.add(str(turn.executable.subject))
                    writer.add_failures([result])
                else:
                    quietness.add(turn, result, bench.quiet.value)
                    writer.add_samples(turn.name, labelled(result, writer.info.run, writer.info.machine))
            step()
    writer.update(counter={**writer.info.counter, "quiet_ratio": bench.quiet.value})
    return quietness


def _measure_more(
    bench: Bench, quietness: Quietness, plan: Plan, writer: RunWriter, progress: Progress, seconds: float
) -> None:
    """Rounds beyond those planned for what lacks quiet moments, while time is left."""
    end = time.monotonic() + seconds
    wanting = quietness.wanting()
    while wanting and time.monotonic() < end:
        with progress.stage("measure more", len(wanting)) as step:
            for turn in wanting:
                more = once_more(turn)
                while writer.has(more.name):
                    more = once_more(more)
                result = take(more, plan, bench.core, bench.quiet) if time.monotonic() < end else None
                if isinstance(result, Batch):
                    quietness.add(more, result, bench.quiet.value)
                    writer.add_samples(more.name, labelled(result, writer.info.run, writer.info.machine))
                step()
        wanting = quietness.wanting()


def _about(name: TuningName, failures: Sequence[Failure]) -> list[Failure]:
    return [failure for failure in failures if name.fits(failure.subject)]


def _first_reason(failures: Sequence[Failure]) -> str:
    return f"{failures[0].subject}: {failures[0].reason}" if failures else "no implementation found"
