# SPDX-License-Identifier: MIT OR Apache-2.0
"""An OpenSSH server on loopback with a fresh user, who has nothing but what the system has."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.requirements import is_missing

SERVER = "/usr/sbin/sshd"


@dataclass(frozen=True)
class SshServer:
    """Where the server is, and who may log in."""

    port: int
    user: str
    home: Path
    config: Path

    def keys(self) -> str:
        """Return the keys of a [[machine]] that is reached through this server."""
        return (
            f'reach = "ssh"\nhost = "127.0.0.1"\nport = {self.port}\nuser = "{self.user}"\nconfig = "{self.config}"\n'
        )


@contextmanager
def ssh_server() -> Iterator[SshServer]:
    """Start a server and make a user; end the one and remove the other afterwards."""
    if not os.path.exists(SERVER) or not shutil.which("ssh"):
        is_missing("openssh-server")
    if os.geteuid():
        is_missing("root, who can add a user")
    folder = Path(tempfile.mkdtemp(prefix="cyclometer-ssh-"))
    user = f"cyclo{os.getpid()}"
    home = folder / "home"
    folder.chmod(0o755)
    subprocess.run(["useradd", "--create-home", "--home-dir", home, "--shell", "/bin/sh", user], check=True)
    server = None
    try:
        port = _configure(folder, user, home)
        server = subprocess.Popen([SERVER, "-D", "-f", folder / "sshd_config"], stderr=subprocess.DEVNULL)
        until = time.monotonic() + 240
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield SshServer(port, user, home, folder / "config")
    finally:
        if server:
            server.terminate()
            server.wait()
        subprocess.run(["userdel", "--force", user], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def _configure(folder: Path, user: str, home: Path) -> int:
    """Write the files of server and client; return the server's port."""
    for name in ("server", "client"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # which sshd separates its privileges in
    lines = f"""
        ListenAddress 127.0.0.1
        Port {port}
        HostKey {folder}/server
        AuthorizedKeysFile {home}/.ssh/authorized_keys
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        PidFile none
    """
    (folder / "sshd_config").write_text(lines, encoding="utf-8")
    (home / ".ssh").mkdir()
    shutil.copy(folder / "client.pub", home / ".ssh" / "authorized_keys")
    entry = pwd.getpwnam(user)
    for path in (home / ".ssh", home / ".ssh" / "authorized_keys"):
        os.chown(path, entry.pw_uid, entry.pw_gid)
    subprocess.run(["usermod", "--password", "*", user], check=True)  # not locked, and no password fits
    known = folder / "known_hosts"
    known.write_text(f"[127.0.0.1]:{port} {(folder / 'server.pub').read_text(encoding='utf-8')}", encoding="utf-8")
    client = f"Host *\nIdentityFile {folder}/client\nIdentitiesOnly yes\nUserKnownHostsFile {known}\n"
    (folder / "config").write_text(client, encoding="utf-8")
    return port
