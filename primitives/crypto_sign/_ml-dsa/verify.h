/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_VERIFY_H
#define ML_DSA_VERIFY_H

/* Part of scheme.h: ML-DSA.Verify, algorithms 3 and 8.  All of it is public. */

/* UseHint, algorithm 40, of x in [0, q). */
static inline int32_t use_hint(int32_t x, unsigned hint)
{
    const int32_t classes = (Q - 1) / (2 * DSA_GAMMA2);
    int32_t r0, r1 = decompose(&r0, x);

    if (!hint) return r1;
    if (r0 > 0) return r1 == classes - 1 ? 0 : r1 + 1;
    return r1 == 0 ? classes - 1 : r1 - 1;
}

/* The high bits of row i of A z - c t1 2^13, corrected, for transformed z and c. */
static void recover(uint8_t out[POLY_W1], const poly a[DSA_L], const poly z[DSA_L], const poly *c, const uint8_t *t1,
                    const uint8_t hint[256])
{
    poly w, x;

    unpack_t1(&x, t1);
    ntt(&x);
    inner_product(&w, c, &x, 1);
    inner_product(&x, a, z, DSA_L);
    for (unsigned j = 0; j < 256; j++) w.c[j] = fq_reduce(x.c[j] - w.c[j]);
    ntt_inverse(&w);
    for (unsigned j = 0; j < 256; j++) w.c[j] = use_hint(fq_canonical(w.c[j]), hint[j]);
    poly_pack_simple(out, &w, BITS_W1);
}

static int verify(const uint8_t *signature, const uint8_t *m, uint64_t mlen, const uint8_t *pk)
{
    poly a[DSA_K][DSA_L], z[DSA_L], c;
    uint8_t hint[DSA_K][256], tr_mu[64], encoded[DSA_K * POLY_W1], challenge[DSA_CHALLENGE];

    if (unpack_hint(hint, signature + AT_HINT)) return -1;
    for (unsigned i = 0; i < DSA_L; i++) {
        poly_unpack(&z[i], signature + AT_Z + i * POLY_Z, DSA_GAMMA1, BITS_Z);
        if (poly_reaches(&z[i], DSA_GAMMA1 - DSA_BETA)) return -1;
        ntt(&z[i]);
    }
    sample_matrix(a, pk);
    hash(tr_mu, 64, pk, crypto_sign_PUBLICKEYBYTES, pk, 0);
    message_hash(tr_mu, tr_mu, m, mlen);
    sample_in_ball(&c, signature);
    ntt(&c);
    poly_reduce(&c);
    for (unsigned i = 0; i < DSA_K; i++)
        recover(encoded + i * POLY_W1, a[i], z, &c, pk + 32 + i * POLY_T1, hint[i]);
    hash(challenge, DSA_CHALLENGE, tr_mu, 64, encoded, sizeof encoded);
    return memcmp(challenge, signature, DSA_CHALLENGE) ? -1 : 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    if (smlen < crypto_sign_BYTES) return -1;
    if (verify(sm, sm + crypto_sign_BYTES, smlen - crypto_sign_BYTES, pk)) return -1;
    *mlen = smlen - crypto_sign_BYTES;
    if (*mlen > 0) memcpy(m, sm + crypto_sign_BYTES, *mlen);
    return 0;
}

#endif
