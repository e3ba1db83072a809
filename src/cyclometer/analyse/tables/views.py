# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tables are asked for: an operation's views, and the user's options about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.errors import BadDeclaration
from cyclometer.records.grid import keys_of, lengths_of
from cyclometer.records.run import RunInfo

ENOUGH_COLUMNS = 8
"""Columns of a view that names none, when more values than these were measured."""

TYPICAL_LENGTH = 576
"""Bytes of the packet that represents all lengths, where it is measured or shown; else a length near it."""

MAX_REQUESTED_COLUMNS = 16
"""Columns that a run may ask for: of more values it was told to measure, ENOUGH_COLUMNS are shown."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A table an operation declares: rows are primitives, `columns` is the variable that runs across."""

    name: str
    title: str
    columns: str  # length | ad_length | keys | alignment | machine | measure | size
    measures: tuple[str, ...] = ()
    show: tuple[int, ...] = ()
    where: Mapping[str, int] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    tunings: bool = False
    per: str = ""  # a variable to divide by: cycles for each of so many keys
    on_request: bool = False  # printed only when it is asked for by name

    @classmethod
    def declared(cls, values: Mapping[str, Any]) -> View:
        """From a [[view]] of operation.toml."""
        frozen: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
        return cls(**frozen)

    @classmethod
    def every(cls, declared: Iterable[Mapping[str, Any]]) -> list[View]:
        """An operation's, and one by machine for each measure that it declares none for; unasked are printed only
        those of the first view, and only where the operation declares none at all."""
        views = [cls.declared(values) for values in declared]
        across = {measure for view in views if view.across for measure in view.measures}
        first, added = views[0] if views and not across else None, list[View]()
        for view in views:
            for measure in view.measures:
                if measure not in across and (view.columns == "measure" or (view.columns == "length" and view.show)):
                    across.add(measure)
                    added.append(replace(view._by_machine(measure), on_request=view is not first))
        return views + added

    def _by_machine(self, measure: str) -> View:
        """One measure, at a usual length."""
        title, where = self.title.partition(", by ")[0], dict(self.where)
        if self.columns == "length":
            where["length"] = TYPICAL_LENGTH if TYPICAL_LENGTH in self.show else self.show[len(self.show) // 2]
            title += ", length {length}"
        elif len(self.measures) > 1:
            title += ": {measure}"
        return View(name="machine", title=f"{title}, by machine", columns="machine", measures=(measure,), where=where)

    @property
    def across(self) -> bool:
        """Whether machines run across, with numbers."""
        return self.columns == "machine" and not self.tunings

    def answers(self, name: str) -> bool:
        """Whether it is meant by a name; "machine" means all of them that machines run across."""
        return self.name == name or (name == "machine" and self.across)

    @classmethod
    def undeclared(cls, measures: Sequence[str]) -> list[View]:
        """Those of an operation that is known from imported runs alone."""
        title = "{unit} of {measure}, by length in bytes"
        tunings = cls(name="tuning", title="The chosen tunings, by machine", columns="machine", tunings=True)
        return [cls(name="length", title=title, columns="length", measures=tuple(measures)), tunings]

    def titled(self, **known: str | int) -> str:
        """The title, what stands in braces filled in; BadDeclaration where that is not known."""
        try:
            return self.title.format_map({**self.where, **known})
        except (KeyError, ValueError, IndexError) as error:
            raise BadDeclaration(f"title of view {self.name!r}: {error}") from error

    @property
    def sizes_alone(self) -> bool:
        """Whether no figure of it is a time."""
        return self.columns == "size"

    def is_default(self, machines: int) -> bool:
        """Comparing machines is for when there are several; all else is printed unasked."""
        return not self.on_request and (not self.across or machines > 1)


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """What the user asked of the tables. Empty means: no restriction."""

    systems: tuple[str, ...] = ()  # "operation/primitive"
    measures: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    requested: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # what the runs were told to measure
    across_contracts: bool = False  # machines beside each other whose numbers do not compare
    per_byte: bool = False
    megabytes: bool = False  # MB/s, 10^6 bytes
    sort: str = "cycles"  # cycles = by the last column of figures | name | a column's label


def requested(infos: Sequence[RunInfo]) -> dict[str, tuple[int, ...]]:
    """Lengths and numbers of active keys that runs were told to measure (`cyclometer run --length --keys`), by
    variable; what only some of the runs were told is none."""
    options = [info.plan.get("options", {}) for info in infos]
    lengths = [lengths_of(str(each.get("lengths") or "")) for each in options]
    keys = [keys_of(str(each.get("keys") or "")) for each in options]
    found = {"length": _values(lengths), "keys": _values(keys)}
    if found["keys"]:
        found["keys"] = tuple(sorted({1, *found["keys"]}))  # which is measured in any case
    return {name: values for name, values in found.items() if values}


def _values(several: Sequence[Sequence[range]]) -> tuple[int, ...]:
    if not all(several):
        return ()
    return tuple(sorted({value for ranges in several for each in ranges for value in each}))


def pinned(view: View, options: TableOptions) -> list[dict[str, int]]:
    """The variables a view holds fast, once for each table: a length asked for takes the place of its own."""
    fixed = dict(view.where)
    if view.columns == "length" or "length" not in fixed:
        return [fixed]
    own, told_to = fixed["length"], options.requested.get("length", (fixed["length"],))
    if len(told_to) > MAX_REQUESTED_COLUMNS:
        told_to = (own,) if own in told_to else tuple(_spread(told_to))
    return [{**fixed, "length": length} for length in options.lengths or told_to]


def columns_to_show(view: View, sampled: Sequence[int], options: TableOptions) -> list[int]:
    """Which values of the column variable become columns: those asked for, else those that the runs were told to
    measure, else declared, else sampled."""
    if view.columns == "length" and options.lengths:
        return [value for value in options.lengths if value in sampled]
    wanted = [value for value in options.requested.get(view.columns, ()) if value in sampled]
    if wanted:
        return wanted if len(wanted) <= MAX_REQUESTED_COLUMNS else _spread(wanted)
    declared = [value for value in view.show if value in sampled]
    return declared or (list(sampled) if len(sampled) <= ENOUGH_COLUMNS else _spread(sampled))


def _spread(values: Sequence[int]) -> list[int]:
    """ENOUGH_COLUMNS of them, evenly."""
    last = len(values) - 1
    return [values[round(place * last / (ENOUGH_COLUMNS - 1))] for place in range(ENOUGH_COLUMNS)]


def is_variable(name: str) -> bool:
    """Whether a view's `columns` is a variable of the sample rather than machine or measure."""
    return name in VARIABLES
