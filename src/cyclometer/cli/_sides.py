# SPDX-License-Identifier: MIT OR Apache-2.0
"""The stored runs in which `cyclometer compare` looks for A and for B."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cyclometer.cli._select import selected
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.rounds import RunKey
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import StoredRun


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
