/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tries every way to evict on this machine, and chooses one for each bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes.h"
#include "runtime.h"
#include "timing.h"

enum { TRIALS = 60, ATTEMPTS = 3 }; /* of a way that nearly works: a neighbour of this machine may have spoilt one */
#define NEARLY 0.6

const char *const cold_names[COLD_BITS] = {"code", "tables", "key", "input", "output", "tlb", "predictor", "vector"};
struct chosen_way chosen[COLD_BITS];

extern const struct evict_way *const __start_evict_ways[], *const __stop_evict_ways[];

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

enum { FARTHEST = 3, TABLES = 1 }; /* of the levels; of the bits, the first that is data */

static size_t level_rank(const char *level)
{
    return !strcmp(level, "memory") ? FARTHEST : !strcmp(level, "L3") ? 2 : 1;
}

/* Times warm and evicted probes in turn; returns the share of evicted ones beyond the middle. */
static double score(const struct evict_way *way, unsigned bit, double *warm, double *cold)
{
    double hot[TRIALS], evicted[TRIALS], sorted[TRIALS];
    for (size_t i = 0; i < TRIALS; i++) {
        const uint8_t *line = test_line(i);
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

/* Tries a way for one bit; returns NULL if it works, else why not. */
static const char *try_way(const struct evict_way *way, unsigned index, char *why, size_t size)
{
    double warm = 0, cold = 0, share = 0;
    const unsigned bit = 1u << index;
    if (bit == COLD_VECTOR && !has_vector()) return "the CPU has no wide vector units that are known here";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        share = score(way, bit, &warm, &cold);
        if (is_apart(warm, cold) && share >= ENOUGH) {
            chosen[index] = (struct chosen_way){way, warm, cold};
            return NULL;
        }
        if (!is_apart(warm, cold) || share < NEARLY) break;
    }
    (void)snprintf(why, size, "%s: a probe takes %.0f, warm %.0f; %.0f %% of the probes look evicted", way->name, cold,
                   warm, 100 * share);
    return why;
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

static char why[COLD_BITS][200];

/* Tries a way for everything for which no other has been chosen. */
static void try_for_all(const struct evict_way *way)
{
    const char *unable = NULL;
    int opened = 0;
    for (unsigned i = 0; i < COLD_BITS; i++) {
        char failed[200];
        if (!(way->of >> i & 1) || chosen[i].way) continue;
        if (!opened++) unable = way->open();
        if ((1u << i) & COLD_DATA && chosen[TABLES].way == way) { /* lines are evicted alike, whatever they hold */
            chosen[i] = chosen[TABLES];
            continue;
        }
        const char *reason = unable ? unable : try_way(way, i, failed, sizeof failed);
        if (reason) (void)snprintf(why[i], sizeof why[i], "%s", reason);
    }
}

void ways_open(void)
{
    probes_open();
    for (unsigned i = 0; i < COLD_BITS; i++) (void)snprintf(why[i], sizeof why[i], "no way is known");
    for (size_t rank = FARTHEST; rank > 0; rank--)
        for (const struct evict_way *const *at = __start_evict_ways; at < __stop_evict_ways; at++)
            if (level_rank((*at)->level) == rank) try_for_all(*at);
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
