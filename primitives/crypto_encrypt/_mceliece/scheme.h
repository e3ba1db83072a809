/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_SCHEME_H
#define MCELIECE_SCHEME_H

/* McEliece's system as Biswas and Sendrier (PQCrypto 2008) made it practical:
 * binary Goppa codes of length 2048 and dimension 1696 that correct 32 errors,
 * over GF(2^11) = GF(2)[z]/(z^11 + z^2 + 1), a systematic generator matrix, and
 * messages masked by a key stream from the error positions.
 *
 * Secret key, 16-bit little-endian words: the support L (2048, a permutation of
 * the field), the Goppa polynomial g (33, monic), and what follows from these:
 * for every L_j the 32 coefficients of 1/(X - L_j) modulo g, and for i < 32
 * those of the square root of X^i modulo g.
 * Public key: row i (48 bytes) is the parity, 352 bits, of message bit i.
 *
 * An implementation gives, before it includes this,
 *
 *   int goppa_minimal(uint16_t g[33], const uint16_t a[32])
 *       the minimal polynomial of a(z), an element of GF(2^11)[z] modulo
 *       z^32 + z^7 + z^3 + z^2 + 1; -1 when its degree is not 32
 *   int goppa_generator(unsigned char *pk, uint16_t L[2048], const uint16_t g[33])
 *       permutes L so that there is a systematic generator matrix; that matrix;
 *       -1 when there is none
 *   void goppa_complete(unsigned char *sk)
 *       the tables of the secret key, from L and g
 *   int goppa_decode(uint64_t errors[32], const unsigned char *word,
 *                    const unsigned char *sk)
 *       the 32 positions where the word of 2048 bits is wrong, as bits; -1 when
 *       there are not exactly 32
 *   void goppa_parity(unsigned char parity[44], const unsigned char message[212],
 *                     const unsigned char *pk) */

#include "words.h"

/* Numbers below a bound, from random bytes taken in portions. */
struct numbers {
    unsigned at;
    unsigned char bytes[512];
};

static unsigned numbers_below(struct numbers *n, unsigned bound)
{
    unsigned x, mask = bound - 1;

    for (int shift = 1; shift < 16; shift *= 2) mask |= mask >> shift;
    do {
        if (n->at == 0) randombytes(n->bytes, n->at = sizeof n->bytes);
        n->at -= 2;
        x = word16(n->bytes, n->at / 2) & mask;
    } while (x >= bound);
    return x;
}

/* A monic irreducible polynomial, all equally likely: the minimal polynomial of a
 * random element of GF(2^352).  z^32 + z^7 + z^3 + z^2 + 1 is irreducible over
 * GF(2), so it is over GF(2^11), as 11 and 32 have no common divisor. */
static void random_goppa_polynomial(uint16_t g[33])
{
    unsigned char bytes[64];
    uint16_t a[32];

    do {
        randombytes(bytes, sizeof bytes);
        for (unsigned i = 0; i < 32; i++) a[i] = word16(bytes, i) & 2047;
    } while (goppa_minimal(g, a));
}

static void random_support(uint16_t L[2048])
{
    struct numbers n = {.at = 0};

    for (unsigned i = 0; i < 2048; i++) L[i] = (uint16_t)i;
    for (unsigned i = 2047; i > 0; i--) {
        unsigned j = numbers_below(&n, i + 1);
        uint16_t t = L[i];
        L[i] = L[j];
        L[j] = t;
    }
}

int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk)
{
    uint16_t L[2048], g[33];

    do {
        random_goppa_polynomial(g);
        random_support(L);
    } while (goppa_generator(pk, L, g));
    for (unsigned i = 0; i < 2048; i++) put_word16(sk, i, L[i]);
    for (unsigned i = 0; i < 33; i++) put_word16(sk, 2048 + i, g[i]);
    goppa_complete(sk);
    return 0;
}

int crypto_encrypt_complete(unsigned char *sk, const unsigned char *part,
                            unsigned long long part_bytes)
{
    if (part_bytes != 2 * (2048 + 33)) return -1;
    memcpy(sk, part, part_bytes);
    goppa_complete(sk);
    return 0;
}

/* Each set of 32 positions equally likely: words of 11 bits, repeated ones
 * dropped. */
static void random_errors(uint64_t errors[32])
{
    unsigned char bytes[64];
    unsigned wanted = 32;

    memset(errors, 0, 32 * sizeof errors[0]);
    while (wanted > 0) {
        unsigned drawn = wanted;
        randombytes(bytes, 2 * drawn);
        for (unsigned i = 0; i < drawn; i++) {
            unsigned x = word16(bytes, i) & 2047;
            wanted -= !(errors[x / 64] >> x % 64 & 1);
            errors[x / 64] |= (uint64_t)1 << x % 64;
        }
    }
}

/* Flips the wrong bits of word, and masks or unmasks the 212 bytes of message in
 * it with the key stream whose key is the low bytes of their positions. */
static void mask_message(unsigned char *out, const unsigned char *in,
                         const uint64_t errors[32])
{
    static const uint8_t nonce[8] = {0};
    uint8_t bytes[32];
    uint32_t key[8];
    unsigned n = 0;

    for (unsigned w = 0; w < 32; w++)
        for (uint64_t rest = errors[w]; rest; rest &= rest - 1)
            bytes[n++] = (uint8_t)(64 * w + (unsigned)__builtin_ctzll(rest));
    salsa20_expandkey(key, bytes);
    salsa20_xor(out, in, 212, key, nonce, 0);
}

static void flip(unsigned char word[256], const uint64_t errors[32])
{
    for (unsigned w = 0; w < 32; w++)
        store_le64(word + 8 * w, load_le64(word + 8 * w) ^ errors[w]);
}

static int mceliece_block_encrypt(unsigned char *c, const unsigned char *m,
                                  unsigned length, const unsigned char *pk)
{
    unsigned char block[212] = {0};
    uint64_t errors[32];

    random_errors(errors);
    put_word16(block, 0, (uint16_t)length);
    if (length > 0) memcpy(block + 2, m, length);
    mask_message(c, block, errors);
    goppa_parity(c + 212, c, pk);
    flip(c, errors);
    return 0;
}

static int mceliece_block_decrypt(unsigned char *m, unsigned *length,
                                  const unsigned char *c, const unsigned char *sk)
{
    unsigned char word[256], wrong = 0;
    uint64_t errors[32];

    if (goppa_decode(errors, c, sk)) return -1;
    memcpy(word, c, 256);
    flip(word, errors);
    mask_message(word, word, errors);
    *length = word16(word, 0);
    if (*length > 210) return -1;
    for (unsigned i = 2 + *length; i < 212; i++) wrong |= word[i];
    if (wrong) return -1;
    if (*length > 0) memcpy(m, word + 2, *length);
    return 0;
}

#define HYBRID_ROOM 210
#define HYBRID_BLOCK 256
#define hybrid_block_encrypt mceliece_block_encrypt
#define hybrid_block_decrypt mceliece_block_decrypt
#include "../_hybrid/hybrid.h"

int crypto_encrypt(unsigned char *c, unsigned long long *clen,
                   const unsigned char *m, unsigned long long mlen,
                   const unsigned char *pk)
{
    return hybrid_encrypt(c, clen, m, mlen, pk);
}

int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen,
                        const unsigned char *c, unsigned long long clen,
                        const unsigned char *sk)
{
    return hybrid_open(m, mlen, c, clen, sk);
}

#endif
