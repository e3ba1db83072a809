/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which way to evict works here, and the proof that it did.
 *
 * A probe is a timing of something that is warm (W) or evicted (M), both of
 * which are calibrated first: a load of one line; a call of a function with a
 * line of its own; loads from 32 pages whose lines are in the first-level cache;
 * a loop of 512 branches with a fixed pattern; a row of vector instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "runtime.h"
#include "timing.h"

enum { TRIALS = 60, LINES = 64, PAGES = 32, PAGE = 4096, BRANCHES = 512 };
#define ENOUGH 0.95 /* share of probes that must pass */

const char *const cold_names[COLD_BITS] = {"code", "tables", "key", "input", "output", "tlb", "predictor", "vector"};
struct proof proofs[COLD_BITS];

extern const struct evict_way *const __start_evict_ways[], *const __stop_evict_ways[];

/* The way chosen for each bit, and its calibration in counter units. */
static struct {
    const struct evict_way *way;
    double warm, cold;
} chosen[COLD_BITS];

/* ---- probes -------------------------------------------------------------------- */

static uint8_t *lines, *pages;
static uint8_t pattern[BRANCHES];

static int64_t load_time(const uint8_t *line)
{
    dither();
    const int64_t start = counter_read();
    (void)*(const volatile uint8_t *)line;
    return counter_read() - start;
}

/* Functions of one instruction beside the text of the implementation, each alone in its lines. There are several, of
 * which a probe calls a random one: the line of a predicted call is fetched before the call. */
enum { FUNCTIONS = 32, FUNCTION_BYTES = 128 };
__asm__(".pushsection .text.probe, \"ax\", %progbits\n"
        ".balign 128\n"
        ".globl probe_functions\n"
        ".hidden probe_functions\n"
        "probe_functions:\n"
        ".rept 32\n"
        "ret\n"
        ".balign 128\n"
        ".endr\n"
        ".popsection\n");
extern const uint8_t probe_functions[] __attribute__((visibility("hidden")));

static int64_t call_time(void)
{
    static uint64_t state = 5;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint8_t *address = probe_functions + (state >> 33) % FUNCTIONS * FUNCTION_BYTES;
    void (*function)(void);
    memcpy(&function, &address, sizeof function);
    dither();
    const int64_t start = counter_read();
    function();
    return counter_read() - start;
}

/* Each of the loads needs the value of the one before. */
static int64_t pages_time(void)
{
    size_t at = 0;
    dither();
    const int64_t start = counter_read();
    for (size_t i = 0; i < PAGES; i++) at = *(const volatile size_t *)(const void *)(pages + at);
    return counter_read() - start;
}

static int64_t branches_time(void)
{
    unsigned taken = 0;
    const int64_t start = counter_read();
    for (size_t i = 0; i < BRANCHES; i++)
        if (((const volatile uint8_t *)pattern)[i]) {
            taken++;
            __asm__ volatile("" : "+r"(taken));
        }
    return counter_read() - start;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"), noinline)) static void vector_row(void)
{
    __asm__ volatile(
        "vpxor %%ymm0, %%ymm0, %%ymm0\n\t.rept 64\n\tvpmuludq %%ymm0, %%ymm0, %%ymm0\n\t.endr\n\tvzeroupper" ::
            : "xmm0");
}
static int has_vector(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static void vector_row(void)
{
}
static int has_vector(void)
{
    return 0;
}
#endif

static int64_t vector_time(void)
{
    dither();
    const int64_t start = counter_read();
    vector_row();
    return counter_read() - start;
}

/* The probe that belongs to a bit; of a buffer, of one of the test lines. */
static int64_t probe_time(unsigned bit, const uint8_t *line)
{
    switch (bit) {
    case COLD_CODE:
        return call_time();
    case COLD_TLB:
        return pages_time();
    case COLD_PREDICTOR:
        return branches_time();
    case COLD_VECTOR:
        return vector_time();
    default:
        return load_time(line);
    }
}

static struct range probed(unsigned bit, const uint8_t *line)
{
    if (bit != COLD_CODE) return (struct range){line, LINE};
    return (struct range){probe_functions, FUNCTIONS * FUNCTION_BYTES};
}

void probes_warm(void)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2 * FUNCTIONS; k++) (void)call_time();
        (void)pages_time();
        (void)branches_time();
        if (has_vector()) (void)vector_time();
    }
}

static void probes_open(void)
{
    lines = allocate(LINES * 4 * LINE, 0);
    pages = allocate(PAGES * PAGE, 0);
    for (size_t i = 0; i < LINES * 4 * LINE; i++) lines[i] = (uint8_t)i;
    for (size_t i = 0; i < PAGES; i++) { /* the lines are in different sets of a cache */
        const size_t next = (i + 1) % PAGES, at = i * PAGE + i * LINE, to = next * PAGE + next * LINE;
        memcpy(pages + at, &to, sizeof to);
    }
    uint64_t state = 3;
    for (size_t i = 0; i < BRANCHES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        pattern[i] = (uint8_t)(state >> 63);
    }
}

/* ---- ways ---------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], ascending);
    return values[count / 2];
}

static size_t level_rank(const char *level)
{
    return !strcmp(level, "memory") ? 3 : !strcmp(level, "L3") ? 2 : 1;
}

/* Times warm and evicted probes in turn; returns the share of evicted ones beyond the middle. */
static double score(const struct evict_way *way, unsigned bit, double *warm, double *cold)
{
    double hot[TRIALS], evicted[TRIALS], sorted[TRIALS];
    for (size_t i = 0; i < TRIALS; i++) {
        const uint8_t *line = lines + 4 * LINE * (i % LINES);
        const struct range range = probed(bit, line);
        const uint8_t touch = *(const volatile uint8_t *)line;
        (void)touch;
        for (int k = 0; k < (bit == COLD_CODE ? 4 * FUNCTIONS : 3); k++) (void)probe_time(bit, line);
        hot[i] = (double)probe_time(bit, line);
        way->evict(&range, 1);
        evicted[i] = (double)probe_time(bit, line);
    }
    memcpy(sorted, hot, sizeof sorted);
    *warm = median(sorted, TRIALS);
    memcpy(sorted, evicted, sizeof sorted);
    *cold = median(sorted, TRIALS);
    size_t beyond = 0;
    for (size_t i = 0; i < TRIALS; i++) beyond += evicted[i] > *warm + 0.5 * (*cold - *warm);
    return (double)beyond / TRIALS;
}

/* Whether M is far enough from W to tell them apart: 20 % and two steps of the counter. */
static int is_apart(double warm, double cold)
{
    return cold > 1.2 * warm && cold - warm > 8;
}

static const char *try_way(const struct evict_way *way, unsigned index, char *why, size_t size)
{
    double warm, cold;
    const unsigned bit = 1u << index;
    if (bit == COLD_VECTOR && !has_vector()) return "the CPU has no wide vector units that are known here";
    const double share = score(way, bit, &warm, &cold);
    if (!is_apart(warm, cold) || share < ENOUGH) {
        (void)snprintf(why, size, "%s: a probe takes %.0f, warm %.0f; %.0f %% of the probes look evicted", way->name,
                       cold, warm, 100 * share);
        return why;
    }
    if (chosen[index].way && level_rank(chosen[index].way->level) >= level_rank(way->level)) return NULL;
    chosen[index].way = way;
    chosen[index].warm = warm;
    chosen[index].cold = cold;
    return NULL;
}

/* What a line of code costs that comes from memory in the order of addresses: the time of 8 KiB of other code, flushed
 * and warm, by line, in hundredths of a counter unit. */
static uint64_t line_cost(const struct evict_way *way)
{
    enum { KIB = 8, TURNS = 15 };
    double times[TURNS];
    const struct range range = {other_code_start(), KIB * 1024};
    for (size_t i = 0; i < TURNS; i++) {
        run_other_code(KIB);
        const int64_t start = counter_read();
        run_other_code(KIB);
        const int64_t warm = counter_read() - start;
        way->evict(&range, 1);
        const int64_t again = counter_read();
        run_other_code(KIB);
        times[i] = (double)(counter_read() - again - warm);
    }
    const double typical = median(times, TURNS) * 100 / (KIB * 1024 / LINE);
    return typical > 0 ? (uint64_t)typical : 0;
}

void ways_open(void)
{
    static char why[COLD_BITS][200];
    probes_open();
    for (unsigned i = 0; i < COLD_BITS; i++) (void)snprintf(why[i], sizeof why[i], "no way is known");
    for (const struct evict_way *const *at = __start_evict_ways; at < __stop_evict_ways; at++) {
        const char *reason = (*at)->open();
        for (unsigned i = 0; i < COLD_BITS; i++) {
            char failed[200];
            if (!((*at)->of >> i & 1) || (chosen[i].way && reason)) continue;
            const char *tried = reason ? reason : try_way(*at, i, failed, sizeof failed);
            if (tried) (void)snprintf(why[i], sizeof why[i], "%s", tried);
        }
    }
    if (chosen[0].way) record_info("code_line_cost", line_cost(chosen[0].way));
    for (unsigned i = 0; i < COLD_BITS; i++)
        if (chosen[i].way)
            (void)fprintf(records, "way\t%s\t%s\t%s\t%.0f\t%.0f\n", cold_names[i], chosen[i].way->name,
                          chosen[i].way->level, chosen[i].warm, chosen[i].cold);
        else
            (void)fprintf(records, "unable\t%s\t%s\n", cold_names[i], why[i]);
}

unsigned can_evict(void)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < COLD_BITS; i++) bits |= (unsigned)(chosen[i].way != NULL) << i;
    return bits;
}

static void evict_bit(unsigned index)
{
    const struct range *ranges;
    const size_t count = ranges_of(1u << index, &ranges);
    if (chosen[index].way) chosen[index].way->evict(ranges, count);
}

/* Slow ways first; the translations last, because every other way brings some. */
void evict_all(unsigned cold)
{
    static const unsigned order[COLD_BITS] = {7, 6, 0, 1, 2, 3, 4, 5};
    for (unsigned i = 0; i < COLD_BITS; i++)
        if (cold >> order[i] & 1) evict_bit(order[i]);
}

/* ---- proof ---------------------------------------------------------------------- */

static void count_probe(unsigned index, int passed)
{
    proofs[index].probes++;
    proofs[index].passed += (unsigned)passed;
}

static int looks_cold(unsigned index, double time)
{
    return time > chosen[index].warm + 0.5 * (chosen[index].cold - chosen[index].warm);
}

static int looks_warm(unsigned index, double time)
{
    return time < chosen[index].warm + 0.25 * (chosen[index].cold - chosen[index].warm);
}

/* A random line of a range, which every data bit has; the text has the probe function besides. */
static void probe_range(unsigned index, int evicted)
{
    const struct range *ranges;
    const size_t count = ranges_of(1u << index, &ranges);
    const uint8_t *line = random_line(ranges, count);
    if (!line || !chosen[1].way) return;
    const double time = (double)load_time(line);
    count_probe(index, evicted ? looks_cold(1, time) : looks_warm(1, time));
}

void probe_all(unsigned cold)
{
    for (unsigned index = COLD_BITS; index-- > 0;) { /* what probing would spoil most, first */
        const unsigned bit = 1u << index;
        if (!chosen[index].way) continue;
        const int evicted = (cold & bit) != 0;
        if (bit & (COLD_KEY | COLD_INPUT | COLD_OUTPUT) || (bit & COLD_TABLES && evicted)) probe_range(index, evicted);
        if (bit == COLD_CODE || (bit & (COLD_TLB | COLD_PREDICTOR | COLD_VECTOR) && evicted)) {
            const double time = (double)probe_time(bit, lines);
            count_probe(index, evicted ? looks_cold(index, time) : looks_warm(index, time));
            if (bit == COLD_CODE && evicted) probe_range(index, evicted);
        }
    }
}
