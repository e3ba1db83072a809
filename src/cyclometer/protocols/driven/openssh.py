# SPDX-License-Identifier: MIT OR Apache-2.0
"""The program that starts sshd and, one after another, the sessions of ssh that it is asked for."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cyclometer.protocols.driven.drive import Series, drive, read_orders, timed
from cyclometer.protocols.driven.records import SESSION_SECONDS, Asked, Orders
from cyclometer.protocols.driven.start import USER

SERVER = "/usr/sbin/sshd"
CALL, START = "call-tcp", "handshake-full"

PIPE = "pipe"
"""The rung without OpenSSH: the same calls to the same program through two pipes."""

BANNER = "banner"
"""The rung without a key exchange: from connecting to the server's first line, for which it starts a process."""

PORT = 2222  # of a network in which nobody else listens
START_SECONDS = 20
READY = b"\n"
ECHO = "echo; exec cat"
"""What the other end runs: a line when it is there, then everything that comes in."""

KEYS = {"ed25519": [], "ecdsa": ["-b", "256"], "rsa": ["-b", "2048"]}


def main(folder: Path) -> None:
    """Make keys, start the server, make the sessions."""
    orders = read_orders()
    for kind, size in KEYS.items():
        subprocess.run(["ssh-keygen", "-q", "-t", kind, *size, "-N", "", "-f", folder / kind], check=True)
    with _server(folder):
        drive(orders, lambda asked: _session(folder, asked, orders))


@contextmanager
def _server(folder: Path) -> Iterator[None]:
    """Run sshd as this user, for whom it has one key; all algorithms that it knows are allowed."""
    every = {name: _every(kind) for name, kind in (("Ciphers", "cipher"), ("MACs", "mac"), ("KexAlgorithms", "kex"))}
    lines = {
        "ListenAddress": "127.0.0.1",
        "Port": PORT,
        "HostKeyAlgorithms": _every("key-sig"),
        "AuthorizedKeysFile": folder / "ed25519.pub",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "PidFile": "none",
        "PrintMotd": "no",
        "MaxStartups": "1000",
        **every,
    }
    text = [f"{name} {value}" for name, value in lines.items()] + [f"HostKey {folder / kind}" for kind in KEYS]
    (folder / "sshd_config").write_text("\n".join(text) + "\n", encoding="utf-8")
    with (folder / "sshd.log").open("wb") as log:
        process = subprocess.Popen([SERVER, "-D", "-e", "-f", folder / "sshd_config"], stderr=log)
    try:
        until = time.monotonic() + START_SECONDS
        while not _answers():
            if process.poll() is not None or time.monotonic() > until:
                words = (folder / "sshd.log").read_text(errors="replace").strip().splitlines() or ["no reason"]
                sys.exit(f"sshd does not start: {words[-1]}")
            time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()


def _answers() -> bool:
    try:
        socket.create_connection(("127.0.0.1", PORT), 1).close()
    except OSError:
        return False
    return True


def _every(kind: str) -> str:
    return ",".join(subprocess.run(["ssh", "-Q", kind], capture_output=True, text=True, check=True).stdout.split())


def _session(folder: Path, asked: Asked, orders: Orders) -> Series:
    """Return what a session took to begin, and the time of each call by payload."""
    begun = time.perf_counter_ns()
    if asked.name == BANNER:
        with socket.create_connection(("127.0.0.1", PORT), SESSION_SECONDS) as connection:
            connection.settimeout(SESSION_SECONDS)
            connection.recv(256)
            return {f"{START}:0": [time.perf_counter_ns() - begun]}
    command = ["sh", "-c", ECHO] if asked.name == PIPE else _ssh(folder, asked.options)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        to, back = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(to, False)
        end = time.monotonic() + SESSION_SECONDS
        try:
            _exchange(to, back, b"", len(READY), end)
            start = time.perf_counter_ns() - begun
            series = {
                f"{CALL}:{payload}": timed(orders.calls, payload, lambda m: _exchange(to, back, m, len(m), end))
                for payload in (orders.payloads if asked.calls else [])
            }
        except RuntimeError as error:
            process.kill()
            assert process.stderr
            words = process.stderr.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(words[-1] if words else str(error)) from None
        finally:
            process.kill()
    return series if asked.name == PIPE else {f"{START}:0": [start], **series}


def _ssh(folder: Path, options: Mapping[str, str]) -> list[str]:
    """Return the command line of a client that reads no configuration and knows no host."""
    usual = {
        "IdentityFile": folder / "ed25519",
        "IdentitiesOnly": "yes",
        "StrictHostKeyChecking": "no",
        "UserKnownHostsFile": "/dev/null",
        "GlobalKnownHostsFile": "/dev/null",
        "BatchMode": "yes",
        "LogLevel": "ERROR",
        "Compression": "no",
    }
    pairs = [f"-o{name}={value}" for name, value in {**usual, **options}.items()]
    return ["ssh", "-F", "/dev/null", "-T", "-p", str(PORT), *pairs, f"{USER}@127.0.0.1", ECHO]


def _exchange(to: int, back: int, message: bytes, expected: int, end: float) -> bytes:
    """Write a message and read as many bytes as are expected, at the same time: neither pipe may fill up."""
    answer, sent = bytearray(), 0
    while len(answer) < expected:
        writing = [to] if sent < len(message) else []
        readable, writable, _ = select.select([back], writing, [], max(0.0, end - time.monotonic()))
        if not readable and not writable:
            raise RuntimeError(f"the session took longer than {SESSION_SECONDS} s")
        if writable:
            sent += os.write(to, message[sent : sent + 65536])
        if readable:
            answer += _some(back)
    return bytes(answer)


def _some(back: int) -> bytes:
    if not (found := os.read(back, 1 << 20)):
        raise RuntimeError("the session ended early")
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
