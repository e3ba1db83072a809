/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_KEY_CLMUL_H
#define GCM_KEY_CLMUL_H

/* For aesni.h and vaes.h: the expanded key (powers of H, then round keys), what
 * the hash is encrypted with, and the last block that is hashed. */

#include "crypto_aead.h"

#include "ghash_clmul.h"

#define ROUNDKEYS(expanded) ((expanded)->powers + 16 * GCM_POWERS)

/* counter: byte-reversed */
AES_INLINE __m128i encrypt_pad(__m128i counter, const uint8_t *w)
{
    counter = ghash_reverse_bytes(counter);
    aes_encrypt_blocks(&counter, 1, w);
    return counter;
}

AES_INLINE __m128i length_block(uint64_t length, uint64_t ad_length)
{
    return _mm_set_epi64x((long long)(8 * ad_length), (long long)(8 * length));
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    __m128i H = _mm_setzero_si128();
    aes_expandkey(ROUNDKEYS(expanded), key);
    aes_encrypt_blocks(&H, 1, ROUNDKEYS(expanded));
    ghash_powers(expanded->powers, GCM_POWERS, H);
    return 0;
}

#endif
