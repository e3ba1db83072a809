/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign of SFLASHv2 over the includer's
 *
 *   void complete_map(struct map *, lower, upper)      linear = lower * upper, and its inverse
 *   void expand_public(pk, s, t)                       the 26 polynomials of t(F(s(x)))
 *   void preimage(x, y, sk)                            s^-1(F^-1(t^-1(y)))
 *   int solves(pk, x, y)                               1 when the 26 polynomials at x give y */

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    struct map s, t;
    uint8_t lower[N * N], upper[N * N], *delta = sk + N * SECRET_ROW;
    draw_triangles(&s, lower, upper);
    complete_map(&s, lower, upper);
    draw_triangles(&t, lower, upper);
    complete_map(&t, lower, upper);
    pack_secret(sk, &s, &t);
    randombytes(delta, DELTA);
    delta[0] &= 3;
    for (int i = 1; i < DELTA; i++) delta[i] &= 127;
    expand_public(pk, &s, &t);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    uint8_t y[N], x[N], digests[40];
    challenge(y, digests, m, mlen);
    secret_values(y + PUBLISHED, digests, sk + N * SECRET_ROW);
    preimage(x, y, sk);
    if (mlen > 0) memmove(sm + N, m, mlen);
    memcpy(sm, x, N);
    *smlen = mlen + N;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    uint8_t y[PUBLISHED], digests[40], beyond = 0;
    if (smlen < N) return -1;
    for (int i = 0; i < N; i++) beyond |= sm[i];
    if (beyond & 128) return -1; /* no element of the field */
    challenge(y, digests, sm + N, smlen - N);
    if (!solves(pk, sm, y)) return -1;
    *mlen = smlen - N;
    if (*mlen > 0) memmove(m, sm + N, *mlen);
    return 0;
}
