# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine that an emulator on this one stands for: code is built for it, checked, its instructions are counted.

Nothing is timed there, and no run comes of it: an emulator's time says nothing about the machine.
"""

from __future__ import annotations

import subprocess

from cyclometer.fleet.reach import Declaration, Ports, local

FORWARDS = False


class Keys(Declaration):
    """The toolchain that builds for the machine and runs its emulator."""

    toolchain: str  # aarch64, armhf, ppc64le, riscv64, s390x


def start(keys: Keys, ports: Ports) -> subprocess.Popen[bytes]:
    """Start a worker on this machine; the parts of the campaign name the toolchain."""
    del keys
    return local.start(local.Keys(), ports)
