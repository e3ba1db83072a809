/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_H
#define CRYPTO_AEAD_H

/* crypto_aead: authenticated encryption of packets, with the interface of
 * "Cycle counts for authenticated encryption" (Bernstein 2007).
 *
 * An implementation is a folder with
 *
 *   crypto_aead_types.h   typedef struct { ... } crypto_aead_key;
 *   *.c, *.cc, *.S        the functions below, nothing else global
 *
 * or it is no code at all: a primitive.toml that names a composition and its
 * parts (see compositions/).
 *
 *   packet = tag (crypto_aead_TAGBYTES bytes) || ciphertext (as long as the
 *   plaintext, but see crypto_aead_PADDEDBYTES)
 *
 * for every system, so that one rule serves them all; the nonce's transport
 * is the caller's business.
 *
 * crypto_aead_KEYBYTES, crypto_aead_NONCEBYTES and crypto_aead_TAGBYTES come
 * from primitive.toml.  All pointers have any alignment; lengths are in
 * bytes.  Plaintext may stand where the ciphertext will stand
 * (plaintext == packet + crypto_aead_TAGBYTES); no other overlap.  No globals
 * that change; no heap in our own implementations. */

#include <stdint.h>

#include "crypto_aead_types.h"

/* Ciphertext bytes of a plaintext of that many.  A system that pads (CBC) says
 * in its crypto_aead_types.h what it is, and then
 *
 *   packet = tag || crypto_aead_PADDEDBYTES(length) bytes of ciphertext;
 *
 * decrypt leaves the padded plaintext, whose last byte is the number of bytes
 * of padding (RFC 5652, section 6.3); where the plaintext stands there is room
 * for that. */
#ifndef crypto_aead_PADDEDBYTES
#define crypto_aead_PADDEDBYTES(length) (length)
#define crypto_aead_PADS 0
#else
#define crypto_aead_PADS 1
#endif

/* Where the text stands in a packet; a foreign API may have it elsewhere. */
#ifndef crypto_aead_TEXT
#define crypto_aead_TEXT crypto_aead_TAGBYTES
#endif

/* How much more room than the plaintext's decryption may use, in a foreign API. */
#ifndef crypto_aead_ROOM
#define crypto_aead_ROOM 0
#endif

/* Expands a key.  0, or -1 when the library underneath refuses.
 * sizeof(crypto_aead_key), with what the call left on the heap, is the
 * reported number of expanded-key bytes. */
int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key);

/* packet[0 .. TAGBYTES + PADDEDBYTES(length) - 1] = the sealed plaintext.  0, or -1 when
 * the lengths are beyond what the system allows. */
int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded);

/* plaintext[0 .. packet_length - TAGBYTES - 1] = the opened packet, and 0; or
 * -1 for a forgery (a packet shorter than a tag is one).  After a forgery every
 * byte of `plaintext` is as it was or, where a library insists, zero; our own
 * implementations do not touch it.  A forgery costs as little as the scheme
 * allows. */
int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded);

/* Gives back what expandkey took (a library's context on the heap).  Only an
 * implementation that takes something defines it, and says
 * #define crypto_aead_RELEASES 1 in its crypto_aead_types.h. */
void crypto_aead_release(crypto_aead_key *expanded);

#endif
