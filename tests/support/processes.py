# SPDX-License-Identifier: MIT OR Apache-2.0
"""The processes of this machine, for tests that none be left behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def command_lines() -> list[bytes]:
    """Return the arguments of every process, each ended by a zero byte."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            lines.append(process.read_bytes())
    return lines
