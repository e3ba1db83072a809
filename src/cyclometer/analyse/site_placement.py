# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the web report shows of placement: the tables, what they say about the order, and curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import duckdb

from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.placement import PlacedCell, placed_cells
from cyclometer.analyse.placement_curves import placed_curves
from cyclometer.analyse.tables.placement import placement_tables
from cyclometer.analyse.tables.views import TableOptions
from cyclometer.records.curve import PlacedCurve, System
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Table


@dataclass(frozen=True, kw_only=True)
class SitePlacement:
    """The placement of all systems that were measured for it; empty if none was."""

    tables: tuple[Table, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by operation
    curves: tuple[PlacedCurve, ...] = ()

    def curves_of(self, operation: str, primitive: str, machine: str) -> list[PlacedCurve]:
        """Return the curves of one system on one machine."""
        wanted = (operation, primitive, machine)
        return [c for c in self.curves if (c.system.operation, c.system.primitive, c.system.machine) == wanted]


def site_placement(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], scopes: Iterable[Scope], systems: Sequence[str]
) -> SitePlacement:
    """Return the placement of `systems` (operation/primitive; () for all) in these scopes. Needs `prepare`."""
    measured = {row[0] for row in connection.sql("SELECT DISTINCT operation FROM placed").fetchall()}
    tables: list[Table] = []
    notes: dict[str, tuple[str, ...]] = {}
    curves: list[PlacedCurve] = []
    for scope in scopes:
        names = [name.partition("/")[2] for name in systems if name.startswith(f"{scope.operation}/")]
        cells = placed_cells(connection, scope, names or None) if scope.operation in measured else []
        if cells and (names or not systems):
            own, remarks = placement_tables(
                connection, infos, {scope.operation: []}, TableOptions(systems=tuple(systems))
            )
            tables += own
            notes[scope.operation] = tuple(remarks)
            curves += placed_curves(cells, _system_of)
    return SitePlacement(tables=tuple(tables), notes=notes, curves=tuple(curves))


def _system_of(cell: PlacedCell) -> System:
    subject = cell.subject
    return System(
        machine=cell.machine,
        operation=subject.operation,
        primitive=subject.primitive,
        implementation=subject.implementation,
        compiler=subject.compiler,
        label=subject.primitive,
    )
