# SPDX-License-Identifier: MIT OR Apache-2.0
"""Key pairs that took long to draw: what one process of an executable has drawn, its next ones measure with.

RSA of 4096 bits takes seconds for a key pair, and a campaign asks each executable a dozen times. They live as long
as the campaign; that of another executable of the same primitive does not count, so nobody inherits a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cyclometer.records.executable import Executable

_kept: dict[Path, str] = {}


def put(executable: Executable, records: Iterable[bytes]) -> None:
    """Keeps the first `pair` among the records of one of its processes; docs/harness.md."""
    for record in records:
        if record.startswith(b"pair\t"):
            _kept.setdefault(executable.path, " ".join(record.decode().split("\t")))
            return


def arguments(executable: Executable) -> tuple[str, ...]:
    """The argument of `measure` that hands it over, if there is one."""
    return (_kept[executable.path],) if executable.path in _kept else ()
