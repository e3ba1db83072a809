# SPDX-License-Identifier: MIT OR Apache-2.0
"""The security that systems have left, from their declarations and the attacks on record.

Levels and amounts are exponents of 2.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

USED_AS_SPECIFIED = frozenset({"nonce-respecting", "weak keys", "many targets"})

MODELS = {
    "nonce-respecting": USED_AS_SPECIFIED,
    "misuse-resistant": USED_AS_SPECIFIED | {"nonce reuse"},
    "related-key": USED_AS_SPECIFIED | {"related keys"},
}
"""The models of users, and the models of the attacks that count for them."""

BLOCK_BYTES = 16
_BYTES_EACH = {"bits": 1 / 8, "bytes": 1, "words": 4, "blocks": BLOCK_BYTES}


@dataclass(frozen=True, kw_only=True)
class Use:
    """How a system is used: what an attacker may do, what was known when, and the data under one key."""

    model: str = "nonce-respecting"
    as_of: datetime.date | None = None  # None: today
    packets: float = math.inf  # under one key
    bytes: float = math.inf
    blocks: float = math.inf  # of BLOCK_BYTES, each packet's last one counted whole
    forgeries: float = 0  # attempts against one key
    longest_blocks: int = 1  # of a packet

    def amount(self, unit: str) -> float:
        """Return the data under one key, in a unit of a declaration."""
        if unit == "packets":
            return self.packets
        return self.blocks if unit == "blocks" else self.bytes / _BYTES_EACH[unit]


ANY_USE = Use()
"""The use that tables assume: as specified, with any amount of data."""


def exponent(power: str) -> float:
    """Return x of a text that begins with 2^x."""
    return float(power.partition(" ")[0].removeprefix("2^"))


def exceeds(amount: str, use: Use) -> bool:
    """Return whether an amount such as "2^34 packets" is more than the use has under one key."""
    available = use.amount(amount.partition(" ")[2])
    return available < math.inf and exponent(amount) > math.log2(max(available, 1))


def is_known(attack: Mapping[str, Any], use: Use) -> bool:
    """Return whether an attack was published by the day of the use; without a date, by the start of its year."""
    if use.as_of is None:
        return True
    published = attack.get("published")
    date = datetime.date.fromisoformat(published) if published else datetime.date(int(attack.get("year", 1)), 1, 1)
    return date <= use.as_of


def discounted(attack: Mapping[str, Any], use: Use) -> str:
    """Return why an attack does not count for a use, or ''."""
    model = attack.get("model", "nonce-respecting")
    if model not in MODELS[use.model]:
        return f"its model is {model}"
    data = attack.get("data")
    if data and attack.get("keys") != "many" and exceeds(data, use):
        return f"it needs {data} under one key"
    return ""


def counted_attacks(declaration: Mapping[str, Any], use: Use = ANY_USE) -> Sequence[Mapping[str, Any]]:
    """Return the attacks that were known and that count for a use."""
    attacks = declaration.get("attacks", [])
    return [attack for attack in attacks if is_known(attack, use) and not discounted(attack, use)]


def remaining_bits(declaration: Mapping[str, Any], use: Use = ANY_USE) -> int | None:
    """Return the security level after the best attack that counts, in bits; None if no level is declared."""
    claimed = declaration.get("security_bits")
    if claimed is None:
        return None
    return min([int(claimed), *(int(attack["remaining_bits"]) for attack in counted_attacks(declaration, use))])


def remaining_quantum_bits(declaration: Mapping[str, Any], use: Use = ANY_USE) -> int | None:
    """Return the level against a quantum computer, in bits, at most `remaining_bits`; None if undeclared."""
    claimed = declaration.get("security_bits_quantum")
    if claimed is None:
        return None
    remaining = remaining_bits(declaration, use)
    return int(claimed) if remaining is None else min(int(claimed), remaining)


def loss_bits(declaration: Mapping[str, Any], use: Use) -> float:
    """Return b of the proven bound 2^-b on what distinguishes the mode; infinity without such a bound.

    For s blocks under one key it is s^2 / 2^(block_bits + 1).
    """
    block_bits = declaration.get("block_bits")
    if block_bits is None:
        return math.inf
    blocks = use.blocks * BLOCK_BYTES * 8 / block_bits
    return max(0.0, float(block_bits) + 1 - 2 * math.log2(max(blocks, 1)))


def forgery_exponent(declaration: Mapping[str, Any], use: Use) -> float:
    """Return x of 2^x, which bounds the probability of a forgery over the key's life; at least one attempt is made.

    One attempt succeeds with probability at most 2^-tag bits, or blocks / 2^forgery_bits if that is declared.
    """
    tag = 8 * int(declaration["tag_bytes"])
    declared = declaration.get("forgery_bits")
    one = -tag if declared is None else max(-tag, math.log2(use.longest_blocks) - declared)
    return min(0.0, one + math.log2(max(use.forgeries, 1)))


def is_unbroken(declaration: Mapping[str, Any]) -> bool:
    """Return whether no attack that counts goes below the declared level; without a level, any such attack does."""
    remaining = remaining_bits(declaration)
    if remaining is None:
        return not counted_attacks(declaration)
    return remaining >= int(declaration["security_bits"])


def meets(declaration: Mapping[str, Any], *, unbroken: bool, least_bits: int) -> bool:
    """Return whether a system is shown; an undeclared level is below every minimum except 0."""
    if unbroken and not is_unbroken(declaration):
        return False
    return least_bits <= 0 or (remaining_bits(declaration) or 0) >= least_bits
