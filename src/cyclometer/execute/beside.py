# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does work beside a measurement, on cores that do not disturb it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self


class Beside:
    """Does one piece of work at a time in a thread that stays on `cores`; without cores, at once.

    Use it as a context manager: all work is done when the block is left, however it is left.
    """

    def __init__(self, cores: Collection[int]) -> None:
        self._thread = ThreadPoolExecutor(1, initializer=_stay_on, initargs=(cores,)) if cores else None
        self._under_way: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread:
            self._thread.shutdown()
        if not error:
            self.wait()

    def begin(self, work: Callable[[], None]) -> None:
        """Begin a piece of work when the one before is done, whose error is raised here."""
        self.wait()
        if self._thread:
            self._under_way = self._thread.submit(work)
        else:
            work()

    def wait(self) -> None:
        """Wait until the work is done; raise its error."""
        if self._under_way:
            under_way, self._under_way = self._under_way, None
            under_way.result()


def _stay_on(cores: Collection[int]) -> None:
    os.sched_setaffinity(0, cores)  # of this thread only
