/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NLS_MAC_H
#define NLS_MAC_H

/* The functions of SHA-256 (FIPS 180-2, section 4.1.2) that Mundja, the MAC of
 * NLS, takes over. */

#include "bytes.h"
#include "multab.h"

static inline uint32_t nls_sum0(uint32_t x)
{
    return rotr32(x, 2) ^ rotr32(x, 13) ^ rotr32(x, 22);
}

static inline uint32_t nls_sum1(uint32_t x)
{
    return rotr32(x, 6) ^ rotr32(x, 11) ^ rotr32(x, 25);
}

static inline uint32_t nls_ch(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint32_t nls_maj(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (z & (x ^ y));
}

#endif
