/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_scalarmult, with a different scalar each time:
 *
 *   multiply   a group element, a different one in each series
 *   base       the standard base */
#include <string.h>

#include "crypto_scalarmult.h"
#include "timing.h"

static struct {
    uint8_t n[crypto_scalarmult_SCALARBYTES], p[crypto_scalarmult_BYTES], q[crypto_scalarmult_BYTES];
    int result;
} m;

int operation_measure(struct sample *sample)
{
    placed(PLACED_KEY, m.n, sizeof m.n);
    placed(PLACED_OUTPUT, m.q, sizeof m.q);
    if (!strcmp(sample->measure, "multiply")) placed(PLACED_INPUT, m.p, sizeof m.p);
    prng_fill(m.n, sizeof m.n);
    if (crypto_scalarmult_base(m.p, m.n)) harness_fail(VALID_REJECTED, "rejects a valid scalar");
    if (!strcmp(sample->measure, "multiply"))
        TIME_CHECKED(sample, prng_fill(m.n, sizeof m.n), m.result = crypto_scalarmult(m.q, m.n, m.p),
                     timed_output(m.q, sizeof m.q));
    else if (!strcmp(sample->measure, "base"))
        TIME_CHECKED(sample, prng_fill(m.n, sizeof m.n), m.result = crypto_scalarmult_base(m.q, m.n),
                     timed_output(m.q, sizeof m.q));
    else
        return -1;
    return 0;
}
