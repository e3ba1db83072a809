# SPDX-License-Identifier: MIT OR Apache-2.0
"""A workload: packets, keys, directions, and what a system must keep to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from cyclometer.analyse.estimate.interpolation import shares
from cyclometer.analyse.security import BLOCK_BYTES

Packet = tuple[int, int]
"""The bytes of a packet and of its associated data."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a system may use; None: any amount."""

    code_bytes: int | None = None
    expanded_key_bytes: int | None = None
    stack_bytes: int | None = None
    constant_time: bool = False


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """The security that a system must have left."""

    bits: int = 0
    quantum_bits: int = 0
    model: str = "nonce-respecting"  # a key of analyse.security.MODELS
    forgery: str = ""  # the highest probability of a forgery over a key's life, such as 2^-64


@dataclass(frozen=True, kw_only=True)
class Workload:
    """The traffic of one user. `packets` maps each packet to its share; the shares add up to 1."""

    name: str
    title: str
    source: str
    packets: Mapping[Packet, float]
    keys: int = 1  # active at the same time
    order: str = "random"  # in which packets use the keys: random | round-robin | zipf S | bursts of N
    packets_per_key: int = 1_000_000  # after which a new key is expanded
    encrypt: float = 0.5  # share of packets that are sent; the others are received
    forged: float = 0.0  # share of the received packets
    limits: Limits = field(default_factory=Limits)
    security: Requirement = field(default_factory=Requirement)
    interpolated: int = 0  # the number of different packets in the source, if `packets` are fewer

    @property
    def mean_bytes(self) -> float:
        """The mean length of a packet."""
        return sum(share * length for (length, _), share in self.packets.items())

    @property
    def mean_blocks(self) -> float:
        """The mean number of blocks of a packet and its associated data, the last block of each counted whole."""
        return sum(share * (_blocks(length) + _blocks(ad)) for (length, ad), share in self.packets.items())

    @property
    def longest(self) -> Packet:
        """The most bytes of a packet, and of associated data."""
        lengths, ad_lengths = zip(*self.packets, strict=True)
        return max(lengths), max(ad_lengths)

    @property
    def longest_blocks(self) -> int:
        """The most blocks of a packet with its associated data, at least 1."""
        return max(1, *(_blocks(length) + _blocks(ad) for length, ad in self.packets))

    def with_changes(self, *, keys: int | None, forged: float | None, encrypt: float | None) -> Self:
        """Return the workload with the values that are given."""
        given = {"keys": keys, "forged": forged, "encrypt": encrypt}
        return replace(self, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def _blocks(length: int) -> int:
    return -(-length // BLOCK_BYTES)


MAX_NODES = 24
"""Different packets that are measured; what a workload has between them is interpolated."""


def interpolated(packets: Mapping[Packet, float]) -> dict[Packet, float]:
    """Return the packets as shares of at most MAX_NODES lengths for each associated-data length.

    A length between two nodes is divided between them in proportion, which interpolates any cost linearly.
    """
    total = sum(packets.values())
    result: dict[Packet, float] = {}
    for ad in sorted({ad for _, ad in packets}):
        weights = {length: weight for (length, own_ad), weight in sorted(packets.items()) if own_ad == ad and weight}
        for length, weight in _on_nodes(weights):
            result[length, ad] = result.get((length, ad), 0.0) + weight / total
    return result


def _on_nodes(weights: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    lengths = list(weights)
    nodes = lengths if len(lengths) <= MAX_NODES else _nodes(weights)
    for length in lengths:
        for node, share in shares(nodes, length):
            yield node, weights[length] * share


def _nodes(weights: Mapping[int, float]) -> list[int]:
    """Return the shortest and the longest length, the most frequent ones, and others evenly among what is left."""
    lengths = list(weights)
    frequent = sorted(lengths, key=lambda length: -weights[length])[: MAX_NODES // 3]
    others = [lengths[index * (len(lengths) - 1) // (MAX_NODES * 2 // 3 - 1)] for index in range(MAX_NODES * 2 // 3)]
    return sorted({*frequent, *others})
