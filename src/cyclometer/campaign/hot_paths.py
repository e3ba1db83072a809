# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the chosen executables execute in one call."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

from cyclometer import measure
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options
from cyclometer.campaign.systems import is_large
from cyclometer.compile import Cache
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import HOT_PATH, Plan, Point, hot_path_sizes, places, typical_place
from cyclometer.records.executable import Executable
from cyclometer.records.run import Size


def hot_paths(environment: Environment, options: Options, plan: Plan, executables: Sequence[Executable]) -> list[Size]:
    """Return the sizes of a typical call; if placement is measured, of a call at each of its points as well.

    A large campaign that does not measure placement has none: its slow systems would be stepped through for minutes.
    """
    if is_large(environment.catalogue, options) and not options.placement.asks:
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

        def count() -> list[Size]:
            return hot_path_sizes(stepper, executable, points, main=main, seconds=options.check_seconds)

        if points or not main:
            return count()
        key = Cache.key("hot path", executable.path.stem, stepper.stem, asdict(main), _own_code())
        return _cached(environment.cache, key, executable, count)

    return [size for each in on_all_cores(sizes, executables, lambda: None) for size in each]


class _Incomplete(Exception):
    """Some sizes are missing: code that could not be stepped through, or not in time."""

    def __init__(self, sizes: list[Size]) -> None:
        super().__init__()
        self.sizes = sizes


def _cached(store: Cache, key: str, executable: Executable, count: Callable[[], list[Size]]) -> list[Size]:
    """Return what an earlier campaign counted of the same program, or count."""

    def find() -> dict[str, int]:
        sizes = count()
        if not {size.name for size in sizes} >= set(HOT_PATH):
            raise _Incomplete(sizes)
        return {size.name: size.value for size in sizes}

    try:
        values = store.make_value(key, ".sizes.json", find)
    except _Incomplete as incomplete:
        return incomplete.sizes
    return [Size(subject=executable.subject, name=name, value=value) for name, value in values.items()]


@cache
def _own_code() -> str:
    """Return a digest of the code that counts."""
    files = sorted(Path(measure.__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
