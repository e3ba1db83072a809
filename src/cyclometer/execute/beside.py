# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does work beside a measurement, on cores that do not disturb it."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import Self

from cyclometer.execute.running import all_ending


class Beside:
    """Does one piece of work after the other in a thread that stays on `cores`; without cores, at once.

    Use it as a context manager: all work is done when the block is left. If an error or an interrupt leaves it, the
    programs that the work runs are ended, and what depends on them is not done.
    """

    def __init__(self, cores: Collection[int], patience: float = 0.0) -> None:
        """No piece of work is begun while an earlier one has waited for more than `patience` seconds."""
        self.is_apart = bool(cores)
        self._thread = ThreadPoolExecutor(1, initializer=_stay_on, initargs=(cores,)) if cores else None
        self._patience = patience
        self._waiting: deque[tuple[float, Future[None]]] = deque()  # since when
        self._working, self._may_begin = threading.Lock(), threading.Event()
        self._may_begin.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not error:
                self.wait()
        except BaseException as found:
            error = found
            raise
        finally:
            if self._thread:
                with all_ending() if error else nullcontext():
                    self._thread.shutdown()

    def begin(self, work: Callable[[], object]) -> None:
        """Have a piece of work done after those before; an error of one that is done is raised here."""
        self._collect(time.monotonic() - self._patience)
        if self._thread:
            self._waiting.append((time.monotonic(), self._thread.submit(self._do, work)))
        else:
            work()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Wait for the work that is under way, and let no other begin until the block is left."""
        self._may_begin.clear()
        try:
            with self._working:
                yield
        finally:
            self._may_begin.set()

    def _do(self, work: Callable[[], object]) -> None:
        self._may_begin.wait()
        with self._working:
            work()

    def drop(self) -> None:
        """Forget the work that has not begun."""
        self._waiting = deque(each for each in self._waiting if not each[1].cancel())

    def wait(self) -> None:
        """Wait until all work is done; raise its error."""
        self._collect(math.inf)

    def _collect(self, until: float) -> None:
        """Wait for the work that was begun until this moment."""
        while self._waiting and (self._waiting[0][0] <= until or self._waiting[0][1].done()):
            self._waiting.popleft()[1].result()


def _stay_on(cores: Collection[int]) -> None:
    os.sched_setaffinity(0, cores)  # of this thread only
