# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the user asked for, and how a campaign reports progress."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, ClassVar, Protocol, Self

from pydantic import ConfigDict, Field

from cyclometer.records.placement import DEFAULT_PLAN, PLACEMENT_PROFILE, PlacementOptions
from cyclometer.records.run import RunInfo
from cyclometer.store import EXACT, state_of


def drawn_seed(given: int | None = None) -> int:
    """Return the seed that was given, or else a random one."""
    return secrets.randbelow(1 << 32) if given is None else given


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked for. An empty value leaves the choice to the profile or takes everything."""

    __pydantic_config__: ClassVar[ConfigDict] = EXACT  # where they are read from JSON

    systems: tuple[str, ...] = ()
    name: str = ""  # of the run; default: the time and the profile
    profile: str = "quick"
    machine: str = ""
    seed: Annotated[int, Field(ge=0)] = 0
    rounds: Annotated[int, Field(ge=1, le=1000)] | None = None
    # the total time that one process may wait for quiet moments
    patience_ms: Annotated[int, Field(ge=0, le=86_400_000)] | None = None
    implementations: tuple[str, ...] = ()
    compilers: tuple[str, ...] = ()
    all_compilers: bool = False  # builds every implementation with every compiler, however many systems there are
    until_precise: bool = False  # a pair gets more rounds than planned until both sides are known well
    same_compiler: bool = False  # of a pair, the second is built by the compiler that was chosen for the first
    toolchain: str = ""
    check_seconds: float = 60.0  # time limit of one checking process, and of a measuring one (FULL_PROFILE_SECONDS)
    constant_time: bool = False  # also runs the constant-time checker on the chosen tunings
    tree: str = ""  # folder of a foreign tree to measure instead of our own primitives
    folders: tuple[str, ...] = ()  # of source code, whose systems stand beside ours
    same_as: str = ""  # the system of ours that the folders compute
    unsafe: bool = False  # takes the foreign tree even where there is no sandbox
    lengths: str = ""  # replaces the profile's lengths, in the syntax of a grid line (docs/harness.md)
    keys: str = ""  # replaces the profile's numbers of active keys, in the same syntax
    ad_lengths: str = ""  # replaces the profile's lengths of associated data, in the same syntax
    cold: tuple[str, ...] = ()  # what placement makes cold, one after another (records/placement.py)
    alignments: tuple[int, ...] = ()  # of placement: of the input, and of the output unless it has its own
    output_alignments: tuple[int, ...] = ()
    key_alignments: tuple[int, ...] = ()
    call_sites: int = 0
    between: tuple[int, ...] = ()  # KiB of other code between calls
    layouts: int = 0  # relinks
    without: tuple[str, ...] = ()  # features of the CPU that are not used
    grid: tuple[str, ...] = ()  # the grid lines of the selected operation, instead of the profile's
    choose_grid: tuple[str, ...] = ()  # the work load that chooses tunings of the named systems, instead of [choose]

    @property
    def placement(self) -> PlacementOptions:
        """The variables of placement: those asked for; of its profile, the default plan for the others."""
        usual = DEFAULT_PLAN if self.profile == PLACEMENT_PROFILE else PlacementOptions()
        return PlacementOptions(
            cold=self.cold or usual.cold,
            alignments=self.alignments or usual.alignments,
            output_alignments=self.output_alignments,
            key_alignments=self.key_alignments,
            call_sites=self.call_sites or usual.call_sites,
            between=self.between or usual.between,
            layouts=self.layouts or usual.layouts,
            by_plan=usual.by_plan,
            every_length=bool(self.lengths),
            cold_sites=max(1, self.call_sites),  # the default plan has one; who names call sites wants all of them
        )

    @classmethod
    def of_run(cls, info: RunInfo) -> Self:
        """Return the options that a stored run was started with; `StorageFailed` names one that is unknown or odd."""
        return state_of(cls, info.plan.get("options", {}), f"run {info.run}: plan.options", "start a new run")


class Progress(Protocol):
    """Where a campaign reports what it is doing: `stage` yields the function to call after each step."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[], None]]: ...
