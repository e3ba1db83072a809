/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RC6_WIDE_H
#define RC6_WIDE_H

/* RC6 on vectors: word i of many blocks in vector i, n such sets together, so
 * that one has work while another waits for its products.  A file that includes
 * this one defines before
 *
 *   rc6_vector                     unsigned 32-bit words, with + - ^
 *   RC6_ALL(w)                     the word w in all places
 *   RC6_MUL(x, y)                  low halves of the products
 *   RC6_ROTL(x, n), RC6_ROTLV(x, y), RC6_ROTRV(x, y)   by n; by y mod 32
 */

#include "rc6.h"

#define RC6_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define RC6_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RC6_UNROLL _Pragma("GCC unroll 8")
#endif

typedef struct {
    rc6_vector a, b, c, d;
} rc6_set;

RC6_INLINE rc6_vector rc6_quadratic(rc6_vector x)
{
    return RC6_ROTL(RC6_MUL(x, x + x + RC6_ALL(1)), 5);
}

RC6_INLINE void rc6_encrypt_sets(rc6_set *x, int n, const uint32_t *S)
{
    RC6_UNROLL for (int j = 0; j < n; j++)
    {
        x[j].b = x[j].b + RC6_ALL(S[0]);
        x[j].d = x[j].d + RC6_ALL(S[1]);
    }
    for (int i = 2; i <= 2 * RC6_ROUNDS; i += 2) {
        RC6_UNROLL for (int j = 0; j < n; j++)
        {
            const rc6_vector t = rc6_quadratic(x[j].b), u = rc6_quadratic(x[j].d);
            const rc6_vector a = RC6_ROTLV(x[j].a ^ t, u) + RC6_ALL(S[i]);
            const rc6_vector c = RC6_ROTLV(x[j].c ^ u, t) + RC6_ALL(S[i + 1]);
            x[j] = (rc6_set){x[j].b, c, x[j].d, a};
        }
    }
    RC6_UNROLL for (int j = 0; j < n; j++)
    {
        x[j].a = x[j].a + RC6_ALL(S[RC6_WORDS - 2]);
        x[j].c = x[j].c + RC6_ALL(S[RC6_WORDS - 1]);
    }
}

RC6_INLINE void rc6_decrypt_sets(rc6_set *x, int n, const uint32_t *S)
{
    RC6_UNROLL for (int j = 0; j < n; j++)
    {
        x[j].a = x[j].a - RC6_ALL(S[RC6_WORDS - 2]);
        x[j].c = x[j].c - RC6_ALL(S[RC6_WORDS - 1]);
    }
    for (int i = 2 * RC6_ROUNDS; i > 0; i -= 2) {
        RC6_UNROLL for (int j = 0; j < n; j++)
        {
            const rc6_vector b = x[j].a, d = x[j].c;
            const rc6_vector t = rc6_quadratic(b), u = rc6_quadratic(d);
            const rc6_vector a = RC6_ROTRV(x[j].d - RC6_ALL(S[i]), u) ^ t;
            const rc6_vector c = RC6_ROTRV(x[j].b - RC6_ALL(S[i + 1]), t) ^ u;
            x[j] = (rc6_set){a, b, c, d};
        }
    }
    RC6_UNROLL for (int j = 0; j < n; j++)
    {
        x[j].b = x[j].b - RC6_ALL(S[0]);
        x[j].d = x[j].d - RC6_ALL(S[1]);
    }
}

#endif
