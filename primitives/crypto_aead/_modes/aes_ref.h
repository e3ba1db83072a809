/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MODES_AES_REF_H
#define MODES_AES_REF_H

/* AES for modes of operation, as FIPS 197 writes it.  MODE_KEY_WORDS is 4 or 8.
 * Either header of this kind offers these functions. */

#include "../../crypto_blockcipher/_aes/ref.h"
#include "bytes.h"

enum { MODE_ROUNDS = MODE_KEY_WORDS + 6 };

static inline void mode_expandkey(uint8_t *w, const uint8_t *key)
{
    aes_expandkey_any(w, key, MODE_KEY_WORDS);
}

/* One block; out == in is allowed. */
static inline void mode_encipher(uint8_t *out, const uint8_t *in, const uint8_t *w)
{
    aes_encrypt_any(out, in, w, MODE_ROUNDS);
}

/* Counter mode; the counter is the whole block, most significant byte first, and
 * goes on after a multiple of 128 bytes, or ends. */
static inline void mode_ctr(uint8_t *out, const uint8_t *in, uint64_t length, uint8_t *counter,
                     const uint8_t *w)
{
    while (length > 0) {
        const uint64_t n = length < 16 ? length : 16;
        uint8_t pad[16];
        mode_encipher(pad, counter, w);
        xor_bytes(out, in, pad, n);
        for (int i = 15; i >= 0 && ++counter[i] == 0; i--) continue;
        out += n;
        in += n;
        length -= n;
    }
}

/* CBC-MAC: mac = E(mac ^ block) for each whole block */
static inline void mode_cbc_mac(uint8_t *mac, const uint8_t *in, uint64_t blocks, const uint8_t *w)
{
    for (; blocks > 0; blocks--, in += 16) {
        xor_bytes(mac, mac, in, 16);
        mode_encipher(mac, mac, w);
    }
}

#endif
