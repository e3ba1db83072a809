# SPDX-License-Identifier: MIT OR Apache-2.0
"""What `cyclometer compare` means by A and by B: the operation of both, and the stored runs in which to look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer.analyse.comparison.sides import NotComparable
from cyclometer.cli._select import selected
from cyclometer.compile import check_names
from cyclometer.discover.selection import matches
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.rounds import RunKey
from cyclometer.records.tuning_name import TuningName, is_pattern
from cyclometer.store import StoredRun


def in_one_operation(catalogue: Catalogue, names: tuple[TuningName, TuningName]) -> tuple[TuningName, TuningName]:
    """Return both names with their operation, which is the one that both sides have: `sha-256:openssl` is a hash.

    `NotComparable` if there is none, or more than one.
    """
    first, second = (_operations(catalogue, name) for name in names)
    common = sorted(first & second)
    if not common:
        raise NotComparable(f"cannot compare: {' and '.join(sorted(first | second))} are different operations")
    if len(common) > 1:
        raise NotComparable(f"{names[0]} is in {' and '.join(common)}; name one: {common[0]}/{names[0]}")
    return _in(common[0], names[0]), _in(common[0], names[1])


def _operations(catalogue: Catalogue, name: TuningName) -> set[str]:
    """Return the operations of what a name means; `UnknownName` if none has such an implementation."""
    fitting = [p for p in catalogue.primitives.values() if matches(p.operation, p.name, name.system)]
    having = {each.operation for each in fitting if _has(catalogue, each, name.implementation)}
    if not having:
        check_names(catalogue, fitting, [name.implementation])
    return having


def _has(catalogue: Catalogue, primitive: Primitive, implementation: str) -> bool:
    if is_pattern(implementation):
        return True
    try:
        check_names(catalogue, [primitive], [implementation])
    except UnknownName:
        return False
    return True


def _in(operation: str, name: TuningName) -> TuningName:
    return name if name.system.startswith("crypto_") else replace(name, system=f"{operation}/{name.system}")


def runs_of_sides(
    folder: Path, names: Sequence[TuningName], runs: Sequence[str], machines: Sequence[str]
) -> list[list[StoredRun]]:
    """Return the runs in which to look for A, and those in which to look for B."""
    if len(names) > 2 or len(runs) > 2 or len(machines) > 2:
        raise CyclometerError("compare takes two sides: name at most two tunings, two runs and two machines")
    if len(names) < 2 and len(runs) < 2 and len(machines) < 2:
        raise CyclometerError("name two tunings, two runs (--run twice) or two machines (--machine twice)")
    return [selected(folder, _of_side(runs, index), _of_side(machines, index), everything=True) for index in (0, 1)]


def _of_side(names: Sequence[str], index: int) -> Sequence[str]:
    return [names[index]] if len(names) == 2 else names


def common_systems(measured: Sequence[set[str]]) -> list[TuningName]:
    """Return the systems that both sides have. Raises `NothingToDo` if there are none."""
    if not measured[0] & measured[1]:
        raise NothingToDo("the two sides have no system in common; name one system of each")
    return [TuningName(system=system) for system in sorted(measured[0] & measured[1])]


def measured_systems(systems: Mapping[RunKey, set[str]], selected: Sequence[Sequence[StoredRun]]) -> list[set[str]]:
    """Return operation/primitive of everything that is measured in the runs of each side."""
    return [set().union(*(systems.get((entry.run, entry.machine), set()) for entry in entries)) for entries in selected]
