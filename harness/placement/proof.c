/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The proof that what was evicted is cold, and the rest is warm: probes between
 * the two times, W and M, that were calibrated when the ways were tried. */
#include "probes.h"

struct proof proofs[COLD_BITS];

enum { FIRST_BUFFER = 2 }; /* the bit of PLACED_KEY */

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
        const unsigned is_buffer = bit & (COLD_KEY | COLD_INPUT | COLD_OUTPUT);
        if (is_buffer && !evicted && is_beside_cold(index - FIRST_BUFFER, cold)) continue;
        if (is_buffer || (bit & COLD_TABLES && evicted)) probe_range(index, evicted);
        if (bit == COLD_CODE || (bit & (COLD_TLB | COLD_PREDICTOR | COLD_VECTOR) && evicted)) {
            const double time = (double)probe_time(bit, test_line(0));
            count_probe(index, evicted ? looks_cold(index, time) : looks_warm(index, time));
            if (bit == COLD_CODE && evicted) probe_range(index, evicted);
        }
    }
}
