/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stream cipher F and an authenticator H combined into one system ("Cycle counts for
 * authenticated encryption", section 2):
 *
 *   (s, c) = F_k(n) xor (0, m),   packet = (H_r(c, s), c)
 *
 * The first 16 keystream bytes are the authenticator's pad, so rejecting a forgery takes 16 bytes
 * of keystream and one authentication. */
#include "crypto_aead.h"
#include "verdict.h"

#define TAG crypto_aead_TAGBYTES

_Static_assert(crypto_onetimeauth_PADBYTES == crypto_stream_FIRSTBYTES, "the pad is the first keystream bytes");

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    crypto_onetimeauth_expandkey(&expanded->r, key);
    crypto_stream_expandkey(&expanded->k, key + crypto_onetimeauth_KEYBYTES);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t s[crypto_stream_FIRSTBYTES];
    crypto_stream_state state;
    (void)ad;
    if (ad_length) return -1;
    crypto_stream_start(&state, s, nonce, &expanded->k, length);
    crypto_stream_xor(&state, packet + TAG, plaintext, length);
    crypto_onetimeauth_authenticate(packet, packet + TAG, length, s, &expanded->r);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t s[crypto_stream_FIRSTBYTES], tag[TAG];
    crypto_stream_state state;
    (void)ad;
    if (packet_length < TAG || ad_length) return -1;
    crypto_stream_start(&state, s, nonce, &expanded->k, 0);
    crypto_onetimeauth_authenticate(tag, packet + TAG, packet_length - TAG, s, &expanded->r);
    if (tags_differ(tag, packet, TAG)) return -1;
    crypto_stream_xor(&state, plaintext, packet + TAG, packet_length - TAG);
    return 0;
}
