# SPDX-License-Identifier: MIT OR Apache-2.0
"""The program that starts sshd and, one after another, the sessions of ssh that it is asked for."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cyclometer.protocols.openssh.orders import BANNER, PIPE, Session
from cyclometer.protocols.openssh.start import SERVER, SESSION_SECONDS, USER

PORT = 2222  # of a network in which nobody else listens
START_SECONDS = 20
READY = b"\n"
ECHO = "echo; exec cat"
"""What the other end runs: a line when it is there, then everything that comes in."""

KEYS = {"ed25519": [], "ecdsa": ["-b", "256"], "rsa": ["-b", "2048"]}


def main(folder: Path) -> None:
    """Make keys, start the server, make the sessions."""
    orders = json.load(sys.stdin)
    if orders["core"] is not None:
        os.sched_setaffinity(0, {orders["core"]})
    for kind, size in KEYS.items():
        subprocess.run(["ssh-keygen", "-q", "-t", kind, *size, "-N", "", "-f", folder / kind], check=True)
    with _server(folder):
        for number, index, control in orders["order"]:
            rung = orders["rungs"][index]
            session = Session(round=number, rung=index, control=control, series={})
            try:
                start, series = _session(folder, rung, orders["payloads"] if rung["calls"] else [], orders["calls"])
                session = Session(round=number, rung=index, control=control, start=start, series=series)
            except (OSError, RuntimeError) as error:
                session = Session(round=number, rung=index, control=control, series={}, problem=str(error))
            print(json.dumps(asdict(session)), flush=True)


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


def _session(folder: Path, rung: Mapping[str, Any], payloads: list[int], calls: int) -> tuple[int, dict[str, Any]]:
    """Return what a session took to begin, and the time of each call by payload, in nanoseconds."""
    begun = time.perf_counter_ns()
    if rung["name"] == BANNER:
        with socket.create_connection(("127.0.0.1", PORT), SESSION_SECONDS) as connection:
            connection.settimeout(SESSION_SECONDS)
            connection.recv(256)
            return time.perf_counter_ns() - begun, {}
    command = ["sh", "-c", ECHO] if rung["name"] == PIPE else _ssh(folder, rung["options"])
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        to, back = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(to, False)
        end = time.monotonic() + SESSION_SECONDS
        try:
            _read(back, len(READY), end)
            start = time.perf_counter_ns() - begun
            series = {str(payload): [_call(to, back, payload, end) for _ in range(calls)] for payload in payloads}
        except RuntimeError as error:
            process.kill()
            assert process.stderr
            words = process.stderr.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(words[-1] if words else str(error)) from None
        finally:
            process.kill()
    return start, series


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


def _call(to: int, back: int, payload: int, end: float) -> int:
    """Send a message and wait for all of it to come back; return the nanoseconds. What comes back must be the same."""
    message = os.urandom(payload)
    begun = time.perf_counter_ns()
    answer = _exchange(to, back, message, end)
    took = time.perf_counter_ns() - begun
    if answer != message:
        raise RuntimeError("another message came back")
    return took


def _exchange(to: int, back: int, message: bytes, end: float) -> bytes:
    """Write a message and read as many bytes, at the same time: neither pipe may fill up."""
    answer, sent = bytearray(), 0
    while len(answer) < len(message):
        readable, writable, _ = select.select([back], [to] if sent < len(message) else [], [], end - time.monotonic())
        if not readable and not writable:
            raise RuntimeError(f"the session took longer than {SESSION_SECONDS} s")
        if writable:
            sent += os.write(to, message[sent : sent + 65536])
        if readable:
            answer += _some(back)
    return bytes(answer)


def _read(back: int, size: int, end: float) -> bytes:
    found = bytearray()
    while len(found) < size:
        if not select.select([back], [], [], max(0.0, end - time.monotonic()))[0]:
            raise RuntimeError(f"the session took longer than {SESSION_SECONDS} s")
        found += _some(back)
    return bytes(found)


def _some(back: int) -> bytes:
    if not (found := os.read(back, 1 << 20)):
        raise RuntimeError("the session ended early")
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
