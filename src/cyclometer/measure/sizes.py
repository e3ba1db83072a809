# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sizes of a tuning, in bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cyclometer.execute.pool import on_all_cores
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size


def all_sizes(executables: Sequence[Executable], progress: Callable[[], None] = lambda: None) -> list[Size]:
    """Read the sizes of all executables, on all cores: some generate a slow key pair to count its random bytes."""
    return [size for sizes in on_all_cores(_sizes, executables, progress) for size in sizes]


def _sizes(executable: Executable) -> list[Size]:
    """Return the sizes that the executable reports, and that of its code."""
    outcome = call(executable, "info")
    records = (line.split("\t") for line in outcome.stdout.decode(errors="replace").splitlines())
    sizes = [Size(subject=executable.subject, name=r[1], value=int(r[2])) for r in records if r[0] == "info"]
    return [*sizes, Size(subject=executable.subject, name="code_bytes", value=executable.code_bytes)]
