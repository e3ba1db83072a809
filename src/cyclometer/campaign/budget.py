# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign within a time budget: parts in order of their cost, what is known to be slow last."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field

from cyclometer import paths
from cyclometer.campaign.options import Options
from cyclometer.campaign.systems import catalogue_of
from cyclometer.discover import select
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.kept import keep, kept, kept_file, kept_folder
from cyclometer.records.catalogue import Catalogue
from cyclometer.store import FolderLock, State, read_state, storage, write_whole

FILE = ".budget.json"
"""In the folder of results; no reader of runs looks there."""

LOCK = ".budget.lock"

PART = 16  # systems of a part, which is one run
UNITS = {"s": 1, "min": 60, "h": 3600}
BYTES_PER_SECOND = 20_000  # of source code: a first guess of what building and checking costs


def seconds_of(text: str) -> float:
    """Return the seconds of a budget such as 90min; CyclometerError if it is none."""
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)(s|min|h)", text)
    if not found or float(found[1]) == 0:
        raise CyclometerError(f"--budget {text}: give a number and its unit: 90s, 90min or 1.5h")
    return float(found[1]) * UNITS[found[2]]


@contextmanager
def only_campaign_in(results: Path) -> Iterator[None]:
    """Keep other campaigns with a budget out of a folder of results; `StorageFailed` if one is under way there.

    The processes of its parts hold the lock, too: a part whose campaign was killed is not measured a second time.
    """
    with storage("write", results):
        results.mkdir(parents=True, exist_ok=True)
    remedy = "wait for its end or choose another folder by --results"
    lock = FolderLock(results / LOCK, held=f"a campaign with a budget is under way in {results}; {remedy}")
    try:
        yield
    finally:
        lock.release()


class _State(State):
    """The file of `Budgeted`."""

    options: Options
    waiting: list[Annotated[list[str], Field(min_length=1)]]
    begun: bool
    failed: dict[str, str]


@dataclass
class Budgeted:
    """The state of such a campaign, on disk after each part."""

    file: Path
    options: Options
    waiting: list[list[str]]  # parts: the systems of each
    begun: bool = False  # whether the first of them has been started
    failed: dict[str, str] = field(default_factory=dict)  # the systems of a part without a run -> why

    @classmethod
    def start(cls, results: Path, options: Options) -> Self:
        """Plan the parts, the cheapest first; CyclometerError if that would replace a campaign that is not at its end.

        Only its file says which systems were not reached, and with which options.
        """
        file = results / FILE
        if os.path.lexists(file):
            raise CyclometerError(
                f"a campaign with a budget is not at its end in {results}; go on with it by `cyclometer run --budget "
                f"TIME --resume`, choose another folder by --results, or remove {file} to give up what is left of it"
            )
        catalogue = catalogue_of(options)
        wanted = select(catalogue, options.systems)
        known = _known(options.tree, [p.key for p in wanted])
        guesses = _guesses(catalogue)
        keys = sorted((p.key for p in wanted), key=lambda key: (known.get(key, guesses.get(key, 0.0)), key))
        campaign = cls(file, options, [keys[at : at + PART] for at in range(0, len(keys), PART)])
        campaign.store()
        return campaign

    @classmethod
    def resume(cls, results: Path) -> Self:
        """Return the campaign that was interrupted; `NothingToDo` if there is none, `StorageFailed` if damaged."""
        file = results / FILE
        if not os.path.lexists(file):
            raise NothingToDo(f"no interrupted campaign with a budget in {results}; start one without --resume")
        state = read_state(_State, file, "remove it and start anew")
        return cls(file, state.options, state.waiting, state.begun, state.failed)

    def store(self) -> None:
        """Write the state, whole or not at all."""
        value = {name: getattr(self, name) for name in ("waiting", "begun", "failed")} | {
            "options": asdict(self.options)
        }
        with storage("write", self.file):
            self.file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.file, lambda temporary: temporary.write_text(json.dumps(value), encoding="utf-8"))

    def finish_part(self, tree: str, seconds: float, why: str = "") -> None:
        """Note that the first waiting part is done, with what it took, and why it has no run, if so."""
        part = self.waiting.pop(0)
        self.begun = False
        if why:
            self.failed[" ".join(part)] = why
        if self.waiting:
            self.store()
        else:
            self.file.unlink(missing_ok=True)
        remember(tree, part, seconds)


def remember(tree: str, part: Sequence[str], seconds: float) -> None:
    """Remember for later campaigns that each system of the part took an equal share."""
    for key in part:
        with suppress(OSError):  # without it, the size of the sources decides
            keep(_kept_seconds(tree, key), repr(seconds / len(part)))


def _known(tree: str, keys: Iterable[str]) -> dict[str, float]:
    """Return the seconds that earlier campaigns saw, of the systems of which they are known."""
    texts = {key: kept(_kept_seconds(tree, key)) for key in keys}
    return {key: float(text) for key, text in texts.items() if text}


def _kept_seconds(tree: str, key: str) -> Path:
    """Return the file for a system, one for each, so that campaigns at the same time lose nothing of each other."""
    identity = str(Path(tree).resolve()) if tree else "own"
    return kept_file(kept_folder(paths.cache_folder(), "seconds", identity), key)


def _guesses(catalogue: Catalogue) -> dict[str, float]:
    """Guess the seconds of each system from the size of its sources."""
    guesses: dict[str, float] = {}
    for each in catalogue.implementations:
        key = f"{each.operation}/{each.primitive}"
        size = sum(source.stat().st_size for source in each.sources if source.exists())
        guesses[key] = guesses.get(key, 0.0) + 1 + size / BYTES_PER_SECOND
    return guesses
