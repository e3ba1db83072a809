# SPDX-License-Identifier: MIT OR Apache-2.0
"""What has changed between a release of a collection and now. A release keeps the newest headlines as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.analyse.across.gather import Across, AcrossOperation
from cyclometer.records.columns import BOOLEAN, INT64, NUMBER, TEXT, Row, Types, array_of, columns_of, rows_of
from cyclometer.store.parquet import read_rows, write_parquet

HEADLINES: Types = {
    "machine": TEXT,
    "operation": TEXT,
    "primitive": TEXT,
    "tuning": TEXT,
    "measure": TEXT,
    "length": INT64,
    "unit": TEXT,
    "cycles": NUMBER,
    "low": NUMBER,
    "high": NUMBER,
    "disturbed": BOOLEAN,
    "spread": NUMBER,
    "imported": TEXT,
}
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


def headlines_of(across: Across) -> list[Row]:
    """Return the newest headlines as rows."""
    return [row for operation in across.operations for row in _rows(operation)]


def write_headlines(path: Path, headlines: Sequence[Row]) -> None:
    """Write headlines as Parquet."""
    write_parquet(path, columns_of(headlines, HEADLINES), HEADLINES)


def read_headlines(path: Path) -> list[Row]:
    """Return the headlines that were written to a file; a bound of an interval that is not there is NaN."""
    rows = read_rows(path, HEADLINES)
    return [{name: np.nan if value is None else value for name, value in row.items()} for row in rows]


def changes_since(before: Sequence[Row], now: Sequence[Row]) -> Changes:
    """Return what differs between the headlines of a release and those of now."""
    old = {_key(row): row for row in before}
    new = {_key(row): row for row in now}
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


def _key(row: Row) -> tuple[str, str, str, str, int]:
    return tuple(row[name] for name in ("machine", "operation", "primitive", "measure", "length"))


def _is_apart(old: Row, new: Row) -> bool:
    if old["unit"] != new["unit"] or min(old["cycles"], new["cycles"]) <= 0:
        return False
    if abs(np.log(new["cycles"] / old["cycles"])) <= np.log1p(max(old["spread"], new["spread"])):
        return False
    return not (old["low"] <= new["high"] and new["low"] <= old["high"])


def _rows(operation: AcrossOperation) -> list[dict[str, Any]]:
    point, system, machine = np.nonzero(np.isfinite(operation.cycles))
    places = (point, system, machine)
    names = np.array(operation.machines, object)[machine]
    columns: dict[str, Any] = {
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
    return rows_of({name: array_of(kind, columns[name]) for name, kind in HEADLINES.items()})
