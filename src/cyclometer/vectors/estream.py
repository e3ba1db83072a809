# SPDX-License-Identifier: MIT OR Apache-2.0
"""Test vectors in the format of eSTREAM's test program: *.test-vectors.

A vector has parts of the keystream and the XOR of all its blocks of 64 bytes. Vectors with plaintexts (set 7 and
above) are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors
from cyclometer.vectors.templates import vector_lines

SUFFIX = ".test-vectors"
_LABEL = re.compile(r"^Set\s+(\d{1,9}),\s*vector#\s*(\d{1,9}):")
_FIELD = re.compile(r"^\s*(key|IV|xor-digest|stream\[(\d{1,9})\.\.(\d{1,9})\]|[A-Za-z]+)\s*=\s*([0-9A-Fa-f]*)\s*$")
_MORE = re.compile(r"^\s+([0-9A-Fa-f]+)\s*$")
_SIZES = re.compile(r"^(Key|IV) size:\s*(\d{1,9}) bits")


def read_stream_vectors(path: Path) -> tuple[dict[str, Any], ...]:
    """Read the vectors of all key and IV sizes; BadVectors if there are none."""
    vectors = [vector for fields in _records(vector_lines(path)) if (vector := _vector(fields, path))]
    if not vectors:
        raise BadVectors(f"{path}: has no keystream vectors")
    return tuple(vectors)


def _records(lines: list[str]) -> Iterator[dict[str, str]]:
    """Yield the fields of each vector (name -> hex), its `id`, and the sizes in bits of key and IV."""
    record: dict[str, str] = {}
    sizes: dict[str, str] = {}
    last, parts = "", []  # the name and the lines of the field that is read
    for line in lines:
        if (more := _MORE.match(line)) and last:
            parts.append(more[1])
            continue
        size, label, field = _SIZES.match(line), _LABEL.match(line), _FIELD.match(line)
        if last and (label or field):
            record[last] = "".join(parts)
        if size:
            sizes[f"{size[1]} size"] = size[2]
        elif label:
            yield record
            record = {"id": f"{sizes.get('Key size')}-{sizes.get('IV size')} set {label[1]} vector {label[2]}", **sizes}
            last = ""
        elif field:
            last, parts = field[1], [field[4]]
    if last:
        record[last] = "".join(parts)
    yield record


def _vector(fields: dict[str, str], path: Path) -> dict[str, Any] | None:
    chunks = {
        match[2]: (int(match[3]) + 1, value.lower())
        for name, value in fields.items()
        if (match := _FIELD.match(f"{name} =")) and match[2]
    }
    if not chunks or not {"id", "key"} <= fields.keys():
        return None
    if any(len(value) != 2 * (end - int(start)) for start, (end, value) in chunks.items()):
        raise BadVectors(f"{path}: {fields['id']}: a part of the stream has not as many bytes as it says")
    key, nonce = (int(fields.get(f"{name} size", 0)) // 4 for name in ("Key", "IV"))
    vector: dict[str, Any] = {
        "id": fields["id"],
        "key": fields["key"].lower()[:key],
        "nonce": fields.get("IV", "").lower()[:nonce],
        "length": max(end for end, _ in chunks.values()),
        "chunks": {offset: value for offset, (_, value) in chunks.items()},
    }
    return vector | ({"xor_digest_64": fields["xor-digest"].lower()} if "xor-digest" in fields else {})
