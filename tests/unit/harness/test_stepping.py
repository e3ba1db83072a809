# SPDX-License-Identifier: MIT OR Apache-2.0
"""The size of the hot path: single-stepping counts the code that a call executes, each byte once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.measure.symbols import functions
from support.requirements import need
from support.small_tree import REPOSITORY

PROGRAM = """
__attribute__((noinline, aligned(64))) void straight(void)
{{
    __asm__ volatile(".rept {nops}\\n\\tnop\\n\\t.endr");
}}
__attribute__((noinline, aligned(64))) void loop(void)
{{
    for (int i = 0; i < 100; i++) __asm__ volatile("" : "+r"(i));
}}
int main(void)
{{
    for (int i = 0; i < 3; i++) straight(), loop();
    return 0;
}}
"""


def executed(folder: Path, name: str, nops: int = 1000) -> list[int]:
    """Return the distinct bytes, lines and pages that the second call executes, and its instructions."""
    need("gcc")
    source, program, stepper = folder / "program.c", folder / "program", folder / "step"
    source.write_text(PROGRAM.format(nops=nops))
    subprocess.run(["gcc", "-O2", "-fcf-protection=none", "-o", program, source], check=True)
    subprocess.run(["gcc", "-O2", "-std=gnu11", "-o", stepper, REPOSITORY / "harness/trace/step.c"], check=True)
    known = functions(program)
    assert known
    words = [f"{known.of[name][0]:x}", f"{known.entry:x}", "2", "1000000", program]
    done = subprocess.run([stepper, *words], capture_output=True, text=True, check=False)
    if "cannot" in done.stderr:
        pytest.skip(f"ptrace is not allowed here: {done.stderr}")
    assert done.stdout.startswith("executed "), done.stderr
    return [int(word) for word in done.stdout.splitlines()[0].split()[1:]]


@pytest.mark.parametrize("kilobytes", [1, 4, 16])
def test_straight_line_code_executes_all_its_bytes(tmp_path: Path, kilobytes: int) -> None:
    """On x86-64 a nop is one byte, and so is the return."""
    size, lines, pages, instructions = executed(tmp_path, "straight", 1024 * kilobytes - 1)
    assert size == instructions == 1024 * kilobytes
    assert lines == 16 * kilobytes
    assert pages in (max(1, kilobytes // 4), kilobytes // 4 + 1)


def test_a_loop_is_counted_once(tmp_path: Path) -> None:
    size, lines, _, instructions = executed(tmp_path, "loop")
    assert instructions > 200
    assert size < 64
    assert lines == 1
