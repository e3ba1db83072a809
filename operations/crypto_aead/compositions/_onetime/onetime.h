/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Authenticates each packet under a one-time key (r, s), which is the first 32 bytes of its
 * keystream, as RFC 8439 does with ChaCha20. The text is encrypted with the keystream behind them,
 * and the authenticator gets
 *
 *   ad || zero bytes || ciphertext || zero bytes || length of ad || length of ciphertext
 *
 * with zero bytes up to multiples of 16 and 64-bit little-endian lengths (section 2.8). It takes
 * one message, so each packet is copied; a long one goes onto the heap. To be defined before:
 *
 *   one_time_key(rs, nonce, key)                 rs[0..31] = (r, s)
 *   encrypt_text(rs, packet, in, length, nonce, key)  the same, and the ciphertext behind the tag
 *   decrypt_text(out, text, length, nonce, key)  `text` is a copy with SLACK bytes to spare before it
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "verdict.h"

#define STACK_BYTES 2048
#define PADDED(bytes) (((bytes) + 15) / 16 * 16)

_Static_assert(crypto_onetimeauth_KEYBYTES == 16 && crypto_onetimeauth_PADBYTES == 16, "(r, s) has 32 bytes");
_Static_assert(TAG == SLACK, "the place of the tag is the room before the text");

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    return cipher_expandkey(&expanded->cipher, key);
}

#ifdef crypto_aead_RELEASES
void crypto_aead_release(crypto_aead_key *expanded)
{
    crypto_cipher_release(&expanded->cipher);
}
#endif

/* What is authenticated, behind SLACK bytes; returns its length with those. */
static uint64_t assemble(uint8_t *copy, const uint8_t *ciphertext, uint64_t length, const uint8_t *ad,
                         uint64_t ad_length)
{
    uint8_t *at = copy + SLACK;
    if (ad_length) memcpy(at, ad, (size_t)ad_length);
    memset(at + ad_length, 0, (size_t)(PADDED(ad_length) - ad_length));
    at += PADDED(ad_length);
    if (length) memcpy(at, ciphertext, (size_t)length);
    memset(at + length, 0, (size_t)(PADDED(length) - length));
    at += PADDED(length);
    store_le64(at, ad_length);
    store_le64(at + 8, length);
    return (uint64_t)(at + 16 - copy);
}

static void authenticate(uint8_t *tag, const uint8_t *rs, const uint8_t *copy, uint64_t bytes)
{
    crypto_onetimeauth_key r;
    crypto_onetimeauth_expandkey(&r, rs);
    crypto_onetimeauth_authenticate(tag, copy + SLACK, bytes - SLACK, rs + 16, &r);
}

static uint8_t *room(uint8_t *stack, uint64_t length, uint64_t ad_length)
{
    const uint64_t bytes = SLACK + PADDED(ad_length) + PADDED(length) + 16;
    return bytes <= STACK_BYTES ? stack : malloc((size_t)bytes);
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t stack[STACK_BYTES], rs[32], *copy = room(stack, length, ad_length);
    if (!copy) return -1;
    const int failed = encrypt_text(rs, packet, plaintext, length, nonce, &expanded->cipher);
    if (!failed) authenticate(packet, rs, copy, assemble(copy, packet + TAG, length, ad, ad_length));
    if (copy != stack) free(copy);
    return failed;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t stack[STACK_BYTES], rs[32], tag[TAG];
    if (packet_length < TAG || one_time_key(rs, nonce, &expanded->cipher)) return -1;
    const uint64_t length = packet_length - TAG;
    uint8_t *copy = room(stack, length, ad_length);
    if (!copy) return -1;
    authenticate(tag, rs, copy, assemble(copy, packet + TAG, length, ad, ad_length));
    int failed = tags_differ(tag, packet, TAG) ? -1 : 0;
    if (!failed) failed = decrypt_text(plaintext, copy + SLACK + PADDED(ad_length), length, nonce, &expanded->cipher);
    if (copy != stack) free(copy);
    return failed;
}
