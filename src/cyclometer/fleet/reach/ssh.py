# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine that OpenSSH reaches; it needs Python and a compiler, nothing else is installed there.

The first time, everything else travels there and stays in the user's cache. The worker's and the scheduler's ports are
forwarded, so that nothing listens anywhere but on loopback.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Annotated

from pydantic import Field

from cyclometer.errors import MachineUnfit
from cyclometer.fleet.luggage import PLATFORM, Luggage
from cyclometer.fleet.reach import Declaration, Ports, held

FORWARDS = True

CONNECT_SECONDS = 20
COPY_SECONDS = 1800

QUESTION = (
    "import json, os, platform, sys; print(json.dumps({'platform': '%s-%s-python%d.%d' % (platform.machine(), "
    "platform.libc_ver()[0], *sys.version_info[:2]), 'folder': os.path.join(os.environ.get('XDG_CACHE_HOME') or "
    "os.path.expanduser('~/.cache'), 'cyclometer', 'fleet')}))"
)

UNPACK = (
    "import os, shutil, sys, tarfile\n"
    "target = sys.argv[1]; arriving = '%s.%d' % (target, os.getpid())\n"
    "try:\n"
    "    tarfile.open(fileobj=sys.stdin.buffer, mode='r|gz').extractall(arriving)\n"
    "    os.rename(arriving, target)\n"
    "except OSError:\n"
    "    if not os.path.isdir(target): raise\n"
    "finally:\n"
    "    shutil.rmtree(arriving, ignore_errors=True)\n"
)


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
    there = json.loads(_ask(keys, [keys.python, "-c", QUESTION]))
    if there["platform"] != PLATFORM:
        raise MachineUnfit(
            f"it is {there['platform']}, the client {PLATFORM}, whose packages do not work there; use the same Python"
        )
    luggage = Luggage()
    folder = f"{there['folder']}/{luggage.name}"
    if _ask(keys, ["sh", "-c", f"test -d {shlex.quote(folder)} && echo there || echo absent"]) != "there":
        _copy(keys, luggage, folder)
    forwards = (
        *("-o", "ExitOnForwardFailure=yes"),
        *("-R", f"127.0.0.1:{ports.scheduler_there}:127.0.0.1:{ports.scheduler}"),
        *("-L", f"127.0.0.1:{ports.worker}:127.0.0.1:{ports.worker_there}"),
    )
    worker = ["env", f"PYTHONPATH={folder}", "PYTHONNOUSERSITE=1", keys.python, "-m", "cyclometer.fleet.worker"]
    return held(_ssh(keys, worker, forwards))


def _ssh(keys: Keys, command: list[str], options: tuple[str, ...] = ()) -> list[str]:
    line = ["ssh", "-T", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={CONNECT_SECONDS}", *options]
    line += ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"]
    for option, value in (("-F", keys.config), ("-i", keys.identity), ("-l", keys.user), ("-p", keys.port)):
        line += [option, str(value)] if value else []
    return [*line, "--", keys.host, shlex.join(command)]


def _ask(keys: Keys, command: list[str]) -> str:
    """Return the last line that a command prints there."""
    try:
        ended = subprocess.run(
            _ssh(keys, command),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=4 * CONNECT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MachineUnfit(f"ssh to {keys.host} does not answer in {4 * CONNECT_SECONDS} s") from None
    except FileNotFoundError:
        raise MachineUnfit("ssh is not installed (Debian: apt install openssh-client)") from None
    lines = (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines() or ["it says nothing"]
    if ended.returncode:
        raise MachineUnfit(f"ssh to {keys.host}: {lines[-1]}")
    return lines[-1]


def _copy(keys: Keys, luggage: Luggage, folder: str) -> None:
    command = ["sh", "-c", 'mkdir -p "$(dirname "$1")" && exec "$2" -c "$3" "$1"', "sh", folder, keys.python, UNPACK]
    with subprocess.Popen(
        _ssh(keys, command), stdin=subprocess.PIPE, stdout=sys.stderr, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stderr
        try:
            luggage.write(process.stdin)
            process.stdin.close()
        except OSError:
            pass  # what it says on standard error tells more
        words = process.stderr.read().decode(errors="replace").strip().splitlines()
        if process.wait(COPY_SECONDS):
            raise MachineUnfit(f"ssh to {keys.host}: cannot unpack there: {words[-1] if words else 'no reason'}")
