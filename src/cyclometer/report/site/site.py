# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a builder of pages is handed, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from cyclometer.analyse import View
from cyclometer.analyse.site_data import SiteMaterial
from cyclometer.records.table import Column, Row, Table, Value
from cyclometer.report.site.curves import Curves


@dataclass(frozen=True, kw_only=True)
class Site:
    """All that is known when pages are made."""

    material: SiteMaterial
    curves: tuple[Curves, ...]
    foreign: Mapping[str, str]  # files in downloads/ that other tools read, and what for
    live: bool  # served while a run may be going on
    with_raw: bool  # the raw timings are in the site

    def curves_of(self, operation: str, primitive: str) -> list[Curves]:
        """Of each machine that measured it."""
        return [each for each in self.curves if (each.operation, each.primitive) == (operation, primitive)]

    def raw_fragment(self, table: Table, row: Row, column: Column) -> str:
        """The address within a system's page of the raw samples behind a figure; empty where it has none."""
        view = self.view_of(table)
        if not self.with_raw or view is None or column.unit in {"", "bytes"}:
            return ""
        known: dict[str, str | int] = dict(view.where)
        known["machine"] = column.label if table.variable == "machine" else table.contexts[0].machine
        known["measure"] = column.label if table.variable == "measure" else table.measure
        if table.variable not in {"machine", "measure"}:
            known[table.variable] = column.label
        place = table.columns.index(column)
        figure = row.figures[place]
        if figure is None:
            return ""
        known["implementation"], known["compiler"] = figure.implementation, figure.compiler
        return "raw/" + "/".join(f"{name}={_quoted(str(value))}" for name, value in known.items() if value != "")

    def view_of(self, table: Table) -> View | None:
        """The view a table was made from; None where its operation is not known."""
        operation = self.material.operation(table.operation)
        views = operation.views if operation else ()
        return next((view for view in views if view.name == table.view), None)


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page to be rendered."""

    path: str  # below the site's folder
    template: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)


def value_of(figure: Value | None) -> str:
    """What a column of figures is sorted by."""
    return "" if figure is None else repr(figure.value) if not isinstance(figure.value, str) else figure.value


def _quoted(text: str) -> str:
    """Plain in the fragment of an address."""
    return quote(text, safe="")
