# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parquet files: written from columns, read as rows, and what their footers say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cyclometer.records.columns import Columns, Types
from cyclometer.store.database import own_database

OPTIONS = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
"""Options of COPY for every file that we write. The caller gives it a temporary name."""


def write_parquet(path: Path, columns: Columns, types: Types) -> None:
    """Write a table with the columns of `types` in their order."""
    with own_database() as database:
        database.register("columns", dict(columns))
        database.execute(f"COPY (SELECT {as_types(types)} FROM columns) TO ? ({OPTIONS})", [str(path)])


def as_types(types: Types) -> str:
    """Return the SQL that selects columns with their types."""
    return ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in types.items())


def read_rows(path: Path, types: Types) -> list[dict[str, Any]]:
    """Return the rows of a file that fits into memory; a column that it lacks has no value."""
    present = set(column_names(path))
    names = ", ".join(f'"{name}"' if name in present else "NULL" for name in types)
    with own_database() as database:
        rows = database.execute(f"SELECT {names} FROM read_parquet(?)", [[str(path)]]).fetchall()
    return [dict(zip(types, row, strict=True)) for row in rows]


def column_types(path: Path) -> dict[str, str]:
    """Return the database's type of each column of a file, from its footer."""
    with own_database() as database:
        described = database.execute("DESCRIBE SELECT * FROM read_parquet(?)", [[str(path)]]).fetchall()
    return {str(column[0]): str(column[1]) for column in described}


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a file, from its footer."""
    return list(column_types(path))


def incomplete_columns(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """Return each file and column of it in which values are missing, from their footers."""
    names = [str(path) for path in paths]
    if not names:
        return []
    query = "SELECT DISTINCT file_name, path_in_schema FROM parquet_metadata(?) WHERE stats_null_count > 0 ORDER BY ALL"
    with own_database() as database:
        return [(str(file), str(column)) for file, column in database.execute(query, [names]).fetchall()]


def other_names(paths: Iterable[Path], names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return each file, text column and value of it that is not the one given for the column, from their footers."""
    files = [str(path) for path in paths]
    if not files:
        return []
    query = (
        "SELECT DISTINCT file_name, path_in_schema, coalesce(nullif(stats_min_value, $name), stats_max_value) AS other "
        "FROM parquet_metadata($files) WHERE path_in_schema = $column AND other <> $name ORDER BY ALL"
    )
    with own_database() as database:
        found = [database.execute(query, dict(files=files, column=c, name=n)).fetchall() for c, n in names.items()]
    return [(str(file), str(column), str(other)) for rows in found for file, column, other in rows]


def count_rows(paths: Iterable[Path]) -> int:
    """Return the number of rows of all files together, from their footers."""
    names = [str(path) for path in paths]
    if not names:
        return 0
    with own_database() as database:
        found = database.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [names]).fetchall()
    return int(found[0][0])
