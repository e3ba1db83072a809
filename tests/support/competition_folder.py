# SPDX-License-Identifier: MIT OR Apache-2.0
"""The worked example of a competition, copied to where a test may change it."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.small_tree import REPOSITORY, SmallTree

EXAMPLE = REPOSITORY / "examples" / "competition"
PARTS = ("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/aes-256-gcm/ref")
"""What its submissions and its baseline need of a tree."""


def example(folder: Path) -> Path:
    """Copy the example."""
    shutil.copytree(EXAMPLE, folder)
    return folder


def small_tree(folder: Path) -> SmallTree:
    """Grow a tree with what the example needs."""
    return SmallTree.grow(folder, *PARTS)
