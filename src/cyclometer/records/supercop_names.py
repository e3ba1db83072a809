# SPDX-License-Identifier: MIT OR Apache-2.0
"""What SUPERCOP's data lines and Cyclometer call the same thing: shared by the export and the import.

A measure's kind of record is its name and `_cycles`, a size's its name without underscores; what is called otherwise
is in [foreign] of operation.toml. `cycles` alone is what an operation is about.
"""

from __future__ import annotations

from collections.abc import Mapping

from cyclometer.records.catalogue import ForeignOperation

CONTRACT = "supercop-"
"""Before SUPERCOP's version: the contract of what was measured by it and not by us."""

_SUFFIX = "_cycles"


class DataLines:
    """The names in data lines of one operation; `foreign` are those of all that have any."""

    def __init__(self, operation: str, foreign: Mapping[str, ForeignOperation]) -> None:
        known = foreign.get(operation)
        self.plain = known.cycles if known else operation.removeprefix("crypto_")
        self.ad_unit = known.ad_unit if known else 0
        self.packet_overhead = known.packet_overhead if known else ""
        self._records = known.records if known else {}
        self._sizes = {ours: macro.lower() for macro, ours in known.sizes.items() if ours} if known else {}

    def kind_of(self, measure: str) -> str:
        """The kind of record that holds a measure's cycles."""
        return "cycles" if measure == self.plain else self._records.get(measure, measure + _SUFFIX)

    def measure_of(self, kind: str) -> str:
        """The measure whose cycles a kind of record holds; empty for a kind that holds none."""
        if kind == "cycles":
            return self.plain
        known = next((measure for measure, record in self._records.items() if record == kind), "")
        return known or (kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else "")

    def kind_of_size(self, size: str) -> str:
        """The kind of record that holds a size of a primitive: `keybytes` of key_bytes."""
        return self._sizes.get(size, size.replace("_", ""))

    def size_of(self, kind: str) -> str:
        """Our name of a size; a kind that we have no word for stays."""
        return next((size for size, record in self._sizes.items() if record == kind), kind)

    def length(self, length: int, ad_length: int) -> int:
        """A record's length: associated data and message in one number."""
        return ad_length * self.ad_unit + length

    def lengths(self, length: int) -> tuple[int, int]:
        """(associated data, message) of a record's length."""
        return divmod(length, self.ad_unit) if self.ad_unit else (0, length)

    def holds(self, length: int, ad_length: int) -> bool:
        """Whether a record's length can say both."""
        return not ad_length or length < self.ad_unit


def word(text: str) -> str:
    """A field: blanks become `_`, nothing becomes `-`."""
    return "_".join(text.split()) or "-"
