# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plan of a run and the description that is stored with it."""

from __future__ import annotations

import datetime
import importlib.metadata
import shlex
import sys
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from cyclometer import host
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options
from cyclometer.campaign.systems import is_large
from cyclometer.compile import contracts
from cyclometer.discover import select
from cyclometer.errors import CyclometerError, StorageFailed, UnknownName
from cyclometer.measure import MOST_ROUNDS, Plan
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.grid import (
    ad_lengths_of,
    has_ad,
    has_keys,
    has_lengths,
    keys_of,
    with_one_key,
    with_values,
    without_ad,
)
from cyclometer.records.placement import PLACEMENT_PROFILE
from cyclometer.records.run import CALIBRATION, FORMAT, RunInfo
from cyclometer.records.varying import FEW

PLACEMENT_ROUNDS = 7
"""Rounds of the ordinary numbers beside which placement is shown."""

FULL_PROFILE_SECONDS = 10
"""A process that measures a longer profile than quick has this many times the time limit of a check."""


def plan_for(environment: Environment, options: Options) -> Plan:
    """Return the grids, rounds and limits of a run; UnknownName for a profile that an operation lacks."""
    selected = select(environment.catalogue, options.systems)
    rounds, grids = grids_asked(environment.catalogue, options, selected)
    for operation, grid in grids.items():
        grids[operation] = with_values(grid, options.lengths, options.keys, options.ad_lengths)
    for primitive in selected:
        own = grids[primitive.operation] if primitive.associated_data else without_ad(grids[primitive.operation])
        if own != grids[primitive.operation]:
            grids[primitive.key] = own
    grids[CALIBRATION] = environment.builder.catalogue.operations[CALIBRATION].profiles["quick"][1]
    seconds = options.check_seconds * (1 if options.profile == "quick" or options.grid else FULL_PROFILE_SECONDS)
    plan = Plan(
        seed=options.seed,
        input_seed=options.seed
        if environment.catalogue.origin
        else 0,  # foreign code must not know its inputs in advance
        rounds=options.rounds or rounds,
        grids=grids,
        seconds=seconds,
        most_rounds=0 if options.rounds or rounds < FEW else MOST_ROUNDS,
    )
    if not options.rounds and is_large(environment.catalogue, options):
        plan = plan.for_many_systems()
    if options.patience_ms is None:
        return plan
    return replace(plan, patience_ms=options.patience_ms, varying_ms=min(plan.varying_ms, options.patience_ms))


def grids_asked(
    catalogue: Catalogue, options: Options, selected: Iterable[Primitive]
) -> tuple[int, dict[str, tuple[str, ...]]]:
    """Return the rounds and the grid lines of each selected operation, as its profile has them.

    UnknownName for a profile that an operation lacks, CyclometerError for a variable that none has.
    """
    operations = sorted({primitive.operation for primitive in selected})
    found = {operation: _profile(catalogue.operations[operation].profiles, options) for operation in operations}
    grids = {operation: lines for operation, (_, lines) in found.items()}
    _require_variables(grids, options)
    return max(rounds for rounds, _ in found.values()), grids


def _profile(profiles: Mapping[str, tuple[int, tuple[str, ...]]], options: Options) -> tuple[int, tuple[str, ...]]:
    """Return the rounds and the grid lines of an operation: those of the profile, or the lines asked for."""
    if options.grid:
        return profiles["quick"][0], options.grid
    if options.profile == PLACEMENT_PROFILE:
        return PLACEMENT_ROUNDS, with_one_key(profiles["quick"][1])
    if options.profile not in profiles:
        raise UnknownName("profile", options.profile, (*profiles, PLACEMENT_PROFILE))
    return profiles[options.profile]


def _require_variables(grids: Mapping[str, Sequence[str]], options: Options) -> None:
    """Raise CyclometerError if lengths, keys or associated data are asked for and no selected operation has them."""
    lines, names = [line for grid in grids.values() for line in grid], ", ".join(sorted(grids))
    if options.lengths and not has_lengths(lines):
        raise CyclometerError(f"--length {options.lengths}: no measure of {names} depends on a length")
    if any(each[-1] > 1 for each in keys_of(options.keys)) and not has_keys(lines):
        raise CyclometerError(f"--keys {options.keys}: no measure of {names} depends on the number of active keys")
    if any(each[-1] > 0 for each in ad_lengths_of(options.ad_lengths)) and not has_ad(lines):
        raise CyclometerError(f"--ad {options.ad_lengths}: no measure of {names} has associated data")


def describe_run(environment: Environment, options: Options) -> RunInfo:
    """Return what run.json says at the start of a run."""
    now = datetime.datetime.now(datetime.UTC)
    catalogue, counter = environment.catalogue, environment.counter
    selected = select(catalogue, options.systems)
    operations = sorted({primitive.operation for primitive in selected})
    return RunInfo(
        format=FORMAT,
        id=uuid.uuid4().hex,
        run=options.name or now.strftime(f"%Y-%m-%dT%H-%M-%S-{options.profile}"),
        machine=named_machine(options.machine, environment.mode),
        started=now,
        finished=None,
        profile=options.profile,
        command=(Path(sys.argv[0]).name, *sys.argv[1:]),
        version=importlib.metadata.version("cyclometer"),
        contracts=contracts(environment.tree, [catalogue.operations[name] for name in operations]),
        counter={
            "name": counter.name,
            "unit": counter.unit,
            "per_second": counter.per_second,
            "chain_cycles": counter.chain_cycles,
            "core_hertz": counter.core_hertz,
            "resolution": counter.resolution,
            "dither_cycles": counter.dither_cycles,
            "read_gap": counter.read_gap,
        },
        facts={fact.name: fact.value for fact in host.facts()}
        | ({"mode": environment.mode} if environment.mode else {}),
        compilers={c.name: f"{shlex.join([c.command, *c.flags])} ({c.version})" for c in catalogue.compilers},
        primitives={primitive.key: {**primitive.facts, **primitive.sizes} for primitive in selected},
        plan={"options": asdict(options), "plan": asdict(plan_for(environment, options))},
    )


def named_machine(machine: str, mode: str) -> str:
    """Return the name under which a machine's runs in a mode are stored: `host [32-bit]`.

    CyclometerError for a name that says another mode.
    """
    name, bracket, said = machine.partition(" [")
    if bracket and said != f"{mode}]":
        raise CyclometerError(f"{machine!r} names a mode of {name}: measure it with --toolchain or --without")
    return f"{name} [{mode}]" if mode else machine


def require_same_conditions(environment: Environment, info: RunInfo) -> None:
    """Raise StorageFailed unless CPU, counter and contracts are those that an interrupted run began with."""
    now = describe_run(environment, Options.of_run(info))
    for what, stored, present in (
        ("CPU", info.facts.get("cpu"), now.facts.get("cpu")),
        ("counter", info.counter.get("name"), now.counter["name"]),
        ("contract", info.contracts, now.contracts),
    ):
        if stored != present:
            raise StorageFailed(
                f"run {info.run} cannot be resumed: its {what} was {stored}, now it is {present}; start a new run"
            )
