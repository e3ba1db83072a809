# SPDX-License-Identifier: MIT OR Apache-2.0
"""What has changed between a release of a collection and now. A release keeps the newest headlines as a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from cyclometer.analyse.across.gather import Across, AcrossOperation

_COLUMNS: dict[str, pa.DataType] = {
    "machine": pa.string(),
    "operation": pa.string(),
    "primitive": pa.string(),
    "tuning": pa.string(),
    "measure": pa.string(),
    "length": pa.int64(),
    "unit": pa.string(),
    "cycles": pa.float64(),
    "low": pa.float64(),
    "high": pa.float64(),
    "disturbed": pa.bool_(),
    "spread": pa.float64(),
    "imported": pa.string(),
}

HEADLINES = pa.schema(_COLUMNS)
"""The newest headlines (docs/formats.md): one row for each machine, system and point."""


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A headline that is another one now, by more than the A/A spread, with intervals apart."""

    operation: str
    primitive: str
    machine: str
    measure: str
    length: int
    before: float
    now: float

    @property
    def ratio(self) -> float:
        """Cycles now over those before."""
        return self.now / self.before


@dataclass(frozen=True, kw_only=True)
class Changes:
    """The differences of two tables of headlines; `moved` has the largest change first."""

    new_machines: tuple[str, ...]
    gone_machines: tuple[str, ...]
    new_systems: tuple[str, ...]  # operation/primitive
    gone_systems: tuple[str, ...]
    moved: tuple[Moved, ...]
    same: int  # headlines that are the same, or too near


def headlines_of(across: Across) -> pa.Table:
    """Return the newest headlines as a table."""
    return pa.concat_tables([_rows(operation) for operation in across.operations] or [HEADLINES.empty_table()])


def changes_since(before: pa.Table, now: pa.Table) -> Changes:
    """Return what differs between the headlines of a release and those of now."""
    old = {_key(row): row for row in before.to_pylist()}
    new = {_key(row): row for row in now.to_pylist()}
    moved, same = [], 0
    for key in new.keys() & old.keys():
        if _is_apart(old[key], new[key]):
            machine, operation, primitive, measure, length = key
            moved.append(
                Moved(
                    operation=operation,
                    primitive=primitive,
                    machine=machine,
                    measure=measure,
                    length=length,
                    before=old[key]["cycles"],
                    now=new[key]["cycles"],
                )
            )
        else:
            same += 1
    machines = [{key[0] for key in rows} for rows in (old, new)]
    systems = [{f"{key[1]}/{key[2]}" for key in rows} for rows in (old, new)]
    return Changes(
        new_machines=tuple(sorted(machines[1] - machines[0])),
        gone_machines=tuple(sorted(machines[0] - machines[1])),
        new_systems=tuple(sorted(systems[1] - systems[0])),
        gone_systems=tuple(sorted(systems[0] - systems[1])),
        moved=tuple(sorted(moved, key=lambda each: (-abs(np.log(each.ratio)), each.primitive, each.machine))),
        same=same,
    )


_Row = dict[str, object]


def _key(row: dict[str, object]) -> tuple[str, str, str, str, int]:
    return tuple(row[name] for name in ("machine", "operation", "primitive", "measure", "length"))  # type: ignore[return-value]


def _is_apart(old: dict[str, float], new: dict[str, float]) -> bool:
    if old["unit"] != new["unit"] or min(old["cycles"], new["cycles"]) <= 0:
        return False
    if abs(np.log(new["cycles"] / old["cycles"])) <= np.log1p(max(old["spread"], new["spread"])):
        return False
    return not (old["low"] <= new["high"] and new["low"] <= old["high"])


def _rows(operation: AcrossOperation) -> pa.Table:
    point, system, machine = np.nonzero(np.isfinite(operation.cycles))
    places = (point, system, machine)
    names = np.array(operation.machines, object)[machine]
    columns = {
        "machine": names,
        "operation": [operation.name] * len(point),
        "primitive": np.array(operation.systems, object)[system],
        "tuning": np.array(operation.tunings, object)[operation.tuning[places]],
        "measure": np.array([each.measure for each in operation.points], object)[point],
        "length": np.array([each.length for each in operation.points])[point],
        "unit": [operation.units[name] for name in names],
        "cycles": operation.cycles[places],
        "low": operation.low[places],
        "high": operation.high[places],
        "disturbed": operation.disturbed[places],
        "spread": operation.spread[point, machine],
        "imported": [operation.imported.get(name, "") for name in names],
    }
    return pa.table({name: columns[name] for name in HEADLINES.names}, schema=HEADLINES)
