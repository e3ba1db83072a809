/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_KEYPAIR_H
#define ML_DSA_KEYPAIR_H

/* Part of scheme.h: ML-DSA.KeyGen, algorithms 1 and 6. */

/* Row i of A s1 + s2, rounded, into both keys. */
static void put_t(uint8_t *pk, uint8_t *sk, unsigned i, poly *t, const poly *s2)
{
    poly t0;

    for (unsigned j = 0; j < 256; j++) {
        const int32_t x = fq_canonical(fq_reduce(t->c[j] + s2->c[j]));
        t->c[j] = power_round(&t0.c[j], x);
    }
    poly_pack_simple(pk + 32 + i * POLY_T1, t, BITS_T1);
    poly_pack(sk + AT_T0 + i * POLY_T0, &t0, 1 << (DSA_D - 1), BITS_T0);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    static const uint8_t set[2] = {DSA_K, DSA_L};
    uint8_t xi[32], seeds[128]; /* rho, that of s1 and s2, the key of the masks */
    poly a[DSA_K][DSA_L], s[DSA_L + DSA_K], t;

    randombytes(xi, sizeof xi);
    hash(seeds, sizeof seeds, xi, sizeof xi, set, sizeof set);
    memcpy(pk, seeds, 32);
    memcpy(sk, seeds, 32);
    memcpy(sk + AT_MASK_KEY, seeds + 96, 32);
    sample_matrix(a, seeds);
    sample_short(s, seeds + 32);
    for (unsigned i = 0; i < DSA_L + DSA_K; i++) poly_pack(sk + AT_S1 + i * POLY_S, &s[i], DSA_ETA, BITS_S);
    for (unsigned i = 0; i < DSA_L; i++) ntt(&s[i]);
    for (unsigned i = 0; i < DSA_K; i++) {
        inner_product(&t, a[i], s, DSA_L);
        ntt_inverse(&t);
        put_t(pk, sk, i, &t, &s[DSA_L + i]);
    }
    hash(sk + AT_TR, 64, pk, crypto_sign_PUBLICKEYBYTES, pk, 0);
    return 0;
}

#endif
