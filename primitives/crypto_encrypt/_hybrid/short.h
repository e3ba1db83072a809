/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HYBRID_SHORT_H
#define HYBRID_SHORT_H

/* Messages of any length with a public-key system whose HYBRID_ROOM is below the
 * 64 bytes that hybrid.h needs.  Ours, as nothing is published for such systems:
 *
 *   shorter than HYBRID_ROOM   the message itself is encrypted
 *   otherwise                  s = HYBRID_ROOM random bytes
 *                              body = message ^ Salsa20(SHA-256(s || 0), nonce 0)
 *                              tag = SHA-256(SHA-256(s || 1) || SHA-256(body))
 *                              ciphertext = encrypted s || tag || body
 *
 * What is encrypted tells by its length whether it is a message or s, so that no
 * message is ever taken for s.  The overhead is HYBRID_BLOCK bytes for short
 * messages, 32 more for long ones.  What to give before the #include stands in
 * hybrid.h. */

#include "randombytes.h"
#include "sha2_small.h"

static void hybrid_derive(unsigned char key[32], const unsigned char *seed,
                          unsigned char which)
{
    unsigned char bytes[HYBRID_ROOM + 1];

    memcpy(bytes, seed, HYBRID_ROOM);
    bytes[HYBRID_ROOM] = which;
    sha256(key, bytes, sizeof bytes);
}

static void hybrid_salsa20(unsigned char *out, const unsigned char *in,
                           unsigned long long length, const unsigned char *seed)
{
    static const uint8_t nonce[8] = {0};
    unsigned char k[32];
    uint32_t key[8];

    hybrid_derive(k, seed, 0);
    salsa20_expandkey(key, k);
    salsa20_xor(out, in, length, key, nonce, 0);
}

static void hybrid_tag(unsigned char tag[32], const unsigned char *body,
                       unsigned long long length, const unsigned char *seed)
{
    unsigned char bytes[64];

    hybrid_derive(bytes, seed, 1);
    sha256(bytes + 32, body, length);
    sha256(tag, bytes, sizeof bytes);
}

static int hybrid_encrypt(unsigned char *c, unsigned long long *clen,
                          const unsigned char *m, unsigned long long mlen,
                          const unsigned char *pk)
{
    unsigned char seed[HYBRID_ROOM], *body = c + HYBRID_BLOCK + 32;

    if (mlen < HYBRID_ROOM) {
        *clen = HYBRID_BLOCK;
        return hybrid_block_encrypt(c, m, (unsigned)mlen, pk);
    }
    randombytes(seed, HYBRID_ROOM);
    hybrid_salsa20(body, m, mlen, seed);
    hybrid_tag(c + HYBRID_BLOCK, body, mlen, seed);
    *clen = HYBRID_BLOCK + 32 + mlen;
    return hybrid_block_encrypt(c, seed, HYBRID_ROOM, pk);
}

static int hybrid_open(unsigned char *m, unsigned long long *mlen,
                       const unsigned char *c, unsigned long long clen,
                       const unsigned char *sk)
{
    unsigned char block[HYBRID_ROOM], tag[32], different = 0;
    unsigned length;

    if (clen < HYBRID_BLOCK || hybrid_block_decrypt(block, &length, c, sk))
        return -1;
    if (length < HYBRID_ROOM) {
        if (clen != HYBRID_BLOCK) return -1;
        if (length > 0) memcpy(m, block, length);
        *mlen = length;
        return 0;
    }
    if (clen < HYBRID_BLOCK + 32 + HYBRID_ROOM) return -1;
    *mlen = clen - HYBRID_BLOCK - 32;
    hybrid_tag(tag, c + HYBRID_BLOCK + 32, *mlen, block);
    for (int i = 0; i < 32; i++) different |= tag[i] ^ c[HYBRID_BLOCK + i];
    if (different) return -1;
    hybrid_salsa20(m, c + HYBRID_BLOCK + 32, *mlen, block);
    return 0;
}

#endif
