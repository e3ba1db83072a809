# SPDX-License-Identifier: MIT OR Apache-2.0
"""When a series counts as disturbed: others must have had the core for more than a negligible part of its time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.paths import runtime_folders
from support.requirements import need
from support.small_tree import REPOSITORY

# What the kernel and the noise probes say is in the arguments: microseconds that a series takes, microseconds of them
# that others had the core, and context switches.
PROGRAM = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "clocks.h"
#include "conditions.h"

static int64_t passed, used;
static long switches;
static int probes;

int64_t nanoseconds_now(void)
{
    return passed;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    *now = (struct timespec){.tv_sec = used / 1000000000, .tv_nsec = used % 1000000000};
    return 0;
}

int getrusage(int who, struct rusage *usage)
{
    (void)who;
    *usage = (struct rusage){.ru_nivcsw = switches};
    return 0;
}

struct noise_probe noise_probe_now(void)
{
    probes++;
    return (struct noise_probe){1000, 600};
}

struct noise_probe noise_probe_recent(void)
{
    return (struct noise_probe){1000, 600};
}

double probe_contention(struct noise_probe probe)
{
    (void)probe;
    return 1;
}

int main(int count, char **arguments)
{
    const int is_warm_up = count > 4;
    conditions_begin(is_warm_up);
    passed += 1000 * atoll(arguments[1]);
    used += 1000 * (atoll(arguments[1]) - atoll(arguments[2]));
    switches += atol(arguments[3]);
    const struct series_conditions conditions = conditions_end(is_warm_up ? 100000 : 0);
    printf("%ld %d %d", conditions.switches, undisturbed(&conditions), probes);
    return count < 4;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("gcc")
    folder = tmp_path_factory.mktemp("conditions")
    source, built = folder / "program.c", folder / "program"
    source.write_text(PROGRAM)
    harness = REPOSITORY / "harness"
    options = [
        "-std=gnu11",
        '-DCOUNTER_HEADER="counters/clock_gettime.h"',
        *(f"-I{f}" for f in runtime_folders(harness)),
    ]
    subprocess.run(["gcc", *options, "-o", built, source, harness / "runtime/conditions.c"], check=True)
    return built


def conditions(
    program: Path, *, microseconds: int, lost: int = 0, switches: int = 0, is_warm_up: bool = False
) -> tuple[int, bool, int]:
    """Return the recorded switches of a series, whether it is undisturbed, and the noise probes that were taken."""
    words = [program, *map(str, (microseconds, lost, switches)), *(["warm-up"] if is_warm_up else [])]
    numbers = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return int(numbers[0]), numbers[1] == "1", int(numbers[2])


def test_a_moment_of_somebody_elses_does_not_disturb_a_call_of_a_second(program: Path) -> None:
    switches, is_undisturbed, _ = conditions(program, microseconds=1_000_000, lost=10_000, switches=200)
    assert switches == 0
    assert is_undisturbed


@pytest.mark.parametrize(("microseconds", "lost"), [(1_000_000, 30_000), (1000, 50), (40, 40)])
def test_more_than_two_hundredths_of_the_time_disturb_it(program: Path, microseconds: int, lost: int) -> None:
    switches, is_undisturbed, _ = conditions(program, microseconds=microseconds, lost=lost, switches=1)
    assert switches == 1
    assert not is_undisturbed


def test_after_a_long_series_a_probe_warms_up_first(program: Path) -> None:
    assert conditions(program, microseconds=100) == (0, True, 2)
    assert conditions(program, microseconds=1000) == (0, True, 3)


def test_a_brief_warm_up_has_no_probes_of_its_own_and_a_long_one_counts(program: Path) -> None:
    assert conditions(program, microseconds=90, is_warm_up=True)[2] == 0
    assert conditions(program, microseconds=1000, lost=1000, switches=1, is_warm_up=True) == (1, False, 2)
