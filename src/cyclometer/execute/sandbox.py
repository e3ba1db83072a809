# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a program that is not trusted to behave: limits, sandbox, pinned core.

Whatever it does, an Outcome comes back. Always: resource limits, a wall clock,
an output limit, and the whole process group killed at the end. Where bubblewrap
is present: no network, a read-only file system, private /tmp and processes.
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
    """Seconds of wall clock, bytes of address space (None: unlimited), of output and of files."""

    seconds: float = 60.0
    memory: int | None = 2048 * MEGABYTE
    output: int = 64 * MEGABYTE
    files: int = 0  # bytes that it may write to a file


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How it ended. `problem` is empty, and `kind` None, when the exit status is 0."""

    status: int | None
    stdout: bytes
    stderr: bytes
    problem: str
    kind: FailureKind | None = None

    def last_words(self, most: int = 2000) -> str:
        """The end of what it said on standard error."""
        return self.stderr.decode(errors="replace")[-most:].strip()

    def first_error(self, most: int = 2000) -> str:
        """Of a compiler's or a linker's words those from the first error on; the last ones if none is called so."""
        return from_first_error(self.stderr.decode(errors="replace"))[:most].strip() or self.last_words(most)


def from_first_error(said: str) -> str:
    """Of a compiler's or a linker's words those from the first error on; '' if none is called so."""
    error = _ERROR.search(said)
    return said[error.start() :] if error else ""


@cache
def bubblewrap() -> str:
    """The bubblewrap that works here, or ''."""
    found = shutil.which("bwrap")
    if not found:
        return ""
    try:
        trial = subprocess.run(
            [found, *_namespaces(), "true"],
            capture_output=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found if trial.returncode == 0 else ""


def _namespaces() -> list[str]:
    options = "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-net --unshare-pid --unshare-ipc"
    return [*options.split(), "--die-with-parent", "--new-session"]


def confined(
    command: Sequence[str], limits: Limits, cpu: int | None, visible: Sequence[Path], foreign: bool = False
) -> list[str]:
    """The command behind limits, core pinning and the sandbox; `visible` folders stay readable in it.
    A foreign program sees of the machine only those, the system's programs and its libraries."""
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
    """Runs an untrusted program to its end or to its limits."""
    limits = limits or Limits()
    clean = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", **(environment or {})}
    return _run_watched(confined(command, limits, cpu, visible, foreign), limits, stdin, clean)


def run_tool(command: Sequence[str], seconds: float = 300.0, cwd: Path | None = None) -> Outcome:
    """Runs a program of the system's own (a compiler, pkg-config) with a wall clock only."""
    clean = {**os.environ, "LC_ALL": "C"}
    return _run_watched(list(command), Limits(seconds=seconds, memory=None), b"", clean, cwd)


def run_confined_tool(
    command: Sequence[str], *, readable: Sequence[Path], writable: Path, seconds: float = 300.0
) -> Outcome:
    """Runs a compiler over sources that are not trusted, in the folder `writable`: of the machine it sees the
    system's programs, headers and libraries and the folders `readable`; no home, no /etc/passwd, no network."""
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
    """Feed and drain the pipes until they close, the clock runs out or the output is too much: the limit reached."""
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
        if number == signal.SIGSYS:  # blocked or with no handler, so that nobody could name the call
            return FailureKind.FORBIDDEN_SYSCALL, "makes a forbidden system call (SIGSYS)"
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = str(number)
        return FailureKind.KILLED, f"killed by {name}"
    return FailureKind.NO_VERDICT, f"exit status {status}"
