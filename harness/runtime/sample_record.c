/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The records of samples. */
#include "sample_record.h"

#include <inttypes.h>
#include <string.h>

#include "counter.h"
#include "runtime.h"

void record_digests(const struct sample *s, const uint32_t *digests, unsigned timings)
{
    if (s->comparable == OUTPUTS_NONE) return;
    (void)fputs(s->comparable == OUTPUTS_OWN ? "own" : "any", records);
    for (unsigned i = 0; i < timings; i++) (void)fprintf(records, ",%08" PRIx32, digests[i]);
}

void record_sample(const struct sample *s, const struct series_conditions *c)
{
    (void)fprintf(records,
                  "sample\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u\t%s\t%ld\t%ld\t%" PRId64 "\t%" PRId64
                  "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t",
                  s->measure, s->length, s->ad_length, s->keys, s->alignment, COUNTER_NAME, c->switches, c->retakes,
                  c->tsc, c->before.chain, c->after.chain, c->before.load, c->after.load);
    for (unsigned i = 0; i < s->timings; i++) (void)fprintf(records, i ? ",%" PRId64 : "%" PRId64, s->series[i]);
    (void)fprintf(records, "\t%u\t%u\t%u\t%u\t", s->repetition, s->number, s->first, s->inputs);
    record_digests(s, s->outputs, s->timings);
    (void)fputc('\n', records);
}

unsigned record_long_calls(const struct sample *s, long retakes)
{
    unsigned quiet = 0;
    for (unsigned first = 0, last; first < s->timings; first = last) {
        struct sample part = *s;
        const int is_quiet = undisturbed_timing(first);
        for (last = first + 1; last < s->timings && undisturbed_timing(last) == is_quiet;) last++;
        part.timings = last - first;
        part.first = first;
        memmove(part.series, s->series + first, part.timings * sizeof part.series[0]);
        memmove(part.outputs, s->outputs + first, part.timings * sizeof part.outputs[0]);
        const struct series_conditions conditions = conditions_between(first, last, retakes);
        record_sample(&part, &conditions);
        if (is_quiet) quiet += part.timings;
    }
    return quiet;
}
