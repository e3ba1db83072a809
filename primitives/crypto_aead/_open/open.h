/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_OPEN_H
#define CRYPTO_AEAD_OPEN_H

/* crypto_aead_decrypt for systems whose tag depends on the plaintext, so that
 * nothing is known of a packet before all of it is decrypted.  It stands on
 *
 *   static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, in, length,
 *                     ad, ad_length, nonce, expanded);
 *
 * which computes the tag and decrypts; 0, or -1 for lengths that are not
 * allowed.  `advance` is all ones or zero: wherever unseal goes on by n bytes
 * in `out`, it goes on by n & advance, so that with zero only the first
 * OPEN_STEP bytes of `out` are written.
 *
 * A packet of at most OPEN_SCRATCH bytes is decrypted once, beside the
 * plaintext's place, and copied there if the tag is right; a longer one is
 * decrypted twice.  Neither way is anything of a forgery released. */

#include "crypto_aead.h"

#include <string.h>
#include "verdict.h"

#define OPEN_SCRATCH 8192
#define OPEN_STEP 512

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    _Alignas(64) uint8_t scratch[OPEN_SCRATCH];
    uint8_t tag[crypto_aead_TAGBYTES];

    if (packet_length < crypto_aead_TAGBYTES) return -1;
    const uint64_t length = packet_length - crypto_aead_TAGBYTES;
    const uint64_t advance = length <= OPEN_SCRATCH ? ~(uint64_t)0 : 0;
    const uint8_t *in = packet + crypto_aead_TAGBYTES;
    if (unseal(tag, scratch, advance, in, length, ad, ad_length, nonce, expanded)) return -1;
    if (tags_differ(tag, packet, crypto_aead_TAGBYTES)) return -1;
    if (!advance)
        return unseal(tag, plaintext, ~(uint64_t)0, in, length, ad, ad_length, nonce, expanded);
    if (length > 0) memcpy(plaintext, scratch, length);
    return 0;
}

#endif
