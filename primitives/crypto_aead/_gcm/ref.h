/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-GCM as NIST SP 800-38D writes it, with a 96-bit nonce and a 128-bit
 * tag: multiplication bit by bit, AES one block at a time. */

#include "crypto_aead.h"

#include "../../crypto_stream/_aes/cipher_ref.h"
#include "bytes.h"
#include "lengths.h"
#include "verdict.h"

/* Y = Y * H in GF(2^128), algorithm 1.  The leftmost bit of byte 0 is the
 * coefficient of x^0; R = 11100001 || 0^120. */
static void multiply(uint8_t *Y, const uint8_t *H)
{
    uint64_t z0 = 0, z1 = 0, v0 = load_be64(H), v1 = load_be64(H + 8);
    for (int i = 0; i < 128; i++) {
        uint64_t bit = (uint64_t)0 - ((Y[i / 8] >> (7 - i % 8)) & 1);
        uint64_t carry = (uint64_t)0 - (v1 & 1);
        z0 ^= v0 & bit;
        z1 ^= v1 & bit;
        v1 = (v1 >> 1) | (v0 << 63);
        v0 = (v0 >> 1) ^ (carry & 0xe100000000000000);
    }
    store_be64(Y, z0);
    store_be64(Y + 8, z1);
}

/* GHASH, algorithm 2, over data padded with zeros to whole blocks. */
static void ghash(uint8_t *Y, const uint8_t *data, uint64_t length, const uint8_t *H)
{
    while (length > 0) {
        uint64_t n = length < 16 ? length : 16;
        xor_bytes(Y, Y, data, n);
        multiply(Y, H);
        data += n;
        length -= n;
    }
}

/* GCTR, algorithm 3: starts with inc32(J0), J0 = nonce || 0^31 1. */
static void gctr(uint8_t *out, const uint8_t *in, uint64_t length,
                 const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t block[16], keystream[16];
    uint32_t counter = 2;
    memcpy(block, nonce, 12);
    while (length > 0) {
        uint64_t n = length < 16 ? length : 16;
        store_be32(block + 12, counter++);
        aes_encrypt(keystream, block, expanded->roundkeys);
        xor_bytes(out, in, keystream, n);
        out += n;
        in += n;
        length -= n;
    }
}

/* Steps 5 and 6 of algorithm 4: T = AES_k(J0) xor GHASH(A, C, lengths). */
static void authenticate(uint8_t *tag, const uint8_t *ciphertext, uint64_t length,
                         const uint8_t *ad, uint64_t ad_length,
                         const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t Y[16] = {0}, lengths[16], block[16];
    ghash(Y, ad, ad_length, expanded->H);
    ghash(Y, ciphertext, length, expanded->H);
    store_be64(lengths, 8 * ad_length);
    store_be64(lengths + 8, 8 * length);
    ghash(Y, lengths, 16, expanded->H);
    memcpy(block, nonce, 12);
    store_be32(block + 12, 1);
    aes_encrypt(block, block, expanded->roundkeys);
    for (int i = 0; i < 16; i++) tag[i] = Y[i] ^ block[i];
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
    memset(expanded->H, 0, 16);
    aes_encrypt(expanded->H, expanded->H, expanded->roundkeys);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (!gcm_lengths_allowed(length, ad_length)) return -1;
    gctr(packet + 16, plaintext, length, nonce, expanded);
    authenticate(packet, packet + 16, length, ad, ad_length, nonce, expanded);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint8_t tag[16];
    uint64_t length = packet_length - 16;
    if (packet_length < 16 || !gcm_lengths_allowed(length, ad_length)) return -1;
    authenticate(tag, packet + 16, length, ad, ad_length, nonce, expanded);
    if (tags_differ(tag, packet, 16)) return -1;
    gctr(plaintext, packet + 16, length, nonce, expanded);
    return 0;
}
