/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verb `repeat`: makes calls with the inputs that they had as timings of `measure` with the same arguments, and
 * prints the digests of their outputs. Each line is answered before the next one is read, so that whoever asks can
 * look at the clock in between. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "clocks.h"
#include "input_seed.h"
#include "repeated_calls.h"
#include "runtime.h"
#include "sample_record.h"
#include "timed_calls.h"

enum { MOST_CALLS = 1 << 20 }; /* in one line */

static enum repeating kind_of(const char *word)
{
    static const char *const kinds[] = {
        [REPEAT_CALLS] = "calls", [REPEAT_INPUTS] = "inputs", [REPEAT_MADE] = "made", [REPEAT_GIVEN] = "given"};
    for (enum repeating kind = REPEAT_CALLS; kind <= REPEAT_GIVEN; kind++)
        if (!strcmp(word, kinds[kind])) return kind;
    return REPEAT_NOTHING;
}

/* Reads a line into a sample, whose timings end with the last one to repeat; returns 0, or -1 if it is malformed. */
static int parse(struct sample *s, struct repetition *asked, char *line)
{
    const char *kind = strsep(&line, " ");
    s->measure = line ? strsep(&line, " ") : NULL;
    if (!s->measure || !line) return -1;
    request_begin(line);
    s->length = request_number();
    s->ad_length = request_number();
    s->keys = request_number();
    s->alignment = s->output_alignment = (unsigned)request_number();
    s->repetition = (unsigned)request_number();
    s->number = (unsigned)request_number();
    s->inputs = (unsigned)request_number();
    if (!s->inputs) s->inputs = 1;
    asked->first = (unsigned)request_number();
    const uint64_t count = request_number();
    if (count > MOST_CALLS) return -1;
    asked->count = (unsigned)count;
    s->timings = asked->first + asked->count;
    const int only_taken = !strcmp(kind, "taken"); /* what `given` does, without the call */
    asked->kind = only_taken ? REPEAT_INPUTS : kind_of(kind);
    if (only_taken || asked->kind == REPEAT_GIVEN) asked->given = request_bytes(&asked->given_bytes);
    return asked->kind == REPEAT_NOTHING ? -1 : 0;
}

static void print(const struct sample *s)
{
    (void)fputs("repeated\t", records);
    record_digests(s, repeated_calls.digests, repeated_calls.count);
    for (unsigned i = 0; i < repeated_calls.count && i < SAMPLE_MAX_TIMINGS; i++)
        (void)fprintf(records, i ? ",%" PRId64 : "\t%" PRId64, repeated_calls.took[i]);
    (void)fprintf(records, repeated_calls.count ? "\t%" PRId64 "\n" : "\t\t%" PRId64 "\n", repeated_calls.outputs_took);
}

static void repeat_line(char *line)
{
    struct sample s = {0};
    struct repetition asked = {.kind = REPEAT_NOTHING};
    if (parse(&s, &asked, line)) harness_fail(HARNESS_ERROR, "malformed request");
    harness_case("repeat %s length %" PRIu64 " keys %" PRIu64, s.measure, s.length, s.keys);
    repetition_begin(&asked);
    series_begin(input_seed_of(&s), &s, 0);
    if (operation_measure(&s)) harness_fail(HARNESS_ERROR, "unknown measure");
    print(&s);
    (void)fflush(records);
}

int repeat_samples(int count, char **arguments)
{
    struct arguments asked;
    char *line = NULL;
    size_t size = 0;
    counter_start();
    if (arguments_parse(&asked, count, arguments)) return -1;
    draw_shared();
    (void)setvbuf(stdin, NULL, _IOLBF, 0);
    while (getline(&line, &size, stdin) > 0) repeat_line(line);
    free(line);
    return 0;
}
