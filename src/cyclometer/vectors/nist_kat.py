# SPDX-License-Identifier: MIT OR Apache-2.0
"""Known answers in the format of NIST's lightweight cryptography project, such as LWC_AEAD_KAT_128_96.txt.

Records are lines `Name = hex`, ended by an empty line. What they call the ciphertext contains the tag wherever the
submission's own encryption puts it: after the text, as in RFC 5116, for most.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors
from cyclometer.records.catalogue import Operation
from cyclometer.vectors.templates import is_hex, vector_lines

MAX_LINE = 1 << 18  # characters; the longest of the call is a message of 1024 bytes

FIELDS = {
    "Count": "id",
    "Key": "key",
    "Nonce": "nonce",
    "PT": "plaintext",
    "AD": "ad",
    "CT": "packet",
    "Msg": "message",
    "MD": "hash",
    "Tag": "tag",
}
_FILE = re.compile(r"LWC_([A-Z]+)_KAT_[0-9_]+\.txt")


def operation_of(path: Path, operations: Mapping[str, Operation]) -> str:
    """Return the operation that a file of known answers belongs to, judged by its name, or ''."""
    match = _FILE.fullmatch(path.name)
    kind = match[1] if match else ""
    return next((name for name, each in operations.items() if each.foreign and kind in each.foreign.lwc_kat), "")


def read_known_answers(path: Path) -> tuple[dict[str, Any], ...]:
    """Read the vectors of a file; BadVectors names the wrong line."""
    lines = vector_lines(path)
    if len(max(lines, key=len, default="")) > MAX_LINE:
        raise BadVectors(f"{path}: has a line of more than {MAX_LINE:,} characters, the limit for known answers")
    records: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, equals, value = (word.strip() for word in line.partition("="))
        if not equals or name not in FIELDS or not (name == "Count" or is_hex(value.lower())):
            raise BadVectors(f"{path}: line {number} is not `Name = hex`, or has an unknown name")
        if name == "Count":
            records.append({})
        if not records:
            raise BadVectors(f"{path}: line {number} comes before the first Count")
        records[-1][FIELDS[name]] = value.lower()
    if not records:
        raise BadVectors(f"{path}: has no records")
    return tuple(records)
