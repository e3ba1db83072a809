# SPDX-License-Identifier: MIT OR Apache-2.0
"""Notes in a run that another process measured on the same core at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from cyclometer import host
from cyclometer.records.run import SHARED_CORE
from cyclometer.store import RunWriter


@contextmanager
def noting_other_processes(core: int | None, writer: RunWriter) -> Iterator[None]:
    """Measure on a core; if others did so meanwhile, add them to the run's facts."""
    with host.measuring_on(core) as others:
        yield
    if others:
        facts = writer.info.facts
        known = map(int, re.findall(r"\d+", facts.get(SHARED_CORE, "")))
        processes = ", ".join(map(str, sorted({*known, *others})))
        writer.update(facts={**facts, SHARED_CORE: f"process {processes}"})
