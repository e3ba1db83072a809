# SPDX-License-Identifier: MIT OR Apache-2.0
"""Another system in a folder of this machine: a container's root or a chroot, perhaps with another libc or compiler.

It is entered with bubblewrap: the folder becomes the root of the file system; /dev, /proc, /sys and the network stay.
It needs Python and a compiler, as a machine behind ssh does; a sandbox within it needs bubblewrap there.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cyclometer.errors import MachineUnfit
from cyclometer.fleet.reach import Declaration, Ports, held
from cyclometer.fleet.reach._there import There

FORWARDS = False

PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Keys(Declaration):
    """Where the system is, and paths within it."""

    root: Annotated[str, Field(pattern="^/")]
    python: str = "python3"
    cache: str = ""  # default: as there, the user's ~/.cache/cyclometer


def start(keys: Keys, ports: Ports) -> subprocess.Popen[bytes]:
    """Take along what is missing there, and start a worker; `MachineUnfit` if that is not possible."""
    del ports  # the network is the same
    if not Path(keys.root).is_dir():
        raise MachineUnfit(f"its root {keys.root} is no folder; unpack a system there, or name another")
    there = There(
        label=f"the system in {keys.root}",
        line=lambda command: _inside(keys, command),
        lacking="bubblewrap is not installed (Debian: apt install bubblewrap)",
        python=keys.python,
    )
    return held(_inside(keys, there.worker()))


def _inside(keys: Keys, command: list[str]) -> list[str]:
    """Return the command line that runs a command in the other system."""
    line = [
        "bwrap",
        "--bind",
        keys.root,
        "/",
        "--dev-bind",
        "/dev",
        "/dev",
        "--proc",
        "/proc",
        "--ro-bind",
        "/sys",
        "/sys",
    ]
    line += ["--die-with-parent", "--chdir", "/", "--clearenv", "--setenv", "PATH", PATHS]
    line += ["--setenv", "HOME", os.environ.get("HOME", "/root")]
    if os.geteuid() == 0:
        line += ["--cap-add", "ALL"]  # a sandbox within it needs them
    if keys.cache:
        line += ["--setenv", "CYCLOMETER_CACHE", keys.cache, "--setenv", "XDG_CACHE_HOME", keys.cache]
    return [*line, "--", *command]
