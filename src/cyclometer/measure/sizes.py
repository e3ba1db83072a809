# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sizes in bytes that go with a tuning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size


def all_sizes(executables: Sequence[Executable], progress: Callable[[], None]) -> list[Size]:
    """Of all, on all cores: to count the random bytes that it draws, an executable draws a key pair."""
    return [size for found in on_all_cores(_sizes, executables, progress) for size in found]


def _sizes(executable: Executable) -> list[Size]:
    """What the executable says of itself, and its code."""
    outcome = call(executable, "info")
    said = (line.split("\t") for line in outcome.stdout.decode(errors="replace").splitlines())
    found = [Size(subject=executable.subject, name=w[1], value=int(w[2])) for w in said if w[0] == "info"]
    return [*found, Size(subject=executable.subject, name="code_bytes", value=executable.code_bytes)]
