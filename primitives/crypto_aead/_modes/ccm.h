/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MODES_CCM_H
#define MODES_CCM_H

/* CCM as NIST SP 800-38C, appendix A, formats it, with a 16-byte tag, on AES for
 * modes (aes_ref.h, aes_aesni.h).  n = NONCEBYTES, q = 15 - n. */

#include "crypto_aead.h"

#include <string.h>

enum { CCM_Q = 15 - crypto_aead_NONCEBYTES, CCM_STEP = 512 };

/* The length must fit q bytes. */
static inline int ccm_length_allowed(uint64_t length)
{
    return CCM_Q >= 8 || length >> (8 * CCM_Q % 64) == 0;
}

/* CBC-MAC over the last bytes, filled up with zeros */
static void ccm_mac(uint8_t *mac, const uint8_t *in, uint64_t length, const uint8_t *w)
{
    uint8_t last[16] = {0};
    mode_cbc_mac(mac, in, length / 16, w);
    if (length % 16 > 0) {
        memcpy(last, in + length / 16 * 16, length % 16);
        mode_cbc_mac(mac, last, 1, w);
    }
}

/* A.2.2: the length of the associated data in 2, 6 or 10 bytes, and it */
static void ccm_associated_data(uint8_t *mac, const uint8_t *ad, uint64_t ad_length, const uint8_t *w)
{
    uint8_t block[16] = {0};
    uint64_t n = 2, more;
    if (ad_length == 0) return;
    if (ad_length < 0xff00) {
        block[0] = (uint8_t)(ad_length >> 8);
        block[1] = (uint8_t)ad_length;
    } else if (ad_length >> 32 == 0) {
        block[0] = 0xff;
        block[1] = 0xfe;
        store_be32(block + 2, (uint32_t)ad_length);
        n = 6;
    } else {
        block[0] = block[1] = 0xff;
        store_be64(block + 2, ad_length);
        n = 10;
    }
    more = ad_length < 16 - n ? ad_length : 16 - n;
    memcpy(block + n, ad, more);
    mode_cbc_mac(mac, block, 1, w);
    ccm_mac(mac, ad + more, ad_length - more, w);
}

/* mac = the MAC of B0 and the associated data; counter = A1; pad = E(A0) */
static void ccm_start(uint8_t *mac, uint8_t *counter, uint8_t *pad, uint64_t length,
                      const uint8_t *ad, uint64_t ad_length, const uint8_t *nonce, const uint8_t *w)
{
    uint8_t block[16] = {0};
    block[0] = (ad_length > 0) << 6 | 7 << 3 | (CCM_Q - 1);
    memcpy(block + 1, nonce, crypto_aead_NONCEBYTES);
    for (int i = 0; i < CCM_Q && i < 8; i++) block[15 - i] = (uint8_t)(length >> 8 * i);
    mode_encipher(mac, block, w);
    ccm_associated_data(mac, ad, ad_length, w);
    block[0] = CCM_Q - 1;
    memset(block + 16 - CCM_Q, 0, CCM_Q);
    mode_encipher(pad, block, w);
    block[15] = 1;
    memcpy(counter, block, 16);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    mode_expandkey(expanded->w, key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t mac[16], counter[16], pad[16];
    if (!ccm_length_allowed(length)) return -1;
    ccm_start(mac, counter, pad, length, ad, ad_length, nonce, expanded->w);
    if (length > 0) ccm_mac(mac, plaintext, length, expanded->w);
    mode_ctr(packet + 16, plaintext, length, counter, expanded->w);
    xor_bytes(packet, mac, pad, 16);
    return 0;
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t mac[16], counter[16], pad[16];
    if (!ccm_length_allowed(length)) return -1;
    ccm_start(mac, counter, pad, length, ad, ad_length, nonce, expanded->w);
    while (length > 0) {
        const uint64_t n = length < CCM_STEP ? length : CCM_STEP;
        mode_ctr(out, in, n, counter, expanded->w);
        ccm_mac(mac, out, n, expanded->w);
        in += n;
        out += n & advance;
        length -= n;
    }
    xor_bytes(tag, mac, pad, 16);
    return 0;
}

#include "../_open/open.h"

#endif
