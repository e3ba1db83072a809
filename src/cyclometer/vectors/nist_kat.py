# SPDX-License-Identifier: MIT OR Apache-2.0
"""Known answers of NIST's lightweight call: LWC_AEAD_KAT_128_96.txt, LWC_HASH_KAT_256.txt and the like.

Records are lines `Name = hex`, ended by an empty line. The ciphertext has the tag where the package's own
encryption leaves it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cyclometer.errors import BadVectors
from cyclometer.records.catalogue import Operation
from cyclometer.vectors.templates import HEX

FIELDS = {
    "Count": "id",
    "Key": "key",
    "Nonce": "nonce",
    "PT": "plaintext",
    "AD": "ad",
    "CT": "ciphertext",
    "Msg": "message",
    "MD": "hash",
    "Tag": "tag",
}
_FILE = re.compile(r"LWC_([A-Z]+)_KAT_[0-9_]+\.txt")


def operation_of(path: Path, operations: Mapping[str, Operation]) -> str:
    """The operation whose known answers a file has by its name, or ''."""
    named = _FILE.fullmatch(path.name)
    kind = named[1] if named else ""
    return next((name for name, one in operations.items() if one.foreign and kind in one.foreign.lwc_kat), "")


def read_known_answers(path: Path) -> tuple[dict[str, Any], ...]:
    """The vectors of a file; BadVectors names the line that is wrong."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise BadVectors(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadVectors(f"{path}: is not ASCII") from None
    records: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, equals, value = (word.strip() for word in line.partition("="))
        if not equals or name not in FIELDS or not (name == "Count" or HEX.fullmatch(value.lower())):
            raise BadVectors(f"{path}: line {number} is not `Name = hex` of a known name")
        if name == "Count":
            records.append({})
        if not records:
            raise BadVectors(f"{path}: line {number} comes before the first Count")
        records[-1][FIELDS[name]] = value.lower()
    if not records:
        raise BadVectors(f"{path}: has no record")
    return tuple(records)
