# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is asked about a vector: the operation's templates, filled with the vector's fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cyclometer.records.catalogue import VectorTemplate

REJECTED = "rejected"
ABSENT = "absent"  # the answer of an implementation that has no such thing
MAX_FIELD_BYTES = 1 << 28  # bytes of one field

Vector = Mapping[str, Any]

FIELD = re.compile(r"\{(\w+)\}")
HEX = re.compile(r"([0-9a-f]{2})*")


@dataclass(frozen=True, kw_only=True)
class VectorRequest:
    """One line for an executable, and what it must answer."""

    line: str
    expect: str  # a template, or REJECTED
    vector: Vector  # with its zeroes written out
    optional: bool


def requests(questions: Iterable[VectorTemplate], vector: Vector) -> Iterator[VectorRequest]:
    """All that can be asked of this vector, which must fit."""
    full = dict(vector)
    for name in [name for name in full if name.endswith("_zero_bytes")]:
        full[name.removesuffix("_zero_bytes")] = "00" * int(full[name])
    for question in _applicable(questions, vector):
        words = [_filled(word, full) or "-" for word in question.ask.split()]
        expect = question.expect if vector.get("valid", True) else REJECTED
        yield VectorRequest(line=" ".join(words), expect=expect, vector=full, optional=question.optional)


def validation_error(questions: Iterable[VectorTemplate], vector: Vector, sizes: Mapping[str, int]) -> str:
    """The first field that is no hex, no number, or not of the primitive's size (key_bytes -> 32), or ''."""
    if not isinstance(vector.get("valid", True), bool):
        return f"valid is {vector['valid']!r}, neither true nor false"
    asked = _applicable(questions, vector)
    if not asked:
        return "its fields are those of no question that the operation asks"
    texts = [question.ask for question in asked]
    if vector.get("valid", True):
        texts += [question.expect for question in asked]
    for name in sorted({name for text in texts for name in FIELD.findall(text)}):
        if words := _misfit(vector, name, sizes.get(f"{name}_bytes")):
            return words
    return ""


def _applicable(questions: Iterable[VectorTemplate], vector: Vector) -> list[VectorTemplate]:
    """Those whose fields the vector has; of a vector that is not valid, those that are to be answered so."""
    valid = vector.get("valid", True)
    return [
        question
        for question in questions
        if (valid or question.judges)
        and all(name in vector or f"{name}_zero_bytes" in vector for name in question.when)
        and not _long_answer_in(question.ask, vector)
    ]


def _long_answer_in(ask: str, vector: Vector) -> bool:
    """Whether a question needs bytes of which the vector has only the hash."""
    return any(name not in vector and f"{name}_sha256" in vector for name in FIELD.findall(ask))


def _filled(template: str, vector: Vector) -> str:
    return FIELD.sub(lambda match: str(vector.get(match[1], "")), template)


def _misfit(vector: Vector, name: str, size: int | None) -> str:
    zeroes, value = vector.get(f"{name}_zero_bytes", 0), vector.get(name, "")
    if not _is_count(zeroes):
        return f"{name}_zero_bytes is {zeroes!r}, not a number of bytes"
    if not isinstance(value, str):
        return "" if size is None and _is_count(value) else f"{name} is {value!r}, neither hex nor a number of bytes"
    if not HEX.fullmatch(value):
        return f"{name} is not lower-case hex, two digits a byte"
    if size is not None and f"{name}_sha256" not in vector and len(value) // 2 + zeroes != size:
        return f"{name} has {len(value) // 2 + zeroes} bytes instead of {size}"
    chunks = vector.get("chunks", {})
    if not isinstance(chunks, dict) or not all(
        offset.isdigit() and isinstance(chunk, str) and HEX.fullmatch(chunk) for offset, chunk in chunks.items()
    ):
        return "chunks is not {offset: hex}"
    return ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= MAX_FIELD_BYTES
