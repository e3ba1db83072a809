# SPDX-License-Identifier: MIT OR Apache-2.0
"""A program in the sandbox that answers line by line, so that its CPU time can be read between two answers.

The kernel counts that time. Unlike what the program says of itself, the program cannot change it, and neighbours on
the same core do not add to it.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from cyclometer.execute import sandbox
from cyclometer.execute.running import started
from cyclometer.execute.seccomp import Policy
from cyclometer.execute.usage import innermost

_CPU_CLOCK = 2  # CPUCLOCK_SCHED of <linux/posix-timers_types.h>: the time that all threads of a process have run
_READ = 1 << 18


class NoAnswer(Exception):
    """The program did not answer; the text says why."""


class Conversation:
    """Sends lines to a program and waits for its answers."""

    def __init__(self, process: subprocess.Popen[bytes], limits: sandbox.Limits) -> None:
        self._process, self._limits = process, limits
        self._deadline = time.monotonic() + limits.seconds
        self._clock: int | None = None
        self._has_answered = False

    def ask(self, requests: Sequence[str], last: str) -> list[str]:
        """Send requests and return the lines up to one that begins with `last` for each of them.

        `NoAnswer` if the program ends first, or reports a failure.
        """
        waiting = memoryview("".join(f"{request}\n" for request in requests).encode())
        lines: list[str] = []
        rest, answers, size = b"", 0, 0
        while answers < len(requests):
            waiting, data = self._exchange(waiting)
            if data is None:
                raise NoAnswer("stops answering")
            *whole, rest = (rest + data).split(b"\n")
            size += len(data)
            lines += (line.decode(errors="replace") for line in whole)
            answers += sum(line.startswith(last.encode()) for line in whole)
            failed = next((line for line in whole if line.startswith(b"verdict\tfailed")), None)
            if failed:
                raise NoAnswer(": ".join(failed.decode(errors="replace").split("\t")[3:5]))
            if size > self._limits.output:
                raise NoAnswer("prints without end")
        self._has_answered = True
        return lines

    def cpu_seconds(self) -> float:
        """Return the CPU time that the program has used so far, by the kernel's clock; it must have answered once."""
        if not self._has_answered:  # until then, another program may only be preparing the sandbox for it
            raise NoAnswer("has not answered yet")
        if self._clock is None:
            self._clock = ~innermost(self._process.pid) << 3 | _CPU_CLOCK
        try:
            return time.clock_gettime(self._clock)
        except OSError as error:
            raise NoAnswer("has ended") from error

    def used_seconds(self) -> float:
        """Return the CPU time that the program has used so far; 0 while it has not answered, and when it has ended."""
        try:
            return self.cpu_seconds()
        except NoAnswer:
            return 0.0

    def _exchange(self, waiting: memoryview) -> tuple[memoryview, bytes | None]:
        """Send a piece or receive one; return what is still to be sent, and what was received (None: the end)."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        poll = select.poll()
        poll.register(stdout, select.POLLIN)
        if waiting:
            poll.register(stdin, select.POLLOUT)
        ready = poll.poll(1000 * max(0.0, self._deadline - time.monotonic()))
        if not ready:
            raise NoAnswer(f"still running after {self._limits.seconds:.0f} s")
        if stdout.fileno() in dict(ready):
            return waiting, os.read(stdout.fileno(), _READ) or None
        try:
            return waiting[os.write(stdin.fileno(), waiting[:4096]) :], b""
        except BrokenPipeError:
            return waiting[:0], b""  # its last words may still be read


@contextmanager
def conversation(
    command: Sequence[str],
    *,
    limits: sandbox.Limits,
    policy: Policy,
    visible: Sequence[Path],
    copies: Mapping[Path, Path] = MappingProxyType({}),
    cpu: int | None,
    environment: dict[str, str],
    abi: str,
) -> Iterator[Conversation]:
    """Start a program as `sandbox.start` does; it ends with the block."""
    with sandbox.confined(command, limits, policy, visible, copies=copies, abi=abi) as (line, descriptor):
        program = started(
            line,
            environment=sandbox.clean_environment(environment),
            cwd=None,
            descriptor=descriptor,
            stderr=subprocess.DEVNULL,
            cpu=cpu,
        )
        with program as process:
            yield Conversation(process, limits)
