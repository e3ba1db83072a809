# SPDX-License-Identifier: MIT OR Apache-2.0
"""Registers a campaign as measuring on its core, and notes in the run who else did meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cyclometer import host
from cyclometer.records.run import SHARED_CORE
from cyclometer.store import RunWriter


@contextmanager
def measuring(core: int | None, writer: RunWriter) -> Iterator[None]:
    """Measure on a core; store the ids of the processes that measured on it, too."""
    with host.measuring_on(core) as others:
        yield
    if others:
        processes = f"process {', '.join(map(str, others))}"
        writer.update(facts={**writer.info.facts, SHARED_CORE: processes})
