/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* See rng.h. */
#include "rng.h"

#include <string.h>

#include "../../primitives/crypto_blockcipher/_aes/ref.h"
#include "keccak.h"

static struct {
    uint8_t key[240], v[16];
    int rounds;
} drbg;

static void drbg_block(uint8_t *out)
{
    for (int i = 15; i >= 0 && !++drbg.v[i]; i--) continue;
    aes_encrypt_any(out, drbg.v, drbg.key, drbg.rounds);
}

static void drbg_update(const uint8_t *given)
{
    uint8_t t[SEED_BYTES];
    for (int i = 0; i < SEED_BYTES; i += 16) drbg_block(t + i);
    for (int i = 0; given && i < SEED_BYTES; i++) t[i] ^= given[i];
    drbg.rounds = aes_expandkey_any(drbg.key, t, 8);
    memcpy(drbg.v, t + 32, 16);
}

static void drbg_start(const uint8_t *seed)
{
    static const uint8_t zero[32];
    drbg.rounds = aes_expandkey_any(drbg.key, zero, 8);
    memset(drbg.v, 0, sizeof drbg.v);
    drbg_update(seed);
}

static void drbg_draw(unsigned char *x, unsigned long long length)
{
    uint8_t block[16];
    while (length) {
        const unsigned long long n = length < 16 ? length : 16;
        drbg_block(block);
        memcpy(x, block, (size_t)n);
        x += n, length -= n;
    }
    drbg_update(NULL);
}

const struct source source_drbg = {"drbg", drbg_start, drbg_draw};

#define SHAKE256_RATE 136

static keccak_sponge hqc;

static void hqc_start(const uint8_t *seed)
{
    static const uint8_t domain = 1;
    keccak_start(&hqc);
    keccak_absorb(&hqc, SHAKE256_RATE, seed, SEED_BYTES);
    keccak_absorb(&hqc, SHAKE256_RATE, &domain, 1);
    keccak_pad(&hqc, SHAKE256_RATE, 0x1f);
}

static void hqc_draw(unsigned char *x, unsigned long long length)
{
    keccak_squeeze(&hqc, SHAKE256_RATE, x, length);
}

const struct source source_hqc = {"hqc", hqc_start, hqc_draw};

static void surf(uint32_t *out, const uint32_t *in)
{
    static const uint32_t seed[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                                      2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
    static const int rotation[4] = {5, 7, 9, 13};
    uint32_t t[12], sum = 0;
    for (int i = 0; i < 12; i++) t[i] = in[i] ^ seed[12 + i];
    memcpy(out, seed + 24, 8 * sizeof *out);
    uint32_t x = t[11];
    for (int pass = 0; pass < 2; pass++) {
        for (int round = 0; round < 16; round++) {
            sum += 0x9e3779b9;
            for (int i = 0; i < 12; i++) x = t[i] += ((x ^ seed[i]) + sum) ^ rotl32(x, rotation[i % 4]);
        }
        for (int i = 0; i < 8; i++) out[i] ^= t[i + 4];
    }
}

void surf_draw(unsigned char *x, unsigned long long length)
{
    static uint32_t in[12], out[8];
    static int left;
    for (; length; length--) {
        if (!left) {
            for (int i = 0; i < 4 && !++in[i]; i++) continue;
            surf(out, in);
            left = 8;
        }
        *x++ = (unsigned char)out[--left];
    }
}
