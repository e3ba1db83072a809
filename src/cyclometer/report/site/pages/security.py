# SPDX-License-Identifier: MIT OR Apache-2.0
"""Systems by their remaining security, strongest first, with their speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer.analyse import counted_attacks, is_unbroken, remaining_bits, remaining_quantum_bits
from cyclometer.analyse.site_data import System
from cyclometer.records.length_unit import BYTES
from cyclometer.records.table import Value
from cyclometer.report.site.page_tables import headlines
from cyclometer.report.site.site import Page, Site

TITLE = "Security"
PLACE = 5
ADDRESS = "security.html"


@dataclass(frozen=True, kw_only=True)
class Level:
    """The security of one system: claimed, remaining, and the best attack."""

    system: System
    claimed: int | None
    left: int | None
    quantum: int | None
    unbroken: bool
    worst: Mapping[str, Any] | None  # the best attack
    figure: Value | None  # in the operation's main ranking


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page with a table per operation."""
    operations = [
        (name, operation.title if operation else name, _headline(site, name), _levels(site, name))
        for name, operation in ((n, site.material.operation(n)) for n in _names(site))
    ]
    yield Page(path=ADDRESS, template="security.html", title="Security", values={"by_operation": operations})


def _names(site: Site) -> list[str]:
    return list(dict.fromkeys(system.operation for system in site.material.systems))


def _headline(site: Site, operation: str) -> tuple[str, str] | None:
    """Return the title and the sorting column of an operation's main ranking; None if there is none."""
    table = next(iter(headlines(site, operation)), None)
    if table is None:
        return None
    what = table.measure if table.variable != "measure" else ""
    column = (
        table.ranked_by
        if table.variable != "length"
        else f"{table.ranked_by} {site.material.length_units.get(operation, BYTES)}"
    )
    where = f" on {table.contexts[0].machine}" if len(site.material.machines) > 1 else ""
    return f"{table.title}{where}", ", ".join(part for part in (what, column) if part)


def _levels(site: Site, operation: str) -> list[Level]:
    """Return the levels of an operation, strongest first, then fastest; undeclared ones last."""
    figures: dict[str, Value] = {}
    for table in list(headlines(site, operation))[:1]:
        index = [column.label for column in table.columns].index(table.ranked_by)
        for row in table.rows:
            figure = row.figures[index]
            if figure is not None:
                figures.setdefault(row.primitive, figure)
    levels = [
        _level(system, figures.get(system.primitive))
        for system in site.material.systems
        if system.operation == operation
    ]
    return sorted(levels, key=_order)


def _order(level: Level) -> tuple[int, float, str]:
    cycles = level.figure.value if level.figure and not isinstance(level.figure.value, str) else float("inf")
    return (-1 if level.left is None else level.left) * -1, float(cycles), level.system.primitive


def _level(system: System, figure: Value | None) -> Level:
    declaration = system.declaration
    return Level(
        system=system,
        claimed=declaration.get("security_bits"),
        left=remaining_bits(declaration),
        quantum=remaining_quantum_bits(declaration),
        unbroken=is_unbroken(declaration),
        worst=min(counted_attacks(declaration), key=lambda attack: int(attack["remaining_bits"]), default=None),
        figure=figure,
    )
