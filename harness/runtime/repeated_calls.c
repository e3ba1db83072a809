/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "repeated_calls.h"

#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#include "timed_outputs.h"

enum repeating repeating;
unsigned first_timing;
struct repeated_calls repeated_calls;

static struct repetition asked;

void repetition_begin(const struct repetition *wanted)
{
    asked = *wanted;
    repeating = asked.kind;
    first_timing = asked.first;
    repeated_calls.count = 0;
    repeated_calls.outputs_took = 0;
    repeated_calls.digests = realloc(repeated_calls.digests, (asked.count + 1) * sizeof *repeated_calls.digests);
    if (!repeated_calls.digests) harness_fail(HARNESS_ERROR, "out of memory");
}

void timing_repeated(struct sample *sample, int64_t took, int64_t output_took)
{
    const unsigned i = repeated_calls.count;
    const uint32_t digest = outputs_digest(sample);
    repeated_calls.outputs_took += output_took;
    if (i < SAMPLE_MAX_TIMINGS) repeated_calls.took[i] = took;
    if (i < asked.count) repeated_calls.digests[repeated_calls.count++] = digest;
}

int input_given(void *bytes, size_t most, size_t *length)
{
    if (!asked.given) return 0;
    if (asked.given_bytes > most) harness_fail(HARNESS_ERROR, "the given input is too long");
    memcpy(bytes, asked.given, asked.given_bytes);
    *length = asked.given_bytes;
    return 1;
}

void input_made(const void *bytes, size_t length)
{
    if (repeating != REPEAT_MADE) return;
    (void)fputs("made\t", records);
    for (size_t i = 0; i < length; i++) (void)fprintf(records, "%02x", ((const uint8_t *)bytes)[i]);
    (void)fputc('\n', records);
}
