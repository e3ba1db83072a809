# SPDX-License-Identifier: MIT OR Apache-2.0
"""A file of cells: a line of JSON, then rows of fixed length, sorted, of which a reader touches only those it needs.

Before both is a line with their SHA-256. Texts are stored as indices of a sorted list in the line of JSON, so that rows
sort like their texts.
"""

from __future__ import annotations

import bisect
import hashlib
import json
import mmap
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.kept import LINE_BYTES, sealed, write_to_cache
from cyclometer.records.columns import Array, Columns, count_of
from cyclometer.store import is_right

BLOCK = 1024  # rows that are looked through for one key: few, since a table needs few of many lengths


class CellFile:
    """An open file of cells; OSError, ValueError or KeyError if it is not whole."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            listed = file.readline(LINE_BYTES).decode("ascii").rstrip("\n")
            if not is_right(path, listed, lambda: hashlib.file_digest(file, "sha256").hexdigest() == listed):
                raise ValueError(f"{path} is damaged")
            file.seek(LINE_BYTES)
            head = json.loads(file.readline())
            self.facts: Mapping[str, Any] = head["facts"]
            self._texts: Mapping[str, Sequence[str]] = head["texts"]
            fields = np.dtype([(name, kind) for name, kind in head["fields"]])
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._rows = np.frombuffer(content, fields, head["rows"], file.tell())
            self._key: Sequence[str] = head["key"]

    def coded(self, name: str) -> tuple[Sequence[str], Array]:
        """Return the distinct texts of a column, and the index of each row's."""
        return self._texts[name], self._rows[name]

    def numbers(self, name: str) -> Array:
        """Return a column of numbers or truth values."""
        return self._rows[name]

    def rows(self, keys: Iterable[Sequence[Any]], conditions: Mapping[str, set[Any]]) -> dict[str, list[Any]]:
        """Return the rows near these keys whose columns have one of the values that the conditions allow."""
        found = np.concatenate([self._rows[:0], *(self._rows[block] for block in self._blocks(keys))])
        for name, values in conditions.items():
            found = found[np.isin(found[name], [code for value in values for code in self._codes(name, value)])]
        return self._listed(found)

    def matching(self, conditions: Mapping[str, Collection[Any]]) -> dict[str, list[Any]]:
        """Return all rows whose columns have one of the values that the conditions allow; no values: any."""
        kept = np.ones(len(self._rows), bool)
        for name, values in conditions.items():
            if values:
                kept &= np.isin(self._rows[name], [code for value in values for code in self._codes(name, value)])
        return self._listed(self._rows[kept])

    def _blocks(self, keys: Iterable[Sequence[Any]]) -> list[slice]:
        """Return the blocks of rows that may begin with these keys: values of the first columns by which rows sort."""
        starts = self._rows[[*self._key]][::BLOCK].tolist()
        blocks: set[int] = set()
        for key in keys:
            codes = [self._codes(name, value) for name, value in zip(self._key, key, strict=True)]
            if all(codes):
                coded = tuple(code for (code,) in codes)
                blocks.update(range(max(bisect.bisect_left(starts, coded) - 1, 0), bisect.bisect_right(starts, coded)))
        return [slice(block * BLOCK, (block + 1) * BLOCK) for block in sorted(blocks)]

    def _codes(self, name: str, value: Any) -> list[Any]:
        """Return how a value is stored; a text that no row has is not."""
        texts = self._texts.get(name)
        return [value] if texts is None else [texts.index(value)] if value in texts else []

    def _listed(self, found: Array) -> dict[str, list[Any]]:
        return {name: self._values(name, found[name].tolist()) for name in found.dtype.names or ()}

    def _values(self, name: str, codes: list[Any]) -> list[Any]:
        texts = self._texts.get(name)
        return codes if texts is None else [texts[code] for code in codes]


def write_cells(path: Path, table: Columns, key: Sequence[str], order: Sequence[str], facts: Mapping[str, Any]) -> None:
    """Write cells sorted by the columns `key`, then by `order`; whole or not at all."""
    texts = {name: sorted(set(column.tolist())) for name, column in table.items() if column.dtype == np.object_}
    coded = {name: _coded(column, texts[name]) if name in texts else column for name, column in table.items()}
    fields = [(name, column.dtype.str) for name, column in coded.items()]
    rows = np.empty(count_of(table), fields)
    sorting = np.lexsort([coded[name] for name in reversed([*key, *order])])
    for name, column in coded.items():
        rows[name] = column[sorting]
    head = {"facts": facts, "texts": texts, "fields": fields, "rows": len(rows), "key": list(key)}
    write_to_cache(path, sealed(json.dumps(head).encode() + b"\n" + rows.tobytes()))


def _coded(column: Array, texts: Sequence[str]) -> Array:
    codes = {text: code for code, text in enumerate(texts)}
    return np.array([codes[text] for text in column.tolist()], np.int32)
