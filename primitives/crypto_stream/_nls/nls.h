/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NLS_H
#define NLS_H

/* The shift register of NLS version 1, as its specification reads. */

#include "bytes.h"
#include "tables.h"

#define NLS_KONST 0x6996c53au /* konst until the key has given one */
#define NLS_WRAP 65537u       /* the cycle at which R[2] gets a push */

typedef struct {
    uint32_t r[17];
    uint32_t konst;
    uint64_t ctr; /* cycles since the nonce was loaded */
} nls_register;

static inline void nls_cycle(nls_register *s)
{
    uint32_t t = rotl32(s->r[0], 19) + rotl32(s->r[15], 9) + s->konst;
    t ^= nls_sbox[t >> 24] ^ s->r[4];
    memmove(s->r, s->r + 1, 16 * sizeof *s->r);
    s->r[16] = t;
    if (++s->ctr == NLS_WRAP) s->r[2] += NLS_WRAP;
}

static inline uint32_t nls_tap(const nls_register *s)
{
    return (s->r[0] + s->r[16]) ^ (s->r[1] + s->konst) ^ (s->r[6] + s->r[13]);
}

static inline void nls_mix(nls_register *s)
{
    nls_cycle(s);
    s->r[4] ^= nls_tap(s);
}

/* Loads a key or a nonce; length is a multiple of 4. */
static inline void nls_load(nls_register *s, const uint8_t *p, uint32_t length)
{
    for (uint32_t i = 0; i < length; i += 4) {
        s->r[15] += load_le32(p + i);
        nls_mix(s);
    }
    s->r[15] += length;
    for (int i = 0; i < 17; i++) nls_mix(s);
}

static inline void nls_expandkey(nls_register *s, const uint8_t *key)
{
    uint32_t v;
    s->r[0] = s->r[1] = 1;
    for (int i = 2; i < 17; i++) s->r[i] = s->r[i - 1] + s->r[i - 2];
    s->konst = NLS_KONST;
    s->ctr = 0;
    nls_load(s, key, 16);
    do {
        nls_cycle(s);
        v = nls_tap(s);
    } while (v >> 24 == 0);
    s->konst = v;
}

/* Starts a packet in *s, a copy of what nls_expandkey left. */
static inline void nls_loadnonce(nls_register *s, const uint8_t *nonce)
{
    s->ctr = 0;
    nls_load(s, nonce, 16);
    s->ctr = 0;
}

#endif
