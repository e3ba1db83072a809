/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign of Rainbow over the includer's
 *
 *   int invert_matrix(inverse, matrix, n)       -1 where there is none
 *   void expand_public(pk, outer, inner, sk)    of the two maps' matrices and the secret key
 *   int preimage(x, values, sk)                 -1 where ATTEMPTS were in vain
 *   int solves(pk, x, values)                   1 when the equations at x give the values */

static void draw_invertible(uint8_t *matrix, uint8_t *inverse, int n)
{
    do {
        randombytes(matrix, (unsigned long long)n * (unsigned)n);
    } while (invert_matrix(inverse, matrix, n) != 0);
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t outer[EQUATIONS * EQUATIONS], inner[VARIABLES * VARIABLES];
    randombytes(sk + OUTER_AFFINE, EQUATIONS);
    draw_invertible(outer, sk + OUTER_INVERSE, EQUATIONS);
    randombytes(sk + CENTRAL, CENTRAL_BYTES + VARIABLES);
    draw_invertible(inner, sk + INNER_INVERSE, VARIABLES);
    expand_public(pk, outer, inner, sk);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    uint8_t digest[EQUATIONS], x[VARIABLES];
    sha256(digest, m, mlen);
    if (preimage(x, digest, sk) != 0) return -1;
    if (mlen > 0) memmove(sm + VARIABLES, m, mlen);
    memcpy(sm, x, VARIABLES);
    *smlen = mlen + VARIABLES;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    uint8_t digest[EQUATIONS];
    if (smlen < VARIABLES) return -1;
    sha256(digest, sm + VARIABLES, smlen - VARIABLES);
    if (!solves(pk, sm, digest)) return -1;
    *mlen = smlen - VARIABLES;
    if (*mlen > 0) memmove(m, sm + VARIABLES, *mlen);
    return 0;
}
