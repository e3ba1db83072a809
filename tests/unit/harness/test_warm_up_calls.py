# SPDX-License-Identifier: MIT OR Apache-2.0
"""A series of short calls begins with warm-up calls, which do not count: vector units may begin slowly."""

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

#include "inputs.h"
#include "timed_calls.h"
#include "timing.h"

int64_t now, series_limit = INT64_MAX / 10, short_series_limit, warm_up_limit = 8000, long_call = INT64_MAX;
uint32_t dither_span;
uint64_t dither_state;
enum repeating repeating;
unsigned first_timing;

void prng_seed(uint64_t seed) { (void)seed; }
uint64_t prng_word(void) { return 0; }
void random_seed(uint64_t seed) { (void)seed; }
void outputs_begin(void) {}
uint32_t outputs_digest(struct sample *sample) { (void)sample; return 0; }
void *allocate(size_t size, unsigned alignment) { (void)alignment; return malloc(size); }
void conditions_after_long_call(void) {}
void timing_repeated(struct sample *sample, int64_t took, int64_t output_took)
{
    (void)sample, (void)took, (void)output_took;
}

static int64_t begun, call_takes;
static struct inputs inputs;
static unsigned input_of_call;

static void make_input(void)
{
    inputs_keep(&inputs, &inputs.count, sizeof inputs.count);
}

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
    inputs_open(&inputs, sizeof input_of_call);
    MAKE_INPUTS(&inputs, &sample, make_input());
    begun = now;
    unsigned used[SAMPLE_MAX_TIMINGS];
    TIME_CHECKED(&sample, inputs_next(&inputs, &input_of_call), call(), used[timing_] = input_of_call);
    for (unsigned i = 0; i < sample.timings; i++) printf("%d %u ", (int)sample.series[i], used[i]);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("gcc")
    folder = tmp_path_factory.mktemp("warm-up-calls")
    (folder / "calls.h").write_text(COUNTER)
    (folder / "program.c").write_text(PROGRAM)
    harness = REPOSITORY / "harness"
    options = ['-DCOUNTER_HEADER="calls.h"', *(f"-I{each}" for each in (folder, *runtime_folders(harness)))]
    sources = [folder / "program.c", harness / "runtime/timed_calls.c"]
    subprocess.run(["gcc", *options, "-o", folder / "program", *sources], check=True)
    return folder / "program"


def series(program: Path, *arguments: str) -> tuple[list[int], list[int]]:
    """Return the timings of a series, and the number of each timing's input."""
    printed = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    numbers = [int(word) for word in printed.split()]
    return numbers[::2], numbers[1::2]


def test_a_series_of_short_calls_has_none_of_the_slow_ones(program: Path) -> None:
    timings, _ = series(program, "300")
    assert timings == [300] * 15


def test_a_warm_up_series_has_no_warm_up_calls(program: Path) -> None:
    timings, _ = series(program, "300", "warm-up")
    assert timings == [*[900] * 6, *[300] * 9]


def test_a_timing_has_the_input_of_its_number_whatever_ran_before(program: Path) -> None:
    """Another process repeats the call with the same input."""
    _, inputs = series(program, "300")
    assert inputs == list(range(15))
