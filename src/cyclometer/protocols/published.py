# SPDX-License-Identifier: MIT OR Apache-2.0
"""The published experiment that is repeated, and what its own figures predict."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cyclometer.errors import on_disk

BLOCK_BITS = 128


@dataclass(frozen=True, kw_only=True)
class Published:
    """Figures of an experiment with RPCs: its ciphers in their order, and the names that they have here."""

    source: str
    blocks: Mapping[str, int]  # kind of RPC -> blocks that are encrypted and decrypted
    bulk: Mapping[str, Mapping[str, float]]  # cipher -> direction -> Mb/s
    rpc: Mapping[str, Mapping[str, tuple[float, float, float]]]  # cipher -> kind -> mean, quartiles in ms
    hash_ms: Mapping[int, float]  # length -> ms
    ours: Mapping[str, str]

    def block_us(self, cipher: str) -> float:
        """Return the microseconds to encrypt and decrypt a block, from the bulk speeds."""
        return sum(BLOCK_BITS / speed for speed in self.bulk[cipher].values())

    def predicted_extra_us(self, cipher: str, beyond: str, kind: str) -> float:
        """Return how much longer a call should take under a cipher than under another one, in microseconds."""
        return self.blocks[kind] * (self.block_us(cipher) - self.block_us(beyond))

    def measured_extra_us(self, cipher: str, beyond: str, kind: str) -> float:
        """Return how much longer a call took, by the published means, in microseconds."""
        return 1000 * (self.rpc[cipher][kind][0] - self.rpc[beyond][kind][0])

    def residual(self, cipher: str, beyond: str, kind: str) -> float:
        """Return the residual of the prediction, as a share of what was predicted."""
        return self.measured_extra_us(cipher, beyond, kind) / self.predicted_extra_us(cipher, beyond, kind) - 1


def roe(tree: Path) -> Published:
    """Read protocols/roe.toml."""
    file = tree / "protocols" / "roe.toml"
    with on_disk("read", file):
        text = tomllib.loads(file.read_text(encoding="utf-8"))
    return Published(
        source=text["source"],
        blocks=text["blocks"],
        bulk=text["bulk"],
        rpc={name: {kind: tuple(each) for kind, each in kinds.items()} for name, kinds in text["rpc"].items()},
        hash_ms={int(length): value for length, value in text["sha-1"].items()},
        ours=text["ours"],
    )
