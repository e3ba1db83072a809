/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../../_rainbow/portable.h"

#define BITS 8
#include "../../_multivariate/planes.h"

static int solves(const uint8_t *pk, const uint8_t x[VARIABLES], const uint8_t values[EQUATIONS])
{
    struct planes planes;
    uint8_t at[ALL], terms[TERMS], *next = terms, differs = 0;
    memcpy(at, x, VARIABLES);
    at[VARIABLES] = 1;
    for (int i = 0; i < ALL; i++)
        for (int j = i; j < ALL; j++) *next++ = mul(at[i], at[j]);
    planes_of(&planes, terms);
    for (int k = 0; k < EQUATIONS; k++) differs |= equation(pk + TERMS * k, &planes) ^ values[k];
    return differs == 0;
}

#include "../../_rainbow/api.h"
