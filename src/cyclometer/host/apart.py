# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the cores on which other work does not disturb a measurement.

A guest does not see which of its cores are threads of one: its kernel says that each is a core of its own. So each is
made busy, and the load kernel shows whether the measuring core slows down.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cyclometer.errors import MachineUnfit
from cyclometer.host.facts import cores_beside, cpu_flags
from cyclometer.host.noise import Noise, listen
from cyclometer.records.run import DISTURBED_ABOVE

MOST = 4  # cores that may be used beside the measuring one
TRIES = 3  # somebody else may disturb one
LISTENING, BUSY, STARTING = 0.03, 0.15, 0.03  # seconds


def cores_apart(probe: Path, core: int | None) -> set[int]:
    """Return up to MOST cores that may be used while this one measures; `probe` is the counter's.

    Outside a guest, the kernel knows.
    """
    others = sorted(cores_beside(core))[:MOST]
    if not others or "hypervisor" not in cpu_flags():
        return set(others)
    return set(others) if any(_is_quiet_beside(probe, core, others) for _ in range(TRIES)) else set()


def _is_quiet_beside(probe: Path, core: int | None, others: Collection[int]) -> bool:
    """Return whether the measuring core is as quiet while all the others are busy."""
    try:
        alone = listen(probe, core, LISTENING)
        with ThreadPoolExecutor(len(others)) as pool:
            busy = [pool.submit(listen, probe, other, BUSY) for other in others]
            time.sleep(STARTING)
            beside = listen(probe, core, LISTENING)
            for each in busy:
                each.result()
    except MachineUnfit:  # a probe with too little time has no quantiles
        return False
    return _typical(beside) <= DISTURBED_ABOVE * _typical(alone)


def _typical(noise: Noise) -> float:
    return noise.ratio[25]
