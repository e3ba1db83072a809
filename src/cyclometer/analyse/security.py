# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which systems are still as strong as they claim, from the declarations a run carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def remaining_bits(declaration: Mapping[str, Any]) -> int | None:
    """The level after the best attack on record, in bits; None where no level is declared."""
    claimed = declaration.get("security_bits")
    if claimed is None:
        return None
    return min([int(claimed), *(int(attack["remaining_bits"]) for attack in declaration.get("attacks", []))])


def remaining_quantum_bits(declaration: Mapping[str, Any]) -> int | None:
    """What is left against a quantum computer, which is never more than is left without one; None if undeclared."""
    claimed = declaration.get("security_bits_quantum")
    if claimed is None:
        return None
    left = remaining_bits(declaration)
    return int(claimed) if left is None else min(int(claimed), left)


def is_unbroken(declaration: Mapping[str, Any]) -> bool:
    """Whether no attack on record goes below the declared level; any attack does where none is declared."""
    left = remaining_bits(declaration)
    if left is None:
        return not declaration.get("attacks")
    return left >= int(declaration["security_bits"])


def meets(declaration: Mapping[str, Any], *, unbroken: bool, least_bits: int) -> bool:
    """Whether a system stays in the table; an undeclared level meets no minimum but zero."""
    if unbroken and not is_unbroken(declaration):
        return False
    return least_bits <= 0 or (remaining_bits(declaration) or 0) >= least_bits
