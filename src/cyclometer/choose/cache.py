# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of selections on this CPU: which tuning was chosen, and how fast the candidates were."""

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
"""Programs per primitive whose timings are kept; the latest are."""


@dataclass(frozen=True, kw_only=True)
class PriorTimings:
    """The tuning chosen last, if any, and the cycles that programs took in earlier runs.

    Programs are identified by their file names, which are hashes of everything that went into them.
    """

    chosen: Tuning | None = None
    cycles: Mapping[str, float] = field(default_factory=dict)

    def of(self, executable: Executable) -> float | None:
        """Return the cycles that the program took in an earlier run; None if it was not timed."""
        return self.cycles.get(executable.path.stem)


class ChoiceCache:
    """One small file per primitive below `folder`; `identity` names the CPU."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder / "choices" / hashlib.sha256(identity.encode()).hexdigest()[:16]

    def get(self, key: str, grid: Sequence[str]) -> PriorTimings:
        """Return what is cached for `operation/primitive`; timings only if they are from the same grid."""
        try:
            entry = json.loads(self._path(key).read_text(encoding="utf-8"))
            operation, primitive = key.split("/", 1)
            implementation, compiler = entry["chosen"] or ("", "")
            chosen = Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)
            cycles = {str(name): float(value) for name, value in entry["cycles"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # no entry, or one of another version
            return PriorTimings()
        return PriorTimings(
            chosen=chosen if entry["chosen"] else None, cycles=cycles if entry.get("grid") == list(grid) else {}
        )

    def put(
        self,
        key: str,
        grid: Sequence[str],
        executables: Iterable[Executable],
        trials: Iterable[Trial],
        confirmed: Collection[Tuning],
    ) -> None:
        """Keep the choice and the timings of `confirmed` tunings; a disturbed timing would mislead later runs."""
        prior = self.get(key, grid)
        timed = {trial.subject: trial for trial in trials if trial.timings}
        chosen = next((subject for subject, trial in timed.items() if trial.chosen), prior.chosen)
        new = {
            executable.path.stem: timed[executable.subject].cycles
            for executable in executables
            if executable.subject in timed and executable.subject in confirmed
        }
        cycles = {name: value for name, value in prior.cycles.items() if name not in new} | new
        latest = dict(list(cycles.items())[-MAX_PROGRAMS:])
        names = chosen and [chosen.implementation, chosen.compiler]
        self._write(key, {"chosen": names, "grid": list(grid), "cycles": latest})

    def _write(self, key: str, entry: Mapping[str, object]) -> None:
        path = self._path(key)
        scratch = path.with_name(f".{secrets.token_hex(8)}")
        with suppress(OSError):  # without a cache entry the candidates are timed again
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_text(json.dumps(entry), encoding="utf-8")
            os.replace(scratch, path)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key.replace('/', '-')}.json"
