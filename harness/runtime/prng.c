/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Deterministic bytes: splitmix64 (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014). Not for cryptographic use. */
#include "harness.h"

static uint64_t state;

void prng_seed(uint64_t seed)
{
    state = seed;
}

uint64_t prng_word(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void prng_fill(uint8_t *out, size_t length)
{
    for (; length >= 8; out += 8, length -= 8) {
        const uint64_t word = prng_word();
        for (unsigned i = 0; i < 8; i++) out[i] = (uint8_t)(word >> 8 * i); /* one store on little-endian machines */
    }
    if (!length) return;
    const uint64_t word = prng_word();
    for (unsigned i = 0; i < length; i++) out[i] = (uint8_t)(word >> 8 * i);
}
