# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs an untrusted program with limits, in a sandbox, on a pinned core.

Whatever it does, an Outcome comes back. Resource limits, a time limit and an output
limit always hold, and the whole process group is killed at the end. With bubblewrap,
the program also has no network, a read-only file system, and private /tmp and processes.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from cyclometer.records.failure import FailureKind

MEGABYTE = 1 << 20
_ERROR = re.compile(
    r"^.*(\berror\b|undefined reference|multiple definition|relocation R_|cannot find -l)", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a process: seconds of wall-clock time; bytes of address space (None: unlimited), output and files."""

    seconds: float = 60.0
    memory: int | None = 2048 * MEGABYTE
    output: int = 64 * MEGABYTE
    files: int = 0  # size of the largest file that it may write


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a process ended. If the exit status is 0, `problem` is empty and `kind` None."""

    status: int | None
    stdout: bytes
    stderr: bytes
    problem: str
    kind: FailureKind | None = None

    def last_words(self, limit: int = 2000) -> str:
        """Return the end of standard error, at most `limit` characters."""
        return self.stderr.decode(errors="replace")[-limit:].strip()

    def first_error(self, limit: int = 2000) -> str:
        """Return standard error from a compiler's first error message on; if there is none, its end."""
        return from_first_error(self.stderr.decode(errors="replace"))[:limit].strip() or self.last_words(limit)


def from_first_error(output: str) -> str:
    """Return a compiler's or linker's output from the first error message on; '' if there is none."""
    error = _ERROR.search(output)
    return output[error.start() :] if error else ""


@cache
def bubblewrap() -> str:
    """Return the path of bubblewrap, or '' if it is not installed or does not work here."""
    path = shutil.which("bwrap")
    if not path:
        return ""
    try:
        trial = subprocess.run(
            [path, *_namespaces(), "true"],
            capture_output=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return path if trial.returncode == 0 else ""


def _namespaces() -> list[str]:
    options = "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-net --unshare-pid --unshare-ipc"
    return [*options.split(), "--die-with-parent", "--new-session"]


def confined(
    command: Sequence[str], limits: Limits, cpu: int | None, visible: Sequence[Path], foreign: bool = False
) -> list[str]:
    """Return the command with limits, core pinning and the sandbox; it can read the `visible` folders.

    Apart from those, a foreign program sees only the programs and libraries of the system.
    """
    wrapped = ["prlimit", "--core=0", f"--fsize={limits.files}", f"--cpu={int(limits.seconds) + 1}"]
    if limits.memory is not None:
        wrapped.append(f"--as={limits.memory}")
    if cpu is not None:
        wrapped += ["taskset", "-c", str(cpu)]
    if bubblewrap():
        wrapped += [bubblewrap(), *(_system_only_view() if foreign else _namespaces())]
        for folder in visible:
            wrapped += ["--ro-bind", str(folder), str(folder)]
    return [*wrapped, *command]


def run(
    command: Sequence[str],
    *,
    limits: Limits | None = None,
    cpu: int | None = None,
    stdin: bytes = b"",
    environment: dict[str, str] | None = None,
    visible: Sequence[Path] = (),
    foreign: bool = False,
) -> Outcome:
    """Run an untrusted program until it ends or exceeds a limit; `visible` and `foreign` as in `confined`."""
    limits = limits or Limits()
    clean = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", **(environment or {})}
    return _run_watched(confined(command, limits, cpu, visible, foreign), limits, stdin, clean)


def run_tool(command: Sequence[str], seconds: float = 300.0, cwd: Path | None = None) -> Outcome:
    """Run a program of the system (a compiler, pkg-config) with a time limit only."""
    clean = {**os.environ, "LC_ALL": "C"}
    return _run_watched(list(command), Limits(seconds=seconds, memory=None), b"", clean, cwd)


def run_confined_tool(
    command: Sequence[str], *, readable: Sequence[Path], writable: Path, seconds: float = 300.0
) -> Outcome:
    """Run a compiler on untrusted sources in the folder `writable`.

    It sees only the system's programs, headers and libraries and the folders `readable`: no home, no /etc/passwd, no
    network.
    """
    limits = Limits(seconds=seconds, memory=4096 * MEGABYTE)
    wrapped = ["prlimit", "--core=0", f"--fsize={256 * MEGABYTE}", f"--cpu={int(seconds) + 1}", f"--as={limits.memory}"]
    if bubblewrap():
        wrapped += [bubblewrap(), *_system_only_view()]
        for folder in readable:
            wrapped += ["--ro-bind", str(folder), str(folder)]
        wrapped += ["--bind", str(writable), str(writable), "--chdir", str(writable)]
    clean = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"}
    return _run_watched([*wrapped, *command], limits, b"", clean, writable)


@cache
def _system_only_view() -> list[str]:
    options = "--unshare-all --die-with-parent --new-session --dev /dev --proc /proc --tmpfs /tmp --ro-bind /usr /usr"
    wrapped = options.split()
    for name in ("/bin", "/lib", "/lib32", "/lib64", "/opt"):
        if os.path.islink(name):
            wrapped += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            wrapped += ["--ro-bind", name, name]
    for name in ("/etc/alternatives", "/etc/ld.so.cache"):
        wrapped += ["--ro-bind-try", name, name]
    return wrapped


def _run_watched(
    command: list[str], limits: Limits, stdin: bytes, environment: dict[str, str], cwd: Path | None = None
) -> Outcome:
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as error:
        problem = f"cannot be started: {error}"
        return Outcome(status=None, stdout=b"", stderr=b"", problem=problem, kind=FailureKind.NO_VERDICT)
    with process:
        try:
            out, err, limit = _collect(process, limits, stdin)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    kind, problem = (limit, _exceeded(limit, limits)) if limit else _ending(process.returncode)
    return Outcome(status=process.returncode, stdout=out, stderr=err, problem=problem, kind=kind)


def _exceeded(limit: FailureKind, limits: Limits) -> str:
    if limit is FailureKind.TIME_LIMIT:
        return f"still running after {limits.seconds:.0f} s"
    return f"prints more than {limits.output // MEGABYTE} megabytes"


def _collect(process: subprocess.Popen[bytes], limits: Limits, stdin: bytes) -> tuple[bytes, bytes, FailureKind | None]:
    """Feed and drain the pipes until they close or a limit is exceeded; return both outputs and that limit."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    parts: dict[IO[bytes], bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    deadline = time.monotonic() + limits.seconds
    waiting = memoryview(stdin)
    limit = None
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            selector.register(stream, selectors.EVENT_READ)
        if waiting:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        else:
            process.stdin.close()
        while set(selector.get_map()) and not limit:
            ready = selector.select(timeout=max(0.0, deadline - time.monotonic()))
            if not ready:
                limit = FailureKind.TIME_LIMIT
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    waiting = _feed(process.stdin, waiting, selector)
                elif _drain(key.fileobj, parts, selector) > limits.output:  # type: ignore[arg-type]
                    limit = FailureKind.OUTPUT_LIMIT
    if limit:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=10)
    return bytes(parts[process.stdout]), bytes(parts[process.stderr]), limit


def _feed(stream: IO[bytes], waiting: memoryview, selector: selectors.BaseSelector) -> memoryview:
    try:
        waiting = waiting[os.write(stream.fileno(), waiting[:65536]) :]
    except BrokenPipeError:
        waiting = waiting[:0]
    if not waiting:
        selector.unregister(stream)
        stream.close()
    return waiting


def _drain(stream: IO[bytes], parts: dict[IO[bytes], bytearray], selector: selectors.BaseSelector) -> int:
    data = os.read(stream.fileno(), 1 << 18)
    if not data:
        selector.unregister(stream)
    parts[stream] += data
    return sum(len(part) for part in parts.values())


def _ending(status: int | None) -> tuple[FailureKind | None, str]:
    if status == 0:
        return None, ""
    if status is None:
        return FailureKind.KILLED, "does not end when it is killed"
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        if number == signal.SIGSYS:  # the program could not name the call: no handler, or blocked
            return FailureKind.FORBIDDEN_SYSCALL, "makes a forbidden system call (SIGSYS)"
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = str(number)
        return FailureKind.KILLED, f"killed by {name}"
    return FailureKind.NO_VERDICT, f"exit status {status}"
