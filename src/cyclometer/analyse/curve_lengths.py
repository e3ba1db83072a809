# SPDX-License-Identifier: MIT OR Apache-2.0
"""Curves at the one length that a plot shows; between two measured lengths, on the straight line between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.interpolation import shares
from cyclometer.errors import UnknownName
from cyclometer.records.curve import Curve, PlotInputs

Systems = Mapping[str, Sequence[str]]  # operation -> primitives


def having(
    connection: duckdb.DuckDBPyConnection, systems: Systems, length: int | None, inputs: PlotInputs
) -> tuple[Systems, list[str]]:
    """Return the operations with numbers at a length, and a note on the others. `UnknownName` if there is none.

    For a plot that shows one length, a number between two measured lengths will do.
    """
    if length is None:
        return systems, []
    rows = connection.sql("SELECT DISTINCT operation, length FROM samples WHERE measure <> 'empty'").fetchall()
    sampled = {name: sorted(int(each) for operation, each in rows if operation == name) for name in systems}
    kept = {
        operation: names
        for operation, names in systems.items()
        if length in sampled[operation]
        or (inputs.one_length and not inputs.placement and shares(sampled[operation], length))
    }
    if not kept:
        every = [each for lengths in sampled.values() for each in lengths]
        nearest = min(every, key=lambda measured: (abs(measured - length), measured))
        remedy = f"`cyclometer run --length {length}` measures it"
        reason = f"not measured in the runs chosen; the nearest is {nearest}; {remedy}"
        raise UnknownName("length", str(length), (), reason)
    return kept, [f"{operation}: length {length} was not measured" for operation in systems if operation not in kept]


def lengths_for(connection: duckdb.DuckDBPyConnection, where: str, length: int) -> tuple[int, ...]:
    """Return the measured lengths from which numbers at a length follow: the length itself, or its neighbours."""
    rows = connection.sql(f"SELECT DISTINCT machine, primitive, measure, keys, length FROM samples WHERE {where}")
    measured: dict[tuple[object, ...], list[int]] = {}
    for *point, each in rows.fetchall():
        measured.setdefault(tuple(point), []).append(int(each))
    needed = {each for lengths in measured.values() for each, _ in shares(sorted(lengths), length)}
    return tuple(sorted(needed)) or (length,)


def at(curve: Curve, length: int) -> Curve | None:
    """Return a curve at one length, interpolated if it lies between two; None outside of the curve.

    A curve of a measure without a length stays as it is.
    """
    if curve.lengths.tolist() == [0]:
        return curve
    parts = shares(curve.lengths.tolist(), length)
    if not parts:
        return None
    indices = np.searchsorted(curve.lengths, [each for each, _ in parts])
    weights = np.array([weight for _, weight in parts])

    def mean(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(np.tensordot(weights, values[indices], axes=1))[np.newaxis]

    return replace(
        curve,
        lengths=np.array([length], np.int64),
        cycles=mean(curve.cycles),
        rounds=mean(curve.rounds),
        low=mean(curve.low),
        high=mean(curve.high),
        first_quartile=mean(curve.first_quartile),
        third_quartile=mean(curve.third_quartile),
        disturbed=np.array([curve.disturbed[indices].any()]),
        between=tuple(each for each, _ in parts) if len(parts) > 1 else (),
    )
