# SPDX-License-Identifier: MIT OR Apache-2.0
"""Limits that the user's shell or a cluster has set are lower ones, not a reason why nothing builds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.small_tree import REPOSITORY

PROGRAM = """
import resource, sys
from pathlib import Path
from cyclometer.execute import sandbox
outcome = sandbox.run_confined_tool(["sh", "-c", "ulimit -Ht; ulimit -Hf; ulimit -Hn; ulimit -Hv"], readable=[],
                                    writable=Path(sys.argv[1]))
print(outcome.stdout.decode(), outcome.stderr.decode(), outcome.problem)
"""


@pytest.mark.parametrize(
    ("limit", "line", "value"),
    [("-t 100", 0, "100"), ("-f 1000", 1, "2000"), ("-n 500", 2, "500"), ("-v 3000000", 3, "3000000")],
)
def test_a_lower_limit_of_the_shell_holds_in_the_sandbox(limit: str, line: int, value: str, tmp_path: Path) -> None:
    script = f"ulimit {limit}; exec {sys.executable} -c '{PROGRAM}' {tmp_path}"
    environment = {"PYTHONPATH": str(REPOSITORY / "src"), "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert ended.stdout.splitlines()[line : line + 1] == [value], ended.stdout + ended.stderr
