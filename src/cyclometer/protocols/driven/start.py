# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starting the driver in a network of its own, and reading what it says."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from cyclometer.errors import MachineUnfit
from cyclometer.execute.bubblewrap import bubblewrap, has_user_namespace, why_none
from cyclometer.protocols.driven.records import Orders, Session

USER, NUMBER = "cyclometer", "1000"
SETTINGS = ("alternatives", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "nsswitch.conf", "ssh", "ssl")
"""What of /etc the programs see. It is no mount above single files, which vanishes when somebody replaces a file."""


def sessions(driver: str, orders: Orders) -> Iterator[Session]:
    """Yield each session of a driver as it ends; `MachineUnfit` says why there are none."""
    if reason := why_none():
        raise MachineUnfit(f"servers get a network of their own, and {reason}")
    if not has_user_namespace():
        raise MachineUnfit("servers run as a user of their own, and this kernel allows no user namespaces")
    with tempfile.TemporaryDirectory(prefix="cyclometer-driven-") as name:
        folder = Path(name)
        (folder / "passwd").write_text(f"{USER}:x:{NUMBER}:{NUMBER}::{folder}:/bin/sh\n", encoding="utf-8")
        with subprocess.Popen(
            _command(driver, folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            try:
                process.stdin.write(json.dumps(asdict(orders)))
                process.stdin.close()
                for line in process.stdout:
                    yield Session(**json.loads(line))
            finally:
                process.kill()  # and with it all that it started: it is the first process of its namespace
            if words := process.stderr.read().strip():
                raise MachineUnfit(f"it cannot be driven here: {words.splitlines()[-1]}")


def _command(driver: str, folder: Path) -> list[str]:
    """Return the command line of the driver: the file system read-only, no network, a user without rights."""
    view = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", str(folder), str(folder)]
    view += ["--tmpfs", "/etc", "--ro-bind", str(folder / "passwd"), "/etc/passwd"]
    for name in SETTINGS:
        view += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    isolation = [
        "--unshare-net",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--new-session",
    ]
    own = ["--unshare-user", "--uid", NUMBER, "--gid", NUMBER]
    program = [sys.executable, "-m", f"cyclometer.protocols.driven.{driver}", str(folder)]
    return [bubblewrap(), *view, *isolation, *own, *program]
