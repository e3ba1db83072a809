/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_LENGTHS_H
#define GCM_LENGTHS_H

/* SP 800-38D, section 5.2.1.1: plaintext up to 2^39 - 256 bits, associated
 * data up to 2^64 - 1 bits, of which whole bytes count here. */

#include <stdint.h>

static inline int gcm_lengths_allowed(uint64_t length, uint64_t ad_length)
{
    return length <= ((uint64_t)1 << 36) - 32 && ad_length >> 61 == 0;
}

#endif
