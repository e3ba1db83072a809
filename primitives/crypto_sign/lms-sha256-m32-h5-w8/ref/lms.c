/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_lms/lms.h"

static void advance(hash chains[CHAINS], const uint8_t id[16], uint32_t q, const uint8_t from[CHAINS],
                    const uint8_t to[CHAINS])
{
    for (unsigned i = 0; i < CHAINS; i++)
        for (unsigned j = from[i]; j < to[i]; j++) {
            const uint8_t place = (uint8_t)j;
            struct hash h;
            begin(&h, id, q, i);
            hash_update(&h, &place, 1);
            hash_update(&h, chains[i], 32);
            hash_final(&h, chains[i]);
        }
}

#include "../../_lms/api.h"
