# SPDX-License-Identifier: MIT OR Apache-2.0
"""Another process that measures on core 1."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MEASURE = """
from cyclometer.host import measuring_on
with measuring_on(1) as others:
    print("begun", flush=True)
    input()
print(others)
"""


def lock_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the locks apart from those of real runs."""
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))


def begun() -> subprocess.Popen[str]:
    """Start another process that measures on core 1 until it is sent a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    return process
