# SPDX-License-Identifier: MIT OR Apache-2.0
"""The processes of this machine, for tests that none be left behind."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

SECONDS = 240  # until the kernel has removed the last process of a sandbox: it is slow on a busy machine


def command_lines() -> list[bytes]:
    """Return the arguments of every process, each ended by a zero byte."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            lines.append(process.read_bytes())
    return lines


def wait_until_none_has(word: str | Path) -> None:
    """Wait until no process has arguments that contain the word."""
    until = time.monotonic() + SECONDS
    while left := [line for line in command_lines() if str(word).encode() in line]:
        assert time.monotonic() < until, f"left behind: {left}"
        time.sleep(0.1)
