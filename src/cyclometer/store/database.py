# SPDX-License-Identifier: MIT OR Apache-2.0
"""The database: opened so that it never fetches anything, and its answers as columns."""

from __future__ import annotations

import functools
import os

import duckdb
import numpy as np

from cyclometer.records.columns import Columns

_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,  # what we need is built in; nothing is fetched
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # a table is never a variable of ours
}


def open_database(**settings: str | bool | int | float | list[str]) -> duckdb.DuckDBPyConnection:
    """Open an empty database in memory, with these settings of DuckDB."""
    return duckdb.connect(config={**_CLOSED, **settings})


def own_database() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database of this process, which reads and writes small files in one thread."""
    return _own_database(os.getpid()).cursor()


@functools.cache
def _own_database(_process: int) -> duckdb.DuckDBPyConnection:
    return open_database(threads=1)


def fetched(database: duckdb.DuckDBPyConnection, query: str) -> Columns:
    """Return the answer to a query as columns; a missing number is NaN, other missing values stay masked."""
    return {
        name: np.ma.filled(column, np.nan) if np.ma.isMA(column) and column.dtype.kind == "f" else column
        for name, column in database.sql(query).fetchnumpy().items()
    }
