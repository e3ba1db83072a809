/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_SCHEME_H
#define ML_DSA_SCHEME_H

/* ML-DSA, pure, with an empty context, hedged: FIPS 204, sections 5 and 6.
 *
 *   public key   32 bytes: rho; K polynomials: t1
 *   secret key   32 bytes: rho; 32: the key of the masks; 64: tr, the public key's hash;
 *                L polynomials: s1; K: s2; K: t0
 *   signature    LAMBDA/4 bytes: the challenge's seed; L polynomials: z; OMEGA + K bytes: hint
 *
 * An implementation gives, between parameters.h and this,
 *
 *   void ntt(poly *), ntt_inverse(poly *), inner_product(poly *, const poly *, const poly *, unsigned)
 *       as ntt.h has them, in any order of the coefficients of transformed polynomials
 *   void sample_matrix(poly a[DSA_K][DSA_L], const uint8_t rho[32])
 *       ExpandA, algorithm 32, in that order
 *   void sample_short(poly s[DSA_L + DSA_K], const uint8_t seed[64])
 *       s1 and s2 of ExpandS, algorithm 33
 *   void sample_mask(poly y[DSA_L], const uint8_t seed[64], unsigned kappa)
 *       ExpandMask, algorithm 34 */

#include "randombytes.h"
#include "sample.h"
#include "verdict.h"

#define POLY_T1 (32 * BITS_T1)
#define POLY_T0 (32 * BITS_T0)
#define POLY_S (32 * BITS_S)
#define POLY_Z (32 * BITS_Z)
#define POLY_W1 (32 * BITS_W1)

#define AT_MASK_KEY 32 /* in the secret key */
#define AT_TR 64
#define AT_S1 128
#define AT_S2 (AT_S1 + DSA_L * POLY_S)
#define AT_T0 (AT_S2 + DSA_K * POLY_S)

#define AT_Z DSA_CHALLENGE /* in the signature */
#define AT_HINT (AT_Z + DSA_L * POLY_Z)

_Static_assert(crypto_sign_PUBLICKEYBYTES == 32 + DSA_K * POLY_T1 &&
                   crypto_sign_SECRETKEYBYTES == AT_T0 + DSA_K * POLY_T0 &&
                   crypto_sign_BYTES == AT_HINT + DSA_OMEGA + DSA_K,
               "primitive.toml and the parameter set must agree");

/* H of section 3.7: SHAKE256. */
static void hash(uint8_t *out, uint64_t bytes, const uint8_t *x, uint64_t x_bytes, const uint8_t *y, uint64_t y_bytes)
{
    keccak_hash(out, bytes, SHAKE256_RATE, SHAKE_SUFFIX, x, x_bytes, y, y_bytes);
}

/* mu: the hash of tr, the domain (0: pure), the length of the context, and the message. */
static void message_hash(uint8_t mu[64], const uint8_t tr[64], const uint8_t *m, uint64_t mlen)
{
    static const uint8_t pure_and_no_context[2] = {0, 0};
    keccak_sponge sponge;

    keccak_start(&sponge);
    keccak_absorb(&sponge, SHAKE256_RATE, tr, 64);
    keccak_absorb(&sponge, SHAKE256_RATE, pure_and_no_context, 2);
    keccak_absorb(&sponge, SHAKE256_RATE, m, mlen);
    keccak_pad(&sponge, SHAKE256_RATE, SHAKE_SUFFIX);
    keccak_squeeze(&sponge, SHAKE256_RATE, mu, 64);
}

/* p = x y of transformed x and y, sizes below q. */
static void product(poly *p, const poly *x, const poly *y)
{
    inner_product(p, x, y, 1);
    ntt_inverse(p);
}

static void poly_reduce(poly *p)
{
    for (unsigned i = 0; i < 256; i++) p->c[i] = fq_reduce(p->c[i]);
}

#include "keypair.h"
#include "sign.h"
#include "verify.h"

#endif
