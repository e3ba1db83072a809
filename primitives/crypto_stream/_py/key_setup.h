/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PY_KEY_SETUP_H
#define PY_KEY_SETUP_H

/* Key set-up of the Py family, steps 1 to 7 of the sheet.  One long chain of
 * table look-ups, each address made from the look-up before: nothing to gain
 * by unrolling, so ref and the tunings share it. */

#include "bytes.h"
#include "parameters.h"
#include "permutation.h"

static void py_key_setup(uint32_t ky[PY_WORDS], const uint8_t *key)
{
    enum { K = crypto_stream_KEYBYTES, V = crypto_stream_NONCEBYTES };
    const uint8_t *ip = py_permutation;
    uint32_t s = ip[K - 1];
    s = s << 8 | ip[(s ^ (V - 1)) & 255];
    s = s << 8 | ip[(s ^ key[0]) & 255];
    s = s << 8 | ip[(s ^ key[K - 1]) & 255];
    for (int j = 0; j < K; j++) {
        s += key[j];
        s = rotl32(s, 8) ^ ip[s & 255];
    }
    for (int j = 0; j < K; j++) {
        s += key[j];
        s ^= rotl32(s, 8) + ip[s & 255];
    }
    for (int i = 0, j = 0; i < PY_WORDS; i++) {
        s += key[j];
        s = rotl32(s, 8) ^ ip[s & 255];
        ky[i] = s;
        if (++j == K) j = 0;
    }
}

#endif
