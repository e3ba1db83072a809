/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_TYPES_H
#define FALCON_TYPES_H

#include <stdint.h>

#define FALCON_N (1u << FALCON_LOGN)

#define crypto_sign_PRECOMPUTES 1

typedef struct {
    uint16_t h[FALCON_N]; /* the public key, transformed */
} crypto_sign_expanded_public;

typedef struct {
    double basis[2][2][FALCON_N];           /* [[g, -f], [G, -F]], transformed */
    double tree[FALCON_N * (FALCON_LOGN + 1)]; /* the Falcon tree: tree.h */
} crypto_sign_expanded_secret;

#endif
