/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes trials: prepare; evict; warm again what must be warm; 20 successive
 * timings. One trial in eight probes instead, to prove what was evicted. */
#define _GNU_SOURCE
#include "place.h"

#include <alloca.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "grid.h"
#include "noise.h"
#include "reference.h"
#include "runtime.h"
#include "timed_outputs.h"
#include "timing.h"

enum {
    PROBE_EVERY = 8,
    FEW_TRIALS = 5,  /* of a slow call, whatever its time */
    HOT_TRIALS = 3,  /* where nothing is cold, every timing after the first ones counts */
    AROUND = 512,    /* bytes of the loop that are read again after an eviction */
    MAX_STACK = 1 << 16,
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
    int probing, tracing;
} now;

static void marker(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("int3");
#elif defined(__aarch64__)
    __asm__ volatile("brk #0");
#endif
}

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
        if (!(cold & bits[i])) touch(placed_range[i]);
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
    if (now.tracing && timing == 2) { /* everything is resolved and trained by then */
        now.tracing = 2;
        marker();
    }
}

__attribute__((noinline)) void after_timing(void)
{
    if (now.tracing == 2) marker();
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
    series_begin(prng_word(), sample); /* every trial has inputs of its own */
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

/* The buffers of this series that are asked to be cold exist: an empty message cannot be. */
static int has_what_is_cold(unsigned cold)
{
    const struct range *ranges;
    for (unsigned bit = COLD_KEY; bit <= COLD_OUTPUT; bit <<= 1)
        if (cold == bit && !ranges_of(bit, &ranges)) return 0;
    return 1;
}

/* Takes the trials of one cell until there are enough, or `budget` has passed and there are a few. */
static void take_cell(const struct sample *cell, unsigned trials, int64_t budget)
{
    const unsigned wanted = cell->cold ? trials : HOT_TRIALS;
    const int64_t start = nanoseconds_now();
    unsigned taken = 0;
    struct sample sample = *cell;
    now.cold = 0, now.between = 0, now.probing = 0;
    harness_case("place %s length %" PRIu64, cell->measure, cell->length);
    measure_begin(cell->measure);
    if (take(&sample)) return; /* also a warm-up */
    if (strcmp(cell->measure, "empty") && !has_what_is_cold(cell->cold)) return;
    now.cold = cell->cold & can_evict();
    now.between = cell->between;
    for (unsigned turn = 0; taken < wanted; turn++) {
        if (taken >= FEW_TRIALS && nanoseconds_now() - start > budget) break;
        sample = *cell;
        now.probing = now.cold && turn % PROBE_EVERY == PROBE_EVERY / 2;
        const struct noise_probe before = noise_probe_now();
        const long switches = context_switches();
        if (take(&sample)) break;
        const long switched = context_switches() - switches;
        if (!now.probing) record(&sample, taken++, switched, before, noise_probe_now());
    }
    record_proofs(cell, now.cold);
    now.cold = 0, now.between = 0, now.probing = 0;
}

/* ---- the verb ------------------------------------------------------------------- */

static uint64_t order_seed;

static size_t next_below(size_t end)
{
    order_seed = order_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((order_seed >> 33) % end);
}

static struct sample *cells;
static size_t cell_count;

static void add_cells(const struct grid *grid)
{
    cells = realloc(cells, (cell_count + grid->count) * sizeof *cells);
    if (!cells) harness_fail(HARNESS_ERROR, "out of memory");
    for (size_t i = 0; i < grid->count; i++) {
        const struct sample *s = &grid->samples[i];
        samples_allow(s);
        if (s->cold & ~can_evict() && !(s->cold & can_evict())) continue; /* `unable` says why */
        cells[cell_count++] = *s;
    }
}

/* The overhead in each state that the grid asks for, twice: the second is the A/A twin. */
static void add_empty(void)
{
    const size_t count = cell_count;
    unsigned char known[1 << COLD_BITS] = {0};
    struct grid grid = {.count = 1};
    for (size_t i = 0; i < count; i++) {
        const unsigned cold = cells[i].cold % (1 << COLD_BITS);
        if (known[cold]) continue;
        known[cold] = 1;
        for (uint64_t twin = 0; twin < 2; twin++) {
            struct sample one = {.measure = "empty", .keys = 1, .call_site = 1, .cold = cold, .length = 0};
            one.ad_length = twin;
            grid.samples = &one;
            add_cells(&grid);
        }
    }
}

static __attribute__((noinline)) void take_all(unsigned trials, int64_t budget, size_t stack)
{
    volatile uint8_t *moved = alloca(stack % MAX_STACK + 16); /* the stack of all calls starts lower by this */
    moved[0] = 0;
    for (size_t left = cell_count; left > 0; left--) {
        const size_t i = next_below(left);
        const struct sample cell = cells[i];
        cells[i] = cells[left - 1];
        take_cell(&cell, trials, budget);
    }
    moved[0] = 1;
}

static int trace_one(struct sample *cell)
{
    struct sample sample = *cell;
    now.tracing = 1;
    sample.timings = 3;
    memset(placed_range, 0, sizeof placed_range);
    harness_case("trace %s length %" PRIu64, cell->measure, cell->length);
    return operation_measure(&sample);
}

/* Trying the ways takes longer than a process without anything cold. */
static int asks_for_cold(int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (strstr(arguments[i], " cold=")) return 1;
    return 0;
}

/* SEED DITHER TRIALS BUDGET_MS STACK trace|GRID... */
int place(int count, char **arguments)
{
    const char *why = "";
    if (count < 6) return -1;
    order_seed = strtoull(arguments[0], NULL, 10) * 2 + 1;
    dither_span = (uint32_t)strtoul(arguments[1], NULL, 10);
    dither_state = order_seed;
    const unsigned trials = (unsigned)strtoul(arguments[2], NULL, 10);
    const int64_t budget = strtoll(arguments[3], NULL, 10) * 1000000;
    const size_t stack = strtoul(arguments[4], NULL, 10);
    arguments += 5, count -= 5;
    const int tracing = !strcmp(arguments[0], "trace");
    usual_timings = PLACED_TIMINGS;
    if (counter_open(&why)) harness_fail(HARNESS_ERROR, "%s: %s", COUNTER_NAME, why);
    if (!strncmp(arguments[tracing], "pair ", 5)) keypair_set(arguments[tracing] + 5), arguments[tracing][0] = 0;
    prng_seed(1);
    random_seed(1);
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    if (!tracing) {
        noise_open(0);
        ranges_open();
        if (asks_for_cold(count, arguments)) ways_open();
    }
    for (int i = tracing; i < count; i++) {
        struct grid grid;
        if (!*arguments[i]) continue;
        harness_case("grid %s", arguments[i]);
        if (grid_parse(&grid, arguments[i])) harness_fail(HARNESS_ERROR, "malformed grid line");
        if (tracing) {
            for (size_t k = 0; k < grid.count; k++) samples_allow(&grid.samples[k]);
            return trace_one(&grid.samples[0]);
        }
        add_cells(&grid);
    }
    add_empty();
    take_all(trials, budget, stack);
    return 0;
}
