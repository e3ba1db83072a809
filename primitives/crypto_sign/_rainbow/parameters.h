/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RAINBOW_PARAMETERS_H
#define RAINBOW_PARAMETERS_H

/* What the implementations of Rainbow share: its sizes, the secret key's order.
 * Ding, Schmidt, Rainbow, a new multivariable polynomial signature scheme, ACNS
 * 2005, with the parameters of eBATS.  The field is GF(2)[X]/(X^8 + X^6 + X^3 +
 * X^2 + 1); bit i of a byte is X^i. */

#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#include "randombytes.h"

#include "../../_shared/sha2_small.h"

#define VARIABLES 43
#define ALL (VARIABLES + 1) /* and 1 */
#define EQUATIONS 32
#define TERMS 990     /* of an equation: 44 * 45 / 2 */
#define VINEGAR 11    /* variables that are drawn */
#define LAYERS 4
#define MOST_OILS 11
#define ATTEMPTS 100  /* at solvable layers, then signing gives up */

struct layer {
    int vinegar, oils;
};

static const struct layer layers[LAYERS] = {{11, 11}, {22, 5}, {27, 5}, {32, 11}};

/* A polynomial of a layer: oils times vinegars, a constant, the products of
 * vinegars, the linear part. */
static inline int constant_at(struct layer l)
{
    return l.oils * l.vinegar;
}

static inline int products_at(struct layer l)
{
    return constant_at(l) + 1;
}

static inline int linear_at(struct layer l)
{
    return products_at(l) + l.vinegar * (l.vinegar + 1) / 2;
}

static inline int polynomial_bytes(struct layer l)
{
    return linear_at(l) + l.vinegar + l.oils;
}

/* The secret key: affine part and inverse of the map of values, the layers,
 * affine part and inverse of the map of variables. */
#define CENTRAL_BYTES (11 * 210 + 5 * 391 + 5 * 546 + 11 * 924)
#define OUTER_AFFINE 0
#define OUTER_INVERSE (OUTER_AFFINE + EQUATIONS)
#define CENTRAL (OUTER_INVERSE + EQUATIONS * EQUATIONS)
#define INNER_AFFINE (CENTRAL + CENTRAL_BYTES)
#define INNER_INVERSE (INNER_AFFINE + VARIABLES)

#endif
