/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LIBRARY_REDUCED_H
#define LIBRARY_REDUCED_H

/* For libraries that accept s + L as well as s in a signature of EdDSA (Wycheproof: SignatureMalleability):
 * whether s < L, as RFC 8032 wants.  All numbers little-endian. */

static inline int scalar_is_below(const unsigned char *s, const unsigned char *order, int length)
{
    for (int i = length - 1; i >= 0; i--)
        if (s[i] != order[i]) return s[i] < order[i];
    return 0;
}

/* L = 2^252 + 27742317777372353535851937790883648493 */
static inline int ed25519_is_reduced(const unsigned char s[32])
{
    static const unsigned char order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                            0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                            0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
    return scalar_is_below(s, order, 32);
}

#endif
