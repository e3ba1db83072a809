# SPDX-License-Identifier: MIT OR Apache-2.0
"""The security that systems have left, from the declarations that a run stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def remaining_bits(declaration: Mapping[str, Any]) -> int | None:
    """Return the security level after the best attack on record, in bits; None if no level is declared."""
    claimed = declaration.get("security_bits")
    if claimed is None:
        return None
    return min([int(claimed), *(int(attack["remaining_bits"]) for attack in declaration.get("attacks", []))])


def remaining_quantum_bits(declaration: Mapping[str, Any]) -> int | None:
    """Return the level against a quantum computer, in bits, at most `remaining_bits`; None if undeclared."""
    claimed = declaration.get("security_bits_quantum")
    if claimed is None:
        return None
    remaining = remaining_bits(declaration)
    return int(claimed) if remaining is None else min(int(claimed), remaining)


def is_unbroken(declaration: Mapping[str, Any]) -> bool:
    """Return whether no attack on record goes below the declared level; without a level, any attack does."""
    remaining = remaining_bits(declaration)
    if remaining is None:
        return not declaration.get("attacks")
    return remaining >= int(declaration["security_bits"])


def meets(declaration: Mapping[str, Any], *, unbroken: bool, least_bits: int) -> bool:
    """Return whether a system is shown; an undeclared level is below every minimum except 0."""
    if unbroken and not is_unbroken(declaration):
        return False
    return least_bits <= 0 or (remaining_bits(declaration) or 0) >= least_bits
