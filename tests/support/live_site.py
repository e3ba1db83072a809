# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer serve` in the background."""

from __future__ import annotations

import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from support.command_line import CommandLine

SECONDS = 240  # a slow report is rebuilt only after nine times its duration


@contextmanager
def served(command: CommandLine) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start `cyclometer serve` on a free port; yield its address and the process."""
    process = command.start("serve", "--port", "0")
    assert process.stderr
    try:
        result = iter(process.stderr.readline, "")
        address = next(found[0] for line in result if (found := re.search(r"http://127\.0\.0\.1:\d+/", line)))
        yield address, process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def get(address: str, **headers: str) -> str:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=SECONDS) as answer:
        text: str = answer.read().decode()
    return text
