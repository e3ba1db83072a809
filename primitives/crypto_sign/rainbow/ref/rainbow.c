/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_rainbow/portable.h"

static int solves(const uint8_t *pk, const uint8_t x[VARIABLES], const uint8_t values[EQUATIONS])
{
    uint8_t at[ALL], differs = 0;
    memcpy(at, x, VARIABLES);
    at[VARIABLES] = 1;
    for (int k = 0; k < EQUATIONS; k++) {
        uint8_t value = 0;
        for (int i = 0; i < ALL; pk += ALL - i, i++) value ^= mul(at[i], dot(pk, at + i, ALL - i));
        differs |= value ^ values[k];
    }
    return differs == 0;
}

#include "../../_rainbow/api.h"
