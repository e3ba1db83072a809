# SPDX-License-Identifier: MIT OR Apache-2.0
"""The main job from end to end. The one file that imports the stages; it reads like a table of contents.

    discover -> build -> check -> choose -> measure -> store

(analyse and report work on what is stored, whenever they are asked.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cyclometer.bench import Bench, Options, options_of, plan_of, prepare, run_info, same_conditions
from cyclometer.build import Request, check_names, requests, tuned_first, with_compilers
from cyclometer.check import check_all
from cyclometer.check.memory import VerdictMemory
from cyclometer.choose import choose
from cyclometer.choose.memory import ChoiceMemory
from cyclometer.discover import select
from cyclometer.errors import NothingToDo
from cyclometer.measure import Plan, Turn, interleaved, labelled, sizes, take, timings, turns
from cyclometer.model import Executable, Failure, Trial
from cyclometer.store import RunWriter
from cyclometer.tuning import TuningName

__all__ = ["Bench", "Options", "Progress", "check", "interleave", "prepare", "resume", "run"]

CHOOSE_PATIENCE_MS = 10


class Progress(Protocol):
    """How a campaign tells what it is doing: a stage with so many steps, and lines that stay."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[], None]]: ...


def check(bench: Bench, options: Options, progress: Progress) -> tuple[list[Executable], list[Failure]]:
    """Builds and checks the selected systems' every tuning: (those that are right, what went wrong)."""
    right, failures, _ = _candidates(bench, options, progress)
    return [executable for group in right.values() for executable in group], [*bench.failures, *failures]


def run(bench: Bench, options: Options, results: Path, progress: Progress) -> Path:
    """A whole campaign; the folder of the finished run."""
    with RunWriter.start(results, run_info(bench, options)) as writer:
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
    with RunWriter.start(results, replace(info, run=run, plan=plan)) as writer:
        return _interleaved(bench, options, writer, progress)


def _campaign(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, options, progress, settled)
    writer.add_failures([*bench.failures, *failures])
    chosen, more, failed = _choose(bench, right, plan.seed, settled, progress)
    writer.add_trials([*trials, *more])
    writer.add_failures(failed)
    if not chosen:
        raise NothingToDo(f"nothing passes its checks: {_first_reason([*failures, *failed])}")
    writer.add_sizes([size for executable in chosen for size in sizes(executable)])
    raced = {trial.subject: trial.cycles for trial in writer.trials()}
    fastest = min(chosen, key=lambda executable: raced[executable.subject])  # the cheapest A/A control
    _measure(bench, turns(chosen, fastest, plan), plan, writer, progress)
    return writer.finish()


def _interleaved(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = plan_of(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, options, progress, settled)
    writer.add_failures([*bench.failures, *failures])
    every = [executable for group in right.values() for executable in group]
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
    _measure(bench, interleaved(pair, plan), plan, writer, progress)
    return writer.finish()


def _candidates(
    bench: Bench, options: Options, progress: Progress, settled: Sequence[Trial] = ()
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """Right executables by primitive. The parts that a composition tunes first go through the stages first."""
    catalogue, names = with_compilers(bench.catalogue, options.compilers), options.implementations
    selected = select(catalogue, options.systems)
    check_names(catalogue, selected, names)
    first = [r for key in tuned_first(selected) for r in requests(catalogue, catalogue.primitives[key], {})]
    parts, failures = _right(bench, first, options, progress, "the parts tuned first")
    chosen, trials, failed = _choose(bench, parts, options.seed, settled, progress)
    tuned = {f"{e.subject.operation}/{e.subject.primitive}": e for e in chosen}
    systems = [r for primitive in selected for r in requests(catalogue, primitive, tuned, names)]
    right, more = _right(bench, systems, options, progress, "the systems")
    return right, [*failures, *failed, *more], trials


def _right(
    bench: Bench, requests: Sequence[Request], options: Options, progress: Progress, what: str
) -> tuple[dict[str, list[Executable]], list[Failure]]:
    """Builds and checks; executables by primitive."""
    if not requests:
        return {}, []
    with progress.stage(f"build {what}", len(requests)) as step:
        built, failures = bench.builder.build(requests, step)
    memory = VerdictMemory(bench.cache.folder, bench.builder.cpu)
    with progress.stage(f"check {what}", len(built)) as step:
        passed, wrong = check_all(built, bench.catalogue, memory, step, options.check_seconds)
    return _grouped(passed), [*failures, *wrong]


def _grouped(executables: Sequence[Executable]) -> dict[str, list[Executable]]:
    groups: dict[str, list[Executable]] = {}
    for executable in executables:
        groups.setdefault(f"{executable.subject.operation}/{executable.subject.primitive}", []).append(executable)
    return groups


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
                grid = bench.catalogue.operations[operation].choose_grid
                winner, tried, failed = choose(
                    group,
                    lambda e, s, g=grid: _race_time(bench, e, g, s),  # type: ignore[misc]
                    seed,
                    memory.recall(operation, primitive),
                )
                if winner:
                    memory.remember(winner.subject)
                chosen += [winner] if winner else []
                trials += tried
                failures += failed
            step()
    return chosen, trials, failures


def _race_time(bench: Bench, executable: Executable, grid: Sequence[str], seed: int) -> float | Failure:
    """Cycles of the choose work load: medians of the series, scaled by the chain beside them."""
    result = timings(executable, grid, seed=seed, patience_ms=CHOOSE_PATIENCE_MS, core=bench.core, seconds=60)
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


def _measure(bench: Bench, order: Sequence[Turn], plan: Plan, writer: RunWriter, progress: Progress) -> None:
    waiting = [turn for turn in order if not writer.has(turn.name)]
    broken: set[str] = set()
    with progress.stage("measure", len(waiting)) as step:
        for turn in waiting:
            if str(turn.executable.subject) not in broken:
                result = take(turn, plan, bench.core)
                if isinstance(result, Failure):
                    broken.add(str(turn.executable.subject))
                    writer.add_failures([result])
                else:
                    writer.add_samples(turn.name, labelled(result, writer.info.run, writer.info.machine))
            step()


def _about(name: TuningName, failures: Sequence[Failure]) -> list[Failure]:
    return [failure for failure in failures if name.fits(failure.subject)]


def _first_reason(failures: Sequence[Failure]) -> str:
    return f"{failures[0].subject}: {failures[0].reason}" if failures else "no implementation found"
