# SPDX-License-Identifier: MIT OR Apache-2.0
"""Standard streams that are closed or full: losing what was asked for is an error, losing progress is not."""

from __future__ import annotations

import os
import subprocess

import pytest

from support.command_line import CommandLine, Result

CHECK = ("check", "salsa20", "--implementation", "ref", "--compiler", "gcc-O2")
LOST = {
    "full": (">/dev/full", "cannot write to standard output: No space left on device"),
    "closed": (">&-", "cannot write to standard output: Bad file descriptor"),
}


def redirected(cyclometer: CommandLine, redirection: str, *arguments: str) -> Result:
    """Run the command as a shell does that redirects its streams."""
    words = ["sh", "-c", f'exec "$@" {redirection}', "sh", *cyclometer.command(*arguments)]
    ended = subprocess.run(words, env=cyclometer.variables(), capture_output=True, text=True, check=False)
    return Result(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("asked", [("--version",), CHECK])
def test_output_that_is_lost_is_one_line(lost: str, asked: tuple[str, ...], cyclometer: CommandLine) -> None:
    redirection, reason = LOST[lost]
    result = redirected(cyclometer, redirection, *asked)
    assert result.status == 2
    assert result.stderr.splitlines()[-1] == f"cyclometer: {reason}"
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("redirection", ["2>/dev/full", "<&- 2>&-"])
def test_a_command_needs_neither_standard_input_nor_standard_error(redirection: str, cyclometer: CommandLine) -> None:
    """Programs that it starts would get other files in their place."""
    result = redirected(cyclometer, redirection, *CHECK)
    assert result.status == 0
    assert result.line("ok", "salsa20 ref")


def test_a_reader_that_leaves_early_is_no_error(cyclometer: CommandLine) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command, variables = cyclometer.command("--version"), cyclometer.variables()
    with open(writer, "w") as nobody:
        ended = subprocess.run(command, env=variables, stdout=nobody, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 0
    assert not ended.stderr
