# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a fleet's campaign is and which of its parts are stored, on the client's disk: `--resume` reads it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from cyclometer.campaign import Options
from cyclometer.errors import NothingToDo, StorageFailed
from cyclometer.store import State, read_state, storage, write_whole

FOLDER = ".fleet"
"""In the folder of results; no reader of runs looks there."""


class _State(State):
    """The file of a `Journal`."""

    options: Options
    parts: dict[str, list[str]]
    done: dict[str, str]


@dataclass
class Journal:
    """One campaign of a fleet; `done` maps MACHINE/OPERATION to the folder of its run, or to why there is none."""

    file: Path
    options: Options
    parts: dict[str, list[str]]  # operation -> its systems
    done: dict[str, str] = field(default_factory=dict)

    @property
    def campaign(self) -> str:
        """The name of the campaign, under which machines keep its runs."""
        return self.file.stem

    @classmethod
    def latest(cls, results: Path) -> Self:
        """Return the campaign that was begun last and is not complete.

        `NothingToDo` if there is none, `StorageFailed` if it is damaged.
        """
        files = sorted((results / FOLDER).glob("*.json"))
        if not files:
            raise NothingToDo(f"no interrupted campaign of a fleet in {results}; start one without --resume")
        state = read_state(_State, files[-1], "remove it and start anew")
        return cls(files[-1], state.options, state.parts, state.done)

    def store(self) -> None:
        """Write the journal, whole or not at all."""
        value: dict[str, Any] = {"options": asdict(self.options), "parts": self.parts, "done": self.done}
        with storage("write", self.file):
            self.file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.file, lambda temporary: temporary.write_text(json.dumps(value, indent=1), encoding="utf-8"))

    def note(self, machine: str, operation: str, what: str) -> None:
        """Note that a part is done; if the disk does not take the note, it is not."""
        before = self.done
        self.done = {**before, f"{machine}/{operation}": what}
        try:
            self.store()
        except StorageFailed:
            self.done = before
            raise

    def is_done(self, machine: str, operation: str) -> bool:
        """Return whether a part needs no more work."""
        return f"{machine}/{operation}" in self.done

    def close(self) -> None:
        """Remove the journal of a complete campaign."""
        with storage("remove", self.file):
            self.file.unlink(missing_ok=True)
