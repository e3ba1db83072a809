# SPDX-License-Identifier: MIT OR Apache-2.0
"""The main job from end to end. The one file that imports the stages; it reads like a table of contents.

    discover -> build -> check -> choose -> measure -> store

(analyse and report work on what is stored, whenever they are asked.)
"""

from __future__ import annotations

import datetime
import importlib.metadata
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from cyclometer import host, process
from cyclometer.build import Builder, Cache, Request, compose, contracts, working
from cyclometer.check import check_all
from cyclometer.check.memory import VerdictMemory
from cyclometer.choose import choose
from cyclometer.discover import discover, select
from cyclometer.errors import MachineUnfit, NothingToDo, StorageFailed, UnknownName
from cyclometer.measure import Plan, take, timings, turns
from cyclometer.model import (
    FORMAT,
    SAMPLES,
    Batch,
    Catalogue,
    Executable,
    Failure,
    Implementation,
    Primitive,
    RunInfo,
    Size,
    Trial,
)
from cyclometer.store import RunWriter

CHOOSE_PATIENCE_MS = 20


class Progress(Protocol):
    """How a campaign tells what it is doing: a stage with so many steps, and lines that stay."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[], None]]: ...

    def say(self, line: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked for."""

    systems: tuple[str, ...] = ()
    profile: str = "quick"
    machine: str = ""
    seed: int = 0
    rounds: int | None = None
    patience_ms: int = 200
    implementations: tuple[str, ...] = ()
    toolchain: str = ""
    check_seconds: float = 60.0  # that one process of a check may take


@dataclass(frozen=True, kw_only=True)
class Bench:
    """This machine made ready: what discover found, who builds, and how time is told."""

    catalogue: Catalogue
    builder: Builder
    cache: Cache
    core: int | None
    scores: list[host.CounterScore]
    counter: host.CounterScore
    probe: Path | None
    failures: list[Failure]


def prepare(tree: Path, toolchain: str = "") -> Bench:
    """Discovers the tree, finds the working compilers, scores the counters and picks one."""
    catalogue = discover(tree, toolchain)
    compilers, failures = working(catalogue.compilers)
    if not compilers:
        missing = "; ".join(f"{failure.subject.compiler}: {failure.reason}" for failure in failures)
        raise MachineUnfit(f"no compiler works here ({missing})")
    catalogue = replace(catalogue, compilers=tuple(compilers))
    cache, flags = Cache(), host.cpu_flags()
    cpu = host.cpu_name() + " " + " ".join(sorted(flags))
    core = host.measuring_core()

    def builder(counter: str) -> Builder:
        return Builder(tree=tree, catalogue=catalogue, cache=cache, counter=counter, cpu_flags=flags, cpu=cpu)

    if toolchain:  # nothing will be timed
        clock = host.CounterScore(file="clock_gettime")
        return Bench(
            catalogue=catalogue, builder=builder(clock.file), cache=cache, core=core, scores=[clock],
            counter=clock, probe=None, failures=failures,
        )  # fmt: skip
    files = sorted(file.stem for file in (tree / "harness" / "counters").glob("*.h"))
    probes = {file: builder(file).probe(file) for file in files}
    runnable = {file: probe.reason if isinstance(probe, Failure) else probe for file, probe in probes.items()}
    scores = host.score_counters(runnable, core)
    counter = host.choose_counter(scores)
    probe = runnable[counter.file]
    return Bench(
        catalogue=catalogue, builder=builder(counter.file), cache=cache, core=core, scores=scores, counter=counter,
        probe=probe if isinstance(probe, Path) else None, failures=failures,
    )  # fmt: skip


def check(bench: Bench, options: Options, progress: Progress) -> tuple[list[Executable], list[Failure]]:
    """Builds and checks the selected systems' every tuning: (those that are right, what went wrong)."""
    right, failures, _ = _candidates(bench, options, progress)
    return [executable for group in right.values() for executable in group], [*bench.failures, *failures]


def run(bench: Bench, options: Options, results: Path, progress: Progress) -> Path:
    """A whole campaign; the folder of the finished run."""
    with RunWriter.start(results, _run_info(bench, options)) as writer:
        return _campaign(bench, options, writer, progress)


def resume(bench: Bench, folder: Path, progress: Progress) -> Path:
    """Finishes an interrupted run as it was planned."""
    with RunWriter.resume(folder) as writer:
        options = Options(**{name: _tuple(value) for name, value in writer.info.plan["options"].items()})
        _same_conditions(bench, writer.info)
        return _campaign(bench, options, writer, progress)


def _campaign(bench: Bench, options: Options, writer: RunWriter, progress: Progress) -> Path:
    plan = _plan(bench, options)
    settled = [trial for trial in writer.trials() if trial.chosen]
    right, failures, trials = _candidates(bench, options, progress, settled)
    writer.add_failures([*bench.failures, *failures])
    chosen, more, failed = _choose(bench, right, plan.seed, settled, progress)
    writer.add_trials([*trials, *more])
    writer.add_failures(failed)
    if not chosen:
        raise NothingToDo(f"nothing passes its checks: {_first_reason([*failures, *failed])}")
    writer.add_sizes([size for executable in chosen for size in _sizes(executable)])
    _measure(bench, chosen, plan, writer, progress)
    return writer.finish()


def _candidates(
    bench: Bench, options: Options, progress: Progress, settled: Sequence[Trial] = ()
) -> tuple[dict[str, list[Executable]], list[Failure], list[Trial]]:
    """Right executables by primitive. The parts that a composition tunes first go through the stages first."""
    catalogue = bench.catalogue
    primitives = select(catalogue, options.systems)
    _known_implementations(catalogue, primitives, options.implementations)
    first = {key for p in primitives if p.composed for key in _tuned_first(p)}
    requests = [r for key in sorted(first) for r in _plain_requests(catalogue, catalogue.primitives[key], ())]
    parts, failures, trials = _right(bench, requests, options, progress, "the parts tuned first"), [], []  # type: ignore[var-annotated]
    parts_right, failures = parts
    chosen, trials, failed = _choose(bench, parts_right, options.seed, settled, progress)
    tuned = {f"{e.subject.operation}/{e.subject.primitive}": e for e in chosen}
    requests = []
    for primitive in primitives:
        requests += _plain_requests(catalogue, primitive, options.implementations)
        requests += _composed_requests(catalogue, primitive, tuned, options.implementations)
    right, more = _right(bench, requests, options, progress, "the systems")
    return right, [*failures, *failed, *more], trials


def _tuned_first(primitive: Primitive) -> list[str]:
    composed = primitive.composed
    return ["/".join(composed.parts[part]) for part in composed.tuned_first] if composed else []


def _plain_requests(catalogue: Catalogue, primitive: Primitive, names: Sequence[str]) -> list[Request]:
    return [
        Request(primitive=primitive, implementation=implementation, compiler=compiler)
        for implementation in _implementations(catalogue, primitive.key, names)
        for compiler in catalogue.compilers
    ]


def _composed_requests(
    catalogue: Catalogue, primitive: Primitive, tuned: dict[str, Executable], names: Sequence[str]
) -> list[Request]:
    composed = primitive.composed
    if not composed or any(key not in tuned for key in _tuned_first(primitive)):
        return []
    searched = _implementations(catalogue, "/".join(composed.parts[composed.searched]), names)
    parts = {part: tuned["/".join(composed.parts[part])] for part in composed.tuned_first}
    return compose(primitive, searched, catalogue.compilers, parts)


def _implementations(catalogue: Catalogue, key: str, names: Sequence[str]) -> list[Implementation]:
    found = [i for i in catalogue.implementations if f"{i.operation}/{i.primitive}" == key]
    return [i for i in found if not names or i.name in names]


def _known_implementations(
    catalogue: Catalogue, primitives: Sequence[Primitive], names: Sequence[str]
) -> None:
    keys = {p.key for p in primitives}
    keys |= {"/".join(p.composed.parts[p.composed.searched]) for p in primitives if p.composed}
    known = {i.name for key in keys for i in _implementations(catalogue, key, ())}
    for name in names:
        if name not in known:
            raise UnknownName("implementation", name, known)


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
    groups: dict[str, list[Executable]] = {}
    for executable in passed:
        groups.setdefault(f"{executable.subject.operation}/{executable.subject.primitive}", []).append(
            executable
        )
    return groups, [*failures, *wrong]


def _choose(
    bench: Bench, groups: dict[str, list[Executable]], seed: int, settled: Sequence[Trial], progress: Progress
) -> tuple[list[Executable], list[Trial], list[Failure]]:
    """One tuning a primitive; a resumed run keeps those it had settled on."""
    chosen, trials, failures = [], [], []
    if bench.probe is None or not groups:  # a check-only toolchain: any right one will do as a part
        return [group[0] for group in groups.values()], [], []
    before = {trial.subject for trial in settled}
    with progress.stage("choose tunings", len(groups)) as step:
        for key, group in groups.items():
            kept = [executable for executable in group if executable.subject in before]
            if kept:
                chosen += kept
            else:
                grid = bench.catalogue.operations[key.partition("/")[0]].choose_grid
                winner, tried, failed = choose(group, lambda e, s, g=grid: _race_time(bench, e, g, s), seed)  # type: ignore[misc]
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


def _sizes(executable: Executable) -> list[Size]:
    """What the executable says of itself, and its code."""
    outcome = process.run([str(executable.path), "info"], visible=[executable.path.parent])
    said = (line.split("\t") for line in outcome.stdout.decode(errors="replace").splitlines())
    sizes = [Size(subject=executable.subject, name=w[1], value=int(w[2])) for w in said if w[0] == "info"]
    return [*sizes, Size(subject=executable.subject, name="code_bytes", value=executable.code_bytes)]


def _measure(
    bench: Bench, chosen: Sequence[Executable], plan: Plan, writer: RunWriter, progress: Progress
) -> None:
    order = turns(chosen, chosen[plan.seed % len(chosen)], plan)
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
                    writer.add_samples(turn.name, _stored(result, writer.info))
            step()


def _stored(batch: Batch, info: RunInfo) -> pa.Table:
    """A batch with the columns that only the campaign knows."""
    table = batch.table
    constants: dict[str, Any] = {
        "run": info.run,
        "machine": info.machine,
        "operation": batch.subject.operation,
        "primitive": batch.subject.primitive,
        "implementation": batch.subject.implementation,
        "compiler": batch.subject.compiler,
        "control": batch.control,
        "round": batch.round,
    }
    for name, value in constants.items():
        table = table.append_column(name, pa.array([value] * table.num_rows))
    return table.select(SAMPLES.names).cast(SAMPLES)


def _plan(bench: Bench, options: Options) -> Plan:
    grids, rounds = {}, []
    for operation in {p.operation for p in select(bench.catalogue, options.systems)}:
        profiles = bench.catalogue.operations[operation].profiles
        if options.profile not in profiles:
            raise UnknownName("profile", options.profile, profiles)
        count, grids[operation] = profiles[options.profile]
        rounds.append(count)
    return Plan(
        seed=options.seed, rounds=options.rounds or max(rounds), patience_ms=options.patience_ms, grids=grids
    )


def _run_info(bench: Bench, options: Options) -> RunInfo:
    now = datetime.datetime.now(datetime.UTC)
    catalogue = bench.catalogue
    selected = select(catalogue, options.systems)
    operations = {p.operation for p in selected}
    tree = bench.builder.harness.parent
    return RunInfo(
        format=FORMAT,
        run=now.strftime(f"%Y-%m-%dT%H-%M-%S-{options.profile}"),
        machine=options.machine,
        started=now,
        finished=None,
        profile=options.profile,
        command=(Path(sys.argv[0]).name, *sys.argv[1:]),
        version=importlib.metadata.version("cyclometer"),
        contracts=contracts(tree, [catalogue.operations[name] for name in sorted(operations)]),
        counter={
            "name": bench.counter.name,
            "unit": bench.counter.unit,
            "per_second": bench.counter.per_second,
            "chain_cycles": bench.counter.chain_cycles,
            "core_hertz": bench.counter.core_hertz,
        },
        facts={fact.name: fact.value for fact in host.facts()},
        compilers={c.name: f"{shlex.join([c.command, *c.flags])} ({c.version})" for c in catalogue.compilers},
        primitives={p.key: {**p.facts, **p.sizes} for p in selected},
        plan={"options": asdict(options), "plan": asdict(_plan(bench, options))},
    )


def _same_conditions(bench: Bench, info: RunInfo) -> None:
    """A run is one machine, one counter, one contract; it cannot be finished under others."""
    now = _run_info(bench, Options(**{k: _tuple(v) for k, v in info.plan["options"].items()}))
    for what, stored, present in (
        ("CPU", info.facts.get("cpu"), now.facts.get("cpu")),
        ("counter", info.counter["name"], now.counter["name"]),
        ("contract", info.contracts, now.contracts),
    ):
        if stored != present:
            raise StorageFailed(
                f"run {info.run} cannot be resumed: another {what} then ({stored}) than now ({present})"
            )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _first_reason(failures: Sequence[Failure]) -> str:
    return f"{failures[0].subject}: {failures[0].reason}" if failures else "no implementation found"
