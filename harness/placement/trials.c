/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes trials: prepare; evict; warm again what must be warm; 20 successive
 * timings. One trial in eight probes instead, to prove what was evicted. */
#define _GNU_SOURCE
#include "place.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "clocks.h"
#include "noise.h"
#include "reference.h"
#include "runtime.h"
#include "timed_calls.h"
#include "timing.h"

enum {
    PROBE_EVERY = 8,
    ENOUGH_PROBES = 20, /* in a process: a single one that was disturbed leaves 95 % */
    FEW_TRIALS = 5,  /* of a slow call, whatever its time */
    HOT_TRIALS = 3,  /* where nothing is cold, every timing after the first ones counts */
    AROUND = 512,    /* bytes of the loop that are read again after an eviction */
};

/* measure.c, once more for each call site; the build renames the function. */
#define SITE(n) int operation_measure_##n(struct sample *sample) __attribute__((weak))
SITE(1);
SITE(2);
SITE(3);
SITE(4);
SITE(5);
SITE(6);
SITE(7);
SITE(8);

typedef int measure_function(struct sample *sample);
static measure_function *const sites[CALL_SITES] = {
    operation_measure_1, operation_measure_2, operation_measure_3, operation_measure_4,
    operation_measure_5, operation_measure_6, operation_measure_7, operation_measure_8,
};

/* What the trial under way asks for. */
static struct {
    unsigned cold;
    size_t between;
    int probing;
} now;

/* Reads the bytes around an address, as data: they come back to the second level at least. */
static void touch_around(const uint8_t *address)
{
    for (const uint8_t *p = address - AROUND; p < address + AROUND; p += LINE) (void)*(const volatile uint8_t *)p;
}

static void touch(struct range range)
{
    for (size_t i = 0; i < range.bytes; i += LINE) (void)((const volatile uint8_t *)range.first)[i];
}

static void warm_buffers(unsigned cold)
{
    static const unsigned bits[PLACED_BUFFERS] = {COLD_KEY, COLD_INPUT, COLD_OUTPUT};
    for (unsigned i = 0; i < PLACED_BUFFERS; i++)
        if (!(cold & bits[i]) && !is_beside_cold(i, cold)) touch(placed_range[i]);
}

__attribute__((noinline)) void before_timing(unsigned timing)
{
    if (now.between) run_other_code(now.between);
    if (timing == 0 && now.cold) {
        const int with_tlb = (now.cold & COLD_TLB) != 0;
        if (now.probing) probes_warm();
        evict_all(now.cold & ~(unsigned)COLD_TLB);
        warm_buffers(now.cold);
        touch_around(__builtin_return_address(0));
        if (with_tlb) evict_all(COLD_TLB);
        if (now.probing) probe_all(now.cold);
    }
}

static long context_switches(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

static __attribute__((noinline, section(".text.probe"))) void empty(void)
{
    __asm__ volatile("");
}

/* Takes the series; `empty` is the call of an empty function in the same state. Returns what operation_measure does. */
static int take(struct sample *sample)
{
    sample->timings = PLACED_TIMINGS;
    memset(placed_range, 0, sizeof placed_range);
    series_begin(prng_word(), sample, 0); /* every trial has inputs of its own */
    if (!strcmp(sample->measure, "empty")) {
        TIME_SERIES(sample, (void)0, empty());
        return 0;
    }
    measure_function *site = sites[(sample->call_site - 1) % CALL_SITES];
    return site ? site(sample) : operation_measure(sample);
}

static void record(const struct sample *s, unsigned trial, long switches, struct noise_probe before,
                   struct noise_probe after)
{
    (void)fprintf(records, "placed\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%s\t%ld\t",
                  s->measure, s->length, s->ad_length, s->keys, s->alignment, s->output_alignment, s->key_alignment,
                  s->cold, s->call_site, s->between, trial, COUNTER_NAME, switches);
    (void)fprintf(records, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t", before.chain, after.chain,
                  before.load, after.load);
    for (unsigned i = 0; i < s->timings; i++) (void)fprintf(records, i ? ",%" PRId64 : "%" PRId64, s->series[i]);
    (void)fputc('\n', records);
}

static void record_proofs(const struct sample *s, unsigned cold)
{
    for (unsigned i = 0; i < COLD_BITS; i++)
        if (proofs[i].probes)
            (void)fprintf(records, "proof\t%s\t%" PRIu64 "\t%u\t%s\t%s\t%u\t%u\n", s->measure, s->length, s->cold,
                          cold_names[i], cold >> i & 1 ? "cold" : "warm", proofs[i].probes, proofs[i].passed);
    memset(proofs, 0, sizeof proofs);
}

/* Whether the measure has what the cell asks of its buffers: one that is cold by itself must exist and not be empty, and
 * one that is moved must be where it was asked for. If it never can, says so. */
static int can_be_placed(const struct sample *cell)
{
    const struct range *key = &placed_range[PLACED_KEY], *in = &placed_range[PLACED_INPUT],
                       *out = &placed_range[PLACED_OUTPUT];
    const struct {
        const char *what;
        const struct range *range;
        unsigned cold;
        int is_moved;
        unsigned alignment;
    } buffers[] = {
        {"key", key, COLD_KEY, cell->key_alignment != 0, cell->key_alignment},
        {"input", in, COLD_INPUT, cell->alignment != 0, cell->alignment},
        {"output", out, COLD_OUTPUT, cell->output_alignment != cell->alignment, cell->output_alignment},
    };
    for (unsigned i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        const struct range *range = buffers[i].range;
        const unsigned asked = buffers[i].alignment, modulus = asked < 64 ? 64 : ALIGNMENTS;
        const int is_cold = cell->cold == buffers[i].cold, is_elsewhere = (uintptr_t)range->first % modulus != asked;
        if (is_cold && !range->first)
            (void)fprintf(records, "unplaced\t%s\tcold\t%s\n", cell->measure, buffers[i].what);
        if (buffers[i].is_moved && is_elsewhere)
            (void)fprintf(records, "unplaced\t%s\talignment\t%s\n", cell->measure, buffers[i].what);
        if ((is_cold && !range->bytes) || (buffers[i].is_moved && is_elsewhere)) return 0;
    }
    return 1;
}

/* Takes the trials of a cell, one in eight of which is a probe, and more probes if `probes` are not reached by then. */
static void take_trials(const struct sample *cell, unsigned trials, unsigned probes, int64_t budget)
{
    const int64_t start = nanoseconds_now();
    unsigned taken = 0, probed = 0;
    for (unsigned turn = 0; taken < trials || probed < probes; turn++) {
        if (taken >= FEW_TRIALS && (probed || !probes) && nanoseconds_now() - start > budget) break;
        struct sample sample = *cell;
        now.probing = probes && (taken >= trials || turn % PROBE_EVERY == PROBE_EVERY / 2);
        struct proof counted[COLD_BITS];
        memcpy(counted, proofs, sizeof counted);
        const struct noise_probe before = noise_probe_now();
        const long switches = context_switches();
        if (take(&sample)) break;
        const long switched = context_switches() - switches;
        if (now.probing && ++probed && switched)
            memcpy(proofs, counted, sizeof counted); /* another process has been here since the eviction */
        else if (!now.probing)
            record(&sample, taken++, switched, before, noise_probe_now());
    }
}

void take_cell(const struct sample *cell, unsigned trials, unsigned alike, int64_t budget)
{
    struct sample sample = *cell;
    now.cold = 0, now.between = 0, now.probing = 0;
    harness_case("place %s length %" PRIu64, cell->measure, cell->length);
    measure_begin(cell->measure);
    if (take(&sample)) return; /* also a warm-up */
    if (strcmp(cell->measure, "empty") && !can_be_placed(cell)) return;
    now.cold = cell->cold & can_evict();
    now.between = cell->between;
    take_trials(cell, cell->cold ? trials : HOT_TRIALS, now.cold ? ENOUGH_PROBES / alike + 1 : 0, budget);
    record_proofs(cell, now.cold);
    now.cold = 0, now.between = 0, now.probing = 0;
}
