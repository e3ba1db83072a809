# SPDX-License-Identifier: MIT OR Apache-2.0
"""Progress on standard error: bars with the remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from cyclometer.campaign import Environment
from cyclometer.cli._output import console, plain
from cyclometer.execute.bubblewrap import why_none

LINE_EVERY = 10.0  # seconds between plain lines


class ProgressReporter:
    """The progress of a campaign (`campaign.Progress`), shown to the user."""

    def __init__(self, quiet: bool = False) -> None:
        self.console = console(stderr=True, quiet=quiet)

    def say(self, line: str) -> None:
        """Print a line that stays on the screen; a log has it whole, however long."""
        self.console.print(plain(line), soft_wrap=True)

    def say_origin(self, environment: Environment) -> None:
        """Print what kind of foreign tree was recognised, and why there is no sandbox, if there is none."""
        if reason := why_none():
            self.say(f"no sandbox, only limits: {reason}")
        if environment.catalogue.origin:
            self.say(environment.catalogue.origin)

    def say_what_there_is(self, environment: Environment) -> None:
        """Print the kind of foreign tree and the missing compilers; the tables report what else is missing."""
        self.say_origin(environment)
        for failure in environment.failures:
            if not failure.subject.primitive:
                self.say(f"compiler {failure.subject.compiler} not used: {failure.reason}")

    @contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        """Show a stage of `steps` steps; yield the function to call after each step."""
        if self.console.is_terminal:
            yield from self._bar(title, steps)
        else:
            yield from self._lines(title, steps)

    def _bar(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        columns = (
            TextColumn("{task.description:28}", markup=False), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=self.console) as bar:
            task = bar.add_task(title, total=steps)
            yield lambda: bar.advance(task)

    def _lines(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        start = printed = time.monotonic()
        done = 0

        def step() -> None:
            nonlocal done, printed
            done += 1
            now = time.monotonic()
            if now - printed >= LINE_EVERY and done < steps:
                printed = now
                left = (now - start) / done * (steps - done)
                self.say(f"{title}: {done} of {steps}, about {left:.0f} s left")

        yield step
        self.say(f"{title}: {done} of {steps} in {time.monotonic() - start:.1f} s")
