# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign on every machine of a fleet, from the client's side."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from distributed import Client, Future

from cyclometer.campaign import Options, catalogue_of, grids_asked
from cyclometer.compile import check_names
from cyclometer.discover import select
from cyclometer.errors import StorageFailed, UnusableRun
from cyclometer.fleet import work
from cyclometer.fleet.crew import Crew
from cyclometer.fleet.foreign import Carrier, TreeImage
from cyclometer.fleet.journal import FOLDER, Journal
from cyclometer.fleet.roll import Roll, Say, SchedulerLost, client_of
from cyclometer.fleet.roster import Fleet, Machine
from cyclometer.fleet.secrecy import new_secret
from cyclometer.store import add_run, storage, write_whole

LOOK_SECONDS = 0.2
FORGET_SECONDS = 20
CHECKED = "checked"
EMULATED = "checked in an emulator, not timed"
"""So begins what becomes of a part on an emulated machine."""


@dataclass
class FleetCampaign:
    """Runs the parts of a campaign on every machine and stores their runs here."""

    fleet: Fleet
    journal: Journal
    results: Path
    say: Say
    forgetting: list[Future] = field(default_factory=list)  # machines that remove what is stored here
    unstored: dict[str, str] = field(default_factory=dict)  # MACHINE/OPERATION -> why our disk did not take its run
    trees: dict[str, str] = field(default_factory=dict)  # machine -> where it has the foreign tree of the campaign

    def __post_init__(self) -> None:
        self.roll = Roll(self.fleet.machines, list(self.journal.parts), self.say, "`--resume` goes on")

    @classmethod
    def start(cls, fleet: Fleet, options: Options, results: Path, say: Say) -> FleetCampaign:
        """Plan a new campaign: a part for each operation of the selected systems.

        What is asked for and exists nowhere is refused before any machine is bothered.
        """
        catalogue = catalogue_of(options)
        selected = select(catalogue, options.systems)
        grids_asked(catalogue, options, selected)
        check_names(catalogue, selected, options.implementations)
        parts: dict[str, list[str]] = {}
        for primitive in selected:
            parts.setdefault(primitive.operation, []).append(primitive.key)
        name = time.strftime("%Y-%m-%dT%H-%M-%S-") + secrets.token_hex(4)
        return cls(fleet, Journal(results / FOLDER / f"{name}.json", options, parts), results, say)

    @classmethod
    def resume(cls, fleet: Fleet, results: Path, say: Say) -> FleetCampaign:
        """Go on with the campaign that was interrupted last, and say which it is."""
        journal = Journal.latest(results)
        systems = ", ".join(journal.options.systems) or ", ".join(journal.parts)
        say(f"goes on with the campaign {journal.campaign}: {systems}")
        return cls(fleet, journal, results, say)

    def run(self) -> dict[str, str]:
        """Return the folder of the run, or why there is none, by MACHINE/OPERATION; a refused machine by its name."""
        while self._waiting():
            crew = Crew.hire([sys.executable, "-m", "cyclometer.fleet.scheduler"], new_secret())
            try:
                self.say(f"scheduler: process {crew.scheduler.process.pid}")
                self._with_crew(crew)
            except SchedulerLost:
                self.roll.lost("", crew.scheduler.why())
                self.say("the scheduler was lost; starting another, nothing that was stored is lost")
            finally:
                crew.end()
        if not self.roll.refused and not self.unstored:
            self.journal.close()
        return {**self.journal.done, **self.unstored, **self.roll.refused}

    def _waiting(self) -> list[tuple[Machine, str]]:
        return [
            (machine, operation)
            for machine in self.fleet.machines
            for operation in self.journal.parts
            if machine.name not in self.roll.refused
            and f"{machine.name}/{operation}" not in self.unstored
            and not self.journal.is_done(machine.name, operation)
        ]

    def _with_crew(self, crew: Crew) -> None:
        for machine in dict.fromkeys(machine for machine, _ in self._waiting()):
            self.roll.enlist(crew, machine)
        if not self._waiting():
            return
        self.journal.store()  # only now: a campaign that no machine has joined is none to go on with
        client = client_of(crew)
        try:
            client.subscribe_topic(work.TOPIC, self._show)
            if tree := self.journal.options.tree:
                carrier = Carrier(client, crew, self.roll, TreeImage.of(tree))
                self.trees = carrier.bring(dict.fromkeys(machine.name for machine, _ in self._waiting()))
            waiting = {
                self._submit(client, self._part(machine, operation)): self._part(machine, operation)
                for machine, operation in self._waiting()
            }
            while waiting:
                time.sleep(LOOK_SECONDS)
                self.roll.look_after(crew)
                waiting = {f: part for f, part in waiting.items() if part.machine not in self.roll.refused}
                for future in [future for future in waiting if future.done()]:
                    self._take(client, crew, future, waiting.pop(future))
            until = time.monotonic() + FORGET_SECONDS  # a machine that was lost meanwhile never answers
            while not all(future.done() for future in self.forgetting) and time.monotonic() < until:
                time.sleep(LOOK_SECONDS)
        finally:
            self.forgetting.clear()
            with suppress(Exception):  # a lost scheduler cannot be told
                client.close(timeout=1)

    def _part(self, machine: Machine, operation: str) -> work.Part:
        options = replace(
            self.journal.options,
            systems=tuple(self.journal.parts[operation]),
            machine=machine.name,
            toolchain=machine.toolchain,
            tree=self.trees.get(machine.name, ""),
        )
        return work.Part(name=self.journal.campaign, machine=machine.name, operation=operation, options=options)

    def _submit(self, client: Client, part: work.Part) -> Future:
        """Hand out the three steps of a part; only its machine has the resources that they need."""

        def step(function: Callable[..., Any], *arguments: Any) -> Future:
            name = function.__name__
            key = f"{name}-{part.name}-{part.machine}-{part.operation}"
            return client.submit(function, part, *arguments, key=key, resources={f"{name} {part.machine}": 1})

        return step(work.collect, step(work.measure, step(work.prepare)))

    def _take(self, client: Client, crew: Crew, future: Future, part: work.Part) -> None:
        """Store the run of a part, and let the machine forget it; it keeps what our own disk does not take."""
        self.roll.finished(part.machine)
        try:
            became, what = self._stored(part, _outcome(crew, future))
            self.journal.note(part.machine, part.operation, what)
        except StorageFailed as error:
            self.unstored[f"{part.machine}/{part.operation}"] = f"not stored: {error}"
            self.say(f"{part.machine}: {part.operation}: not stored, the machine keeps it for `--resume`: {error}")
            return
        self.say(f"{part.machine}: {part.operation}: {became}{what}")
        self.forgetting.append(
            client.submit(work.forget, part, key=f"forget-{future.key}", resources={f"collect {part.machine}": 1})
        )

    def _stored(self, part: work.Part, outcome: work.Outcome) -> tuple[str, str]:
        """Store what a machine returned; return a word for it, and its folder or why there is none."""
        if outcome.problem:
            return "", f"no run: {outcome.problem}"
        if outcome.checked:
            return "", self._store_check(part, outcome.checked)
        try:
            return "stored ", str(add_run(self.results, outcome.files or {}, part.machine))
        except UnusableRun as error:
            return "", f"no run: {error}"

    def _store_check(self, part: work.Part, checked: Mapping[str, Any]) -> str:
        """Store what an emulated machine found; return it in words."""
        file = self.results / FOLDER / CHECKED / f"{part.name}-{part.machine}-{part.operation}.json"
        with storage("write", file):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, lambda temporary: temporary.write_text(json.dumps(checked, indent=1), encoding="utf-8"))
        for subject, reason in checked["wrong"].items():
            self.say(f"{part.machine}: {subject}: {reason}")
        return f"{EMULATED}: tunings that are right: {len(checked['right'])}, wrong: {len(checked['wrong'])}; {file}"

    def _show(self, event: tuple[float, Mapping[str, Any]]) -> None:
        e = event[1]
        self.say(f"{e['machine']}: {e['part']}: {e['title']}: {e['done']} of {e['steps']}")


def _outcome(crew: Crew, future: Future) -> work.Outcome:
    """Return what a task returned; `SchedulerLost` if it was lost on the way."""
    try:
        result = future.result(timeout=300)
    except Exception as error:
        if not crew.scheduler.alive or future.status in ("cancelled", "lost"):
            raise SchedulerLost from None
        return work.Outcome(problem=f"{type(error).__name__}: {error}")
    assert isinstance(result, work.Outcome)
    return result
