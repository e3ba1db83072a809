/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_REGISTER_H
#define SOSEMANUK_REGISTER_H

/* The register of SOSEMANUK running ahead, by tables. */

#include "../_snow/alpha.h"
#include "bytes.h"

#define CHUNK 32
#define RING (4 * CHUNK)

typedef struct {
    uint32_t a[2 * RING]; /* register words t modulo RING, twice in a row */
} register_state;

#define ODD_TERMS(w) (w).a
#define ODD_TERM(a, x, t) (a[(t) + 1] ^ a[(t) + 8])

/* Words n .. m - 1 from the ten before */
static inline void words(register_state *w, uint32_t n, uint32_t m)
{
    uint32_t *high = w->a + RING + n % RING, last = high[-1];
    for (uint32_t i = 0; i < m - n; i++, high++) {
        last ^= alpha_divides(high[-7]) ^ alpha_times(high[-10]);
        high[0] = high[-RING] = last;
    }
}

static inline void eight_ahead(register_state *w, uint32_t t)
{
    words(w, t + 24, t + 32);
}

static inline void begin(register_state *w, const crypto_stream_state *z)
{
    memcpy(w->a, z->a, sizeof z->a);
    memcpy(w->a + RING, z->a, sizeof z->a);
    words(w, 10, 24);
}

#endif
