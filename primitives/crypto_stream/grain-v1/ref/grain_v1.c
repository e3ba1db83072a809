/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain v1, bit by bit, with the specification's numbers for the register bits.
 * Written to be compared with the specification, not to be fast. */

#include <stdint.h>

enum { SIZE = 80, NONCE_BITS = 64 };

static unsigned output(const uint8_t *s, const uint8_t *b)
{
    unsigned x0 = s[3], x1 = s[25], x2 = s[46], x3 = s[64], x4 = b[63];
    unsigned h = x1 ^ x4 ^ (x0 & x3) ^ (x2 & x3) ^ (x3 & x4) ^ (x0 & x1 & x2) ^
                 (x0 & x2 & x3) ^ (x0 & x2 & x4) ^ (x1 & x2 & x4) ^ (x2 & x3 & x4);

    return b[1] ^ b[2] ^ b[4] ^ b[10] ^ b[31] ^ b[43] ^ b[56] ^ h;
}

static unsigned linear_feedback(const uint8_t *s)
{
    return s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0];
}

static unsigned nonlinear_feedback(const uint8_t *s, const uint8_t *b)
{
    return s[0] ^ b[62] ^ b[60] ^ b[52] ^ b[45] ^ b[37] ^ b[33] ^ b[28] ^ b[21] ^
           b[14] ^ b[9] ^ b[0] ^ (b[63] & b[60]) ^ (b[37] & b[33]) ^
           (b[15] & b[9]) ^ (b[60] & b[52] & b[45]) ^ (b[33] & b[28] & b[21]) ^
           (b[63] & b[45] & b[28] & b[9]) ^ (b[60] & b[52] & b[37] & b[33]) ^
           (b[63] & b[60] & b[21] & b[15]) ^ (b[63] & b[60] & b[52] & b[45] & b[37]) ^
           (b[33] & b[28] & b[21] & b[15] & b[9]) ^
           (b[52] & b[45] & b[37] & b[33] & b[28] & b[21]);
}

#include "../../_grain/ref.h"
