/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HYBRID_H
#define HYBRID_H

/* Messages of any length with a public-key system that encrypts short ones: the
 * wrapper that SUPERCOP's RSA (ronald), McEliece and NTRU encryption share.
 *
 * Let the system encrypt up to HYBRID_ROOM >= 64 bytes into HYBRID_BLOCK bytes.
 *   shorter than HYBRID_ROOM   the message itself is encrypted
 *   otherwise                  k = 32 random bytes
 *                              body = message ^ Salsa20(k, nonce 0)
 *                              block = k || SHA-256(body) || head of body
 *                              ciphertext = encrypted block || rest of body
 * where the head is what of HYBRID_ROOM bytes is left: HYBRID_ROOM - 64.
 * The overhead is HYBRID_BLOCK bytes at most, for the empty message,
 * HYBRID_BLOCK - head for long ones.
 *
 * Before the #include, give HYBRID_ROOM, HYBRID_BLOCK, one of the Salsa20 headers
 * of primitives/crypto_stream/_salsa20 (with SALSA20_ROUNDS 20), and
 *
 *   int hybrid_block_encrypt(unsigned char *c, const unsigned char *m,
 *                            unsigned length, const unsigned char *pk);
 *       exactly HYBRID_BLOCK bytes at c; length <= HYBRID_ROOM; 0 is success
 *   int hybrid_block_decrypt(unsigned char *m, unsigned *length,
 *                            const unsigned char *c, const unsigned char *sk);
 *       m has room for HYBRID_ROOM bytes; not 0 when c is no ciphertext
 *
 * Then hybrid_encrypt and hybrid_open are crypto_encrypt and crypto_encrypt_open.
 * For random bytes, k is drawn first, then whatever the system draws.  Opening
 * rejects what no encryption makes: a long form of a message that has a short
 * one, a short one with something behind it, a wrong hash. */

#include <assert.h>

#include "randombytes.h"
#include "sha2_small.h"

static_assert(HYBRID_ROOM >= 64, "key and hash must fit into a block");
#define HYBRID_HEAD (HYBRID_ROOM - 64)

static void hybrid_salsa20(unsigned char *out, const unsigned char *in,
                           unsigned long long length, const unsigned char *k)
{
    static const uint8_t nonce[8] = {0};
    uint32_t key[8];

    salsa20_expandkey(key, k);
    salsa20_xor(out, in, length, key, nonce, 0);
}

static int hybrid_encrypt(unsigned char *c, unsigned long long *clen,
                          const unsigned char *m, unsigned long long mlen,
                          const unsigned char *pk)
{
    unsigned char block[HYBRID_ROOM];

    if (mlen < HYBRID_ROOM) {
        *clen = HYBRID_BLOCK;
        return hybrid_block_encrypt(c, m, (unsigned)mlen, pk);
    }
    /* the body where its rest belongs; the head is overwritten afterwards */
    unsigned char *body = c + HYBRID_BLOCK - HYBRID_HEAD;
    randombytes(block, 32);
    hybrid_salsa20(body, m, mlen, block);
    sha256(block + 32, body, mlen);
    memcpy(block + 64, body, HYBRID_HEAD);
    *clen = HYBRID_BLOCK - HYBRID_HEAD + mlen;
    return hybrid_block_encrypt(c, block, HYBRID_ROOM, pk);
}

static int hybrid_open(unsigned char *m, unsigned long long *mlen,
                       const unsigned char *c, unsigned long long clen,
                       const unsigned char *sk)
{
    unsigned char block[HYBRID_ROOM], digest[32], different = 0;
    unsigned length;

    if (clen < HYBRID_BLOCK || hybrid_block_decrypt(block, &length, c, sk))
        return -1;
    if (length < HYBRID_ROOM) {
        if (clen != HYBRID_BLOCK) return -1;
        if (length > 0) memcpy(m, block, length);
        *mlen = length;
        return 0;
    }
    unsigned long long body = clen - HYBRID_BLOCK + HYBRID_HEAD;
    if (body < HYBRID_ROOM) return -1;
    memcpy(m, block + 64, HYBRID_HEAD);
    memcpy(m + HYBRID_HEAD, c + HYBRID_BLOCK, body - HYBRID_HEAD);
    sha256(digest, m, body);
    for (int i = 0; i < 32; i++) different |= digest[i] ^ block[32 + i];
    if (different) return -1;
    hybrid_salsa20(m, m, body, block);
    *mlen = body;
    return 0;
}

#endif
