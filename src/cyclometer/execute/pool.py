# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs work that is not timed on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

from cyclometer.execute.running import all_ending

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def under_way(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[dict[Future[Result], Item]]:
    """Yield the future of `work(item)` for each item; an error or an interrupt ends all programs that they run."""
    pool = ThreadPoolExecutor(max_workers=os.cpu_count())
    try:
        yield {pool.submit(work, item): item for item in items}
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        with all_ending():
            pool.shutdown()
        raise
    pool.shutdown()


def on_all_cores(
    work: Callable[[Item], Result], items: Sequence[Item], progress: Callable[[], None] = lambda: None
) -> list[Result]:
    """Return `work(item)` for each item, in order; the caller's thread calls `progress` as each is done."""
    with under_way(work, items) as running:
        for _ in as_completed(running):
            progress()
        return [each.result() for each in running]
