/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_verify:
 *
 *   equal      two equal strings
 *   different  two strings that differ in one byte, a different one each time */
#include <string.h>

#include "crypto_verify.h"
#include "timing.h"

#define BYTES crypto_verify_BYTES

static struct {
    int ready;
    unsigned char x[BYTES], y[BYTES];
} m;

static void setup(void)
{
    m.ready = 1;
}

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
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.x, sizeof m.x + sizeof m.y);
    if (!strcmp(sample->measure, "equal"))
        verify(sample, 0);
    else if (!strcmp(sample->measure, "different"))
        verify(sample, 1);
    else
        return -1;
    return 0;
}
