/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MODES_EAX_H
#define MODES_EAX_H

/* EAX (Bellare, Rogaway, Wagner, "The EAX mode of operation", figure 3) with a
 * 16-byte tag, on AES for modes (aes_ref.h, aes_aesni.h).  OMAC is CMAC; its
 * first block, the number of what it is of, is enciphered by expandkey. */

#include "crypto_aead.h"

#include <string.h>

static void eax_double(uint8_t *y, const uint8_t *x)
{
    const uint64_t hi = load_be64(x), lo = load_be64(x + 8);
    store_be64(y, hi << 1 | lo >> 63);
    store_be64(y + 8, lo << 1 ^ (0x87 & ((uint64_t)0 - (hi >> 63))));
}

/* OMAC of the block t and in; only what is enciphered last gets B = 2L or P = 4L. */
static void eax_omac(uint8_t *mac, int t, const uint8_t *in, uint64_t length, const crypto_aead_key *k)
{
    uint8_t last[16] = {0};
    if (length == 0) {
        memcpy(mac, k->B, 16);
        mac[15] ^= (uint8_t)t;
        mode_encipher(mac, mac, k->w);
        return;
    }
    const uint64_t whole = (length - 1) / 16, rest = length - 16 * whole;
    memcpy(mac, k->first[t], 16);
    mode_cbc_mac(mac, in, whole, k->w);
    memcpy(last, in + 16 * whole, rest);
    if (rest < 16) last[rest] = 0x80;
    xor_bytes(last, last, rest == 16 ? k->B : k->P, 16);
    mode_cbc_mac(mac, last, 1, k->w);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    uint8_t L[16] = {0};
    mode_expandkey(expanded->w, key);
    mode_encipher(L, L, expanded->w);
    eax_double(expanded->B, L);
    eax_double(expanded->P, expanded->B);
    for (int t = 0; t < 3; t++) {
        memset(L, 0, 16);
        L[15] = (uint8_t)t;
        mode_encipher(expanded->first[t], L, expanded->w);
    }
    return 0;
}

static void eax_tag(uint8_t *tag, const uint8_t *N, const uint8_t *ciphertext, uint64_t length,
                    const uint8_t *ad, uint64_t ad_length, const crypto_aead_key *k)
{
    uint8_t H[16];
    eax_omac(H, 1, ad, ad_length, k);
    eax_omac(tag, 2, ciphertext, length, k);
    xor_bytes(tag, tag, H, 16);
    xor_bytes(tag, tag, N, 16);
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t N[16], counter[16];
    eax_omac(N, 0, nonce, crypto_aead_NONCEBYTES, expanded);
    memcpy(counter, N, 16);
    mode_ctr(packet + 16, plaintext, length, counter, expanded->w);
    eax_tag(packet, N, packet + 16, length, ad, ad_length, expanded);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    uint8_t N[16], tag[16], difference = 0;
    if (packet_length < 16) return -1;
    eax_omac(N, 0, nonce, crypto_aead_NONCEBYTES, expanded);
    eax_tag(tag, N, packet + 16, packet_length - 16, ad, ad_length, expanded);
    for (int i = 0; i < 16; i++) difference |= tag[i] ^ packet[i];
    if (difference != 0) return -1;
    mode_ctr(plaintext, packet + 16, packet_length - 16, N, expanded->w);
    return 0;
}

#endif
