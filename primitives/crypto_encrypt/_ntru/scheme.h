/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_SCHEME_H
#define NTRU_SCHEME_H

/* NTRUEncrypt as SVES of NTRU Cryptosystems, 2006, in the ring
 * R = (Z/q)[X]/(X^N - 1) with p = 2 and binary polynomials (CT-RSA 2005,
 * ePrint 2005/045).  An implementation includes a parameter set, then a ring,
 * then this:
 *
 *   NTRU_N, NTRU_Q   N and q
 *   NTRU_DF, NTRU_DG, NTRU_DR   how many coefficients of F, g, r are 1
 *   NTRU_B           bytes of randomness in an encrypted block
 *   NTRU_ROOM        bytes of message that fit into one
 *   NTRU_INDEX_BITS, NTRU_OID, NTRU_HASH_INIT   see generation.h
 *
 *   ring_multiply(out, h, list, count)   out = h * (sum of X^list[i])
 *   ring_invert(out, f)                  out = 1/f, or -1; out null: only whether
 *   ring_bits(bits, a)                   bit i = coefficient i mod 2
 *   ring_add_bits(out, a, bits)          out = a + bits, 0 <= coefficients < q
 *   ring_subtract_parity(a, b)           a = a - (b mod 2)
 *
 * Key: f = 1 + 2F, h = 2g/f.  Secret key: the indices of F, then h.
 * Encryption: M = b || length || message || zeros; r from (OID, message, b);
 * R = r h; ciphertext R + (M ^ MGF(R mod 2)).  Decryption recomputes r and
 * rejects where r h is not R: no ciphertext has a second form.
 *
 * Decryption fails for an honest ciphertext with a probability that the sets
 * were made to keep small, not zero. */

#include "randombytes.h"

#include "encoding.h"
#include "generation.h"

#define NTRU_SEED 20

static int ntru_keypair_from_seeds(unsigned char *pk, unsigned char *sk,
                                   const uint8_t *seed_f, const uint8_t *seed_g)
{
    uint16_t list_f[NTRU_DF], list_g[NTRU_DG];
    ring_element f = {{0}}, g = {{0}}, inverse, h;

    ntru_indices_from(list_f, NTRU_DF, seed_f, NTRU_SEED);
    ntru_indices_from(list_g, NTRU_DG, seed_g, NTRU_SEED);
    f.c[0] = 1;
    for (int i = 0; i < NTRU_DF; i++) f.c[list_f[i]] += 2;
    for (int i = 0; i < NTRU_DG; i++) g.c[list_g[i]] = 1;
    if (ring_invert(0, &g) || ring_invert(&inverse, &f)) return -1;
    ring_multiply(&h, &inverse, list_g, NTRU_DG);
    for (int i = 0; i < NTRU_N; i++) h.c[i] = (uint16_t)(2 * h.c[i] % NTRU_Q);
    ntru_put_element(pk, &h);
    ntru_put_indices(sk, list_f, NTRU_DF);
    memcpy(sk + NTRU_INDEX_BYTES * NTRU_DF, pk, NTRU_ELEMENT_BYTES);
    return 0;
}

/* The polynomial of the message: M ^ MGF(R mod 2), in place, or back. */
static void ntru_mask(uint8_t *bits, const ring_element *product)
{
    uint8_t parity[NTRU_BITS_BYTES], mask[NTRU_BITS_BYTES];

    ring_bits(parity, product);
    ntru_mgf(mask, NTRU_BITS_BYTES, parity, NTRU_BITS_BYTES);
    for (int i = 0; i < NTRU_BITS_BYTES; i++) bits[i] ^= mask[i];
    bits[NTRU_BITS_BYTES - 1] &= (1 << NTRU_N % 8) - 1;
}

/* r from the message and b, and r h. */
static void ntru_blind(ring_element *product, const unsigned char *message,
                       unsigned length, const uint8_t *b, const ring_element *h)
{
    static const uint8_t oid[3] = {NTRU_OID};
    uint8_t seed[3 + NTRU_ROOM + NTRU_B];
    uint16_t r[NTRU_DR];

    memcpy(seed, oid, 3);
    if (length > 0) memcpy(seed + 3, message, length);
    memcpy(seed + 3 + length, b, NTRU_B);
    ntru_indices_from(r, NTRU_DR, seed, 3 + length + NTRU_B);
    ring_multiply(product, h, r, NTRU_DR);
}

/* c: NTRU_ELEMENT_BYTES; length <= NTRU_ROOM. */
static int ntru_block_encrypt(unsigned char *c, const unsigned char *message,
                              unsigned length, const unsigned char *pk)
{
    uint8_t bits[NTRU_BITS_BYTES] = {0};
    ring_element h, product;

    if (ntru_get_element(&h, pk)) return -1;
    randombytes(bits, NTRU_B);
    bits[NTRU_B] = (uint8_t)length;
    if (length > 0) memcpy(bits + NTRU_B + 1, message, length);
    ntru_blind(&product, message, length, bits, &h);
    ntru_mask(bits, &product);
    ring_add_bits(&product, &product, bits);
    ntru_put_element(c, &product);
    return 0;
}

static int ntru_padding_is_wrong(const uint8_t *bits)
{
    unsigned length = bits[NTRU_B], wrong = 0;

    if (length > NTRU_ROOM) return 1;
    for (unsigned i = NTRU_B + 1 + length; i < NTRU_BITS_BYTES; i++) wrong |= bits[i];
    return wrong != 0;
}

static int ntru_equal(const ring_element *a, const ring_element *b)
{
    unsigned different = 0;

    for (int i = 0; i < NTRU_N; i++) different |= a->c[i] ^ b->c[i];
    return different == 0;
}

/* message: room for NTRU_ROOM bytes. */
static int ntru_block_decrypt(unsigned char *message, unsigned *length,
                              const unsigned char *c, const unsigned char *sk)
{
    uint16_t list_f[NTRU_DF];
    uint8_t bits[NTRU_BITS_BYTES];
    ring_element e, a, h;

    if (ntru_get_indices(list_f, NTRU_DF, sk) || ntru_get_element(&e, c) ||
        ntru_get_element(&h, sk + NTRU_INDEX_BYTES * NTRU_DF))
        return -1;
    ring_multiply(&a, &e, list_f, NTRU_DF);
    for (int i = 0; i < NTRU_N; i++) {
        uint32_t x = e.c[i] + 2u * a.c[i]; /* < 3q */
        x = x >= 2 * NTRU_Q ? x - 2 * NTRU_Q : x;
        a.c[i] = (uint16_t)(x >= NTRU_Q ? x - NTRU_Q : x);
    }
    ring_bits(bits, &a);
    ring_subtract_parity(&e, &a);
    ntru_mask(bits, &e);
    if (ntru_padding_is_wrong(bits)) return -1;
    *length = bits[NTRU_B];
    ntru_blind(&a, bits + NTRU_B + 1, *length, bits, &h);
    if (!ntru_equal(&a, &e)) return -1;
    if (*length > 0) memcpy(message, bits + NTRU_B + 1, *length);
    return 0;
}

#include "system.h"

#endif
