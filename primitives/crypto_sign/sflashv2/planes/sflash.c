/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_sflash/ext_planes.h"
#include "../../_sflash/portable.h"

#define BITS 7
#include "../../_multivariate/planes.h"

static int solves(const uint8_t *pk, const uint8_t x[N], const uint8_t y[PUBLISHED])
{
    struct planes planes;
    uint8_t terms[TERMS], *next = terms, differs = 0;
    *next++ = 1;
    for (int j = 0; j < N; j++) {
        *next++ = x[j];
        for (int k = j; k < N; k++) *next++ = mul(x[j], x[k]);
    }
    planes_of(&planes, terms);
    for (int i = 0; i < PUBLISHED; i++) differs |= equation(pk + TERMS * i, &planes) ^ y[i];
    return differs == 0;
}

#include "../../_sflash/api.h"
