# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs an untrusted program with limits, in the sandbox, on a pinned core.

Whatever it does, an Outcome comes back. Compilers, makefiles, checks, measurements and emulators all go through here:
bubblewrap gives them a view of the machine (bubblewrap.py), a seccomp filter the system calls that they need
(seccomp.py), and limits hold for each process and for all together. Without bubblewrap, only the limits hold.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import IO

import psutil

from cyclometer.execute.bubblewrap import bubblewrap, has_user_namespace, tool_folders, wrapped
from cyclometer.execute.running import keep_on, kill, started
from cyclometer.execute.seccomp import Policy, seccomp_filter
from cyclometer.execute.usage import PERIOD, excess
from cyclometer.records.failure import FailureKind

MEGABYTE = 1 << 20
NOT_STARTED = (126, 127)  # exit status of prlimit if it cannot execute the program
_ERROR = re.compile(
    r"^.*(\berror\b|undefined reference|multiple definition|relocation R_|cannot find -l)", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of a process: seconds of wall-clock time; bytes of address space (None: unlimited), output and files.

    With `processes`, it may start others, and what all of them use together is limited as well. With `cpu_signals`,
    SIGXCPU comes each second from a fifth of the CPU time on: the harness notices calls that do not return.
    """

    seconds: float = 60.0
    cpu_signals: bool = False
    memory: int | None = 2048 * MEGABYTE
    output: int = 64 * MEGABYTE
    files: int = 0  # size of the largest file that it may write
    processes: int = 0
    memory_together: int = 8192 * MEGABYTE
    disk: int = 4096 * MEGABYTE  # in the folder that it may write to


BUILD_LIMITS = Limits(
    memory=4096 * MEGABYTE,
    files=256 * MEGABYTE,
    processes=512,
    memory_together=min(8192 * MEGABYTE, psutil.virtual_memory().total * 3 // 4),
)
OPEN_FILES = 1024
OPEN_SOCKETS = 4096  # of a client and its server: two for each of 1024 connections, and some
THREADS = 4096  # of all processes of a build
EMULATOR_PROCESSES = 16


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


def run(
    command: Sequence[str],
    *,
    limits: Limits | None = None,
    cpu: int | None = None,
    stdin: bytes = b"",
    environment: dict[str, str] | None = None,
    visible: Sequence[Path] = (),
    policy: Policy = Policy.COMPUTE,
    abi: str = "",
    fixed_addresses: bool = False,
) -> Outcome:
    """Run an untrusted program until it ends or exceeds a limit; it can read the `visible` files and folders.

    `abi` names its system calls if they are not this machine's. With `fixed_addresses`, the kernel does not randomise
    where things are in its memory.
    """
    program = start(
        command,
        limits=limits or Limits(),
        cpu=cpu,
        environment=environment,
        visible=visible,
        policy=policy,
        abi=abi,
        fixed_addresses=fixed_addresses,
    )
    return program.outcome(stdin)


def start(
    command: Sequence[str],
    *,
    limits: Limits,
    cpu: int | None = None,
    environment: dict[str, str] | None = None,
    visible: Sequence[Path] = (),
    copies: Mapping[Path, Path] = MappingProxyType({}),
    writable: Path | None = None,
    policy: Policy = Policy.COMPUTE,
    abi: str = "",
    fixed_addresses: bool = False,
) -> Program:
    """Start an untrusted program, in the folder `writable` if it may write to one.

    In the sandbox it reads the copy in place of each file of `copies`; the rest is as in `run`.
    """
    if policy is Policy.EMULATE:
        limits = replace(limits, processes=EMULATOR_PROCESSES)
    before = [_path("setarch"), "-R"] if fixed_addresses else []
    with confined(command, limits, policy, visible, copies=copies, writable=writable, abi=abi) as (line, descriptor):
        return Program(
            [*before, *line],
            limits,
            clean_environment(environment),
            cwd=writable,
            descriptor=descriptor,
            cpu=cpu,
            name=command[0],
        )


def run_confined_tool(
    command: Sequence[str], *, readable: Sequence[Path], writable: Path | None = None, seconds: float = 300.0
) -> Outcome:
    """Run a compiler, or a script that calls one, on untrusted sources, in the folder `writable`.

    It sees only the system's programs, headers and libraries and the folders `readable`: no home, no /etc/passwd, no
    network.
    """
    limits = replace(BUILD_LIMITS, seconds=seconds)
    return start(command, limits=limits, policy=Policy.BUILD, visible=readable, writable=writable).outcome()


def run_tool(command: Sequence[str], seconds: float = 300.0, cwd: Path | None = None) -> Outcome:
    """Run a program of the system (pkg-config, a compiler that is asked for its version) with a time limit only."""
    clean = {**os.environ, "LC_ALL": "C"}
    return Program(list(command), Limits(seconds=seconds, memory=None), clean, cwd=cwd).outcome()


def clean_environment(environment: dict[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a program in the sandbox: the search path and these variables."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", **(environment or {})}


@contextlib.contextmanager
def confined(
    command: Sequence[str],
    limits: Limits,
    policy: Policy,
    readable: Sequence[Path],
    *,
    copies: Mapping[Path, Path] = MappingProxyType({}),
    writable: Path | None = None,
    abi: str = "",
) -> Iterator[tuple[list[str], int | None]]:
    """Yield the command line that starts a program in the sandbox, and a descriptor that it needs.

    The filter is set before bubblewrap starts the program, its limits after that.
    """
    program = seccomp_filter(policy, abi=abi) if bubblewrap() else b""
    with _descriptor(program) as descriptor:
        tools = tool_folders(command[:1])
        line = wrapped(
            [*_limited(limits, policy), *command],
            readable=(*readable, *tools),
            copies=copies,
            writable=writable,
            seccomp=descriptor,
        )
        yield line, descriptor


def _limited(limits: Limits, policy: Policy) -> list[str]:
    """Return the prlimit(1) command line that sets the limits of each process."""
    cpu = _lower(int(limits.seconds) + 1, resource.RLIMIT_CPU)
    early = f"{max(1, int(limits.seconds / 5))}:" if limits.cpu_signals else ""
    line = [_path("prlimit"), "--core=0", f"--fsize={_lower(limits.files, resource.RLIMIT_FSIZE)}"]
    line.append(f"--cpu={early}{cpu}" if limits.seconds / 5 <= cpu else f"--cpu={cpu}")
    sockets = OPEN_SOCKETS if policy is Policy.TALK else OPEN_FILES
    line.append(f"--nofile={_lower(sockets, resource.RLIMIT_NOFILE)}")
    if limits.memory is not None:
        line.append(f"--as={_lower(limits.memory, resource.RLIMIT_AS)}")
    # The kernel counts processes in a user namespace of their own; before Linux 5.14, all of the user's.
    if policy is Policy.BUILD and has_user_namespace() and _kernel() >= (5, 14):
        line.append(f"--nproc={_lower(THREADS, resource.RLIMIT_NPROC)}")
    return line


def _lower(wanted: int, kind: int) -> int:
    """Return the limit, or what `ulimit` has set for this process if that is lower: it cannot be raised."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


@cache
def _path(tool: str) -> str:
    """Return the real path of a program of the system, which is the same in the sandbox."""
    return os.path.realpath(shutil.which(tool) or tool)


@cache
def _kernel() -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", os.uname().release)[:2])


@contextlib.contextmanager
def _descriptor(program: bytes) -> Iterator[int | None]:
    """Yield a file descriptor from which bubblewrap reads the filter; None if there is no filter."""
    if not program:
        yield None
        return
    descriptor = os.memfd_create("seccomp")
    try:
        os.write(descriptor, program)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


class Program:
    """A program that has been started, and waits for its standard input. Call `outcome` or `end`."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        environment: dict[str, str],
        *,
        cwd: Path | None = None,
        descriptor: int | None = None,
        cpu: int | None = None,
        name: str = "",
    ) -> None:
        """`name` is its first argument in the end, if it can be moved to another core."""
        self._limits, self._cwd, self._name = limits, cwd, name
        self._stack, self._failure = contextlib.ExitStack(), ""
        program = started(command, environment=environment, cwd=cwd, descriptor=descriptor, cpu=cpu)
        try:
            self._process = self._stack.enter_context(program)
        except OSError as error:
            self._failure = f"cannot be started: {error}"

    def begin(self, stdin: bytes, cpu: int | None = None) -> None:
        """Give it its standard input, at most PIPE_BUF bytes, after moving it to the core `cpu`.

        `OSError` if it cannot be moved.
        """
        if self._failure:
            return
        assert self._process.stdin
        if cpu is not None:
            keep_on(self._process.pid, cpu, self._name)
        with contextlib.suppress(BrokenPipeError):  # it has ended
            self._process.stdin.write(stdin)
            self._process.stdin.close()

    def outcome(self, stdin: bytes = b"", ended: Callable[[], None] = lambda: None) -> Outcome:
        """Wait until it has ended, and return how; `ended` is called as soon as it has."""
        if self._failure:
            return Outcome(status=None, stdout=b"", stderr=b"", problem=self._failure, kind=FailureKind.NO_VERDICT)
        with self._stack:
            out, err, exceeded = _collect(self._process, self._limits, stdin, self._cwd)
        ended()
        status = self._process.returncode
        kind, problem = exceeded or _ending(status)
        return Outcome(status=status, stdout=out, stderr=err, problem=problem, kind=kind)

    def end(self) -> None:
        """Kill it, unless it has ended."""
        self._stack.close()


def _collect(
    process: subprocess.Popen[bytes], limits: Limits, stdin: bytes, folder: Path | None
) -> tuple[bytes, bytes, tuple[FailureKind, str] | None]:
    """Feed and drain the pipes until they close or a limit is exceeded; return both outputs and that limit."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    parts: dict[IO[bytes], bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    deadline = time.monotonic() + limits.seconds
    look = time.monotonic() + PERIOD
    waiting = memoryview(stdin)
    exceeded = None
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            selector.register(stream, selectors.EVENT_READ)
        if waiting:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        else:
            process.stdin.close()
        while set(selector.get_map()) and not exceeded:
            until = min(deadline, look) if limits.processes else deadline
            for key, _ in selector.select(timeout=max(0.0, until - time.monotonic())):
                if key.fileobj is process.stdin:
                    waiting = _feed(process.stdin, waiting, selector)
                elif _drain(key.fileobj, parts, selector) > limits.output:  # type: ignore[arg-type]
                    exceeded = FailureKind.OUTPUT_LIMIT, f"prints more than {limits.output // MEGABYTE} megabytes"
            now = time.monotonic()
            if now >= deadline and not exceeded:
                exceeded = FailureKind.TIME_LIMIT, f"still running after {limits.seconds:.0f} s"
            if limits.processes and now >= look and not exceeded:
                exceeded, look = _excess(process, limits, folder), time.monotonic() + PERIOD
    if exceeded:
        kill(process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=10)
    return bytes(parts[process.stdout]), bytes(parts[process.stderr]), exceeded


def _excess(process: subprocess.Popen[bytes], limits: Limits, folder: Path | None) -> tuple[FailureKind, str] | None:
    return excess(
        process.pid,
        processes=limits.processes,
        memory=limits.memory_together,
        disk=limits.disk,
        folder=folder,
    )


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
        why = " (not by a limit of ours: it killed itself, or the memory was used up)" if name == "SIGKILL" else ""
        return FailureKind.KILLED, f"killed by {name}{why}"
    if status in NOT_STARTED:
        return FailureKind.NO_VERDICT, f"cannot be started (exit status {status})"
    return FailureKind.NO_VERDICT, f"exit status {status}"
