# SPDX-License-Identifier: MIT OR Apache-2.0
"""Parquet files: written from columns, read as rows, and what their footers say."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
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


def column_types(paths: Sequence[Path]) -> list[dict[str, str]]:
    """Return the database's type of each column of each file, from their footers."""
    query = "SELECT file_name, name, duckdb_type, num_children FROM parquet_schema(?) ORDER BY file_name, column_id"
    with own_database() as database:
        rows = database.execute(query, [[str(path) for path in paths]]).fetchall()
    schemas = {file: [row[1:] for row in several] for file, several in itertools.groupby(rows, key=itemgetter(0))}
    return [dict(_columns(schemas[str(path)])) for path in paths]


def _columns(schema: Sequence[tuple[str, str, int | None]]) -> Iterator[tuple[str, str]]:
    """Yield the columns of a schema, a tree in the order of its nodes, without what they are made of."""
    inner = 0  # nodes that belong to the last column
    for name, kind, children in schema[1:]:
        if inner:
            inner -= 1
        else:
            yield name, kind
        inner += children or 0


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a file, from its footer."""
    return list(column_types([path])[0])


@dataclass(frozen=True, kw_only=True)
class ColumnRange:
    """What the footer of a file says of a column: whether values are missing, and the extremes of the others."""

    file: str
    column: str
    incomplete: bool
    least: str | None
    greatest: str | None


def column_ranges(paths: Iterable[Path], columns: Collection[str] = ()) -> list[ColumnRange]:
    """Return what the footers of files say of these columns (none: of all), by file and column."""
    names = [str(path) for path in paths]
    if not names:
        return []
    query = (
        "SELECT file_name, path_in_schema, max(stats_null_count) > 0, min(stats_min_value), max(stats_max_value) "
        "FROM parquet_metadata($files) WHERE $every OR list_contains($columns, path_in_schema) "
        "GROUP BY ALL ORDER BY ALL"
    )
    with own_database() as database:
        found = database.execute(query, dict(files=names, every=not columns, columns=list(columns))).fetchall()
    return [
        ColumnRange(file=file, column=column, incomplete=bool(incomplete), least=least, greatest=greatest)
        for file, column, incomplete, least, greatest in found
    ]


def count_rows(paths: Iterable[Path]) -> int:
    """Return the number of rows of all files together, from their footers."""
    names = [str(path) for path in paths]
    if not names:
        return 0
    with own_database() as database:
        found = database.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [names]).fetchall()
    return int(found[0][0])
