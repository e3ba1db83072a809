# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pages of a site over many machines. Paths and links are relative to the site's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cyclometer.analyse.across import Across, AcrossOperation, Disagreement, Point, differing_orders
from cyclometer.analyse.across.changes import Changes
from cyclometer.records.length_unit import BYTES
from cyclometer.report.across import grids
from cyclometer.report.across.releases import Release
from cyclometer.report.site.site import Page
from cyclometer.report.site.slugs import machine_page, slug, system_page

MOST_ORDERS = 500
"""Pairs whose order differs that a page lists; the CSV file has all."""

MOST_CHANGES = 500
LEADERS = 3


@dataclass(frozen=True, kw_only=True)
class PointPage:
    """A page with one table of systems × machines."""

    path: str
    title: str
    point: Point
    number: int


@dataclass
class AcrossSite:
    """Everything that the pages show; the orders of an operation are searched once."""

    across: Across
    releases: Sequence[Release] = ()
    changes: Changes | None = None  # since the newest release
    database: Sequence[tuple[str, int, str]] = ()  # path, bytes, what it holds
    notes: Sequence[str] = ()
    reports: Mapping[str, str] = field(default_factory=dict)  # machine -> address of the web report on its newest run
    orders: dict[str, list[Disagreement]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cpus = {
            info.machine: str(info.facts.get("cpu", "unknown CPU")) for info in self.across.infos
        }  # newest last
        for operation in self.across.operations:
            self.orders[operation.name] = differing_orders(operation)


def pages(site: AcrossSite) -> Iterator[Page]:
    """Yield every page."""
    yield _start(site)
    yield Page(
        path="machines.html", template="across_machines.html", title="Machines", values={"rows": _machines(site)}
    )
    yield Page(path="downloads.html", template="across_downloads.html", title="Downloads")
    if site.changes:
        values = {"changes": site.changes, "since": site.releases[0], "most": MOST_CHANGES}
        yield Page(path="changes.html", template="across_changes.html", title="Changes", values=values)
    for operation in site.across.operations:
        yield from _tables(operation)
        yield _orders(site, operation)
        yield from _systems(operation)
    for machine in site.across.machines:
        yield _machine(site, machine)


def orders_page(operation: str) -> str:
    """Return the path of the page that lists the pairs whose order differs."""
    return f"orders/{slug(operation)}.html"


def point_pages(operation: AcrossOperation) -> list[PointPage]:
    """Return the pages with the tables of an operation."""
    return [
        PointPage(
            path=f"tables/{slug(operation.name)}/{slug(point.measure)}-{point.length}.html",
            title=f"{operation.title}: {words(operation, point)}",
            point=point,
            number=number,
        )
        for number, point in enumerate(operation.points)
    ]


def by_measure(listed: Sequence[PointPage]) -> dict[str, list[PointPage]]:
    """Return the pages of each measure."""
    grouped: dict[str, list[PointPage]] = {}
    for each in listed:
        grouped.setdefault(each.point.measure, []).append(each)
    return grouped


def words(operation: AcrossOperation, point: Point) -> str:
    """Return a point in words: encrypt, 576 bytes."""
    lengths = {each.length for each in operation.points if each.measure == point.measure}
    unit = "bytes" if operation.length_unit == BYTES else operation.length_unit
    return point.measure if lengths == {0} else f"{point.measure}, {point.length} {unit}"


def _start(site: AcrossSite) -> Page:
    leaders = {
        operation.name: [
            (operation.systems[system], system_page(operation.name, operation.systems[system]))
            for system in grids.fastest_first(operation.cycles[operation.headline(operation.measures[0])])[:LEADERS]
        ]
        for operation in site.across.operations
    }
    tables = {operation.name: by_measure(point_pages(operation)) for operation in site.across.operations}
    values = {"leaders": leaders, "tables": tables, "orders": site.orders, "orders_page": orders_page, "words": words}
    return Page(path="index.html", template="across_start.html", title="Many machines", values=values)


def _machines(site: AcrossSite) -> list[dict[str, Any]]:
    runs: dict[str, int] = {}
    for info in site.across.infos:
        runs[info.machine] = runs.get(info.machine, 0) + 1
    imported = {m: source for operation in site.across.operations for m, source in operation.imported.items()}
    rows = []
    for machine in site.across.machines:
        info = site.across.latest(machine)
        facts = {name: info.facts.get(name, "unknown") for name in ("cpu", "microarchitecture", "cores")}
        row = {
            "name": machine,
            "page": machine_page(machine),
            "runs": runs[machine],
            "imported": imported.get(machine, ""),
        }
        rows.append({**row, **facts, "counter": info.counter.get("name", "unknown"), "newest": info.started.date()})
    return rows


def _tables(operation: AcrossOperation) -> Iterator[Page]:
    listed = point_pages(operation)
    for each in listed:
        values = {
            "operation": operation,
            "rows": grids.by_machine(operation, each.number, "../../"),
            "measures": by_measure(listed),
            "machine_page": machine_page,
        }
        yield Page(path=each.path, template="across_table.html", title=each.title, values=values)


def _orders(site: AcrossSite, operation: AcrossOperation) -> Page:
    """Return the page of an operation: a row for each pair and measure, with the clearest of its lengths."""
    found: dict[tuple[str, str, str], list[Disagreement]] = {}
    for each in site.orders[operation.name]:
        found.setdefault((each.first, each.second, each.point.measure), []).append(each)
    values = {
        "operation": operation,
        "shown": [(several[0], sorted(each.point.length for each in several)) for several in found.values()][
            :MOST_ORDERS
        ],
        "count": len(found),
        "words": words,
        "system_page": system_page,
    }
    title = f"{operation.title}: orders that differ by machine"
    return Page(path=orders_page(operation.name), template="across_orders.html", title=title, values=values)


def _systems(operation: AcrossOperation) -> Iterator[Page]:
    columns: dict[str, list[int]] = {}
    for number, info in enumerate(operation.runs):
        columns.setdefault(info.machine, []).append(number)
    for system, name in enumerate(operation.systems):
        sections = []
        for measure in operation.measures:
            point = operation.headline(measure)
            rows = list(_history(operation, point, system, columns))
            if rows:
                sections.append((words(operation, operation.points[point]), rows))
        values = {"operation": operation, "sections": sections, "machine_page": machine_page}
        path = system_page(operation.name, name)
        yield Page(path=path, template="across_system.html", title=name, values=values)


def _history(
    operation: AcrossOperation, point: int, system: int, columns: dict[str, list[int]]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each machine: its newest number, the change from the run before, the line of all runs."""
    for place, machine in enumerate(operation.machines):
        newest = operation.cycles[point, system, place]
        if not np.isfinite(newest):
            continue
        every = operation.history[point, system, columns[machine]]
        known = every[np.isfinite(every)]
        yield {
            "machine": machine,
            "imported": operation.imported.get(machine, ""),
            "tuning": operation.tunings[operation.tuning[point, system, place]],
            "unit": operation.units[machine],
            "cells": grids.cells([newest, operation.low[point, system, place], operation.high[point, system, place]]),
            "runs": len(known),
            "change": known[-1] / known[-2] if len(known) > 1 and known[-2] > 0 else None,
            "line": grids.line_of(every.tolist()),
        }


def _machine(site: AcrossSite, machine: str) -> Page:
    sections = []
    for operation in site.across.operations:
        if machine not in operation.machines:
            continue
        place = operation.machines.index(machine)
        for measure in operation.measures:
            points = [n for n, point in enumerate(operation.points) if point.measure == measure]
            cycles = operation.cycles[points, :, place]
            order = [s for s in np.argsort(np.nan_to_num(cycles[-1], nan=np.inf)) if np.isfinite(cycles[:, s]).any()]
            rows = [
                (operation.systems[s], system_page(operation.name, operation.systems[s]), grids.cells(cycles[:, s]))
                for s in order
            ]
            lengths = [operation.points[n].length for n in points]
            sections.append((f"{operation.title}: {measure}", lengths, rows))
    values = {"info": site.across.latest(machine), "sections": sections, "machine": machine}
    return Page(path=machine_page(machine), template="across_machine.html", title=machine, values=values)
