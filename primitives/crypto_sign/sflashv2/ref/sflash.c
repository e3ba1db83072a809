/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_sflash/ext_ref.h"
#include "../../_sflash/portable.h"

static int solves(const uint8_t *pk, const uint8_t x[N], const uint8_t y[PUBLISHED])
{
    uint8_t differs = 0;
    for (int i = 0; i < PUBLISHED; i++) {
        uint8_t value = *pk++;
        for (int j = 0; j < N; j++) {
            uint8_t sum = *pk++;
            for (int k = j; k < N; k++) sum ^= mul(x[k], *pk++);
            value ^= mul(x[j], sum);
        }
        differs |= value ^ y[i];
    }
    return differs == 0;
}

#include "../../_sflash/api.h"
