# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds what a campaign will ask for next, on a core that measures nothing meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from cyclometer.execute.beside import Beside
from cyclometer.records.executable import BuildRequest


@contextmanager
def background_builds(
    build: Callable[[Sequence[BuildRequest]], object], cores: Collection[int]
) -> Iterator[Callable[[Iterable[BuildRequest]], None]]:
    """Yield a function that has requests built one after the other on `cores`; without cores, none is.

    What was built, or failed, is in the build cache for whoever asks again. When the block is left, the build under way
    is finished and the others are dropped.
    """
    with Beside(cores, math.inf) as beside:

        def begin(requests: Iterable[BuildRequest]) -> None:
            for request in requests if beside.is_apart else ():
                beside.begin(partial(build, [request]))

        try:
            yield begin
        finally:
            beside.drop()
