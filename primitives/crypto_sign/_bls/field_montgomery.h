/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_FIELD_MONTGOMERY_H
#define BLS_FIELD_MONTGOMERY_H

/* For field.h: F_p in 192 bits, Montgomery's way.  LIMB_BITS, defined before, is 32
 * or 64; FIELD_X86, defined before, takes the instructions of field_x86.h.
 *
 * 2p is 32 bits below R: sums of less than 2^16 products can be reduced at once. */

#if LIMB_BITS == 64
#define LIMBS_192(a, b, c) {UINT64_C(c), UINT64_C(b), UINT64_C(a)}
#define FIELD_N0 UINT64_C(0xdba51cdd90bc6055)
#else
#define LIMBS_192(a, b, c)                                                     \
    {(uint32_t)(c), (uint32_t)(UINT64_C(c) >> 32), (uint32_t)UINT64_C(b),      \
     (uint32_t)(UINT64_C(b) >> 32), (uint32_t)(a), (uint32_t)(UINT64_C(a) >> 32)}
#define FIELD_N0 UINT32_C(0x90bc6055)
#endif

#define FIELD_BITS 192
#define FIELD_BYTES 20
#define FIELD_P LIMBS_192(0x7DDCA613, 0xA2E3DDB1749D0195, 0xBB9F14CF44626303)
#define FIELD_2P LIMBS_192(0xFBB94C27, 0x45C7BB62E93A032B, 0x773E299E88C4C606)
#define FIELD_R2 LIMBS_192(0x0d2ca526, 0x1f39af53c87b75ab, 0xb645a14677399c24)
#ifdef FIELD_X86
#define FIELD_OPERATIONS "field_x86.h"
#endif
#if LIMB_BITS == 32
/* 36 multiplications of limbs each: inlined everywhere, they are 140 kilobytes of code. */
#define FIELD_FUNCTION static __attribute__((noinline))
#endif
#include "montgomery.h"

#ifndef FIELD_X86

FIELD_FUNCTION void fp_sum3(fp *r, const fp a[3], const fp b[3])
{
    limb t[2 * LIMBS] = {0};

    for (int k = 0; k < 3; k++) limbs_multiply_add(t, a[k].w, b[k].w);
    limbs_reduce(r, t);
}

#endif

#endif
