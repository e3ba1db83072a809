/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verb `repeat`: makes calls with the inputs that they had as timings of `measure` with the same arguments, and
 * prints the digests of their outputs. Each line is answered before the next one is read, so that whoever asks can
 * look at the clock in between. */
#define _GNU_SOURCE
#include "repeat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "input_seed.h"
#include "runtime.h"
#include "sample_record.h"
#include "timing.h"

enum { MOST_CALLS = 1 << 20 }; /* in one line */

int64_t repeat_took, repeat_around;

static uint32_t *digests;
static unsigned calls, room; /* digests so far, and most of this line */
static int64_t took[SAMPLE_MAX_TIMINGS];

void repeat_called(uint32_t digest, int64_t counts)
{
    if (calls < SAMPLE_MAX_TIMINGS) took[calls] = counts;
    if (calls < room) digests[calls++] = digest;
}

/* An input that another process has made, if this line has one, or is to be printed. */
static const uint8_t *given;
static size_t given_bytes;

int input_given(void *bytes, size_t most, size_t *length)
{
    if (!given) return 0;
    if (given_bytes > most) harness_fail(HARNESS_ERROR, "the given input is too long");
    memcpy(bytes, given, given_bytes);
    *length = given_bytes;
    return 1;
}

void input_made(const void *bytes, size_t length)
{
    if (repeating != REPEAT_MADE) return;
    (void)fputs("made\t", records);
    for (size_t i = 0; i < length; i++) (void)fprintf(records, "%02x", ((const uint8_t *)bytes)[i]);
    (void)fputc('\n', records);
}

static int kind_of(const char *word)
{
    static const char *const kinds[] = {
        [REPEAT_CALLS] = "calls", [REPEAT_INPUTS] = "inputs", [REPEAT_MADE] = "made", [REPEAT_GIVEN] = "given"};
    for (int kind = REPEAT_CALLS; kind <= REPEAT_GIVEN; kind++)
        if (!strcmp(word, kinds[kind])) return kind;
    return REPEAT_NOTHING;
}

/* Reads a line into a sample whose timings are those after first_timing; returns 0, or -1 if it is malformed. */
static int parse(struct sample *s, char *line)
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
    first_timing = (unsigned)request_number();
    const uint64_t count = request_number();
    if (count > MOST_CALLS) return -1;
    s->timings = first_timing + (unsigned)count;
    const int only_taken = !strcmp(kind, "taken"); /* what `given` does, without the call */
    repeating = only_taken ? REPEAT_INPUTS : (enum repeating)kind_of(kind);
    given = only_taken || repeating == REPEAT_GIVEN ? request_bytes(&given_bytes) : NULL;
    repeat_around = 0;
    calls = 0, room = (unsigned)count;
    digests = realloc(digests, (room + 1) * sizeof *digests);
    return repeating == REPEAT_NOTHING || !digests ? -1 : 0;
}

static void print(const struct sample *s)
{
    (void)fputs("repeated\t", records);
    record_digests(s, digests, calls);
    for (unsigned i = 0; i < calls && i < SAMPLE_MAX_TIMINGS; i++)
        (void)fprintf(records, i ? ",%" PRId64 : "\t%" PRId64, took[i]);
    (void)fprintf(records, calls ? "\t%" PRId64 "\n" : "\t\t%" PRId64 "\n", repeat_around);
}

static void repeat_line(char *line)
{
    struct sample s = {0};
    if (parse(&s, line)) harness_fail(HARNESS_ERROR, "malformed request");
    harness_case("repeat %s length %" PRIu64 " keys %" PRIu64, s.measure, s.length, s.keys);
    seed_inputs(&s);
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
