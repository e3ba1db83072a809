# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run folder on disk, as it is listed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cyclometer.records.run import RunInfo
from cyclometer.store.folder import PARTS, SAMPLES_FILE, run_name

SUPPLEMENTS = (("compare",), ("modes",), ("protocol",), ("rank",))
"""Commands that measure what they need, and show it themselves."""

State = Literal["complete", "under way", "interrupted", "unreadable", "copy"]


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """One run folder on disk."""

    folder: Path
    machine: str  # with a suffix if machines with different CPUs have one name
    run: str
    state: State
    reason: str = ""  # why it is not read
    info: RunInfo | None = None  # None if it is unreadable or a copy
    recorded_as: tuple[str, str] = ("", "")  # run and machine in the columns of its samples

    @property
    def is_comparison(self) -> bool:
        """Return whether it measured one pair of tunings, interleaved."""
        return bool(self.info and self.info.plan.get("pair"))

    @property
    def is_supplement(self) -> bool:
        """Return whether a command measured it to show something else than tables, such as what a ranking lacked."""
        return bool(self.info and self.info.command[1:2] in SUPPLEMENTS)

    @property
    def machine_names(self) -> tuple[str, str]:
        """Return the names by which its machine is selected: as shown, and as the user named it."""
        return self.machine, self.folder.parent.name

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which it is selected: its name, its label if it has one, and that of its folder.

        The last differs if `runs --rename` was killed before it renamed the folder, and can be repeated.
        """
        label = self.info.label if self.info else ""
        return tuple(dict.fromkeys(name for name in (self.run, label, run_name(self.folder)) if name))

    @property
    def sample_files(self) -> list[Path]:
        """Return the Parquet files with its samples: one if complete, else one per part."""
        if self.state == "complete":
            return [self.folder / SAMPLES_FILE]
        return sorted((self.folder / PARTS).glob("[!.]*.parquet"))
