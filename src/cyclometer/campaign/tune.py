# SPDX-License-Identifier: MIT OR Apache-2.0
"""From requests to one tuning a primitive: build -> check -> choose, once for every level of what stands on what."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.campaign.environment import Bench, Options
from cyclometer.check import check_all
from cyclometer.check.cache import VerdictMemory
from cyclometer.choose import HASTY, USUAL, Race, Timed, Timer, choose, heat
from cyclometer.choose.cache import ChoiceMemory, Earlier
from cyclometer.choose.screening import MANY_PAIRS, MAX_EXHAUSTIVE_SYSTEMS, ahead, first_heat, second_heat, uncompiled
from cyclometer.discover import select
from cyclometer.measure import Untimed, calm, timings
from cyclometer.records.executable import Executable, Request
from cyclometer.records.failure import Failure
from cyclometer.records.tuning import Trial

CHOOSE_PATIENCE_MS = 10
KNOWING_SECONDS = 0.5


class Progress(Protocol):
    """How a campaign tells what it is doing: a stage with so many steps, and lines that stay."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[], None]]: ...


def spares_some(bench: Bench, options: Options) -> bool:
    """Whether a campaign is over so many systems that not every compiler and composition gets its turn."""
    many = len(select(bench.catalogue, options.systems)) > MAX_EXHAUSTIVE_SYSTEMS
    return many and not options.all_compilers and bench.probe is not None


def contenders(
    bench: Bench,
    wanted: Sequence[Request],
    options: Options,
    progress: Progress,
    settled: Sequence[Trial],
    parts: bool = False,
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """As `right`; of a large campaign those that a first heat with one compiler kept, and the trials of the
    others. `parts` are for others to stand on."""
    if parts and bench.probe is None:
        return *_any_right(bench, wanted, options, progress), []
    what = "the parts tuned first" if parts else "the systems"
    many = spares_some(bench, options)
    large = many or len(wanted) > MANY_PAIRS
    if not wanted or not large or options.all_compilers or bench.probe is None:
        return *right(bench, wanted, options, progress, what), []
    first, others = first_heat(wanted)
    groups, failures = right(bench, first, options, progress, f"{what} with {first[0].compiler.name}")
    trials, failed = _heat(bench, groups, options.seed, progress)
    known = {trial.subject for trial in settled} | {_earlier(bench, key).chosen for key in groups}
    unbuilt = {failure.subject for failure in failures if failure.stage == "build"}
    good = {subject for subject in known if subject}
    later = second_heat(first[0].compiler, others, trials, good, unbuilt, every=not many)
    passed = {executable.subject for executable in flat(groups)}
    again = [request for request in first if request.subject in passed]  # what the others must agree with
    groups, wrong = right(bench, [*again, *later], options, progress, "those ahead with other compilers")
    best = ahead(trials) | {uncompiled(request.subject) for request in later}
    racing = [e for e in flat(groups) if uncompiled(e.subject) in best]
    still = {executable.subject for executable in racing}
    left = [trial for trial in trials if trial.subject not in still]
    return grouped(racing), [*failures, *failed, *wrong], left


def _heat(
    bench: Bench, groups: dict[str, list[Executable]], seed: int, progress: Progress
) -> tuple[list[Trial], list[Failure]]:
    """One timing of everything that an earlier race has not timed."""
    trials, failures = [], []
    _get_to_know(bench, groups)
    with progress.stage("first heat", len(groups)) as step:
        for key in groups:
            race = _raced(heat, bench, groups, key, seed)
            trials += race.trials
            failures += race.failures
            step()
    return trials, failures


def right(
    bench: Bench, requests: Sequence[Request], options: Options, progress: Progress, what: str
) -> tuple[dict[str, list[Executable]], list[Failure]]:
    """Builds and checks; executables by primitive."""
    if not requests:
        return {}, []
    with progress.stage(f"build {what}", len(requests)) as step:
        built, failures = bench.builder.build(requests, step)
    if bench.checker:  # there, secrets are followed and laws are not asked
        return grouped(built), failures
    memory = VerdictMemory(bench.cache.folder, bench.builder.cpu)
    with progress.stage(f"check {what}", len(built)) as step:
        passed, wrong = check_all(built, bench.catalogue, memory, step, options.check_seconds)
    return grouped(passed), [*failures, *wrong]


def _any_right(
    bench: Bench, wanted: Sequence[Request], options: Options, progress: Progress
) -> tuple[dict[str, list[Executable]], list[Failure]]:
    """Of each primitive the first request that is right: where nothing is timed, any will do as a part."""
    found: dict[str, list[Executable]] = {}
    failures: list[Failure] = []
    waiting = list(wanted)
    while waiting:
        first = {request.primitive.key: request for request in reversed(waiting)}
        groups, wrong = right(bench, list(first.values()), options, progress, "parts")
        found |= groups
        failures += wrong
        waiting = [r for r in waiting if r.primitive.key not in found and r is not first[r.primitive.key]]
    return found, failures


def grouped(executables: Sequence[Executable]) -> dict[str, list[Executable]]:
    groups: dict[str, list[Executable]] = {}
    for executable in executables:
        groups.setdefault(f"{executable.subject.operation}/{executable.subject.primitive}", []).append(executable)
    return groups


def flat(groups: dict[str, list[Executable]]) -> list[Executable]:
    return [executable for group in groups.values() for executable in group]


def choose_each(
    bench: Bench, groups: dict[str, list[Executable]], seed: int, settled: Sequence[Trial], progress: Progress
) -> tuple[list[Executable], list[Trial], list[Failure]]:
    """One tuning a primitive; a resumed run keeps those it had settled on."""
    chosen, trials, failures = [], [], []
    if bench.probe is None or not groups:  # a check-only toolchain: any right one will do as a part
        return [group[0] for group in groups.values()], [], []
    before = {trial.subject for trial in settled}
    _get_to_know(bench, groups)
    with progress.stage("choose tunings", len(groups)) as step:
        for key, group in groups.items():
            kept = [executable for executable in group if executable.subject in before]
            if kept:
                chosen += kept
            else:
                race = _raced(choose, bench, groups, key, seed)
                chosen += [race.winner] if race.winner else []
                trials += race.trials
                failures += race.failures
            step()
    return chosen, trials, failures


def _get_to_know(bench: Bench, groups: dict[str, list[Executable]]) -> None:
    """Lets those that are to race teach what a quiet moment is, by empty calls, before that is asked of any."""
    end = time.monotonic() + KNOWING_SECONDS
    for executable in itertools.cycle(flat(groups)):
        if bench.quiet.value or time.monotonic() >= end:
            return
        _timed(bench, executable, ["empty"], 0)


def _raced(
    how: Callable[..., Race], bench: Bench, groups: dict[str, list[Executable]], key: str, seed: int
) -> Race:
    """How one of the groups raced, which is remembered."""
    pace = HASTY if len(groups) > MAX_EXHAUSTIVE_SYSTEMS else USUAL
    race = how(groups[key], _timer(bench, key), seed, _earlier(bench, key), pace)
    _memory(bench).remember(key, _work_load(bench, key), groups[key], race.trials, race.sure)
    return race


def _memory(bench: Bench) -> ChoiceMemory:
    return ChoiceMemory(bench.cache.folder, bench.builder.cpu)


def _earlier(bench: Bench, key: str) -> Earlier:
    return _memory(bench).recall(key, _work_load(bench, key))


def _work_load(bench: Bench, key: str) -> Sequence[str]:
    return bench.catalogue.operations[key.partition("/")[0]].choose_grid


def _timer(bench: Bench, key: str) -> Timer:
    return lambda executable, seed: _race_time(bench, executable, _work_load(bench, key), seed)


def _race_time(bench: Bench, executable: Executable, grid: Sequence[str], seed: int) -> Timed | Failure:
    """Cycles of the choose work load: medians of the series, by the clock that most of this process's chains show."""
    result = _timed(bench, executable, grid, seed)
    if isinstance(result, Untimed):
        return replace(result.failure, stage="choose")
    table, chain_cycles = result
    chains: list[int] = np.minimum(table["chain_before"].to_numpy(), table["chain_after"].to_numpy()).tolist()
    scale = chain_cycles / statistics.median(chains) if bench.counter.unit != "core cycles" and chain_cycles else 1.0
    work = table.filter(pc.field("measure") != "empty")
    ticks = sum(statistics.median_low(series or ()) for series in work["series"].to_pylist())
    return Timed(scale * ticks, quiet=bool(calm(work, bench.quiet.value).all()))


def _timed(bench: Bench, executable: Executable, grid: Sequence[str], seed: int) -> tuple[pa.Table, int] | Untimed:
    return timings(
        executable, grid, seed=seed, patience_ms=CHOOSE_PATIENCE_MS, quiet=bench.quiet, core=bench.core, seconds=60
    )
