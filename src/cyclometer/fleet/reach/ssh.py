# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine that OpenSSH reaches; it needs Python and a compiler, nothing else is installed there.

The first time, everything else travels there and stays in the user's cache. The worker's and the scheduler's ports are
forwarded, so that nothing listens anywhere but on loopback.
"""

from __future__ import annotations

import shlex
import subprocess
from typing import Annotated

from pydantic import Field

from cyclometer.fleet.reach import Declaration, Ports, held
from cyclometer.fleet.reach._there import There

FORWARDS = True

CONNECT_SECONDS = 20


class Keys(Declaration):
    """How ssh finds the machine; what is absent is as ssh's own configuration says."""

    host: Annotated[str, Field(pattern=r"^[A-Za-z0-9\[:][^\s]*$")]
    user: Annotated[str, Field(pattern=r"^[A-Za-z0-9_][^\s]*$")] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    identity: str = ""  # file of a private key
    config: str = ""  # a configuration file instead of ~/.ssh/config
    python: str = "python3"


def start(keys: Keys, ports: Ports) -> subprocess.Popen[bytes]:
    """Take along what is missing there, and start a worker; `MachineUnfit` if that is not possible."""
    there = There(
        label=f"ssh to {keys.host}",
        line=lambda command: _ssh(keys, command),
        lacking="ssh is not installed (Debian: apt install openssh-client)",
        python=keys.python,
    )
    worker = there.worker()
    forwards = (
        *("-o", "ExitOnForwardFailure=yes"),
        *("-R", f"127.0.0.1:{ports.scheduler_there}:127.0.0.1:{ports.scheduler}"),
        *("-L", f"127.0.0.1:{ports.worker}:127.0.0.1:{ports.worker_there}"),
    )
    return held(_ssh(keys, worker, forwards))


def _ssh(keys: Keys, command: list[str], options: tuple[str, ...] = ()) -> list[str]:
    line = ["ssh", "-T", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={CONNECT_SECONDS}", *options]
    line += ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"]
    for option, value in (("-F", keys.config), ("-i", keys.identity), ("-l", keys.user), ("-p", keys.port)):
        line += [option, str(value)] if value else []
    return [*line, "--", keys.host, shlex.join(command)]
