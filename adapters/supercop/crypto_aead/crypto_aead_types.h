/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

/* crypto_aead over the API of SUPERCOP, CAESAR and NIST's lightweight competition, which expands
 * the key again for every packet. */

#define crypto_aead_TAGBYTES crypto_aead_ABYTES
#define crypto_aead_NONCEBYTES crypto_aead_NPUBBYTES

#define crypto_aead_EVERY_KEY_BIT 1

/* The packet is whatever encrypt writes, and decrypt may write as many bytes. */
#define crypto_aead_TEXT 0
#define crypto_aead_ROOM crypto_aead_ABYTES

typedef struct {
    unsigned char key[crypto_aead_KEYBYTES + 1]; /* a size may be 0 */
} crypto_aead_key;

#endif
