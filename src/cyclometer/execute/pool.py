# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs work that is not timed on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def on_all_cores(work: Callable[[Item], Result], items: Sequence[Item], progress: Callable[[], None]) -> list[Result]:
    """Return `work(item)` for each item, in order; the caller's thread calls `progress` as each is done."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        running = [pool.submit(work, item) for item in items]
        for _ in as_completed(running):
            progress()
    return [each.result() for each in running]
