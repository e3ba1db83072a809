# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 1: what the tree holds. Folders are the registry; nothing else keeps a list."""

from cyclometer.discover.catalogue import discover
from cyclometer.discover.selection import select

__all__ = ["discover", "select"]
