# SPDX-License-Identifier: MIT OR Apache-2.0
"""The part of the harness that measures placement: what is evicted is proven, on x86-64 and, emulated, on aarch64."""

from __future__ import annotations

import platform
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from cyclometer.paths import runtime_folders
from cyclometer.records.placement import COLD
from support.requirements import is_missing, need
from support.small_tree import REPOSITORY

HARNESS = REPOSITORY / "harness"
FOLDERS = ("runtime", "evict", "placement")

TOY = """
#include <string.h>
#include "harness.h"
#include "timing.h"
static uint8_t input[4096];
static __attribute__((noinline)) unsigned sum(void)
{
    unsigned total = 0;
    for (size_t i = 0; i < sizeof input; i++) total += input[i];
    __asm__ volatile("" : "+r"(total));
    return total;
}
void operation_info(void) {}
void operation_check(void) {}
int operation_answer(const char *verb) { (void)verb; return -1; }
int operation_measure(struct sample *sample)
{
    if (strcmp(sample->measure, "toy")) return -1;
    placed(PLACED_INPUT, input, sizeof input);
    TIME_SERIES(sample, (void)0, sum());
    return 0;
}
"""

MACHINES = {
    "x86-64": ("gcc", "rdtsc", ()),
    "aarch64": ("aarch64-linux-gnu-gcc", "aarch64_cntvct", ("qemu-aarch64",)),
}


def records(folder: Path, machine: str, *grid: str) -> list[list[str]]:
    """Build the toy operation for placement, run the trials of a grid, and return its records."""
    compiler, counter, emulator = MACHINES[machine]
    if not emulator and platform.machine() != "x86_64":
        is_missing("this machine is no x86-64")
    need(compiler)
    for program in emulator:
        need(program)
    toy, program = folder / "toy.c", folder / "toy"
    toy.write_text(TOY)
    sources = [toy, *(path for name in FOLDERS for path in sorted((HARNESS / name).glob("*.c")))]
    include = [f"-I{folder}" for folder in (HARNESS / "evict", HARNESS / "placement", *runtime_folders(HARNESS))]
    options = ["-std=gnu11", "-O2", "-w", "-DPLACEMENT", f'-DCOUNTER_HEADER="counters/{counter}.h"', *include]
    link = ["-static"] if emulator else []
    subprocess.run([compiler, *options, *link, *map(str, sources), "-o", str(program)], check=True)
    command = [*emulator, str(program), "place", "1", "0", "7", "100", "0", *grid]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def named(lines: Sequence[Sequence[str]], *names: str) -> list[Sequence[str]]:
    """Return the records of these names."""
    return [line for line in lines if line[0] in names]


@pytest.mark.parametrize("machine", MACHINES)
def test_each_thing_is_evicted_in_one_way_or_the_reason_is_told(tmp_path: Path, machine: str) -> None:
    lines = records(tmp_path, machine, "toy length=64 call_site=1 cold=0")
    told = named(lines, "way", "unable")
    assert sorted(line[1] for line in told) == sorted(COLD)
    assert all(line[2] for line in told)
    assert {line[1] for line in named(lines, "placed")} == {"toy", "empty"}  # hot numbers are always there


def test_an_eviction_is_probed_one_trial_in_eight_and_shown_by_twenty_timings(tmp_path: Path) -> None:
    lines = records(tmp_path, "x86-64", "toy length=64 call_site=1 cold=0,1,8")
    able = {line[1] for line in named(lines, "way")}
    trials = Counter((line[1], line[8]) for line in named(lines, "placed"))
    assert trials["toy", "0"] == 3
    assert all(len(line[-1].split(",")) == 20 for line in named(lines, "placed"))
    for name, bits in (("code", "1"), ("input", "8")):
        assert trials["toy", bits] == (7 if name in able else 0)
        probes = [line for line in named(lines, "proof") if line[1] == "toy" and line[3] == bits and line[4] == name]
        assert bool(probes) == (name in able)
        assert all(line[5] == "cold" and 0 <= int(line[7]) <= int(line[6]) for line in probes)


def test_only_what_can_be_evicted_is_asked_for(tmp_path: Path) -> None:
    """The toy names no key: it cannot be cold by itself, and there is no number."""
    lines = records(tmp_path, "x86-64", "toy length=64 call_site=1 cold=4")
    assert not [line for line in named(lines, "placed") if line[1] == "toy"]
