# SPDX-License-Identifier: MIT OR Apache-2.0
"""Requests for vectors: the operation's templates, filled with a vector's fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors, RefusedFile
from cyclometer.records.catalogue import VectorTemplate
from cyclometer.untrusted import MAX_VECTORS, read_text

REJECTED = "rejected"
ABSENT = "absent"  # the answer of an implementation without that function
MAX_FIELD_BYTES = 1 << 28
MAX_TEXT_BYTES = 16 << 20  # of a text file; published ones have a few megabytes
MAX_TEXT_LINES = 500_000

Vector = Mapping[str, Any]

FIELD = re.compile(r"\{(\w+)\}")
_OFFSET = re.compile(r"[0-9]{1,9}")
_HEX_DIGITS = "0123456789abcdef"


def is_hex(text: str) -> bool:
    """Return whether a text is lower-case hex, two digits per byte; it may be of megabytes."""
    return len(text) % 2 == 0 and not text.strip(_HEX_DIGITS)


def vector_text(path: Path, limit: int = MAX_VECTORS, *, strict: bool = True) -> str:
    """Return a file of vectors; `BadVectors` if it cannot be read, is too large or, if `strict`, is not UTF-8."""
    try:
        return read_text(path, limit=limit, strict=strict)
    except RefusedFile as error:
        raise BadVectors(str(error)) from None


def vector_lines(path: Path) -> list[str]:
    """Return the lines of a text file of vectors; `BadVectors` if it has too many bytes or lines to be one."""
    lines = vector_text(path, MAX_TEXT_BYTES, strict=False).splitlines()
    if len(lines) > MAX_TEXT_LINES:
        raise BadVectors(f"{path}: has more than {MAX_TEXT_LINES:,} lines, the limit for text files of vectors")
    return lines


@dataclass(frozen=True, kw_only=True)
class VectorRequest:
    """One request line for an executable, and the answer expected."""

    line: str
    expect: str  # a template, or REJECTED
    vector: Vector  # with its zero bytes written out
    optional: bool


def requests(templates: Iterable[VectorTemplate], vector: Vector) -> Iterator[VectorRequest]:
    """Yield the requests of all templates that apply to the vector, which must be valid by `validation_error`."""
    full = dict(vector)
    for name in [name for name in full if name.endswith("_zero_bytes") and _is_count(full[name])]:
        full[name.removesuffix("_zero_bytes")] = "00" * int(full[name])
    for template in _applicable(templates, vector):
        words = [_filled(word, full) or "-" for word in template.ask.split()]
        expect = template.expect if vector.get("valid", True) else REJECTED
        yield VectorRequest(line=" ".join(words), expect=expect, vector=full, optional=template.optional)


def validation_error(templates: Iterable[VectorTemplate], vector: Vector, sizes: Mapping[str, int]) -> str:
    """Describe the first malformed field of the vector, or return ''.

    `sizes` are the primitive's in bytes, such as key_bytes -> 32.
    """
    if not isinstance(vector.get("valid", True), bool):
        return f"valid is {vector['valid']!r}, neither true nor false"
    applicable = _applicable(templates, vector)
    if not applicable:
        return "its fields fit no [[vectors]] template of the operation"
    texts = [template.ask for template in applicable]
    if vector.get("valid", True):
        texts += [template.expect for template in applicable]
    for name in sorted({name for text in texts for name in FIELD.findall(text)}):
        if error := _field_error(vector, name, sizes.get(f"{name}_bytes")):
            return error
    return ""


def _applicable(templates: Iterable[VectorTemplate], vector: Vector) -> list[VectorTemplate]:
    """Return the templates whose fields the vector has; an invalid vector needs one that may be answered "rejected"."""
    valid = vector.get("valid", True)
    return [
        template
        for template in templates
        if (valid or template.judges)
        and all(name in vector or f"{name}_zero_bytes" in vector for name in template.when)
        and not _needs_hashed_field(template.ask, vector)
    ]


def _needs_hashed_field(ask: str, vector: Vector) -> bool:
    """Return whether a request needs a field of which the vector has only the hash."""
    return any(name not in vector and f"{name}_sha256" in vector for name in FIELD.findall(ask))


def _filled(template: str, vector: Vector) -> str:
    return FIELD.sub(lambda match: str(vector.get(match[1], "")), template)


def _field_error(vector: Vector, name: str, size: int | None) -> str:
    zeroes, value = vector.get(f"{name}_zero_bytes", 0), vector.get(name, "")
    if not _is_count(zeroes):
        return f"{name}_zero_bytes is {zeroes!r}, not a number of bytes"
    if not isinstance(value, str):
        return "" if size is None and _is_count(value) else f"{name} is {value!r}, neither hex nor a number of bytes"
    if not is_hex(value):
        return f"{name} is not lower-case hex, two digits per byte"
    if size is not None and f"{name}_sha256" not in vector and len(value) // 2 + zeroes != size:
        return f"{name} has {len(value) // 2 + zeroes} bytes instead of {size}"
    chunks = vector.get("chunks", {})
    if not isinstance(chunks, dict) or not all(
        _OFFSET.fullmatch(offset) and isinstance(chunk, str) and is_hex(chunk) for offset, chunk in chunks.items()
    ):
        return "chunks is not {offset: hex}"
    return ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= MAX_FIELD_BYTES
