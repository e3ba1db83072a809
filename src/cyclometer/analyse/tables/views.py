# SPDX-License-Identifier: MIT OR Apache-2.0
"""The views that an operation declares, and the user's options for tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.errors import BadDeclaration
from cyclometer.records.grid import keys_of, lengths_of
from cyclometer.records.length_unit import BYTES
from cyclometer.records.run import TYPICAL_LENGTH, RunInfo

ENOUGH_COLUMNS = 8
"""Number of columns of a view that declares none, if more values were measured."""

MAX_REQUESTED_COLUMNS = 16
"""Number of columns that a run may request; of more values, ENOUGH_COLUMNS are shown."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A table that an operation declares: rows are primitives, `columns` is the variable that runs across."""

    name: str
    title: str
    columns: str  # length | ad_length | keys | alignment | machine | measure | size
    measures: tuple[str, ...] = ()
    show: tuple[int, ...] = ()
    where: Mapping[str, int] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    tunings: bool = False
    implementations: bool = False  # all implementations, by the timings that chose one of them
    per: str = ""  # a variable to divide cycles by, such as the number of keys
    length_unit: str = BYTES  # what the variable `length` counts in the operation
    on_request: bool = False  # printed only if requested by name

    @classmethod
    def declared(cls, values: Mapping[str, Any], length_unit: str = BYTES) -> View:
        """Create a view from a [[view]] of operation.toml."""
        frozen: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
        return cls(length_unit=length_unit, **frozen)

    @classmethod
    def every(cls, declared: Iterable[Mapping[str, Any]], length_unit: str = BYTES) -> list[View]:
        """Return an operation's views, and a view by machine for each measure that declares none.

        The added views are printed on request only, except those of the first view if the operation declares none by
        machine.
        """
        views = [cls.declared(values, length_unit) for values in declared]
        across = {measure for view in views if view.across for measure in view.measures}
        first, added = views[0] if views and not across else None, list[View]()
        for view in views:
            for measure in view.measures:
                if measure not in across and (view.columns == "measure" or (view.columns == "length" and view.show)):
                    across.add(measure)
                    added.append(replace(view._by_machine(measure), on_request=view is not first))
        return [*views, *added, IMPLEMENTATIONS]

    def _by_machine(self, measure: str) -> View:
        """Return the view of one measure by machine, at a typical length."""
        title, where = self.title.partition(", by ")[0], dict(self.where)
        if self.columns == "length":
            where["length"] = TYPICAL_LENGTH if TYPICAL_LENGTH in self.show else self.show[len(self.show) // 2]
            title += ", length {length}" if self.length_unit == BYTES else f", {{length}} {self.length_unit}"
        elif len(self.measures) > 1:
            title += ": {measure}"
        title = f"{title}, by machine"
        return replace(self, name="machine", title=title, columns="machine", measures=(measure,), where=where, show=())

    @property
    def across(self) -> bool:
        """Return whether machines run across, with numbers."""
        return self.columns == "machine" and not self.tunings and not self.implementations

    def answers(self, name: str) -> bool:
        """Return whether a name means this view; "machine" means every view that machines run across."""
        return self.name == name or (name == "machine" and self.across)

    @classmethod
    def undeclared(cls, measures: Sequence[str]) -> list[View]:
        """Return the views of an operation that is known from imported runs alone."""
        title = "{unit} of {measure}, by length in bytes"
        tunings = cls(name="tuning", title="The chosen tunings, by machine", columns="machine", tunings=True)
        return [cls(name="length", title=title, columns="length", measures=tuple(measures)), tunings, IMPLEMENTATIONS]

    def titled(self, **values: str | int) -> str:
        """Return the title with its {placeholders} filled in; `BadDeclaration` if one is unknown."""
        try:
            return self.title.format_map({**self.where, **values})
        except (KeyError, ValueError, IndexError) as error:
            raise BadDeclaration(f"title of view {self.name!r}: {error}") from error

    @property
    def sizes_alone(self) -> bool:
        """Return whether the view shows sizes and no times."""
        return self.columns == "size"

    def is_default(self, machines: int) -> bool:
        """Return whether it is printed without request; views by machine need several machines."""
        return not self.on_request and (not self.across or machines > 1)


IMPLEMENTATIONS = View(
    name="implementation",
    title="Work load that chooses the tuning, by implementation with its best compiler",
    columns="machine",
    implementations=True,
    on_request=True,
)
"""The view of every operation that shows all implementations."""


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The user's options for tables; empty means no restriction."""

    systems: tuple[str, ...] = ()  # "operation/primitive"
    measures: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    ad_lengths: tuple[int, ...] = ()
    requested: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # values that the runs were asked to measure
    across_contracts: bool = False  # also show machines whose numbers do not compare
    per_byte: bool = False
    megabytes: bool = False  # MB/s, 10^6 bytes
    sort: str = "cycles"  # cycles = by the last column of figures | name | a column's label


def requested(infos: Sequence[RunInfo]) -> dict[str, tuple[int, ...]]:
    """Return the lengths and numbers of active keys that all runs were asked to measure, by variable.

    They come from the options --length and --keys of `cyclometer run`.
    """
    options = [info.plan.get("options", {}) for info in infos]
    lengths = [lengths_of(str(run_options.get("lengths") or "")) for run_options in options]
    keys = [keys_of(str(run_options.get("keys") or "")) for run_options in options]
    result = {"length": _values(lengths), "keys": _values(keys)}
    if result["keys"]:
        result["keys"] = tuple(sorted({1, *result["keys"]}))  # always measured
    return {name: values for name, values in result.items() if values}


def _values(ranges_of_runs: Sequence[Sequence[range]]) -> tuple[int, ...]:
    if not all(ranges_of_runs):
        return ()
    return tuple(sorted({value for ranges in ranges_of_runs for values in ranges for value in values}))


def pinned(view: View, options: TableOptions) -> list[dict[str, int]]:
    """Return the variables that a view fixes, once per table."""
    if options.ad_lengths and view.columns != "ad_length":
        return [{**each, "ad_length": ad} for ad in options.ad_lengths for each in _pinned_lengths(view, options)]
    return _pinned_lengths(view, options)


def _pinned_lengths(view: View, options: TableOptions) -> list[dict[str, int]]:
    """Return the variables that the view fixes; requested lengths replace its own."""
    fixed = dict(view.where)
    if view.columns == "length" or "length" not in fixed:
        return [fixed]
    declared_length, lengths = fixed["length"], options.requested.get("length", (fixed["length"],))
    if len(lengths) > MAX_REQUESTED_COLUMNS:
        lengths = (declared_length,) if declared_length in lengths else tuple(_spread(lengths))
    return [{**fixed, "length": length} for length in options.lengths or lengths]


def columns_to_show(view: View, sampled: Sequence[int], options: TableOptions) -> list[int]:
    """Return the values of the column variable that become columns.

    They are those requested, else those that the runs were asked to measure, else declared, else sampled.
    """
    present = frozenset(sampled)
    if view.columns == "length" and options.lengths:
        return [value for value in options.lengths if value in present]
    if view.columns == "ad_length" and options.ad_lengths:
        return [value for value in options.ad_lengths if value in present]
    requested_values = [value for value in options.requested.get(view.columns, ()) if value in present]
    if requested_values:
        return requested_values if len(requested_values) <= MAX_REQUESTED_COLUMNS else _spread(requested_values)
    declared = [value for value in view.show if value in present]
    return declared or (list(sampled) if len(sampled) <= ENOUGH_COLUMNS else _spread(sampled))


def _spread(values: Sequence[int]) -> list[int]:
    """Return ENOUGH_COLUMNS of the values, evenly spread."""
    last = len(values) - 1
    return [values[round(index * last / (ENOUGH_COLUMNS - 1))] for index in range(ENOUGH_COLUMNS)]


def is_variable(name: str) -> bool:
    """Return whether a view's `columns` is a variable of the samples, not machine or measure."""
    return name in VARIABLES
