# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a campaign stands on: the user's options, this machine made ready, and the record of both."""

from __future__ import annotations

import datetime
import importlib.metadata
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cyclometer import host
from cyclometer.choose.screening import MAX_EXHAUSTIVE_SYSTEMS
from cyclometer.compile import Builder, Cache, contracts, working
from cyclometer.discover import adapt, checking, discover, recognise, select
from cyclometer.errors import CyclometerError, MachineUnfit, StorageFailed, UnknownName
from cyclometer.execute import sandbox
from cyclometer.measure import Plan, QuietLevel
from cyclometer.records.catalogue import Catalogue
from cyclometer.records.failure import Failure
from cyclometer.records.grid import has_keys, has_lengths, keys_of, with_values
from cyclometer.records.run import FORMAT, RunInfo


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked for."""

    systems: tuple[str, ...] = ()
    profile: str = "quick"
    machine: str = ""
    seed: int = 0
    rounds: int | None = None
    patience_ms: int | None = None  # that a process may wait for quiet moments, in all
    implementations: tuple[str, ...] = ()  # only these; none named: all
    compilers: tuple[str, ...] = ()  # only these; none named: all
    all_compilers: bool = False  # with every implementation, however many systems there are
    toolchain: str = ""
    check_seconds: float = 60.0  # that one process of a check may take
    constant_time: bool = False  # follow the secrets of the chosen tunings as well
    tree: str = ""  # a foreign tree to read instead of our own primitives
    lengths: str = ""  # values of a grid line to measure instead of the profile's; docs/harness.md
    keys: str = ""  # likewise


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
    checker: str = ""  # of toolchains/checkers, when nothing is to be timed but followed
    quiet: QuietLevel = field(default_factory=QuietLevel)  # learns from every process that is timed


def prepare(
    tree: Path,
    toolchain: str = "",
    systems: Sequence[str] | None = None,
    counter: str = "",
    foreign: str = "",
    checker: str = "",
) -> Bench:
    """Discovers the tree, finds the working compilers, scores the counters and picks one, `counter` if it works.
    The names of the systems are looked up first, so that a misspelt one is told at once. `foreign` is the folder
    of a tree whose implementations take the place of our own; a `checker` of toolchains/checkers changes the
    compilers' command lines, and nothing is timed."""
    catalogue, left_out = _catalogue(tree, toolchain, systems or (), foreign)
    if systems is not None:
        select(catalogue, systems)
    if checker:
        wanted = checking(catalogue.compilers, tree, checker, host.cpu_flags())
        catalogue = replace(catalogue, compilers=wanted)
    cache, flags = Cache(), host.cpu_flags()
    cpu = host.cpu_name() + " " + " ".join(sorted(flags))
    compilers, failures = working(catalogue.compilers, cache, cpu)
    failures += left_out
    if not compilers:
        missing = "; ".join(f"{failure.subject.compiler}: {failure.reason}" for failure in failures)
        raise MachineUnfit(f"no compiler works here ({missing})")
    catalogue = replace(catalogue, compilers=tuple(compilers))
    core = host.measuring_core()

    def builder(counter: str) -> Builder:
        return Builder(tree=tree, catalogue=catalogue, cache=cache, counter=counter, cpu_flags=flags, cpu=cpu)

    if toolchain or checker:  # nothing will be timed
        clock = host.CounterScore(file="clock_gettime")
        return Bench(
            catalogue=catalogue, builder=builder(clock.file), cache=cache, core=core, scores=[clock],
            counter=clock, probe=None, failures=failures, checker=checker,
        )  # fmt: skip
    files = sorted(file.stem for file in (tree / "harness" / "counters").glob("*.h"))
    probes = {file: builder(file).probe(file) for file in files}
    runnable = {file: probe.reason if isinstance(probe, Failure) else probe for file, probe in probes.items()}
    scores = host.score_counters(runnable, core)
    best = host.choose_counter(scores, counter)
    probe = runnable[best.file]
    return Bench(
        catalogue=catalogue, builder=builder(best.file), cache=cache, core=core, scores=scores, counter=best,
        probe=probe if isinstance(probe, Path) else None, failures=failures,
    )  # fmt: skip


def _catalogue(
    tree: Path, toolchain: str, systems: Sequence[str], foreign: str
) -> tuple[Catalogue, list[Failure]]:
    catalogue = discover(tree, toolchain)
    if not foreign:
        return catalogue, []
    if not sandbox.sandbox():
        raise MachineUnfit("a foreign tree is built and run in a sandbox; apt install bubblewrap")
    return adapt(catalogue, recognise(Path(foreign)), systems, tree / "adapters")


def plan_of(bench: Bench, options: Options) -> Plan:
    grids, rounds = {}, []
    selected = select(bench.catalogue, options.systems)
    for operation in {p.operation for p in selected}:
        profiles = bench.catalogue.operations[operation].profiles
        if options.profile not in profiles:
            raise UnknownName("profile", options.profile, profiles)
        count, grids[operation] = profiles[options.profile]
        rounds.append(count)
    _must_have(grids, options)
    for operation, grid in grids.items():
        grids[operation] = with_values(grid, options.lengths, options.keys)
    plan = Plan(seed=options.seed, rounds=options.rounds or max(rounds), grids=grids)
    if not options.rounds and len(selected) > MAX_EXHAUSTIVE_SYSTEMS:
        plan = plan.for_many()
    return plan if options.patience_ms is None else replace(plan, patience_ms=options.patience_ms)


def _must_have(grids: Mapping[str, Sequence[str]], options: Options) -> None:
    """CyclometerError where lengths or keys are asked for and nothing selected has any."""
    lines, names = [line for grid in grids.values() for line in grid], ", ".join(sorted(grids))
    if options.lengths and not has_lengths(lines):
        raise CyclometerError(f"--length {options.lengths}: nothing that is measured of {names} has a length")
    if any(each[-1] > 1 for each in keys_of(options.keys)) and not has_keys(lines):
        raise CyclometerError(f"--keys {options.keys}: nothing of {names} is measured by the number of active keys")


def run_info(bench: Bench, options: Options) -> RunInfo:
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
        plan={"options": asdict(options), "plan": asdict(plan_of(bench, options))},
    )


def same_conditions(bench: Bench, info: RunInfo) -> None:
    """A run is one machine, one counter, one contract; it cannot be finished under others."""
    now = run_info(bench, options_of(info))
    for what, stored, present in (
        ("CPU", info.facts.get("cpu"), now.facts.get("cpu")),
        ("counter", info.counter["name"], now.counter["name"]),
        ("contract", info.contracts, now.contracts),
    ):
        if stored != present:
            raise StorageFailed(
                f"run {info.run} cannot be resumed: another {what} then ({stored}) than now ({present})"
            )


def options_of(info: RunInfo) -> Options:
    """The options that a stored run was started with."""
    stored = info.plan["options"].items()
    options: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in stored}
    return Options(**options)
