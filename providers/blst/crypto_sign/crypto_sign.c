/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* blst's BLS signatures, through the Rust package next to this folder: signature || message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_sign.h"

int blst_min_pk_keypair(unsigned char *pk, unsigned char *sk);
int blst_min_pk_sign(unsigned char *s, const unsigned char *m, uint64_t mlen, const unsigned char *sk);
int blst_min_pk_verify(const unsigned char *s, const unsigned char *m, uint64_t mlen, const unsigned char *pk);
int blst_min_pk_verify_batch(const unsigned char *const *s, const unsigned char *const *m, const uint64_t *mlen,
                             const unsigned char *const *pk, uint64_t num);

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    return blst_min_pk_keypair(pk, sk);
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    if (mlen) memcpy(sm + crypto_sign_BYTES, m, mlen);
    *smlen = mlen + crypto_sign_BYTES;
    return blst_min_pk_sign(sm, m, mlen, sk);
}

static void give(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen)
{
    *mlen = smlen - crypto_sign_BYTES;
    if (*mlen) memcpy(m, sm + crypto_sign_BYTES, *mlen);
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    if (smlen < crypto_sign_BYTES) return -1;
    if (blst_min_pk_verify(sm, sm + crypto_sign_BYTES, smlen - crypto_sign_BYTES, pk)) return -1;
    give(m, mlen, sm, smlen);
    return 0;
}

static int all_valid(const unsigned char *const *sm, const unsigned long long *smlen, const unsigned char *const *pk,
                     unsigned long long num)
{
    const unsigned char **messages = malloc(num * sizeof *messages);
    uint64_t *lengths = malloc(num * sizeof *lengths);
    int valid = messages && lengths;
    for (unsigned long long i = 0; valid && i < num; i++) {
        valid = smlen[i] >= crypto_sign_BYTES;
        messages[i] = sm[i] + crypto_sign_BYTES;
        lengths[i] = smlen[i] - crypto_sign_BYTES;
    }
    valid = valid && !blst_min_pk_verify_batch(sm, messages, lengths, pk, num);
    free(messages);
    free(lengths);
    return valid;
}

int crypto_sign_open_batch(int *result, unsigned char *const *m, unsigned long long *mlen,
                           const unsigned char *const *sm, const unsigned long long *smlen,
                           const unsigned char *const *pk, unsigned long long num)
{
    int bad = 0;
    const int valid = num > 1 && all_valid(sm, smlen, pk, num);
    for (unsigned long long i = 0; i < num; i++) {
        if (valid) give(m[i], &mlen[i], sm[i], smlen[i]);
        result[i] = valid ? 0 : crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[i]);
        bad |= result[i];
    }
    return bad ? -1 : 0;
}
