/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128, bit by bit, with the specification's numbers for the register bits.
 * Written to be compared with the specification, not to be fast. */

#include <stdint.h>

enum { SIZE = 128, NONCE_BITS = 96 };

static unsigned output(const uint8_t *s, const uint8_t *b)
{
    unsigned h = (b[12] & s[8]) ^ (s[13] & s[20]) ^ (b[95] & s[42]) ^
                 (s[60] & s[79]) ^ (b[12] & b[95] & s[95]);

    return b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89] ^ s[93] ^ h;
}

static unsigned linear_feedback(const uint8_t *s)
{
    return s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96];
}

static unsigned nonlinear_feedback(const uint8_t *s, const uint8_t *b)
{
    return s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96] ^ (b[3] & b[67]) ^
           (b[11] & b[13]) ^ (b[17] & b[18]) ^ (b[27] & b[59]) ^ (b[40] & b[48]) ^
           (b[61] & b[65]) ^ (b[68] & b[84]);
}

#include "../../_grain/ref.h"
