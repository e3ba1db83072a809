# SPDX-License-Identifier: MIT OR Apache-2.0
"""Placement on the page of a system: its rows of the tables, and the data file of its graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer.analyse.placement_curves import SITUATIONS
from cyclometer.analyse.site_data import SiteData
from cyclometer.records.curve import BETWEEN, LENGTH, TIMING, PlacedCurve
from cyclometer.records.length_unit import axis_label, quantity
from cyclometer.report.site.datafiles import pack, write_data
from cyclometer.report.site.page_tables import PageTable, rows_of
from cyclometer.report.site.site import Site
from cyclometer.report.site.slugs import data_name


@dataclass(frozen=True, kw_only=True)
class Graph:
    """One graph: the curves of a measure over one variable."""

    key: str  # of the data file
    variable: str
    measure: str
    title: str
    axis: str
    unit: str


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The placement of one system on one machine."""

    machine: str
    tables: tuple[PageTable, ...]
    graphs: tuple[Graph, ...]


def write_placement(data: SiteData, folder: Path) -> None:
    """Write a data file for each system and machine with curves."""
    files: dict[str, list[PlacedCurve]] = {}
    for curve in data.material.placement.curves:
        files.setdefault(_key(curve), []).append(curve)
    for key, curves in files.items():
        write_data(
            folder,
            key,
            [
                {
                    "measure": curve.measure,
                    "variable": curve.variable,
                    "situation": curve.situation,
                    "colour": SITUATIONS.index(curve.situation),
                    "at": pack(curve.at, "i4"),
                    "cycles": pack(curve.cycles, "f4"),
                }
                for curve in curves
                if curve.situation in SITUATIONS
            ],
        )


def placement_of(site: Site, operation: str, primitive: str) -> list[Placement]:
    """Return what the page of a system shows, by machine; empty if its placement was not measured."""
    placement = site.material.placement
    found = []
    for machine in site.material.machines:
        tables = rows_of(placement.tables, operation, primitive, machine)
        if tables:
            curves = placement.curves_of(operation, primitive, machine)
            unit = placement.tables[0].contexts[0].unit
            length_unit = site.material.length_units.get(operation, "bytes")
            found.append(
                Placement(machine=machine, tables=tuple(tables), graphs=tuple(_graphs(curves, unit, length_unit)))
            )
    return found


def _graphs(curves: Sequence[PlacedCurve], unit: str, length_unit: str) -> list[Graph]:
    shown = {(curve.variable, curve.measure): curve for curve in curves}
    graphs = []
    for variable, title, axis in (
        (TIMING, "How {call} settles", "timing after the eviction"),
        (BETWEEN, "Other code between calls: {call}", "KiB of other code between calls"),
        (LENGTH, "{measure} in every situation", axis_label(length_unit)),
    ):
        for (kind, measure), curve in shown.items():
            if kind == variable:
                call = f"{measure} of {quantity(curve.length, length_unit)}" if curve.length else measure
                graphs.append(
                    Graph(
                        key=_key(curve),
                        variable=variable,
                        measure=measure,
                        title=title.format(call=call, measure=measure),
                        axis=axis,
                        unit=unit,
                    )
                )
    return graphs


def _key(curve: PlacedCurve) -> str:
    return data_name("placement", curve.system.operation, curve.system.primitive, curve.system.machine)
