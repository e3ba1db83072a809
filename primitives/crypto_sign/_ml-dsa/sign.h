/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_SIGN_H
#define ML_DSA_SIGN_H

/* Part of scheme.h: ML-DSA.Sign, algorithms 2 and 7.
 *
 * How often an attempt is rejected, and by which of the four checks, is public: FIPS 204 wants
 * an attempt's outcome to be independent of the secret key.  Where in a polynomial a bound is
 * reached is not: the checks look at all coefficients. */

struct signer {
    poly a[DSA_K][DSA_L], s1[DSA_L], s2[DSA_K], t0[DSA_K]; /* all transformed, below q */
    uint8_t mu[64], masks[64]; /* hash of the message; seed of the masks */
};

static void get_transformed(poly *p, unsigned count, const uint8_t *in, int32_t top, unsigned d)
{
    for (unsigned i = 0; i < count; i++, in += 32 * d) {
        if (d == BITS_T0) poly_unpack(&p[i], in, top, BITS_T0);
        else poly_unpack(&p[i], in, top, BITS_S);
        ntt(&p[i]);
        poly_reduce(&p[i]);
    }
}

static void signer_start(struct signer *k, const uint8_t *sk, const uint8_t *m, uint64_t mlen)
{
    uint8_t random_mu[32 + 64];

    sample_matrix(k->a, sk);
    get_transformed(k->s1, DSA_L, sk + AT_S1, DSA_ETA, BITS_S);
    get_transformed(k->s2, DSA_K, sk + AT_S2, DSA_ETA, BITS_S);
    get_transformed(k->t0, DSA_K, sk + AT_T0, 1 << (DSA_D - 1), BITS_T0);
    message_hash(k->mu, sk + AT_TR, m, mlen);
    randombytes(random_mu, 32);
    memcpy(random_mu + 32, k->mu, 64);
    hash(k->masks, 64, sk + AT_MASK_KEY, 32, random_mu, sizeof random_mu);
}

/* w = A y in [0, q), for a transformed y, and the challenge for its high bits. */
static void commit(uint8_t *challenge, poly w[DSA_K], const struct signer *k, const poly y[DSA_L])
{
    uint8_t encoded[DSA_K * POLY_W1];
    poly w1;

    for (unsigned i = 0; i < DSA_K; i++) {
        inner_product(&w[i], k->a[i], y, DSA_L);
        ntt_inverse(&w[i]);
        for (unsigned j = 0; j < 256; j++) {
            w[i].c[j] = fq_canonical(w[i].c[j]);
            w1.c[j] = high_bits(w[i].c[j]);
        }
        poly_pack_simple(encoded + i * POLY_W1, &w1, BITS_W1);
    }
    hash(challenge, DSA_CHALLENGE, k->mu, 64, encoded, sizeof encoded);
    /* The challenge of a rejected attempt is never published, but as the hash of a high-entropy
     * commitment that nobody learns it says nothing about the key. */
    crypto_declassify(challenge, DSA_CHALLENGE);
}

/* z = y + c s1; whether it reaches its bound. */
static int respond(poly z[DSA_L], const struct signer *k, const poly *c, const poly y[DSA_L])
{
    uint32_t reached = 0;

    for (unsigned i = 0; i < DSA_L; i++) {
        product(&z[i], c, &k->s1[i]);
        for (unsigned j = 0; j < 256; j++) z[i].c[j] = fq_centred(z[i].c[j]) + y[i].c[j];
        reached |= poly_reaches(&z[i], DSA_GAMMA1 - DSA_BETA);
    }
    return verdict((int)reached);
}

/* w = w - c s2 in [0, q); whether its low bits reach their bound. */
static int check_low_bits(poly w[DSA_K], const struct signer *k, const poly *c)
{
    uint32_t reached = 0;
    poly x;

    for (unsigned i = 0; i < DSA_K; i++) {
        product(&x, c, &k->s2[i]);
        for (unsigned j = 0; j < 256; j++) {
            int32_t r0;
            w[i].c[j] = fq_canonical(fq_reduce(w[i].c[j] - x.c[j]));
            (void)decompose(&r0, w[i].c[j]);
            reached |= reaches(r0, DSA_GAMMA2 - DSA_BETA);
        }
    }
    return verdict((int)reached);
}

/* MakeHint, algorithm 39, of -c t0 and w + c t0; whether c t0 reaches its bound or there are
 * too many ones.  The hint is public when it is part of the signature, that is, otherwise. */
static int make_hint(uint8_t hint[DSA_K][256], const poly w[DSA_K], const struct signer *k, const poly *c)
{
    uint32_t reached = 0, ones = 0;
    poly x;

    for (unsigned i = 0; i < DSA_K; i++) {
        product(&x, c, &k->t0[i]);
        for (unsigned j = 0; j < 256; j++) {
            const int32_t ct0 = fq_centred(x.c[j]);
            const int32_t with = fq_canonical(fq_reduce(w[i].c[j] + ct0));
            const uint32_t differ = (uint32_t)(high_bits(with) ^ high_bits(w[i].c[j]));
            reached |= reaches(ct0, DSA_GAMMA2);
            hint[i][j] = (uint8_t)(-differ >> 31);
            ones += hint[i][j];
        }
    }
    reached |= (DSA_OMEGA - ones) >> 31;
    if (verdict((int)reached)) return 1;
    crypto_declassify(hint, DSA_K * 256);
    return 0;
}

/* One turn of the loop; whether it is rejected. */
static int attempt(uint8_t *signature, const struct signer *k, unsigned kappa)
{
    poly y[DSA_L], z[DSA_L], w[DSA_K], c;
    uint8_t hint[DSA_K][256];

    sample_mask(y, k->masks, kappa);
    memcpy(z, y, sizeof z);
    for (unsigned i = 0; i < DSA_L; i++) ntt(&z[i]);
    commit(signature, w, k, z);
    sample_in_ball(&c, signature);
    ntt(&c);
    poly_reduce(&c);
    if (respond(z, k, &c, y) || check_low_bits(w, k, &c) || make_hint(hint, w, k, &c)) return 1;
    for (unsigned i = 0; i < DSA_L; i++) poly_pack(signature + AT_Z + i * POLY_Z, &z[i], DSA_GAMMA1, BITS_Z);
    pack_hint(signature + AT_HINT, hint);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    struct signer k;

    signer_start(&k, sk, m, mlen);
    for (unsigned kappa = 0; kappa + DSA_L <= 65536; kappa += DSA_L) /* as many as its two bytes number */
        if (!attempt(sm, &k, kappa)) {
            if (mlen > 0) memcpy(sm + crypto_sign_BYTES, m, mlen);
            *smlen = crypto_sign_BYTES + mlen;
            return 0;
        }
    return -1;
}

#endif
