/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_ROUNDS_H
#define SERPENT_ROUNDS_H

/* The 32 rounds of Serpent on n sets of four words of any type, every
 * word of a type being one slice of one block, or of several side by side.  A
 * header or file that includes this one defines before
 *
 *   SERPENT_WORD              the type, with & | ^ ~ or a TERNARY
 *   SERPENT_KEY(w)            a SERPENT_WORD that is the 32-bit word w everywhere
 *   SERPENT_ROTL(x, n)        in each 32-bit word
 *   SERPENT_SHL(x, n)
 *   SERPENT_XOR3(a, b, c)
 *   SERPENT_CIRCUIT(name)     S-box S0 ... S7 or inverse I0 ... I7 (sboxes.h,
 *                             sboxes_ternary.h)
 *
 * n is a constant where this is inlined; the sets go through each round together,
 * so that one has work while the other waits. */

#include <stdint.h>

#define SERPENT_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define SERPENT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SERPENT_UNROLL _Pragma("GCC unroll 8")
#endif

typedef struct {
    SERPENT_WORD x0, x1, x2, x3;
} serpent_set;

SERPENT_INLINE void serpent_add(serpent_set *s, int n, const uint32_t k[4])
{
    SERPENT_UNROLL for (int i = 0; i < n; i++) {
        s[i].x0 = s[i].x0 ^ SERPENT_KEY(k[0]);
        s[i].x1 = s[i].x1 ^ SERPENT_KEY(k[1]);
        s[i].x2 = s[i].x2 ^ SERPENT_KEY(k[2]);
        s[i].x3 = s[i].x3 ^ SERPENT_KEY(k[3]);
    }
}

/* The linear transformation */
SERPENT_INLINE void serpent_mix(serpent_set *s, int n)
{
    SERPENT_UNROLL for (int i = 0; i < n; i++) {
        s[i].x0 = SERPENT_ROTL(s[i].x0, 13);
        s[i].x2 = SERPENT_ROTL(s[i].x2, 3);
        s[i].x1 = SERPENT_ROTL(SERPENT_XOR3(s[i].x1, s[i].x0, s[i].x2), 1);
        s[i].x3 = SERPENT_ROTL(SERPENT_XOR3(s[i].x3, s[i].x2, SERPENT_SHL(s[i].x0, 3)), 7);
        s[i].x0 = SERPENT_ROTL(SERPENT_XOR3(s[i].x0, s[i].x1, s[i].x3), 5);
        s[i].x2 = SERPENT_ROTL(SERPENT_XOR3(s[i].x2, s[i].x3, SERPENT_SHL(s[i].x1, 7)), 22);
    }
}

SERPENT_INLINE void serpent_mix_back(serpent_set *s, int n)
{
    SERPENT_UNROLL for (int i = 0; i < n; i++) {
        s[i].x2 = SERPENT_XOR3(SERPENT_ROTL(s[i].x2, 10), s[i].x3, SERPENT_SHL(s[i].x1, 7));
        s[i].x0 = SERPENT_XOR3(SERPENT_ROTL(s[i].x0, 27), s[i].x1, s[i].x3);
        s[i].x3 = SERPENT_XOR3(SERPENT_ROTL(s[i].x3, 25), s[i].x2, SERPENT_SHL(s[i].x0, 3));
        s[i].x1 = SERPENT_XOR3(SERPENT_ROTL(s[i].x1, 31), s[i].x0, s[i].x2);
        s[i].x2 = SERPENT_ROTL(s[i].x2, 29);
        s[i].x0 = SERPENT_ROTL(s[i].x0, 19);
    }
}

#define SERPENT_BOX(name, s)                                                   \
    SERPENT_UNROLL for (int i = 0; i < n; i++)                      \
        name(SERPENT_WORD, (s)[i].x0, (s)[i].x1, (s)[i].x2, (s)[i].x3)

#define SERPENT_ROUND(name, s, k)                                              \
    serpent_add(s, n, k);                                                         \
    SERPENT_BOX(name, s)

#define SERPENT_ROUND_BACK(name, s, k)                                         \
    SERPENT_BOX(name, s)                                                       \
    serpent_add(s, n, k)

/* Eight rounds at a time, which every S-box serves once */
SERPENT_INLINE void serpent_encrypt_sets(serpent_set *s, int n, const uint32_t k[33][4])
{
    for (int r = 0;; r += 8) {
        SERPENT_ROUND(SERPENT_CIRCUIT(S0), s, k[r]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S1), s, k[r + 1]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S2), s, k[r + 2]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S3), s, k[r + 3]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S4), s, k[r + 4]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S5), s, k[r + 5]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S6), s, k[r + 6]) serpent_mix(s, n);
        SERPENT_ROUND(SERPENT_CIRCUIT(S7), s, k[r + 7])
        if (r == 24) break;
        serpent_mix(s, n);
    }
    serpent_add(s, n, k[32]);
}

SERPENT_INLINE void serpent_decrypt_sets(serpent_set *s, int n, const uint32_t k[33][4])
{
    serpent_add(s, n, k[32]);
    for (int r = 24;; r -= 8) {
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I7), s, k[r + 7]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I6), s, k[r + 6]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I5), s, k[r + 5]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I4), s, k[r + 4]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I3), s, k[r + 3]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I2), s, k[r + 2]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I1), s, k[r + 1]);
        serpent_mix_back(s, n);
        SERPENT_ROUND_BACK(SERPENT_CIRCUIT(I0), s, k[r]);
        if (r == 0) break;
        serpent_mix_back(s, n);
    }
}

#endif
