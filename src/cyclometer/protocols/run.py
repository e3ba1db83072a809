# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run over a ladder: tunes the parts, builds and checks the rungs, measures rungs and parts, interleaved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cyclometer import campaign
from cyclometer.campaign.calibrate import calibration_executables
from cyclometer.campaign.measurement import Measurement
from cyclometer.campaign.plan import describe_run
from cyclometer.campaign.tune import Tuner
from cyclometer.compile import contracts
from cyclometer.errors import NothingToDo
from cyclometer.execute import sandbox
from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.timed import call
from cyclometer.measure import Plan, plan_jobs
from cyclometer.protocols.assemble import build_rung
from cyclometer.protocols.calls import calls_in, count_calls, grids_for
from cyclometer.protocols.operation import read_protocol
from cyclometer.protocols.rungs import NULL, Rung, part_keys
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import CALIBRATION, PROTOCOL
from cyclometer.records.tuning import Tuning
from cyclometer.store import RunWriter

ROUNDS = 12
CHECK_SECONDS = 120.0


@dataclass(frozen=True, kw_only=True)
class Grid:
    """What is measured of each rung: grid lines, and the rounds. Calls are counted for payloads and transports."""

    lines: tuple[str, ...]
    payloads: tuple[int, ...]
    transports: tuple[str, ...]
    rounds: int = ROUNDS
    once: tuple[str, ...] = ()  # grid lines of long series, which are taken in one round more
    by_rung: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # rungs with other grid lines
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # other primitives, by key, and their grids


def run_ladder(
    environment: campaign.Environment,
    options: campaign.Options,
    rungs: Sequence[Rung],
    grid: Grid,
    results: Path,
    progress: campaign.Progress,
    *,
    study: str,
) -> Path:
    """Measure the rungs and their parts; return the folder of the finished run. NothingToDo if no rung works."""
    with _new_run(environment, options, rungs, grid, results, study) as writer:
        writer.add_failures(environment.failures)
        systems = (*part_keys(rungs), *grid.beside)
        tuned = _tuned(environment, replace(options, systems=systems), writer, progress)
        executables = _checked(_built(environment, rungs, tuned, writer, progress), writer, progress)
        if not executables:
            reason = first_reason(writer.failures(), PROTOCOL)
            writer.discard()
            raise NothingToDo(f"no rung works: {reason}")
        with progress.stage("counting what a call consists of", len(executables)) as step:
            counted = partial(count_calls, payloads=grid.payloads, transports=grid.transports)
            sizes = [size for each in on_all_cores(counted, list(executables.values()), step) for size in each]
        writer.add_sizes(sizes)
        own = {f"{PROTOCOL}/{name}": each for name, each in grid.by_rung.items()}
        grids = {
            PROTOCOL: grid.lines,
            **own,
            **grids_for(list(executables), calls_in(sizes), grid.payloads),
            **grid.beside,
        }
        _measure(environment, options, writer, progress, list(executables.values()), list(tuned.values()), grids, grid)
        return writer.finish()


def _new_run(
    environment: campaign.Environment,
    options: campaign.Options,
    rungs: Sequence[Rung],
    grid: Grid,
    results: Path,
    study: str,
) -> RunWriter:
    info = describe_run(
        environment, replace(options, systems=(*part_keys(rungs), *grid.beside) or ("crypto_hash/sha-1",))
    )
    protocol = read_protocol(environment.tree)
    plan = {
        **info.plan,
        PROTOCOL: {
            "study": study,
            "rungs": [[rung.layer, list(rung.parts), dict(rung.macros)] for rung in rungs],
            "grid": list(grid.lines),
        },
    }
    info = replace(
        info,
        contracts={**info.contracts, **contracts(environment.tree, [protocol])},
        plan=plan,
        profile=PROTOCOL,
        run=info.run.removesuffix(options.profile) + f"protocol-{study}",
    )
    return RunWriter.start_numbered(results, info)


def _tuned(
    environment: campaign.Environment, options: campaign.Options, writer: RunWriter, progress: campaign.Progress
) -> dict[str, Executable]:
    """Return the fastest working executable of each part."""
    if not options.systems:
        return {}
    tuner = Tuner(environment, options, writer, progress)
    return {executable.subject.key: executable for executable in tuner.choose(tuner.candidates())}


def _built(
    environment: campaign.Environment,
    rungs: Sequence[Rung],
    tuned: Mapping[str, Executable],
    writer: RunWriter,
    progress: campaign.Progress,
) -> dict[Rung, Executable]:
    ready = [rung for rung in rungs if all(part in tuned for part in rung.parts)]
    lost = [rung for rung in rungs if rung not in ready]
    writer.add_failures(_without_parts(lost, tuned))
    with progress.stage("building rungs", len(ready)) as step:
        built = on_all_cores(lambda rung: build_rung(environment.tree, environment.builder, rung, tuned), ready, step)
    writer.add_failures([each for each in built if isinstance(each, Failure)])
    return {rung: each for rung, each in zip(ready, built, strict=True) if isinstance(each, Executable)}


def _without_parts(rungs: Sequence[Rung], tuned: Mapping[str, Executable]) -> list[Failure]:
    return [
        Failure(
            stage="build",
            subject=Tuning(operation=PROTOCOL, primitive=rung.name),
            kind=FailureKind.SKIPPED,
            reason=f"no implementation of {next(part for part in rung.parts if part not in tuned)} works here",
        )
        for rung in rungs
    ]


def _checked(
    built: Mapping[Rung, Executable], writer: RunWriter, progress: campaign.Progress
) -> dict[Rung, Executable]:
    """Return the rungs that keep their properties."""
    right = {id(executable) for executable in check_executables(list(built.values()), writer, progress)}
    return {rung: executable for rung, executable in built.items() if id(executable) in right}


def check_executables(built: Sequence[Executable], writer: RunWriter, progress: campaign.Progress) -> list[Executable]:
    """Return the executables that keep their properties; one that does not costs nothing but itself."""
    with progress.stage("checking", len(built)) as step:
        outcomes = on_all_cores(_check, built, step)
    failures = [
        Failure(
            stage="check",
            subject=executable.subject,
            kind=outcome.kind or FailureKind.NO_VERDICT,
            reason=outcome.problem,
            detail=outcome.last_words(),
        )
        for executable, outcome in zip(built, outcomes, strict=True)
        if outcome.problem
    ]
    writer.add_failures(failures)
    return [executable for executable, outcome in zip(built, outcomes, strict=True) if not outcome.problem]


def _check(executable: Executable) -> sandbox.Outcome:
    return call(executable, "check", "1", limits=sandbox.Limits(seconds=CHECK_SECONDS))


def _measure(
    environment: campaign.Environment,
    options: campaign.Options,
    writer: RunWriter,
    progress: campaign.Progress,
    rungs: Sequence[Executable],
    parts: Sequence[Executable],
    grids: Mapping[str, tuple[str, ...]],
    grid: Grid,
) -> None:
    plan = study_plan(environment, options, PROTOCOL, grids, grid.rounds)
    measurement = Measurement(environment, plan, writer, progress)
    _measure_once(environment, replace(plan, grids={PROTOCOL: grid.once}, patience_ms=0), writer, progress, rungs)
    measured = [*rungs, *(part for part in parts if part.subject.key in grids)]
    measurement.planned_rounds(plan_jobs(measured, [*controls(rungs), *calibration_executables(environment)], plan))


def study_plan(
    environment: campaign.Environment,
    options: campaign.Options,
    operation: str,
    grids: Mapping[str, tuple[str, ...]],
    rounds: int,
) -> Plan:
    """Return the plan of a study: these grids and the calibration, without extra rounds.

    Its operation is a session, whose calls check one another.
    """
    calibration = environment.builder.catalogue.operations[CALIBRATION].profiles["quick"][1]
    return Plan(
        seed=options.seed,
        rounds=rounds,
        grids={**grids, CALIBRATION: calibration},
        seconds=options.check_seconds,
        more=0.0,
        sessions=(operation,),
    )


def _measure_once(
    environment: campaign.Environment,
    plan: Plan,
    writer: RunWriter,
    progress: campaign.Progress,
    rungs: Sequence[Executable],
) -> None:
    """Take the long series, each once, in random order."""
    if plan.grids[PROTOCOL]:
        jobs = plan_jobs(rungs, [], replace(plan, rounds=1))
        jobs = [replace(job, round=plan.rounds) for job in jobs]
        Measurement(environment, plan, writer, progress).planned_rounds(jobs)


def controls(rungs: Sequence[Executable]) -> list[Executable]:
    """Return the rungs that run twice in each round: the null layer, and the last one."""
    null = [each for each in rungs if each.subject.primitive == NULL.name]
    return list({id(each): each for each in (*null, *rungs[-1:])}.values())


def first_reason(failures: Sequence[Failure], operation: str) -> str:
    """Return what failed first of an operation, or else first of all, and why."""
    ordered = sorted(failures, key=lambda failure: failure.subject.operation != operation)
    return f"{ordered[0].subject}: {ordered[0].reason}" if ordered else "no implementation found"
