# SPDX-License-Identifier: MIT OR Apache-2.0
"""Calls of the command without its start-up: forked from a process that has imported all subcommands and run none.

Half a second of CPU per call goes into imports, and the tests make many hundreds of calls. A forked call has its own
words, environment, folder and output, and ends as the command does: with a status, a traceback or a signal. It is not
for tests of the start-up itself, nor for an environment that differs in what is read at start-up (`can_fork`).

This file is both sides. Per call, the tests' side sends its words over a socket, with three open files: standard
output, standard error, and a socket on which the other side answers twice: the process, and its exit status once it has
ended.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MAX_BYTES = 1 << 17  # of a message: more than arguments and environment together

READ_LATE = ("CYCLOMETER_", "COLUMNS", "PYTEST_CURRENT_TEST")
"""How the names of variables begin that nothing reads before a subcommand runs."""

PRELOADED = ("cyclometer.cli", "cyclometer.report.plots")
"""Packages of which every module is imported beforehand."""


class ForkServer:
    """The tests' side; the process that it starts ends with this one."""

    def __init__(self, program: Path, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, __file__, str(program), str(theirs.fileno())],
                env=self.environment,
                pass_fds=[theirs.fileno()],
                stdout=subprocess.DEVNULL,
            )

    def can_fork(self, environment: Mapping[str, str]) -> bool:
        """Say whether a call with this environment does without a start-up of its own."""
        differing = dict(environment.items() ^ self.environment.items())
        return all(name.startswith(READ_LATE) for name in differing)

    def run(
        self, words: list[str], environment: Mapping[str, str], folder: Path, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """Call the command and capture its output, as `subprocess.run` does."""
        message = json.dumps([words, dict(environment), str(folder)]).encode()
        answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr, answers:
            with theirs:
                files = [stdout.fileno(), stderr.fileno(), theirs.fileno()]
                socket.send_fds(self._socket, [message], files)
            process = int(answers.recv(MAX_BYTES))
            answers.settimeout(seconds)
            try:
                status = int(answers.recv(MAX_BYTES))
            except TimeoutError:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired(words, seconds) from None
            stdout.seek(0)
            stderr.seek(0)
            return subprocess.CompletedProcess(words, status, stdout.read(), stderr.read())


class _Calls:
    """The other side: one process per message."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.running: dict[int, tuple[int, socket.socket]] = {}  # file of a process -> its number, where to answer
        self.events = select.poll()
        self.events.register(control, select.POLLIN)

    def serve(self) -> list[str]:
        """Fork until the tests end. Returns in each forked process, with the words of its call."""
        while True:
            for file, _ in self.events.poll():
                if file in self.running:
                    self._finish(file)
                elif words := self._begin():
                    return words

    def _begin(self) -> list[str]:
        message, files, _, _ = socket.recv_fds(self.control, MAX_BYTES, 3)
        if not message:
            os._exit(0)
        process = os.fork()
        if not process:
            return self._become(message, files)
        answers = socket.socket(fileno=files.pop())
        for file in files:
            os.close(file)
        answers.send(str(process).encode())
        watched = os.pidfd_open(process)
        self.running[watched] = process, answers
        self.events.register(watched, select.POLLIN)
        return []

    def _finish(self, file: int) -> None:
        process, answers = self.running.pop(file)
        self.events.unregister(file)
        os.close(file)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with answers, suppress(BrokenPipeError):  # the test may have given up
            answers.send(str(status).encode())

    def _become(self, message: bytes, files: list[int]) -> list[str]:
        """Leave nothing of the server in this process but its imports."""
        self.control.close()
        for file, (_, answers) in self.running.items():
            os.close(file)
            answers.close()
        for standard, file in zip((1, 2), files, strict=False):
            os.dup2(file, standard)
        for file in files:
            os.close(file)
        words, environment, folder = json.loads(message)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        return list(words)


def main(program: str, control: str) -> None:
    """Import, serve, and in each forked process run the command."""
    sys.path[0] = str(Path(program).parent)  # as for the program itself
    for name in PRELOADED:
        package = importlib.import_module(name)
        for module in pkgutil.iter_modules(package.__path__, f"{name}."):
            importlib.import_module(module.name)
    importlib.import_module("cyclometer.analyse.estimate.code_digest").code_digest()  # a tenth of a second per call
    gc.freeze()
    sys.argv = _Calls(socket.socket(fileno=int(control))).serve()
    importlib.import_module("cyclometer.cli").main()


if __name__ == "__main__":
    main(*sys.argv[1:])
