/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The key pair to measure with. Generating one takes seconds for RSA, so an
 * expensive pair is recorded and passed to the next process. */
#include <string.h>

#include "runtime.h"

#define EXPENSIVE_SECONDS 0.05 /* CPU time; a cheaper pair is not worth keeping */
#define MAX_BYTES 16384        /* so that the pair fits on a command line */

static char *cached_pair; /* in hex; NULL if there is none or it has been used */

void keypair_set(char *words)
{
    cached_pair = words;
}

void keypair_record(const uint8_t *pk, size_t pk_length, const uint8_t *sk, size_t sk_length, double seconds)
{
    if (seconds < EXPENSIVE_SECONDS || pk_length + sk_length > MAX_BYTES) return;
    (void)fputs("pair\t", records);
    for (size_t i = 0; i < pk_length; i++) (void)fprintf(records, "%02x", pk[i]);
    (void)fputc('\t', records);
    for (size_t i = 0; i < sk_length; i++) (void)fprintf(records, "%02x", sk[i]);
    (void)fputc('\n', records);
}

void keypair_generate(uint8_t *pk, uint8_t *sk, keypair_function *generate)
{
    random_seed(prng_word());
    if (generate(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
}

void keypair_to_measure(uint8_t *pk, size_t pk_length, uint8_t *sk, size_t sk_length, keypair_function *generate)
{
    if (cached_pair) {
        request_begin(cached_pair);
        cached_pair = NULL;
        memcpy(pk, request_exactly(pk_length, "public key"), pk_length);
        memcpy(sk, request_exactly(sk_length, "secret key"), sk_length);
        return;
    }
    const double start = cpu_seconds();
    keypair_generate(pk, sk, generate);
    keypair_record(pk, pk_length, sk, sk_length, cpu_seconds() - start);
}
