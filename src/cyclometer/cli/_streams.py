# SPDX-License-Identifier: MIT OR Apache-2.0
"""The standard streams: open also where the caller has closed them; output that is lost is an error of one line.

If one were closed, the next file that is opened would get its number, and programs that are started would use that.
"""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    sys.stdout = _text(_Output(1, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Errors(2, "w", closefd=False), sys.stderr)


def flush() -> None:
    """Write what is left; a reader that has left need not have it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go()


def _text(raw: io.FileIO, before: object) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(before, "encoding", "utf-8"),
        errors="backslashreplace",  # no character ends a command
        line_buffering=raw.fileno() == 2 or raw.isatty(),
        write_through=getattr(before, "write_through", False),
    )


def _let_go() -> None:
    """Let what is still in the buffer of standard output be written to nowhere, when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


class _Output(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            from cyclometer.errors import StorageFailed  # noqa: PLC0415 - signals are handled before modules are read

            _let_go()
            raise StorageFailed(f"cannot write to standard output: {error.strerror}") from None


class _Errors(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:  # there is nowhere to say so
            return memoryview(data).nbytes
