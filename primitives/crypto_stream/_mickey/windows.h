/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A table of MICKEY-128 2.0 seen through a 64-bit window. */

#ifndef MICKEY_WINDOWS_H
#define MICKEY_WINDOWS_H

#include "tables.h"

/* Bits first .. first + 63 of a table, -63 <= first < 128; zeros around it */
static inline uint64_t window(const uint32_t table[5], int first)
{
    uint64_t w0 = table[0] | (uint64_t)table[1] << 32;
    uint64_t w1 = table[2] | (uint64_t)table[3] << 32;

    if (first <= 0) return w0 << -first;
    if (first < 64) return w0 >> first | w1 << (64 - first);
    if (first == 64) return w1;
    return w1 >> (first - 64) | (uint64_t)table[4] << (128 - first);
}

#endif
