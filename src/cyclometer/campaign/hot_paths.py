# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the chosen executables execute in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options
from cyclometer.choose import MAX_EXHAUSTIVE_SYSTEMS
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import Plan, Point, hot_path_sizes, places, typical_place
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size


def hot_paths(environment: Environment, options: Options, plan: Plan, executables: Sequence[Executable]) -> list[Size]:
    """Return the sizes of a typical call; if placement is measured, of a call at each of its points as well.

    A large campaign that does not measure placement has none: its slow systems would be stepped through for minutes.
    """
    if len(executables) > MAX_EXHAUSTIVE_SYSTEMS and not options.placement.asks:
        return []
    stepper = environment.builder.stepper()
    if not isinstance(stepper, Path) or not environment.is_timed:
        return []

    def sizes(executable: Executable) -> list[Size]:
        grid = plan.grid_of(executable.subject)
        typical = typical_place(grid)
        main = Point(measure=typical[0], ad_length=typical[1], length=typical[2]) if typical else None
        points = [
            Point(measure=measure, ad_length=ad_length, length=length)
            for measure, ad_length, lengths in (places(grid) if options.placement.asks else [])
            for length in lengths
        ]
        return hot_path_sizes(stepper, executable, points, main=main)

    return [size for each in on_all_cores(sizes, executables, lambda: None) for size in each]
