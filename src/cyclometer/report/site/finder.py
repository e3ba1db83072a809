# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data of "Which system?": every system's cost by length and keys, on every machine, in one file per operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cyclometer.analyse import is_unbroken
from cyclometer.analyse.site_data import Operation, SiteMaterial
from cyclometer.analyse.site_series import Line
from cyclometer.report.site.datafiles import short, spreads_data
from cyclometer.report.site.slugs import system_page

MOST_LENGTHS = 64
"""Lengths of a line in the file; a line with more is thinned, and the page interpolates."""


def finder_data(
    material: SiteMaterial, operation: Operation, lines: Mapping[str, Mapping[str, Sequence[Line]]]
) -> dict[str, Any]:
    """Return the value of the data file of one operation; `lines` are by machine and primitive."""
    unbroken = {
        system.primitive: is_unbroken(system.declaration)
        for system in material.systems
        if system.operation == operation.name
    }
    measured = {primitive for of_machine in lines.values() for primitive in of_machine}
    measures = {line.measure for of_machine in lines.values() for several in of_machine.values() for line in several}
    return {
        "measures": operation.in_order(measures),
        "length_unit": operation.length_unit,
        "systems": {
            name: {"page": system_page(operation.name, name), "unbroken": unbroken.get(name, True)}
            for name in sorted(measured)
        },
        "machines": [_machine(operation, machine, of_machine) for machine, of_machine in lines.items()],
    }


def _machine(operation: Operation, machine: str, lines: Mapping[str, Sequence[Line]]) -> dict[str, Any]:
    info = operation.scope.latest(machine)
    return {
        "name": machine,
        "cpu": str(info.facts.get("cpu", "")),
        "hertz": info.counter.get("core_hertz") or info.counter.get("per_second") or 0,
        "spreads": spreads_data(operation.spreads_on(machine)),
        "costs": {
            primitive: [_line(line) for line in several if _is_plain(line)] for primitive, several in lines.items()
        },
    }


def _is_plain(line: Line) -> bool:
    return line.ad_length == 0


def _line(line: Line) -> list[Any]:
    """Return [measure, keys, lengths, cycles, low, high, marks]; a mark is 1 if disturbed, plus 2 if it varies."""
    count = len(line.lengths)
    kept = np.arange(count) if count <= MOST_LENGTHS else _spread_out(count)
    return [
        line.measure,
        line.keys,
        line.lengths[kept].tolist(),
        *([short(value, 5) for value in values[kept].tolist()] for values in (line.cycles, line.low, line.high)),
        (line.disturbed + 2 * line.varies)[kept].tolist(),
    ]


def _spread_out(count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return about MOST_LENGTHS indices below `count`, denser at the short lengths, where costs are not yet linear."""
    return np.unique(np.round(np.geomspace(1, count, MOST_LENGTHS)).astype(np.intp)) - 1
