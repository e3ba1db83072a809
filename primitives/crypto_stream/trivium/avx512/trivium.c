/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Trivium with the registers in the lanes of a vector (see lanes.h): with
 * AVX-512 VBMI2 a tap is one double-width shift by lane (vpshldvq), and a step 10
 * instructions, bound by the 5 cycles of rotate, deep and the last XOR.  The
 * compiler finds the three-operand logic (vpternlogq). */

#include "crypto_stream.h"

#include "../../_trivium/lanes.h"

INLINE __m256i deep(__m256i now, __m256i before, __m256i depth)
{
    /* The count is taken modulo 64: depth - 64.  Not _mm256_shldv_epi64: clang 14
     * sees the constant counts and turns it into two shifts and an OR. */
    __asm__("vpshldvq %2, %1, %0" : "+v"(now) : "v"(before), "v"(depth));
    return now;
}
