# SPDX-License-Identifier: MIT OR Apache-2.0
"""A fleet that stands ready: the same function, on every machine, as often as it is asked for.

with session(fleet, say) as everywhere:
    results = everywhere(function, argument)      # machine -> what the function returned there, or a `Problem`
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future

from cyclometer import paths
from cyclometer.discover import discover
from cyclometer.fleet.crew import Crew
from cyclometer.fleet.roll import Roll, Say, SchedulerLost, client_of
from cyclometer.fleet.roster import Fleet
from cyclometer.fleet.secrecy import new_secret

LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Problem:
    """Why a machine has no result."""

    reason: str


@dataclass
class Everywhere:
    """The machines of a fleet behind one call; scheduler and workers are started when they are first needed."""

    fleet: Fleet
    say: Say
    crew: Crew | None = None
    client: Client | None = None
    calls: int = 0
    roll: Roll = field(init=False)

    def __post_init__(self) -> None:
        operations = [operation.name for operation in discover(paths.root()).operations.values() if operation.foreign]
        self.roll = Roll(self.fleet.machines, operations, self.say, "repeat the command")

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Return what `function(machine, *arguments)` returned on each machine, or a `Problem`."""
        self.calls += 1
        results: dict[str, Any] = {}
        while waiting := [m.name for m in self.fleet.machines if m.name not in {*results, *self.roll.refused}]:
            try:
                crew, client = self._ready()
                futures = {name: self._submit(client, name, function, arguments) for name in waiting}
                self._gather(crew, {name: future for name, future in futures.items() if future}, results)
            except SchedulerLost:
                self.roll.lost("", self.crew.scheduler.why() if self.crew else "it does not answer")
                self.say("the scheduler was lost; starting another")
                self.end()
        return {
            **results,
            **{
                name: Problem(why.removeprefix("refused: "))
                for name, why in self.roll.refused.items()
                if name not in results
            },
        }

    def end(self) -> None:
        """End scheduler and workers."""
        if self.client:
            with suppress(Exception):  # a lost scheduler cannot be told
                self.client.close(timeout=1)
        if self.crew:
            self.crew.end()
        self.crew = self.client = None

    def _ready(self) -> tuple[Crew, Client]:
        if not self.crew:
            self.crew = Crew.hire([sys.executable, "-m", "cyclometer.fleet.scheduler"], new_secret())
        for machine in self.fleet.machines:
            if machine.name not in {*self.crew.workers, *self.roll.refused}:
                self.roll.enlist(self.crew, machine)
        if not self.client:
            self.client = client_of(self.crew)
        return self.crew, self.client

    def _submit(self, client: Client, machine: str, function: Callable[..., Any], arguments: Any) -> Future | None:
        if machine in self.roll.refused:
            return None
        key = f"{function.__name__}-{self.calls}-{machine}"
        return client.submit(function, machine, *arguments, key=key, resources={f"measure {machine}": 1})

    def _gather(self, crew: Crew, waiting: dict[str, Future], results: dict[str, Any]) -> None:
        while waiting:
            time.sleep(LOOK_SECONDS)
            self.roll.look_after(crew)
            waiting = {name: future for name, future in waiting.items() if name not in self.roll.refused}
            for name in [name for name, future in waiting.items() if future.done()]:
                results[name] = _result(crew, waiting.pop(name))
                self.roll.finished(name)


def _result(crew: Crew, future: Future) -> Any:
    try:
        return future.result(timeout=300)
    except Exception as error:
        if not crew.scheduler.alive or future.status in ("cancelled", "lost"):
            raise SchedulerLost from None
        return Problem(f"{type(error).__name__}: {error}")


@contextmanager
def session(fleet: Fleet, say: Say) -> Iterator[Everywhere]:
    """Yield a fleet that stands ready until the context ends."""
    everywhere = Everywhere(fleet, say)
    try:
        yield everywhere
    finally:
        everywhere.end()
