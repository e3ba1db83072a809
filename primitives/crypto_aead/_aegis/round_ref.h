/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AEGIS_ROUND_REF_H
#define AEGIS_ROUND_REF_H

/* AESRound(in, rk) of draft-irtf-cfrg-aegis-aead: SubBytes, ShiftRows,
 * MixColumns and AddRoundKey of FIPS 197 on a state of 16 bytes. */

#include <stdint.h>
#include <string.h>

#include "../../crypto_stream/_aes/sbox.h"

typedef struct {
    uint8_t b[16];
} aegis_block;

static uint8_t aegis_xtime(uint8_t x)
{
    return (uint8_t)((x << 1) ^ ((x >> 7) * 0x1b));
}

static aegis_block aegis_round(aegis_block in, aegis_block rk)
{
    aegis_block out;
    for (int c = 0; c < 4; c++) {
        uint8_t a[4], sum = 0;
        for (int r = 0; r < 4; r++) {
            a[r] = aes_sbox[in.b[4 * ((c + r) % 4) + r]];
            sum ^= a[r];
        }
        for (int r = 0; r < 4; r++)
            out.b[4 * c + r] = (uint8_t)(a[r] ^ sum ^ aegis_xtime(a[r] ^ a[(r + 1) % 4]) ^ rk.b[4 * c + r]);
    }
    return out;
}

static aegis_block aegis_xor(aegis_block x, aegis_block y)
{
    for (int i = 0; i < 16; i++) x.b[i] ^= y.b[i];
    return x;
}

static aegis_block aegis_and(aegis_block x, aegis_block y)
{
    for (int i = 0; i < 16; i++) x.b[i] &= y.b[i];
    return x;
}

static aegis_block aegis_load(const uint8_t *in)
{
    aegis_block x;
    memcpy(x.b, in, 16);
    return x;
}

static void aegis_store(uint8_t *out, aegis_block x)
{
    memcpy(out, x.b, 16);
}

#define AEGIS_INLINE static inline
#define AEGIS_UNROLL

#endif
