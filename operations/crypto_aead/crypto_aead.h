/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_H
#define CRYPTO_AEAD_H

/* crypto_aead: authenticated encryption of packets, with the interface of "Cycle counts for
 * authenticated encryption" (Bernstein 2007).
 *
 * An implementation is a folder with
 *
 *   crypto_aead_types.h   typedef struct { ... } crypto_aead_key;
 *   *.c, *.cc, *.S        the functions below, nothing else global
 *
 * or a primitive has no code at all, and its primitive.toml names a composition and its parts (see
 * compositions/).
 *
 *   packet = tag (crypto_aead_TAGBYTES bytes) || ciphertext (as long as the
 *   plaintext, but see crypto_aead_PADDEDBYTES)
 *
 * for every system, so that packets of all systems have the same layout. The caller transports the
 * nonce.
 *
 * crypto_aead_KEYBYTES, crypto_aead_NONCEBYTES and crypto_aead_TAGBYTES come from primitive.toml.
 * Pointers may have any alignment; lengths are in bytes. The plaintext may be in the place of the
 * ciphertext (plaintext == packet + crypto_aead_TAGBYTES); no other overlap is allowed. No mutable
 * globals; no heap in our own implementations. */

#include <stdint.h>

#include "crypto_aead_types.h"

/* The number of ciphertext bytes for a plaintext of `length` bytes. A system that pads to whole blocks
 * (CBC) defines crypto_aead_BLOCKBYTES in its crypto_aead_types.h, and then
 *
 *   packet = tag || crypto_aead_PADDEDBYTES(length) bytes of ciphertext;
 *
 * decrypt writes the padded plaintext, whose last byte is the number of padding bytes (RFC 5652,
 * section 6.3), so the caller must provide room for it. */
#ifdef crypto_aead_BLOCKBYTES
#define crypto_aead_PADDEDBYTES(length) (((length) / crypto_aead_BLOCKBYTES + 1) * crypto_aead_BLOCKBYTES)
#define crypto_aead_PADS 1
#else
#define crypto_aead_PADDEDBYTES(length) (length)
#define crypto_aead_PADS 0
#endif

/* Offset of the ciphertext in a packet; foreign APIs may define another. */
#ifndef crypto_aead_TEXT
#define crypto_aead_TEXT crypto_aead_TAGBYTES
#endif

/* Bytes beyond the plaintext that decryption may write; only foreign APIs need any. */
#ifndef crypto_aead_ROOM
#define crypto_aead_ROOM 0
#endif

/* Expands a key. Returns 0, or -1 if the underlying library fails. The reported number of
 * expanded-key bytes is sizeof(crypto_aead_key) plus the heap memory that the call leaves
 * allocated. */
int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key);

/* packet[0 .. TAGBYTES + PADDEDBYTES(length) - 1] = the packet. Returns 0, or -1 if the lengths
 * exceed what the system allows. */
int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded);

/* plaintext[0 .. packet_length - TAGBYTES - 1] = the plaintext. Returns 0, or -1 for a forgery
 * (including a packet shorter than a tag). After a forgery every byte of `plaintext` is unchanged
 * or, in some libraries, zero; our own implementations do not touch it. Rejecting a forgery takes
 * as little time as the scheme allows. */
int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded);

/* Frees what expandkey allocated (a library's context on the heap). Only an implementation that
 * allocates defines it, and puts #define crypto_aead_RELEASES 1 into its crypto_aead_types.h. */
void crypto_aead_release(crypto_aead_key *expanded);

#endif
