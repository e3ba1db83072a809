# SPDX-License-Identifier: MIT OR Apache-2.0
"""The programs that are running now: each is started and killed here, and all of them end when a user interrupts."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from cyclometer.execute.usage import children, line_from

_APPEARING, _PAUSE = 1.0, 0.0002  # seconds to wait for a program that is not there yet, and between two looks

_lock = threading.Lock()
_processes: set[subprocess.Popen[bytes]] = set()
_is_ending = False


@contextlib.contextmanager
def started(
    command: Sequence[str],
    *,
    environment: dict[str, str],
    cwd: Path | None,
    descriptor: int | None,
    stderr: int = subprocess.PIPE,
    cpu: int | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program in a session of its own, with pipes, on the core `cpu`; kill what is left of it at the end.

    Raises `OSError` if it cannot be started, and `KeyboardInterrupt` if all programs are being ended.
    """
    with _lock:
        if _is_ending:
            raise KeyboardInterrupt
        with _thread_on(cpu):
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment,
                cwd=cwd,
                start_new_session=True,
                pass_fds=() if descriptor is None else (descriptor,),
            )
        _processes.add(process)
    try:
        with process:
            try:
                yield process
            finally:
                kill(process)
    finally:
        with _lock:
            _processes.discard(process)
    if _is_ending:
        raise KeyboardInterrupt  # it was killed: what it printed is no verdict


@contextlib.contextmanager
def _thread_on(cpu: int | None) -> Iterator[None]:
    """Keep this thread on a core, as a program that it starts will be: another program for this takes a millisecond."""
    if cpu is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def keep_on(pid: int, cpu: int, name: str) -> None:
    """Move a program to a core when it has become `name`: until then, others prepare the sandbox for it.

    These are moved, too; threads but the first are not. `OSError` if it may not be moved, or does not appear.
    """
    end = time.monotonic() + _APPEARING
    with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # it has ended
        while True:
            for each in line_from(pid):
                os.sched_setaffinity(each, {cpu})  # before its child is looked for, which it may be making
            if Path(f"/proc/{each}/cmdline").read_bytes().startswith(os.fsencode(name) + b"\0"):
                return
            if time.monotonic() > end:
                raise TimeoutError(f"{name} is not started within {_APPEARING:.0f} s")
            time.sleep(_PAUSE)  # a process that is being made at this moment has the cores that its parent had


@contextlib.contextmanager
def all_ending() -> Iterator[None]:
    """Kill all programs; other threads that wait for one, or would start one, get a `KeyboardInterrupt` meanwhile."""
    global _is_ending  # noqa: PLW0603 - threads that are about to start a program must see it
    with _lock:
        _is_ending = True
        processes = list(_processes)
    try:
        for process in processes:
            kill(process)
        yield
    finally:
        _is_ending = False


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill everything that the process has started, and wait until it has ended.

    The child of bubblewrap is the first process of its namespace, with which the kernel ends all others.
    """
    if process.poll() is None:
        for child in children(process.pid)[:1]:
            with contextlib.suppress(ProcessLookupError, PermissionError, subprocess.TimeoutExpired):
                os.kill(child, signal.SIGKILL)
                process.wait(timeout=2)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=10)
