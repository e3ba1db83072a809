/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The key pair to measure with: RSA takes seconds to draw one, so what one
 * process has drawn with such an effort the next is given. */
#include <string.h>

#include "runtime.h"

#define EFFORT 0.05       /* CPU seconds */
#define LONGEST 16384     /* bytes: it must fit among the arguments of a process */

static char *given; /* in hex; NULL when there is none, or none any more */

void keypair_set(char *words)
{
    given = words;
}

void keypair_record(const uint8_t *pk, size_t pk_length, const uint8_t *sk, size_t sk_length, double seconds)
{
    if (seconds < EFFORT || pk_length + sk_length > LONGEST) return;
    (void)fputs("pair\t", records);
    for (size_t i = 0; i < pk_length; i++) (void)fprintf(records, "%02x", pk[i]);
    (void)fputc('\t', records);
    for (size_t i = 0; i < sk_length; i++) (void)fprintf(records, "%02x", sk[i]);
    (void)fputc('\n', records);
}

void keypair_generate(uint8_t *pk, uint8_t *sk, keypair_function *draw)
{
    random_seed(prng_word());
    if (draw(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
}

void keypair_to_measure(uint8_t *pk, size_t pk_length, uint8_t *sk, size_t sk_length, keypair_function *draw)
{
    if (given) {
        request_begin(given);
        given = NULL;
        memcpy(pk, request_exactly(pk_length, "public key"), pk_length);
        memcpy(sk, request_exactly(sk_length, "secret key"), sk_length);
        return;
    }
    const double start = cpu_seconds();
    keypair_generate(pk, sk, draw);
    keypair_record(pk, pk_length, sk, sk_length, cpu_seconds() - start);
}
