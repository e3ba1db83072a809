# SPDX-License-Identifier: MIT OR Apache-2.0
"""The standard streams: open also where the caller has closed them; output that is lost is an error of one line.

If one were closed, the next file that is opened would get its number, and programs that are started would use that.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def prepare() -> None:
    """Open the streams that are closed, and watch what is written."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # Writing to standard output must fail, as what was asked for is lost; words about progress may be.
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    if sys.stdout is sys.__stdout__:  # else a caller in this process has its own, as tests do
        sys.stdout = _text(_Output(io.FileIO(1, "w", closefd=False)), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Errors(io.FileIO(2, "w", closefd=False)), sys.stderr)


def flush() -> None:
    """Write what is left."""
    with reader_may_leave():
        sys.stdout.flush()


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Write to standard output; a reader that has left need not have the rest."""
    try:
        yield
    except BrokenPipeError:
        _let_go(1)


def _text(buffer: io.BufferedWriter, before: object) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        buffer,
        encoding=getattr(before, "encoding", "utf-8"),
        errors="backslashreplace",  # no character ends a command
        line_buffering=buffer.fileno() == 2 or buffer.isatty(),
        write_through=getattr(before, "write_through", False),
    )


def _let_go(number: int) -> None:
    """Let what is still in the buffer of a stream be written to nowhere, when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


# Buffers, not the files below them: a signal that interrupts a file's Python code would have its bytes written twice.
class _Output(io.BufferedWriter):
    def write(self, data: Any, /) -> int:
        with _lost_output():
            return super().write(data)

    def flush(self) -> None:
        with _lost_output():
            super().flush()


@contextmanager
def _lost_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        from cyclometer.errors import StorageFailed  # noqa: PLC0415 - signals are handled before modules are read

        _let_go(1)
        raise StorageFailed(f"cannot write to standard output: {error.strerror}") from None


class _Errors(io.BufferedWriter):
    def write(self, data: Any, /) -> int:
        with suppress(OSError):  # there is nowhere to say so
            return super().write(data)
        return memoryview(data).nbytes

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _let_go(2)
