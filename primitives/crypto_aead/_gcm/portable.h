/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-GCM in constant time without special instructions: bitsliced AES, 4
 * AES_LANES blocks at a time (cipher_bitsliced.h), and GHASH from integer
 * multiplications (ghash_holes.h).  The block that hides the tag comes in one
 * go with the keystream of the packet's first bytes.  Decryption hashes before
 * it decrypts. */

#include "crypto_aead.h"

#include "../../crypto_stream/_aes/cipher_bitsliced.h"
#include "ghash_holes.h"
#include "lengths.h"
#include "verdict.h"

/* AES_BATCH bytes of keystream from this 32-bit counter on. */
static void next_batch(uint8_t *keystream, const uint8_t *nonce, uint32_t counter,
                       const crypto_aead_key *expanded)
{
    uint32_t block[4 * AES_LANES][4];
    for (uint32_t b = 0; b < 4 * AES_LANES; b++) {
        block[b][0] = load_le32(nonce);
        block[b][1] = load_le32(nonce + 4);
        block[b][2] = load_le32(nonce + 8);
        block[b][3] = __builtin_bswap32(counter + b);
    }
    aes_encrypt_bitsliced(keystream, block, expanded->roundkeys);
}

/* out = in ^ keystream from counter 2 on; `keystream` is the batch that starts
 * with counter 1. */
static void gctr(uint8_t *out, const uint8_t *in, uint64_t length,
                 uint8_t *keystream, const uint8_t *nonce,
                 const crypto_aead_key *expanded)
{
    uint64_t used = 16;
    uint32_t counter = 1;
    for (;;) {
        uint64_t n = length < AES_BATCH - used ? length : AES_BATCH - used;
        xor_bytes(out, in, keystream + used, n);
        length -= n;
        if (length == 0) return;
        out += n;
        in += n;
        used = 0;
        counter += 4 * AES_LANES;
        next_batch(keystream, nonce, counter, expanded);
    }
}

static void authenticate(uint8_t *tag, const uint8_t *ciphertext, uint64_t length,
                         const uint8_t *ad, uint64_t ad_length, const uint8_t *pad,
                         const crypto_aead_key *expanded)
{
    const uint64_t *H = expanded->H;
    uint64_t y[2] = {0, 0};
    uint8_t lengths[16];
    ghash_data(y, ad, ad_length, H);
    ghash_data(y, ciphertext, length, H);
    store_be64(lengths, 8 * ad_length);
    store_be64(lengths + 8, 8 * length);
    ghash_block(y, lengths, H);
    store_be64(tag, y[1] ^ load_be64(pad));
    store_be64(tag + 8, y[0] ^ load_be64(pad + 8));
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    uint32_t block[4 * AES_LANES][4] = {{0}};
    uint8_t H[AES_BATCH];
    aes_expandkey_bitsliced(expanded->roundkeys, key);
    aes_encrypt_bitsliced(H, block, expanded->roundkeys);
    ghash_subkey(expanded->H, H);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t keystream[AES_BATCH], pad[16];
    if (!gcm_lengths_allowed(length, ad_length)) return -1;
    next_batch(keystream, nonce, 1, expanded);
    memcpy(pad, keystream, 16);
    gctr(packet + 16, plaintext, length, keystream, nonce, expanded);
    authenticate(packet, packet + 16, length, ad, ad_length, pad, expanded);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint8_t keystream[AES_BATCH], tag[16];
    uint64_t length = packet_length - 16;
    if (packet_length < 16 || !gcm_lengths_allowed(length, ad_length)) return -1;
    next_batch(keystream, nonce, 1, expanded);
    authenticate(tag, packet + 16, length, ad, ad_length, keystream, expanded);
    if (tags_differ(tag, packet, 16)) return -1;
    gctr(plaintext, packet + 16, length, keystream, nonce, expanded);
    return 0;
}
