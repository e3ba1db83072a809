# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of slow key pairs: what one process of an executable has generated, its later ones measure with.

A key pair of RSA-4096 takes seconds, and a campaign runs each executable a dozen times. The cache lasts as long as
this process of Cyclometer, and executables do not share entries, so that none inherits another's mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cyclometer.records.executable import Executable

_pairs: dict[Path, str] = {}


def put(executable: Executable, records: Iterable[bytes]) -> None:
    """Keep the first `pair` among the records of a process (docs/harness.md)."""
    for record in records:
        if record.startswith(b"pair\t"):
            _pairs.setdefault(executable.path, " ".join(record.decode().split("\t")))
            return


def arguments(executable: Executable) -> tuple[str, ...]:
    """Return the argument of `measure` that passes the cached key pair, if there is one."""
    return (_pairs[executable.path],) if executable.path in _pairs else ()


def public_key(executable: Executable) -> str:
    """Return the public key of the cached pair in hexadecimal; '' if there is none."""
    return _pairs[executable.path].split(" ")[1] if executable.path in _pairs else ""
