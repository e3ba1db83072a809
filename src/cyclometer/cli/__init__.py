# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: one module per subcommand, each a thin layer over the stages.

A subcommand is a module with `def command(...)` for typer, or with `group`, a
typer of its own. `PANEL` is its group in the help. Its file name is the subcommand's name, with a trailing underscore
where the name is a Python keyword (`import_.py`). Nothing else lists the subcommands.

This module imports little, so that a signal in the first moments is handled like a later one.
"""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any, NoReturn

    import typer

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that interrupt a command: Ctrl-C, kill, and a terminal that is closed."""

RESUMABLE = (["run"], ["compare"], ["rank"])
"""The commands that measure; what they have measured is kept."""

IMPATIENT_SECONDS = 1.0
"""A second signal this long after the first one ends the command at once."""

AGAIN_SECONDS = 0.01
"""An interrupt that Python would lose or make another error of is repeated this much later, until that code is done."""

LOST_SECONDS = 1.0
"""A command that goes on for so long after an interrupt, and handles none, lost it in code that ignores all errors."""

_IMPORTS, _START = "<frozen importlib._bootstrap>", "_execute_child"  # a file, and a function of subprocess


def application(only: str = "") -> typer.Typer:
    """Build the application of all subcommands, or of `only` one."""
    from cyclometer.cli._application import application  # noqa: PLC0415 - takes long: signals are handled first

    return application(only)


def main() -> None:
    """Run the command line; print bad input as one line on standard error and exit with status 2.

    A signal ends it with one line, too, and the exit status 128 + its number.
    """
    received: dict[int, float] = {}  # number -> when
    _handle_signals(received)
    try:
        _run(received)
    except KeyboardInterrupt:  # between an error, or the end, and its last line
        _interrupted(received)


def _run(received: Iterable[int]) -> NoReturn:
    """Run the command line and end the process, by an interrupt if a signal was `received`."""
    try:
        from cyclometer.cli._streams import flush, prepare  # noqa: PLC0415 - signals are handled first

        prepare()
        from cyclometer.cli._completion import complete  # noqa: PLC0415 - signals are handled first

        complete()
        from cyclometer.cli._application import run  # noqa: PLC0415 - takes long: signals are handled first

        status = run()
        flush()
    except BaseException as error:
        # During queries an interrupt may have become another error.
        if received or isinstance(error, KeyboardInterrupt):
            _interrupted(received)
        from cyclometer.errors import CyclometerError  # noqa: PLC0415 - signals are handled first

        if isinstance(error, CyclometerError):
            _end(str(error), error.exit_status)
        raise
    if received and status:  # an interrupt, however this version of typer reports it
        _interrupted(received)
    _end("", status)


def _handle_signals(received: dict[int, float]) -> None:
    """Raise KeyboardInterrupt at the first signal, noted in `received`, and end the process at an impatient second."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        first = min(received.values(), default=0.0)
        received.setdefault(number, time.monotonic())
        if not first:
            _stop(number, frame)
        elif time.monotonic() - first > IMPATIENT_SECONDS:
            os._exit(128 + number)

    def unraisable(lost: Any) -> None:
        # Python prints and forgets what is raised in a finalizer or in the callback of a weak reference.
        if lost.exc_type is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        else:
            sys.__unraisablehook__(lost)

    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, interrupt)
    signal.signal(signal.SIGALRM, _stop)
    sys.unraisablehook = unraisable


def _stop(_: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, now or as soon as it is not lost, and again should it be lost all the same."""
    if _is_importing_or_starting(frame):
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        return
    signal.setitimer(signal.ITIMER_REAL, LOST_SECONDS)
    if not _is_handling_interrupt():
        raise KeyboardInterrupt


def _is_importing_or_starting(frame: FrameType | None) -> bool:
    """Return whether a module is imported or a program started, neither of which may be left by an error.

    Modules make other errors of it, and an extension module such as DuckDB's aborts the process; a program that is
    being started would be forgotten, and go on.
    """
    while frame and frame.f_code.co_filename != _IMPORTS and frame.f_code.co_name != _START:
        frame = frame.f_back
    return frame is not None


def _is_handling_interrupt() -> bool:
    """Return whether an interrupt, or an error that it caused, is on its way, and only what it leaves is cleaned up."""
    error = sys.exc_info()[1]
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _interrupted(received: Iterable[int]) -> NoReturn:
    number = next(iter(received), signal.SIGINT)
    remedy = "; `cyclometer run --resume` completes an interrupted run" if sys.argv[1:2] in RESUMABLE else ""
    if sys.argv[1:3] == ["fleet", "run"]:
        remedy = "; `cyclometer fleet run FLEET.toml --resume` goes on with it"
    _report(f"interrupted{remedy}")
    from contextlib import suppress  # noqa: PLC0415 - signals are handled first

    from cyclometer.errors import CyclometerError  # noqa: PLC0415 - signals are handled first

    with suppress(OSError, ValueError, CyclometerError):
        sys.stdout.flush()
    # An interrupt within code that Python ran from a string, as dataclasses do, would make sys.exit end by the signal.
    os._exit(128 + number)


def _end(message: str, status: Any) -> NoReturn:
    _report(message)
    sys.exit(status)


def _report(message: str) -> None:
    """Print the last line, if there is one; from here on nothing is left to clean up, and a signal ends at once."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: os._exit(128 + number))
    if message:
        from cyclometer.cli._output import complain  # noqa: PLC0415 - takes long: signals are handled first

        complain(message)
