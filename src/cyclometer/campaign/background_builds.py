# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds what a campaign will ask for next, on a core that measures nothing meanwhile."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Iterable
from functools import partial
from types import TracebackType
from typing import Protocol, Self

from cyclometer.execute.beside import Beside
from cyclometer.records.executable import BuildRequest


class Builder(Protocol):
    """Builds requests. What it has built, or failed to build, it finds in its cache when it is asked again."""

    def build(self, requests: list[BuildRequest]) -> object: ...


class BackgroundBuilds:
    """Builds requests one after the other on `cores`; without cores, none.

    Use it as a context manager: when the block is left, the build under way is finished and the others are dropped.
    """

    def __init__(self, builder: Builder, cores: Collection[int]) -> None:
        self._builder = builder
        self._beside = Beside(cores, math.inf)
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        self._beside.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._beside.__exit__(kind, error, trace)

    def begin(self, requests: Iterable[BuildRequest]) -> None:
        """Build the requests after those before."""
        if self._beside.is_apart:
            for request in requests:
                self._beside.begin(partial(self._build, request))

    def _build(self, request: BuildRequest) -> None:
        if not self._is_over.is_set():
            self._builder.build([request])
