/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_POLY1305_EXTENDED_H
#define CHACHA20_POLY1305_EXTENDED_H

/* XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, section 2): HChaCha20 makes a
 * subkey from the first 16 bytes of the nonce, and the last 8 are a nonce under
 * it.  HChaCha20 is a block of ChaCha20, its counter and nonce replaced by those
 * 16 bytes, without the addition of the input at the end: which is undone here,
 * so that every implementation serves. */

static void chacha20_poly1305_subkey(uint32_t subkey[8], uint8_t short_nonce[12],
                                     const uint8_t *nonce,
                                     const crypto_aead_key *expanded)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32,
                                          0x6b206574};
    _Alignas(64) uint8_t block[64 * CHACHA20_AHEAD];

    chacha20_xor(block, 0, 64, expanded->key, nonce + 4, load_le32(nonce));
    for (int i = 0; i < 4; i++) {
        subkey[i] = load_le32(block + 4 * i) - constants[i];
        subkey[4 + i] = load_le32(block + 48 + 4 * i) - load_le32(nonce + 4 * i);
    }
    memset(short_nonce, 0, 4);
    memcpy(short_nonce + 4, nonce + 16, 8);
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint32_t subkey[8];
    uint8_t short_nonce[12];
    chacha20_poly1305_subkey(subkey, short_nonce, nonce, expanded);
    return chacha20_poly1305_seal(packet, plaintext, length, ad, ad_length,
                                  short_nonce, subkey);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint32_t subkey[8];
    uint8_t short_nonce[12];
    if (packet_length < 16) return -1;
    chacha20_poly1305_subkey(subkey, short_nonce, nonce, expanded);
    return chacha20_poly1305_open(plaintext, packet, packet_length, ad, ad_length,
                                  short_nonce, subkey);
}

#endif
