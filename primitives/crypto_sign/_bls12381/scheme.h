/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_SCHEME_H
#define BLS12381_SCHEME_H

/* The basic scheme of draft-irtf-cfrg-bls-signature with public keys in G1.  An
 * implementation defines LIMB_BITS, and what field.h says, before.
 *
 * Secret key: 0 < k < q, 32 bytes, big-endian.  Public key: k times the base point of
 * G1.  Signature: k H(m) in G2; it stands before the message.
 * Verification: both are in their groups, and e(key, H(m)) e(-base, signature) = 1. */

#include "crypto_declassify.h"
#include "randombytes.h"
#include "sha2_small.h"
#include "verdict.h"

#include "field.h"
#include "fp2.h"
#include "tower.h"
#include "curves.h"
#include "scalar.h"
#include "hash.h"
#include "encoding.h"
#include "pairing.h"

/* HMAC-SHA-256 (RFC 2104), key and message of so few bytes */
static void hmac(uint8_t out[32], const uint8_t key[32], const uint8_t *m, unsigned mlen)
{
    uint8_t pad[64];
    struct hash h;

    memset(pad, 0x36, sizeof pad);
    for (int i = 0; i < 32; i++) pad[i] ^= key[i];
    sha256_init(&h);
    hash_update(&h, pad, 64);
    hash_update(&h, m, mlen);
    hash_final(&h, out);
    for (int i = 0; i < 64; i++) pad[i] ^= 0x36 ^ 0x5c;
    sha256_init(&h);
    hash_update(&h, pad, 64);
    hash_update(&h, out, 32);
    hash_final(&h, out);
}

/* KeyGen of the draft, 2.3: 48 bytes of HKDF (RFC 5869) modulo q, with no key_info and a
 * salt that is hashed before each use. */
static void key_from(scalar *k, const uint8_t material[32])
{
    uint8_t salt[32], in[36], key[32], out[64];
    int zero;

    sha256(salt, "BLS-SIG-KEYGEN-SALT-", 20);
    for (;; sha256(salt, salt, 32)) {
        memcpy(in, material, 32);
        in[32] = 0;
        hmac(key, salt, in, 33);
        memcpy(in, "\0\060\1", 3); /* 48 bytes are wanted; the first block */
        hmac(out, key, in, 3);
        memcpy(in, out, 32);
        memcpy(in + 32, "\0\060\2", 3);
        hmac(out + 32, key, in, 35);
        scalar_reduce(k, out, 48);
        zero = scalar_is_zero(k);
        crypto_declassify(&zero, sizeof zero); /* that a first key was 0 says nothing of the second */
        if (!zero) return;
    }
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t material[32];
    uint64_t digit[4];
    g1_affine p;
    scalar k;

    randombytes(material, 32);
    key_from(&k, material);
    scalar_put(sk, &k);
    scalar_digits(digit, &k);
    g1_multiply_base(&p, digit);
    g1_put(pk, &p);
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                unsigned long long mlen, const unsigned char *sk)
{
    uint64_t digit[4];
    g2_projective h;
    g2_affine s;
    scalar k;

    if (verdict(scalar_get(&k, sk))) return -1; /* none that was made here */
    scalar_digits(digit, &k);
    hash_to_group(&h, m, mlen);
    g2_multiply_point(&s, &h, digit);
    g2_put(sm, &s);
    if (mlen > 0) memcpy(sm + 96, m, mlen);
    *smlen = mlen + 96;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                     unsigned long long smlen, const unsigned char *pk)
{
    g1_affine key, minus_base;
    g1_projective base[2];
    g2_projective h;
    g2_affine s, hashed;

    if (smlen < 96 || g1_get(&key, pk) || g2_get(&s, sm)) return -1;
    hash_to_group(&h, sm + 96, smlen - 96);
    if (fp2_is_zero(&h.z)) return -1; /* a message nobody knows */
    g2_normalise(&hashed, &h);
    g1_base(base);
    minus_base.x = base[0].x;
    fp_negate(&minus_base.y, &base[0].y);
    if (!pairings_cancel(&key, &hashed, &minus_base, &s)) return -1;
    *mlen = smlen - 96;
    if (*mlen > 0) memcpy(m, sm + 96, *mlen);
    return 0;
}

#endif
