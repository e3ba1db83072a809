# SPDX-License-Identifier: MIT OR Apache-2.0
"""Remembers the races of a primitive on this CPU: which tuning was chosen, and how fast the others were."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.records.executable import Executable
from cyclometer.records.tuning import Trial, Tuning

MAX_PROGRAMS = 2000
"""Programs of a primitive whose times are kept: the latest."""


@dataclass(frozen=True, kw_only=True)
class PriorTimings:
    """The tuning chosen last, if any, and the cycles of programs (by the names of their files, which stand
    for all that went into them) in earlier races."""

    chosen: Tuning | None = None
    cycles: Mapping[str, float] = field(default_factory=dict)

    def of(self, executable: Executable) -> float | None:
        """Its cycles in an earlier race."""
        return self.cycles.get(executable.path.stem)


class ChoiceCache:
    """One small file a primitive below `folder`; `identity` names the CPU."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder / "choices" / hashlib.sha256(identity.encode()).hexdigest()[:16]

    def get(self, key: str, grid: Sequence[str]) -> PriorTimings:
        """What is known of `operation/primitive`; of times only those on the same work load."""
        try:
            kept = json.loads(self._place(key).read_text(encoding="utf-8"))
            operation, primitive = key.split("/", 1)
            implementation, compiler = kept["chosen"] or ("", "")
            chosen = Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)
            cycles = {str(name): float(value) for name, value in kept["cycles"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or of another version
            return PriorTimings()
        return PriorTimings(
            chosen=chosen if kept["chosen"] else None, cycles=cycles if kept.get("grid") == list(grid) else {}
        )

    def put(
        self,
        key: str,
        grid: Sequence[str],
        executables: Iterable[Executable],
        trials: Iterable[Trial],
        sure: Collection[Tuning],
    ) -> None:
        """Keeps the choice, and of these trials the times of those that are `sure`: a disturbed time would mislead."""
        earlier = self.get(key, grid)
        timed = {trial.subject: trial for trial in trials if trial.timings}
        won = next((subject for subject, trial in timed.items() if trial.chosen), earlier.chosen)
        new = {e.path.stem: timed[e.subject].cycles for e in executables if e.subject in timed and e.subject in sure}
        cycles = {name: value for name, value in earlier.cycles.items() if name not in new} | new
        latest = dict(list(cycles.items())[-MAX_PROGRAMS:])
        self._write(key, {"chosen": won and [won.implementation, won.compiler], "grid": list(grid), "cycles": latest})

    def _write(self, key: str, kept: Mapping[str, object]) -> None:
        place = self._place(key)
        scratch = place.with_name(f".{secrets.token_hex(8)}")
        with suppress(OSError):  # what cannot be kept is timed again
            place.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_text(json.dumps(kept), encoding="utf-8")
            os.replace(scratch, place)

    def _place(self, key: str) -> Path:
        return self.folder / f"{key.replace('/', '-')}.json"
