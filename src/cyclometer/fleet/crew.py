# SPDX-License-Identifier: MIT OR Apache-2.0
"""The processes of a fleet, as the client sees them: one scheduler, and a worker on each machine."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from cyclometer.errors import CyclometerError, MachineUnfit
from cyclometer.fleet import reach
from cyclometer.fleet.roster import Machine
from cyclometer.fleet.secrecy import Secret

ANSWER_SECONDS = 300.0
"""How long a machine may take until it describes itself: its first start may install Cyclometer there."""

END_SECONDS = 10.0
LAST_LINES = 5


@dataclass
class Held:
    """A process that ends when we close its standard input; its last lines on standard error are kept."""

    process: subprocess.Popen[bytes]
    last: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_LINES))

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def send(self, value: dict[str, Any]) -> None:
        """Write one line of orders; if the process has ended, `ask` or `alive` will show it."""
        assert self.process.stdin
        with suppress(OSError):
            self.process.stdin.write(json.dumps(value).encode() + b"\n")
            self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Return the next line that is JSON; `MachineUnfit` if the process ends before, or takes too long."""
        assert self.process.stdout
        late = threading.Timer(ANSWER_SECONDS, self.process.kill)
        late.start()
        try:
            for line in self.process.stdout:
                with suppress(ValueError):
                    return dict(json.loads(line))
        finally:
            late.cancel()
        self.process.wait(END_SECONDS)
        raise MachineUnfit(self.why())

    def why(self) -> str:
        """Return why the process ended, as far as it said."""
        self._reader.join(1)
        words = next((line for line in reversed(self.last) if line.strip()), "")
        return f"its process ended with status {self.process.poll()}" + (f": {words.strip()}" if words else "")

    def end(self) -> None:
        """Close the standard input, and kill what does not end by that."""
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.last.append(line.decode(errors="replace"))


class Crew:
    """A scheduler and the workers that were not refused."""

    def __init__(self, scheduler: Held, port: int, secret: Secret) -> None:
        self.scheduler, self.port, self.secret = scheduler, port, secret
        self.workers: dict[str, Held] = {}

    @classmethod
    def hire(cls, command: Sequence[str], secret: Secret) -> Self:
        """Start a scheduler."""
        scheduler = Held(reach.held(list(command)))
        scheduler.send({"secret": secret})
        return cls(scheduler, scheduler.answer()["port"], secret)

    def describe(self, machine: Machine, operations: Sequence[str], command: Sequence[str]) -> dict[str, Any]:
        """Start the worker of a machine and return its description; `MachineUnfit` says why it cannot."""
        way = reach.ways()[machine.reach]
        ports = self._ports(way.FORWARDS)
        orders = {"machine": machine.name, "cores": machine.cores, "ports": asdict(ports), "secret": self.secret}
        try:
            worker = Held(way.start(machine.way, ports))
        except OSError as error:
            raise MachineUnfit(f"cannot be reached: {error}") from None
        worker.send({**orders, "operations": list(operations), "command": list(command)})
        try:
            description = worker.answer()
            if problem := description.get("problem"):
                raise MachineUnfit(str(problem))
        except CyclometerError:
            worker.end()
            raise
        self.workers[machine.name] = worker
        return description

    def accept(self, name: str) -> None:
        """Let a machine that was described work."""
        self.workers[name].send({"work": True})

    def dismiss(self, name: str) -> None:
        """End a worker."""
        self.workers.pop(name).end()

    def end(self) -> None:
        """End every process of the fleet."""
        for held in [*self.workers.values(), self.scheduler]:
            held.end()

    def _ports(self, forwards: bool) -> reach.Ports:
        if not forwards:
            return reach.Ports(scheduler=self.port, scheduler_there=self.port, worker=0, worker_there=0)
        here, there, other = free_ports(3)
        return reach.Ports(scheduler=self.port, scheduler_there=there, worker=here, worker_there=other)


def free_ports(count: int) -> list[int]:
    """Return ports of loopback that nothing listens on now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
