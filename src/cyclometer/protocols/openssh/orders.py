# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the driver of OpenSSH is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PIPE = "pipe"
"""The rung without OpenSSH: the same calls to the same program through two pipes."""

BANNER = "banner"
"""The rung without a key exchange: from connecting to the server's first line, for which it starts a process."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One session: its name, and the algorithms that ssh is told to use; none of them for the two controls."""

    name: str
    options: Mapping[str, str]  # of ssh: Ciphers, MACs, KexAlgorithms, HostKeyAlgorithms
    calls: bool = True  # whether anything is sent once the session has begun


@dataclass(frozen=True, kw_only=True)
class Orders:
    """Sessions in the order in which they are to be made, and how many calls with which payloads in each."""

    rungs: Sequence[Asked]
    order: Sequence[tuple[int, int, bool]]  # round, index of the rung, whether it is the A/A control
    payloads: Sequence[int]
    calls: int
    core: int | None  # where everything runs; None: anywhere


@dataclass(frozen=True, kw_only=True)
class Session:
    """What one session took, in nanoseconds; or why there was none."""

    round: int
    rung: int
    control: bool
    start: int = 0  # until the remote program runs
    series: Mapping[str, Sequence[int]]  # payload -> the time of each call
    problem: str = ""
