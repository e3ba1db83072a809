# SPDX-License-Identifier: MIT OR Apache-2.0
"""One count from two reads of a counter that advances in steps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.paths import runtime_folders
from support.requirements import need
from support.small_tree import REPOSITORY

STEP = 26
# Time passes with each read: half a step. So of two reads in a row, one is in the next step in every other case.
COUNTER = f"""
#define COUNTER_NAME "half a step a read"
#define COUNTER_UNIT "TSC ticks"
static int64_t now;
static int counter_open(const char **why)
{{
    (void)why;
    return 0;
}}
static inline int64_t counter_read(void)
{{
    const int64_t read = now - now % {STEP};
    now += {STEP // 2};
    return read;
}}
"""
PROGRAM = """
#include <stdio.h>
#include "counter_mean.h"
int main(void)
{
    const char *why;
    (void)counter_open(&why);
    for (int start = 0; start < 52; start += 13) {
        now = start;
        printf("%d ", (int)counter_mean());
    }
}
"""


@pytest.mark.parametrize(
    ("options", "counts"), [([], [0, 0, 26, 26]), (["-DREAD_GAP=28"], [0, 13, 26, 39])], ids=["one", "two"]
)
def test_two_reads_half_a_step_apart_halve_the_step(tmp_path: Path, options: list[str], counts: list[int]) -> None:
    (tmp_path / "steps.h").write_text(COUNTER)
    (tmp_path / "program.c").write_text(PROGRAM)
    folders = [f"-I{folder}" for folder in (tmp_path, *runtime_folders(REPOSITORY / "harness"))]
    need("gcc")
    command = ["gcc", '-DCOUNTER_HEADER="steps.h"', *options, *folders, "program.c", "-o", "program"]
    subprocess.run(command, check=True, cwd=tmp_path)
    printed = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout
    assert [int(count) for count in printed.split()] == counts
