# SPDX-License-Identifier: MIT OR Apache-2.0
"""Who takes part: machines are enlisted or refused, lost workers are replaced, and those that lose many given up."""

from __future__ import annotations

import importlib.metadata
import logging
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from distributed import Client
from distributed.versions import VersionMismatchWarning

from cyclometer import paths
from cyclometer.compile import contracts
from cyclometer.discover import discover
from cyclometer.errors import MachineUnfit
from cyclometer.fleet.crew import Crew
from cyclometer.fleet.roster import Machine
from cyclometer.fleet.secrecy import security_of

MAX_LOSSES = 5
"""How often a machine may lose its worker, and a campaign its scheduler, with nothing finished in between."""

Say = Callable[[str], None]


class SchedulerLost(Exception):
    """The scheduler's process has ended."""


@dataclass
class Roll:
    """The machines of a fleet that work, and those that do not, with the reason."""

    machines: Sequence[Machine]
    operations: Sequence[str]  # whose contracts must be the client's
    say: Say
    remedy: str  # what helps when a machine or the scheduler is given up
    refused: dict[str, str] = field(default_factory=dict)  # machine -> why
    losses: dict[str, int] = field(default_factory=dict)  # machine, or "" for the scheduler -> how many in a row

    def enlist(self, crew: Crew, machine: Machine) -> None:
        """Start the worker of a machine; refuse one that cannot be reached or differs."""
        try:
            there = crew.describe(machine, list(self.operations), sys.argv)
            if difference := self._difference(there):
                crew.dismiss(machine.name)
                raise MachineUnfit(difference)
        except MachineUnfit as error:
            return self.refuse(machine.name, str(error))
        crew.accept(machine.name)
        cores = "1 core" if there["cores"] == 1 else f"{there['cores']} cores"
        self.say(f"{machine.name}: ready: {there['cpu']}, {cores}, process {there['process']}")

    def refuse(self, machine: str, why: str) -> None:
        """Go on without a machine."""
        self.refused[machine] = f"refused: {why}"
        self.say(f"{machine}: {self.refused[machine]}")

    def look_after(self, crew: Crew) -> None:
        """Start the lost workers again; raise `SchedulerLost` if there is no scheduler."""
        if not crew.scheduler.alive:
            raise SchedulerLost
        for machine in self.machines:
            held = crew.workers.get(machine.name)
            if held and not held.alive and machine.name not in self.refused:
                self.say(f"{machine.name}: lost its worker: {held.why()}; starting another")
                crew.dismiss(machine.name)
                if self.lost(machine.name, "it loses every worker"):
                    self.enlist(crew, machine)

    def lost(self, name: str, why: str) -> bool:
        """Count a loss; return whether to try again. `MachineUnfit` if the scheduler is lost too often."""
        self.losses[name] = self.losses.get(name, 0) + 1
        if self.losses[name] <= MAX_LOSSES:
            return True
        if not name:
            raise MachineUnfit(f"the scheduler was lost {MAX_LOSSES} times; {why}; {self.remedy}")
        self.refused[name] = f"given up: {why}; {self.remedy}"
        self.say(f"{name}: {self.refused[name]}")
        return False

    def finished(self, machine: str) -> None:
        """Note that something was finished: losses count in a row."""
        self.losses.pop(machine, None)
        self.losses.pop("", None)

    def _difference(self, there: Mapping[str, Any]) -> str:
        """Return why the numbers of a machine would not compare with ours, or ''."""
        here = {
            "version": importlib.metadata.version("cyclometer"),
            "dask": importlib.metadata.version("distributed"),
            "python": "{}.{}".format(*sys.version_info),
        }
        for what, words in (("version", "Cyclometer"), ("python", "Python"), ("dask", "Dask.distributed")):
            if there[what] != here[what]:
                return f"it has {words} {there[what]}, the client has {here[what]}; install the same there"
        operations = discover(paths.root()).operations
        ours = contracts(paths.root(), [operations[name] for name in self.operations])
        for operation, contract in ours.items():
            if (other := there["contracts"].get(operation, "none")) != contract:
                return (
                    f"its contract of {operation} is {other}, the client's is {contract}, so their numbers would not "
                    "compare; give it the client's tree"
                )
        return ""


def client_of(crew: Crew) -> Client:
    """Return a client of the crew's scheduler; `SchedulerLost` if it is gone."""
    address = f"tls://127.0.0.1:{crew.port}"
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a lost scheduler is told in one line
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # `_difference` says what matters
    try:
        return Client(address, security=security_of(crew.secret), timeout=30, set_as_default=False)
    except (OSError, TimeoutError):
        raise SchedulerLost from None
