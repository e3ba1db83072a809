/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_BLOCKCIPHER_REF_H
#define AES_BLOCKCIPHER_REF_H

/* The inverse of AES as FIPS 197 writes it, beside the cipher. */

#include "../../crypto_stream/_aes/cipher_any.h"
#include "inverse_sbox.h"

static void aes_inverse_subbytes_shiftrows(uint8_t *s)
{
    uint8_t t[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) t[4 * ((c + r) % 4) + r] = aes_inverse_sbox[s[4 * c + r]];
    memcpy(s, t, 16);
}

/* InvMixColumns: {0b}x^3 + {0d}x^2 + {09}x + {0e} is the polynomial of MixColumns
 * times {04}x^2 + {05}. */
static void aes_inverse_mixcolumns(uint8_t *s)
{
    for (int c = 0; c < 4; c++) {
        uint8_t *a = s + 4 * c;
        const uint8_t u = aes_xtime(aes_xtime(a[0] ^ a[2])), v = aes_xtime(aes_xtime(a[1] ^ a[3]));
        a[0] ^= u;
        a[1] ^= v;
        a[2] ^= u;
        a[3] ^= v;
    }
    aes_mixcolumns(s);
}

/* InvCipher, section 5.3.  out == in is allowed. */
static inline void aes_decrypt_any(uint8_t *out, const uint8_t *in, const uint8_t *w, int rounds)
{
    uint8_t s[16];
    memcpy(s, in, 16);
    aes_addroundkey(s, w + 16 * rounds);
    for (int round = rounds - 1; round > 0; round--) {
        aes_inverse_subbytes_shiftrows(s);
        aes_addroundkey(s, w + 16 * round);
        aes_inverse_mixcolumns(s);
    }
    aes_inverse_subbytes_shiftrows(s);
    aes_addroundkey(s, w);
    memcpy(out, s, 16);
}

#endif
