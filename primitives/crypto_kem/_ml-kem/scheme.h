/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_SCHEME_H
#define ML_KEM_SCHEME_H

/* ML-KEM: FIPS 203, sections 5 to 7.  The parameter set follows from the length of the
 * public key (section 8, table 2).
 *
 *   public key   K times 384 bytes: t, transformed; 32 bytes: rho
 *   secret key   K times 384 bytes: s, transformed; the public key; its hash; 32 bytes: z
 *   ciphertext   K times 32 DU bytes: u; 32 DV bytes: v
 *
 * An implementation gives, between parameters.h and this,
 *
 *   void ntt(poly *), ntt_inverse(poly *), multiply_add(poly *, const poly *, const poly *)
 *       as ntt.h has them, or with another order of the coefficients of transformed
 *       polynomials, which then
 *   void to_standard_order(poly *), from_standard_order(poly *)
 *       change to and from the standard's
 *   void sample_matrix(poly a[ML_KEM_K][ML_KEM_K], const uint8_t rho[32], int transposed)
 *       A, or its transpose
 *   void sample_noise(poly *const p[], const uint8_t eta[], unsigned count, const uint8_t seed[32])
 *       p[n] = SamplePolyCBD(PRF(seed, n)) with eta[n] */

#include "encode.h"
#include "randombytes.h"
#include "sample.h"
#include "verdict.h"

#define POLY_BYTES 384
#define RHO (ML_KEM_K * POLY_BYTES)     /* in the public key */
#define SECRET_PK (ML_KEM_K * POLY_BYTES) /* in the secret key */
#define SECRET_HASH (SECRET_PK + crypto_kem_PUBLICKEYBYTES)
#define SECRET_Z (SECRET_HASH + 32)

_Static_assert(crypto_kem_PUBLICKEYBYTES == RHO + 32 && crypto_kem_SECRETKEYBYTES == SECRET_Z + 32 &&
                   crypto_kem_CIPHERTEXTBYTES == 32 * (ML_KEM_K * ML_KEM_DU + ML_KEM_DV) && crypto_kem_BYTES == 32,
               "primitive.toml and the parameter set must agree");

/* sum over j of x[j] y[j] / 2^16, sizes below 2^15 */
static void inner_product(poly *sum, const poly x[ML_KEM_K], const poly y[ML_KEM_K])
{
    memset(sum, 0, sizeof *sum);
    for (unsigned j = 0; j < ML_KEM_K; j++) multiply_add(sum, &x[j], &y[j]);
}

static void decode_transformed(poly p[ML_KEM_K], const uint8_t *in)
{
    for (unsigned i = 0; i < ML_KEM_K; i++) {
        poly_decode(&p[i], in + i * POLY_BYTES, 12);
        from_standard_order(&p[i]);
    }
}

static void encode_transformed(uint8_t *out, poly p[ML_KEM_K])
{
    for (unsigned i = 0; i < ML_KEM_K; i++) {
        to_standard_order(&p[i]);
        poly_encode(out + i * POLY_BYTES, &p[i], 12);
    }
}

/* K-PKE.KeyGen, algorithm 13. */
static void pke_keypair(uint8_t *pk, uint8_t *sk, const uint8_t d[32])
{
    static const uint8_t rank = ML_KEM_K;
    uint8_t rho_sigma[64], eta[2 * ML_KEM_K];
    poly a[ML_KEM_K][ML_KEM_K], s[ML_KEM_K], e[ML_KEM_K], t[ML_KEM_K], *noise[2 * ML_KEM_K];

    hash_g(rho_sigma, d, &rank, 1);
    sample_matrix(a, rho_sigma, 0);
    for (unsigned i = 0; i < ML_KEM_K; i++) noise[i] = &s[i], noise[ML_KEM_K + i] = &e[i];
    memset(eta, ML_KEM_ETA1, sizeof eta);
    sample_noise(noise, eta, 2 * ML_KEM_K, rho_sigma + 32);
    for (unsigned i = 0; i < ML_KEM_K; i++) ntt(&s[i]), ntt(&e[i]);
    for (unsigned i = 0; i < ML_KEM_K; i++) {
        inner_product(&t[i], a[i], s);
        for (unsigned j = 0; j < 256; j++) t[i].c[j] = fq_multiply(t[i].c[j], MONTGOMERY_SQUARE);
        poly_add(&t[i], &e[i]);
        poly_reduce(&t[i]);
    }
    encode_transformed(pk, t);
    encode_transformed(sk, s);
    memcpy(pk + RHO, rho_sigma, 32);
}

/* K-PKE.Encrypt, algorithm 14. */
static void pke_encrypt(uint8_t *c, const uint8_t m[32], const uint8_t *pk, const uint8_t r[32])
{
    uint8_t eta[2 * ML_KEM_K + 1];
    poly a[ML_KEM_K][ML_KEM_K], t[ML_KEM_K], y[ML_KEM_K], e[ML_KEM_K + 1], x, *noise[2 * ML_KEM_K + 1];

    decode_transformed(t, pk);
    sample_matrix(a, pk + RHO, 1);
    for (unsigned i = 0; i < ML_KEM_K; i++) noise[i] = &y[i], eta[i] = ML_KEM_ETA1;
    for (unsigned i = 0; i <= ML_KEM_K; i++) noise[ML_KEM_K + i] = &e[i], eta[ML_KEM_K + i] = 2; /* eta2 */
    sample_noise(noise, eta, 2 * ML_KEM_K + 1, r);
    for (unsigned i = 0; i < ML_KEM_K; i++) ntt(&y[i]);
    for (unsigned i = 0; i < ML_KEM_K; i++) {
        inner_product(&x, a[i], y);
        ntt_inverse(&x);
        poly_add(&x, &e[i]);
        poly_reduce(&x);
        poly_encode(c + 32 * ML_KEM_DU * i, &x, ML_KEM_DU);
    }
    inner_product(&x, t, y);
    ntt_inverse(&x);
    poly_add(&x, &e[ML_KEM_K]);
    poly_decode(&e[0], m, 1);
    poly_add(&x, &e[0]);
    poly_reduce(&x);
    poly_encode(c + 32 * ML_KEM_DU * ML_KEM_K, &x, ML_KEM_DV);
}

/* K-PKE.Decrypt, algorithm 15. */
static void pke_decrypt(uint8_t m[32], const uint8_t *c, const uint8_t *sk)
{
    poly s[ML_KEM_K], u[ML_KEM_K], v, w;

    decode_transformed(s, sk);
    for (unsigned i = 0; i < ML_KEM_K; i++) {
        poly_decode(&u[i], c + 32 * ML_KEM_DU * i, ML_KEM_DU);
        ntt(&u[i]);
    }
    inner_product(&w, s, u);
    ntt_inverse(&w);
    poly_decode(&v, c + 32 * ML_KEM_DU * ML_KEM_K, ML_KEM_DV);
    for (unsigned i = 0; i < 256; i++) v.c[i] = fq_reduce((int16_t)(v.c[i] - w.c[i]));
    poly_encode(m, &v, 1);
}

/* ML-KEM.KeyGen, algorithms 16 and 19: d is drawn before z. */
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t d_z[64];

    randombytes(d_z, sizeof d_z);
    pke_keypair(pk, sk, d_z);
    memcpy(sk + SECRET_PK, pk, crypto_kem_PUBLICKEYBYTES);
    hash_h(sk + SECRET_HASH, pk, crypto_kem_PUBLICKEYBYTES);
    memcpy(sk + SECRET_Z, d_z + 32, 32);
    return 0;
}

/* ML-KEM.Encaps, algorithms 17 and 20. */
int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
{
    uint8_t m[32], h[32], k_r[64];

    for (unsigned i = 0; i < ML_KEM_K; i++)
        if (!is_canonical(pk + i * POLY_BYTES)) return -1;
    randombytes(m, sizeof m);
    hash_h(h, pk, crypto_kem_PUBLICKEYBYTES);
    hash_g(k_r, m, h, sizeof h);
    pke_encrypt(c, m, pk, k_r + 32);
    memcpy(k, k_r, 32);
    return 0;
}

/* ML-KEM.Decaps, algorithms 18 and 21, with the hash check of section 7.3. */
int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
{
    uint8_t m[32], h[32], k_r[64], rejected[32], again[crypto_kem_CIPHERTEXTBYTES];
    unsigned difference = 0;

    hash_h(h, sk + SECRET_PK, crypto_kem_PUBLICKEYBYTES);
    if (tags_differ(h, sk + SECRET_HASH, sizeof h)) return -1;
    pke_decrypt(m, c, sk);
    hash_g(k_r, m, h, sizeof h);
    hash_j(rejected, sk + SECRET_Z, c, crypto_kem_CIPHERTEXTBYTES);
    pke_encrypt(again, m, sk + SECRET_PK, k_r + 32);
    for (unsigned i = 0; i < sizeof again; i++) difference |= (unsigned)(again[i] ^ c[i]);
    const uint8_t mask = (uint8_t)((difference + 0xff) >> 8); /* 1 when they differ */
    for (unsigned i = 0; i < 32; i++) k[i] = (uint8_t)(k_r[i] ^ ((k_r[i] ^ rejected[i]) & -mask));
    return 0;
}

#endif
