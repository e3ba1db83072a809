/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls functions that accept or reject as the constant-time checker needs it; see verification.h. */
#include "verification.h"

#include <string.h>

#include "runtime.h"

#ifdef CYCLOMETER_CONSTANT_TIME
#include <valgrind/callgrind.h>
#define announce(step) ((void)VALGRIND_PRINTF("cyclometer: %s\n", step))
#else
#define announce(step) ((void)(step))
#define CALLGRIND_START_INSTRUMENTATION ((void)0)
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#define CALLGRIND_DUMP_STATS_AT(label) ((void)(label))
#endif

#define REJECTED 8u

int secrets_unmarked;

static enum { TAG_SECRET, ALL_SECRET, COUNTING } step;
static uint8_t text_byte; /* in that step */

/* Changes one bit: of the tag, in another byte each time, then of the packet's first and last byte. */
static void forge(const struct verification *v, unsigned i)
{
    const unsigned in_tag = REJECTED - 2;
    uint8_t *byte = v->tag + (v->tag_bytes - 1) * i / (in_tag - 1);
    if (i >= in_tag) byte = i == in_tag ? v->packet : v->packet + v->packet_bytes - 1;
    *byte ^= (uint8_t)(1u << i % 8);
}

static void expect(int result, int accepted)
{
    secret_clear(&result, sizeof result);
    if (accepted && result) harness_fail(VALID_REJECTED, "rejects what is valid");
    if (!accepted && !result) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
}

/* One call for memcheck; `forgery` is REJECTED for none. */
static void follow(const struct verification *v, unsigned forgery)
{
    v->prepare();
    if (forgery < REJECTED) forge(v, forgery);
    secrets_unmarked = 0;
    if (step == TAG_SECRET) secret_mark(v->tag, v->tag_bytes);
    secrets_unmarked = step == TAG_SECRET;
    expect(v->call(), forgery == REJECTED);
    secret_clear(v->tag, v->tag_bytes);
}

/* The only code of the harness between the two switches: the same for every input. */
static __attribute__((noinline)) int counted_call(const struct verification *v)
{
    CALLGRIND_TOGGLE_COLLECT;
    const int result = v->call();
    CALLGRIND_TOGGLE_COLLECT;
    return result;
}

/* Calls with an input: first the forgeries, then what is accepted. */
static void count_input(const struct verification *v, unsigned input)
{
    const int accepted = input >= REJECTED;
    char label[64];
    prng_seed(input + 1);
    random_seed(input + 1);
    text_byte = (uint8_t)input;
    v->prepare();
    if (!accepted) forge(v, input);
    expect(counted_call(v), accepted);
    (void)snprintf(label, sizeof label, "input %u %s", input, accepted ? "accepted" : "rejected");
    CALLGRIND_DUMP_STATS_AT(label);
}

/* Counts the instructions for every input twice, and then in another order: what depends on the order, such as the
 * state of the heap, differs for one and the same input. Before that come some calls for what happens only once. */
static void count(const struct verification *v)
{
    const unsigned inputs = REJECTED + v->texts;
    for (unsigned i = 0; i < 2 * REJECTED; i++) {
        v->prepare();
        if (i % 2) forge(v, i / 2);
        expect(counted_call(v), i % 2 == 0);
    }
    CALLGRIND_DUMP_STATS_AT("begin");
    for (unsigned i = 0; i < inputs; i++) count_input(v, i);
    for (unsigned i = 0; i < inputs; i += 2) count_input(v, i);
    for (unsigned i = inputs; i-- > 0;)
        if (i % 2) count_input(v, i);
}

void secret_text(void *p, size_t n)
{
    if (step != COUNTING)
        secret_fill(p, n);
    else
        memset(p, text_byte, n);
}

void verification_follow(const struct verification *verification)
{
    if (step == COUNTING) {
        count(verification);
        return;
    }
    follow(verification, REJECTED);
    follow(verification, 0);
    follow(verification, REJECTED - 1);
}

int verification_length(unsigned i, size_t *length)
{
    *length = step == COUNTING ? 67 : ((size_t)1 << i) - 1;
    return step == COUNTING ? i == 0 : i < 10;
}

void verifications_follow(void)
{
    if (!operation_verifications) return;
    step = TAG_SECRET;
    secrets_unmarked = 1;
    announce("tag");
    operation_verifications();
    step = ALL_SECRET;
    secrets_unmarked = 0;
    announce("secrets");
    operation_verifications();
}

void verifications_count(void)
{
    step = COUNTING;
    secrets_unmarked = 1;
    CALLGRIND_START_INSTRUMENTATION;
    operation_verifications();
}
