# SPDX-License-Identifier: MIT OR Apache-2.0
"""A series of short calls counts from when the vector units, which begin slowly, have been used for a while."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer.paths import runtime_folders
from support.requirements import need
from support.small_tree import REPOSITORY

# Time passes in calls only: each takes 900 counts in the first 5000 of a series, and 300 afterwards.
COUNTER = """
#define COUNTER_NAME "calls"
#define COUNTER_UNIT "counts"
extern int64_t now;
static int counter_open(const char **why)
{
    (void)why;
    return 0;
}
static inline int64_t counter_read(void)
{
    return now;
}
"""
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>

#include "timed_calls.h"
#include "timing.h"

int64_t now, series_limit = INT64_MAX / 10, short_series_limit, run_in = 8000, long_call = INT64_MAX;
uint32_t dither_span;
uint64_t dither_state;
enum repeating repeating;
unsigned first_timing;

void prng_seed(uint64_t seed) { (void)seed; }
uint64_t prng_word(void) { return 0; }
void random_seed(uint64_t seed) { (void)seed; }
void outputs_begin(void) {}
uint32_t outputs_digest(struct sample *sample) { (void)sample; return 0; }
void conditions_after_long_call(void) {}
void timing_repeated(struct sample *sample, int64_t took, int64_t output_took)
{
    (void)sample, (void)took, (void)output_took;
}

static int64_t begun, call_takes;

static void call(void)
{
    now += now - begun < 5000 ? 3 * call_takes : call_takes;
}

int main(int count, char **arguments)
{
    struct sample sample = {.measure = "authenticate", .timings = 15};
    usual_timings = 15;
    call_takes = atoi(arguments[1]);
    series_begin(0, &sample, count > 2);
    begun = now;
    TIME_SERIES(&sample, (void)0, call());
    for (unsigned i = 0; i < sample.timings; i++) printf("%d ", (int)sample.series[i]);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("gcc")
    folder = tmp_path_factory.mktemp("run-in")
    (folder / "calls.h").write_text(COUNTER)
    (folder / "program.c").write_text(PROGRAM)
    harness = REPOSITORY / "harness"
    options = ['-DCOUNTER_HEADER="calls.h"', *(f"-I{each}" for each in (folder, *runtime_folders(harness)))]
    sources = [folder / "program.c", harness / "runtime/timed_calls.c"]
    subprocess.run(["gcc", *options, "-o", folder / "program", *sources], check=True)
    return folder / "program"


def series(program: Path, *arguments: str) -> list[int]:
    printed = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    return [int(word) for word in printed.split()]


def test_a_series_of_short_calls_has_none_of_the_slow_ones(program: Path) -> None:
    assert series(program, "300") == [300] * 15


def test_a_call_longer_than_the_run_in_counts_at_once(program: Path) -> None:
    assert series(program, "9000") == [27000, *[9000] * 14]


def test_a_warm_up_does_not_run_in(program: Path) -> None:
    assert series(program, "300", "warm-up") == [*[900] * 6, *[300] * 9]
