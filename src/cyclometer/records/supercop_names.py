# SPDX-License-Identifier: MIT OR Apache-2.0
"""The names in SUPERCOP's data lines and ours, for export and import.

The record of a measure is called by its name and `_cycles`, that of a size by its name without underscores; `cycles`
alone is the operation's main measure. [foreign] of operation.toml has the exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cyclometer.records.catalogue import ForeignOperation

CONTRACT = "supercop-"
"""The contract of what SUPERCOP measured is this prefix and its version."""

_SUFFIX = "_cycles"


class DataLines:
    """The names in the data lines of one operation; `foreign` holds those of all operations."""

    def __init__(self, operation: str, foreign: Mapping[str, ForeignOperation]) -> None:
        names = foreign.get(operation)
        self.plain = names.cycles if names else operation.removeprefix("crypto_")
        self.ad_unit = names.ad_unit if names else 0
        self.packet_overhead = names.packet_overhead if names else ""
        self._records = names.records if names else {}
        self._sizes = {ours: macro.lower() for macro, ours in names.sizes.items() if ours} if names else {}

    def kind_of(self, measure: str) -> str:
        """Return the kind of record for the cycles of a measure."""
        return "cycles" if measure == self.plain else self._records.get(measure, measure + _SUFFIX)

    def measure_of(self, kind: str) -> str:
        """Return the measure whose cycles a kind of record holds, or ''."""
        if kind == "cycles":
            return self.plain
        measure = next((measure for measure, record in self._records.items() if record == kind), "")
        return measure or (kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else "")

    def kind_of_size(self, size: str) -> str:
        """Return the kind of record for a size of the primitive: `keybytes` for key_bytes."""
        return self._sizes.get(size, size.replace("_", ""))

    def size_of(self, kind: str) -> str:
        """Return our name of a size, or the kind of record itself if we have none."""
        return next((size for size, record in self._sizes.items() if record == kind), kind)

    def length(self, length: int, ad_length: int) -> int:
        """Return a record's length, which combines associated data and message in one number."""
        return ad_length * self.ad_unit + length

    def lengths(self, length: int) -> tuple[int, int]:
        """Split a record's length into (associated data, message)."""
        return divmod(length, self.ad_unit) if self.ad_unit else (0, length)

    def holds(self, length: int, ad_length: int) -> bool:
        """Return whether a record's length can express both."""
        return not ad_length or length < self.ad_unit


_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


def is_plain(name: str) -> bool:
    """Return whether a name can be that of a machine, ABI or primitive, and a part of a folder's name."""
    return _NAME.fullmatch(name) is not None


def plain(name: str) -> str:
    """Return the name with `_` for what a machine's cannot have: `vm [32-bit]` becomes vm_32-bit."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", name).lstrip(".+-").strip("_") or "_"


def word(text: str) -> str:
    """Return a text as a field: blanks become `_`, an empty text `-`."""
    return "_".join(text.split()) or "-"
