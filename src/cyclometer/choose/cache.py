# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of selections on this CPU: which tuning was chosen, and the timings of the candidates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.kept import keep, kept, kept_file, kept_folder
from cyclometer.records.executable import Executable
from cyclometer.records.tuning import Timing, Tuning

MAX_PROGRAMS = 2000
"""Programs per primitive whose timings are kept; the latest are."""

MAX_CYCLES = 1e18
"""Cycles of some ten years; no call takes more."""

MAX_TIMINGS = 15
"""Timings kept of a program; the latest are."""


@dataclass(frozen=True, kw_only=True)
class PriorTimings:
    """The tuning chosen last, if any, its program, and the quiet timings of programs in earlier runs.

    Programs are identified by their file names, which are hashes of everything that went into them.
    """

    chosen: Tuning | None = None
    confirmed: str = ""  # the program that was chosen last: its timings were confirmed then
    is_settled: bool = True  # whether quiet timings decided; if not, the next quiet ones decide anew
    timings: Mapping[str, Sequence[Timing]] = field(default_factory=dict)

    def of(self, executable: Executable) -> Sequence[Timing]:
        """Return the timings of the program in earlier runs."""
        return self.timings.get(executable.path.stem, ())

    def has_confirmed(self, executable: Executable) -> bool:
        """Return whether this very program was chosen last; one of the same name may have been edited since."""
        return executable.path.stem == self.confirmed


class ChoiceCache:
    """One small file per primitive below `folder`; `identity` names the CPU."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = kept_folder(folder, "choices", identity)

    def get(self, key: str, grid: Sequence[str]) -> PriorTimings:
        """Return what is cached for `operation/primitive`; timings only if they are from the same grid."""
        try:
            entry = json.loads(kept(kept_file(self.folder, key)))
            operation, primitive = key.split("/", 1)
            implementation, compiler = entry["chosen"] or ("", "")
            chosen = Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)
            confirmed, is_settled = str(entry.get("confirmed", "")), entry.get("settled") is not False
            timings = {str(name): [_timing(each) for each in values] for name, values in entry["timings"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):  # no entry, or one of another version
            return PriorTimings()
        return PriorTimings(
            chosen=chosen if entry["chosen"] else None,
            confirmed=confirmed,
            is_settled=is_settled,
            timings=timings if entry.get("grid") == list(grid) else {},
        )

    def put(
        self,
        key: str,
        grid: Sequence[str],
        chosen: Tuning | None,
        quiet: Mapping[str, Sequence[Timing]],
        confirmed: str = "",
        *,
        is_settled: bool = True,
    ) -> None:
        """Keep the choice, the program `confirmed` for it, and the quiet timings by program.

        A disturbed timing would mislead later runs. A choice that rests on such timings is not settled; one that was
        settled before, and is made again, stays so.
        """
        prior = self.get(key, grid)
        if chosen:
            is_settled = is_settled or (prior.is_settled and chosen == prior.chosen)
        else:
            chosen, confirmed, is_settled = prior.chosen, prior.confirmed, prior.is_settled
        timings = {name: values for name, values in prior.timings.items() if name not in quiet}
        timings |= {name: [*prior.timings.get(name, ()), *values][-MAX_TIMINGS:] for name, values in quiet.items()}
        latest = {
            name: [[timing.cycles, timing.cells] for timing in values]
            for name, values in list(timings.items())[-MAX_PROGRAMS:]
        }
        names = chosen and [chosen.implementation, chosen.compiler]
        entry = {"chosen": names, "confirmed": confirmed, "settled": is_settled, "grid": list(grid), "timings": latest}
        self._write(key, entry)

    def _write(self, key: str, entry: Mapping[str, object]) -> None:
        with suppress(OSError):  # without a cache entry the candidates are timed again
            keep(kept_file(self.folder, key), json.dumps(entry))


def _timing(stored: Sequence[object]) -> Timing:
    """Return a timing as it was stored: its cycles and cells."""
    cycles, cells = stored
    if not isinstance(cells, dict | None):
        raise ValueError(stored)
    return Timing(cycles=_cycles(cycles), cells=cells and {str(name): _cycles(each) for name, each in cells.items()})


def _cycles(stored: object) -> float:
    """Return cycles as they were stored, and refuse what no call takes."""
    if not isinstance(stored, int | float) or not 0 <= stored <= MAX_CYCLES:
        raise ValueError(stored)
    return float(stored)
