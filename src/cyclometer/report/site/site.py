# SPDX-License-Identifier: MIT OR Apache-2.0
"""The input and the output of the builders of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from cyclometer.analyse import View
from cyclometer.analyse.site_data import SiteMaterial
from cyclometer.records.table import NOT_TIMES, Column, Row, Table, Value
from cyclometer.report.site.curves import Curves


@dataclass(frozen=True, kw_only=True)
class Site:
    """Everything that pages are built from."""

    material: SiteMaterial
    curves: tuple[Curves, ...]
    foreign: Mapping[str, str]  # exports in downloads/: file name -> purpose
    live: bool  # served while a run may be in progress
    with_raw: bool  # the raw timings are in the site
    has_traffic: bool = False  # systems can be ranked for workloads

    @cached_property
    def of_one_tuning(self) -> frozenset[tuple[str, str, str]]:
        """Return (operation, primitive, machine) of the systems whose raw samples need no tuning to be found."""
        return frozenset((c.operation, c.primitive, c.machine) for c in self.curves if c.is_only_tuning)

    def curves_of(self, operation: str, primitive: str) -> list[Curves]:
        """Return the curves of one system, one per machine that measured it."""
        return [each for each in self.curves if (each.operation, each.primitive) == (operation, primitive)]

    def raw_fragment(self, table: Table, row: Row, column: Column) -> str:
        """Return the URL fragment, in a system's page, of a figure's raw samples; empty if there are none."""
        view = self.view_of(table)
        if not self.with_raw or view is None or column.unit in NOT_TIMES:
            return ""
        parameters: dict[str, str | int] = dict(view.where)
        parameters["machine"] = column.label if table.variable == "machine" else table.contexts[0].machine
        parameters["measure"] = column.label if table.variable == "measure" else table.measure
        if table.variable not in {"machine", "measure"}:
            parameters[table.variable] = column.label
        index = table.columns.index(column)
        figure = row.figures[index]
        if figure is None:
            return ""
        if (table.operation, row.primitive, str(parameters["machine"])) not in self.of_one_tuning:
            parameters["implementation"], parameters["compiler"] = figure.implementation, figure.compiler
        return "raw/" + "/".join(f"{name}={_quoted(str(value))}" for name, value in parameters.items() if value != "")

    def view_of(self, table: Table) -> View | None:
        """Return the view that a table shows; None if its operation is unknown."""
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
    """Return the text by which scripts sort a column of figures."""
    if figure is None:
        return ""
    return figure.value if isinstance(figure.value, str) else f"{figure.value:.6g}"


def _quoted(text: str) -> str:
    """Quote text for a URL fragment."""
    return quote(text, safe="")
