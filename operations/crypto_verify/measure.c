/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_verify:
 *
 *   equal      two equal strings
 *   different  two strings that differ in one byte, a different one each time */
#include <string.h>

#include "crypto_verify.h"
#include "timing.h"

#define BYTES crypto_verify_BYTES
#define MAX_BYTES 4160 /* no multiple of a page, or loads of x would look like loads of what was stored in y */

/* Not allocated: their addresses are constants, which a call of fifty cycles need not wait for. */
static struct {
    unsigned char x[MAX_BYTES], y[MAX_BYTES];
} m;

static void renew(int different)
{
    prng_fill(m.x, BYTES);
    memcpy(m.y, m.x, BYTES);
    if (timing_is_decoy ? !different : different) m.y[prng_word() % BYTES] ^= 1;
}

static void verify(struct sample *s, int different)
{
    int verdict = 0;
    series_with_decoy(s);
    TIME_CHECKED(
        s, renew(different), verdict = crypto_verify(m.x, m.y),
        timed_verdict((verdict != 0) == (timing_is_decoy ? !different : different), "returns a wrong verdict"));
}

int operation_measure(struct sample *sample)
{
    if (BYTES > MAX_BYTES) harness_fail(HARNESS_ERROR, "strings of more than %d bytes", MAX_BYTES);
    placed(PLACED_INPUT, m.x, sizeof m.x + BYTES);
    if (!strcmp(sample->measure, "equal"))
        verify(sample, 0);
    else if (!strcmp(sample->measure, "different"))
        verify(sample, 1);
    else
        return -1;
    return 0;
}
