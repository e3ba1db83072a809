/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The key pair to measure with: RSA takes seconds to draw one, so what one
 * process has drawn with such an effort the next is given. */
#include <string.h>

#include "process.h"

#define EFFORT 0.05       /* CPU seconds */
#define LONGEST 16384     /* bytes: it must fit among the arguments of a process */

static char *given; /* in hex; NULL when there is none, or none any more */

void key_pair_give(char *words)
{
    given = words;
}

void key_pair_record(const uint8_t *pk, size_t pk_length, const uint8_t *sk, size_t sk_length, double seconds)
{
    if (seconds < EFFORT || pk_length + sk_length > LONGEST) return;
    (void)fputs("pair\t", records);
    for (size_t i = 0; i < pk_length; i++) (void)fprintf(records, "%02x", pk[i]);
    (void)fputc('\t', records);
    for (size_t i = 0; i < sk_length; i++) (void)fprintf(records, "%02x", sk[i]);
    (void)fputc('\n', records);
}

void key_pair_draw(uint8_t *pk, uint8_t *sk, key_pair_drawer *draw)
{
    random_seed(bytes_word());
    if (draw(pk, sk)) harness_fail(VALID_REJECTED, "draws no key pair");
}

void key_pair_take(uint8_t *pk, size_t pk_length, uint8_t *sk, size_t sk_length, key_pair_drawer *draw)
{
    if (given) {
        request_begin(given);
        given = NULL;
        memcpy(pk, request_exactly(pk_length, "public key"), pk_length);
        memcpy(sk, request_exactly(sk_length, "secret key"), sk_length);
        return;
    }
    const double start = cpu_seconds();
    key_pair_draw(pk, sk, draw);
    key_pair_record(pk, pk_length, sk, sk_length, cpu_seconds() - start);
}
