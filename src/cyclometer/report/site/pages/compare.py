# SPDX-License-Identifier: MIT OR Apache-2.0
"""The comparison page: pick systems, machines, a measure and lengths; the URL holds the choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cyclometer.analyse import is_unbroken, remaining_bits
from cyclometer.analyse.site_data import Operation
from cyclometer.report.site.datafiles import spreads_data, write_data
from cyclometer.report.site.graphs import length_label
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import data_name, system_page

TITLE = "Compare"
PLACE = 3
ADDRESS = "compare.html"

USUAL_PICKS = 5
USUAL_LENGTHS = 6


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page, and write its catalogue."""
    operations = [_operation(site, operation) for operation in site.material.operations]
    write_data(folder, "catalogue", {"operations": operations})
    unit = site.curves[0].unit if site.curves else "core cycles"
    yield Page(path=ADDRESS, template="compare.html", title="Compare systems", values={"unit": unit})


def _operation(site: Site, operation: Operation) -> Mapping[str, Any]:
    curves = [each for each in site.curves if each.operation == operation.name]
    measured = {each.primitive for each in curves}
    systems = [
        {
            "name": system.primitive,
            "page": system_page(system.operation, system.primitive),
            "bits": remaining_bits(system.declaration),
            "unbroken": is_unbroken(system.declaration),
        }
        for system in site.material.systems
        if system.operation == operation.name and system.primitive in measured
    ]
    lengths = sorted({length for each in curves for length in each.lengths})
    measures = operation.in_order({measure for each in curves for measure in each.measures})
    plain = {measure for each in curves for measure in each.plain}
    return {
        "name": operation.name,
        "title": operation.title,
        "length_unit": operation.length_unit,
        "length_label": length_label(operation.length_unit),
        "systems": systems,
        "measures": [measure for measure in measures if measure not in plain],
        "plain": [measure for measure in measures if measure in plain],
        "titles": {measure: operation.title_of(measure) for measure in measures},
        "keys": sorted({keys for each in curves for keys in each.keys}),
        "lengths": [n for n in operation.lengths_shown() if n in lengths][-USUAL_LENGTHS:] or lengths[:USUAL_LENGTHS],
        "usual": _usual(site, operation),
        "machines": [_machine(site, operation, machine) for machine in operation.scope.machines],
    }


def _machine(site: Site, operation: Operation, machine: str) -> Mapping[str, Any]:
    curves = [each for each in site.curves if (each.operation, each.machine) == (operation.name, machine)]
    return {
        "name": machine,
        "unit": curves[0].unit if curves else "",
        "crossovers": data_name("cutoffs", operation.name, machine),
        "lines": {each.primitive: data_name("lines", operation.name, each.primitive, machine) for each in curves},
        "tunings": {each.primitive: f"{each.implementation} {each.compiler}" for each in curves},
        "spreads": spreads_data(operation.spreads_on(machine)),
    }


def _usual(site: Site, operation: Operation) -> list[str]:
    """Return the systems that are selected initially: the fastest of the first ranked table."""
    for table in site.material.tables:
        if table.operation == operation.name and table.ranked_by:
            return list(dict.fromkeys(row.primitive for row in table.rows))[:USUAL_PICKS]
    return []
