# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starting the driver in a network of its own, and reading what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from cyclometer.errors import MachineUnfit
from cyclometer.execute.bubblewrap import bubblewrap, has_user_namespace, why_none
from cyclometer.protocols.openssh.orders import Orders, Session

SERVER = "/usr/sbin/sshd"
USER, NUMBER = "cyclometer", "1000"
SETTINGS = ("alternatives", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "nsswitch.conf", "ssh", "ssl")
"""What of /etc the programs see. It is no mount above single files, which vanishes when somebody replaces a file."""

SESSION_SECONDS = 30
"""The longest that one session may take, calls included."""


def algorithms(kind: str) -> list[str]:
    """Return what the installed ssh offers: of `cipher`, `cipher-auth`, `mac`, `kex` or `key-plain`.

    `MachineUnfit` if it is not installed.
    """
    try:
        ended = subprocess.run(["ssh", "-Q", kind], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        raise MachineUnfit("ssh is not installed (Debian: apt install openssh-client openssh-server)") from None
    if not os.path.exists(SERVER):
        raise MachineUnfit(f"{SERVER} is not installed (Debian: apt install openssh-server)")
    return ended.stdout.split()


def sessions(orders: Orders) -> Iterator[Session]:
    """Yield each session as it ends; `MachineUnfit` says why there are none."""
    if reason := why_none():
        raise MachineUnfit(f"OpenSSH's server gets a network of its own, and {reason}")
    if not has_user_namespace():
        raise MachineUnfit("OpenSSH's server runs as a user of its own, and this kernel allows no user namespaces")
    with tempfile.TemporaryDirectory(prefix="cyclometer-ssh-") as name:
        folder = Path(name)
        (folder / "passwd").write_text(f"{USER}:x:{NUMBER}:{NUMBER}::{folder}:/bin/sh\n", encoding="utf-8")
        with subprocess.Popen(
            _command(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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
                raise MachineUnfit(f"OpenSSH cannot be driven here: {words.splitlines()[-1]}")


def _command(folder: Path) -> list[str]:
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
    driver = [sys.executable, "-m", "cyclometer.protocols.openssh.driver", str(folder)]
    return [bubblewrap(), *view, *isolation, *own, *driver]
