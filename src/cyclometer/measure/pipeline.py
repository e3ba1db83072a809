# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs timed processes one after the other, and prepares the next one meanwhile.

The kernel needs some milliseconds to make a sandbox, as long as a short measurement takes. So the next process is
started while one is measured, on cores that do not disturb it. There it waits for its key, before its constructors
run. As soon as the one before has ended, it is moved to the measuring core and begins, while this thread reads what the
other has measured.
"""

from __future__ import annotations

import os
from collections.abc import Collection

from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.timed import PreparedCall
from cyclometer.measure.noise_floor import NoiseFloor
from cyclometer.measure.process import Measured, NotTimed, Request, measured, started


class ProcessPipeline:
    """Runs timed processes on one core. The thread that does so stays on the cores `beside` while another waits."""

    def __init__(
        self,
        core: int | None,
        noise_floor: NoiseFloor,
        dither_cycles: int = 0,
        beside: Collection[int] = (),
        copies: PageCopies | None = None,
    ) -> None:
        """Without cores `beside`, or if `core` is not known, no process is started before its turn."""
        self.core, self.noise_floor, self._dither_cycles, self._copies = core, noise_floor, dither_cycles, copies
        self._beside = frozenset(beside) if core is not None else frozenset[int]()
        self._usual_cores: set[int] = set()
        self._next: tuple[Request, PreparedCall] | None = None

    def run(self, request: Request, following: Request | None = None) -> Measured | NotTimed:
        """Run a process, and start the one of the request that will follow."""
        process = self._taken(request)
        if following and self._may_wait(following, request):
            self._stay_beside()
            self._next = following, self._started(following, core=None)
        else:
            self._stay_anywhere()
        return measured(
            request,
            process.outcome(ended=self._begin_next),
            noise_floor=self.noise_floor,
            dither_cycles=self._dither_cycles,
            core=self.core,
            copies=self._copies,
        )

    def drop(self) -> None:
        """End the process that was started before its turn: another will follow, or nothing else may run now."""
        if self._next:
            self._next[1].end()
            self._next = None
        self._stay_anywhere()

    def _taken(self, request: Request) -> PreparedCall:
        """Return the process for a request, which has begun."""
        if self._next and self._next[0] == request:
            _, process = self._next
            self._next = None
            return process
        self.drop()
        process = self._started(request, core=self.core)
        process.begin()
        return process

    def _started(self, request: Request, core: int | None) -> PreparedCall:
        floor, dither = self.noise_floor.value, self._dither_cycles
        return started(request, noise_floor=floor, dither_cycles=dither, core=core, copies=self._copies)

    def _may_wait(self, request: Request, before: Request) -> bool:
        """Return whether its process may be started now. One may need a key pair that the one before generates."""
        return bool(self._beside) and request.executable.path != before.executable.path

    def _begin_next(self) -> None:
        if not self._next:
            return
        try:
            self._next[1].begin(self.core)
        except OSError:  # a system that does not let us move it: none is started before its turn again
            self._beside = frozenset()
            self.drop()

    def _stay_beside(self) -> None:
        if not self._usual_cores:
            self._usual_cores = os.sched_getaffinity(0)
            os.sched_setaffinity(0, self._beside)

    def _stay_anywhere(self) -> None:
        if self._usual_cores:
            os.sched_setaffinity(0, self._usual_cores)
            self._usual_cores = set()
