# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables in memory: arrays of one length by the names of their columns, and the types with which they are stored.

Numbers and truth values are arrays of their own type. Texts, lists and columns that may lack a value are arrays of
objects. Types have the names that the database gives them (store/parquet.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
Row = Mapping[str, Any]

Types = Mapping[str, str]
"""Column -> type, in the order of the columns."""

TEXT, BOOLEAN, NUMBER = "VARCHAR", "BOOLEAN", "DOUBLE"
INT16, INT32, INT64 = "SMALLINT", "INTEGER", "BIGINT"
INT64_LIST = "BIGINT[]"

_ARRAYS: Mapping[str, npt.DTypeLike] = {BOOLEAN: np.bool_, INT16: np.int16, INT32: np.int32, INT64: np.int64}


def array_of(kind: str, values: Sequence[Any]) -> Array:
    """Return values as a column of a type; OverflowError if one does not fit into it."""
    if kind in _ARRAYS and None not in values:
        return np.array(values, _ARRAYS[kind])
    return np.fromiter(values, np.object_, len(values))


def columns_of(rows: Iterable[Row], types: Types) -> Columns:
    """Return rows as columns; what a row lacks is no value."""
    rows = list(rows)
    return {name: array_of(kind, [row.get(name) for row in rows]) for name, kind in types.items()}


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """Return the rows, of plain values."""
    values = [
        [value.tolist() if isinstance(value, np.ndarray) else value for value in column.tolist()]
        for column in columns.values()
    ]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def count_of(columns: Columns) -> int:
    """Return the number of rows."""
    return len(next(iter(columns.values())))


def with_constants(columns: Columns, constants: Row, types: Types) -> Columns:
    """Return a table with more columns, each of them with the same value in every row."""
    count = count_of(columns)
    return {**columns, **{name: array_of(types[name], [value] * count) for name, value in constants.items()}}


def chosen(columns: Columns, rows: Array) -> Columns:
    """Return the rows of a mask, or with these indices."""
    return {name: column[rows] for name, column in columns.items()}


def joined(tables: Sequence[Columns]) -> Columns:
    """Return the rows of all tables, which have the same columns; there is at least one table."""
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def lists_of(column: Array) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return the items of a column of lists one after the other, and how many each list has; no list has none."""
    lists = [items for items in column.tolist() if items is not None]
    counts = np.array([0 if items is None else len(items) for items in column.tolist()], np.int64)
    return np.concatenate(lists) if lists else np.array([], np.float64), counts
