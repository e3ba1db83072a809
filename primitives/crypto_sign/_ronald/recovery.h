/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RONALD_RECOVERY_H
#define RONALD_RECOVERY_H

/* ronald: RSA signatures that carry a part of their message, as SUPERCOP's
 * systems of this name.  With nb = crypto_sign_BYTES, the bytes of the modulus,
 * a block holds up to nb - 11 bytes D (PKCS #1 v1.5, block type 1).
 *
 *   shorter than nb - 11 bytes   D = m                        sm = block
 *   otherwise                    D = SHA-256(m) || head of m  sm = block || rest of m
 *
 * where the head is what D has room for: nb - 43 bytes.  The overhead is
 * nb - |m| or 43 bytes.
 *
 * The short form can be forged when e = 3: a cube root of 00 01 ff... 00 and a
 * chosen beginning gives a valid block with a message of that beginning.
 *
 * Before the #include, give (0 is success)
 *
 *   int ronald_hash(unsigned char digest[32], const unsigned char *m, unsigned long long mlen);
 *   int ronald_block_sign(unsigned char *block, const unsigned char *d, unsigned length, void *key);
 *   int ronald_block_recover(unsigned char *d, unsigned *length, const unsigned char *block, void *key);
 *       d has room for nb bytes */

#include <string.h>

#define RONALD_BLOCK crypto_sign_BYTES
#define RONALD_ROOM (RONALD_BLOCK - 11)
#define RONALD_HEAD (RONALD_ROOM - 32)

static int ronald_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                       void *key)
{
    unsigned char d[RONALD_ROOM];
    if (mlen < RONALD_ROOM) {
        *smlen = RONALD_BLOCK;
        return ronald_block_sign(sm, m, (unsigned)mlen, key);
    }
    if (ronald_hash(d, m, mlen)) return -1;
    memcpy(d + 32, m, RONALD_HEAD);
    memcpy(sm + RONALD_BLOCK, m + RONALD_HEAD, (size_t)(mlen - RONALD_HEAD));
    *smlen = RONALD_BLOCK + mlen - RONALD_HEAD;
    return ronald_block_sign(sm, d, RONALD_ROOM, key);
}

/* What no signing makes is rejected: bytes behind a short form, a long form of a message that has a short one. */
static int ronald_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                       void *key)
{
    unsigned char d[RONALD_BLOCK], digest[32];
    unsigned length;
    if (smlen < RONALD_BLOCK || ronald_block_recover(d, &length, sm, key) || length > RONALD_ROOM) return -1;
    if (length < RONALD_ROOM) {
        if (smlen != RONALD_BLOCK) return -1;
        if (length) memcpy(m, d, length);
        *mlen = length;
        return 0;
    }
    const unsigned long long rest = smlen - RONALD_BLOCK;
    if (RONALD_HEAD + rest < RONALD_ROOM) return -1;
    memcpy(m, d + 32, RONALD_HEAD);
    memcpy(m + RONALD_HEAD, sm + RONALD_BLOCK, (size_t)rest);
    *mlen = RONALD_HEAD + rest;
    return ronald_hash(digest, m, *mlen) || memcmp(digest, d, 32) ? -1 : 0;
}

#endif
