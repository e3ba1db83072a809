/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_FIELD_X86_H
#define BLS12381_FIELD_X86_H

/* For field.h with limbs of 64 bits: the same arithmetic with mulx and the two carry
 * chains of adcx and adox.
 *
 * A product is made row by row, a times a limb of b.  A row is below 2^446, two rows
 * below 2^447 and a multiple of p below 2^445, and what is left of the sum so far below
 * 2^384: seven limbs never overflow, the lowest of them is reduced away, and its
 * register is the highest of the next row. */

#define X86_STEP(A, offset, low, high)                                         \
    "mulx " A(offset) ", %[lo], %[hi]\n\t"                                     \
    "adcx %[lo], %[" low "]\n\tadox %[hi], %[" high "]\n\t"
/* w6 ... w0 += rdx * the number at A; z = 0 */
#define X86_ROW(A, w0, w1, w2, w3, w4, w5, w6)                                 \
    "xorl %k[z], %k[z]\n\t"                                                    \
    X86_STEP(A, 0, w0, w1) X86_STEP(A, 8, w1, w2) X86_STEP(A, 16, w2, w3)      \
    X86_STEP(A, 24, w3, w4) X86_STEP(A, 32, w4, w5) X86_STEP(A, 40, w5, w6)    \
    "adcx %[z], %[" w6 "]\n\t"
#define X86_AT(offset) #offset "(%[a])"
#define X86_AT_1(offset) "48+" #offset "(%[a])"
#define X86_AT_P(offset) #offset "+%[p]"
#define X86_LIMB(offset) "movq " #offset "(%[b]), %%rdx\n\t"

/* w0 becomes 0 modulo 2^64 */
#define X86_REDUCE(w0, ...)                                                    \
    "movq %[n0], %%rdx\n\timulq %[" w0 "], %%rdx\n\t"                          \
    X86_ROW(X86_AT_P, w0, __VA_ARGS__)
#define X86_MULTIPLY(i, ...)                                                   \
    X86_LIMB(i) X86_ROW(X86_AT, __VA_ARGS__) X86_REDUCE(__VA_ARGS__)
#define X86_SUM(i, ...)                                                        \
    X86_LIMB(i) X86_ROW(X86_AT, __VA_ARGS__)                                   \
    X86_LIMB(48 + i) X86_ROW(X86_AT_1, __VA_ARGS__) X86_REDUCE(__VA_ARGS__)

/* The result stands in w6, w0, ..., w4, lowest first. */
#define X86_SIX_ROWS(STEP)                                                     \
    STEP(0, "w0", "w1", "w2", "w3", "w4", "w5", "w6")                          \
    STEP(8, "w1", "w2", "w3", "w4", "w5", "w6", "w0")                          \
    STEP(16, "w2", "w3", "w4", "w5", "w6", "w0", "w1")                         \
    STEP(24, "w3", "w4", "w5", "w6", "w0", "w1", "w2")                         \
    STEP(32, "w4", "w5", "w6", "w0", "w1", "w2", "w3")                         \
    STEP(40, "w5", "w6", "w0", "w1", "w2", "w3", "w4")

/* All of a and b is read: "memory" instead of operands, for which clang takes registers. */
#define X86_PRODUCT(STEP)                                                      \
    limb w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0, w6 = 0, lo, hi, z;    \
    __asm__(X86_SIX_ROWS(STEP)                                                 \
            : [w0] "+&r"(w0), [w1] "+&r"(w1), [w2] "+&r"(w2), [w3] "+&r"(w3),  \
              [w4] "+&r"(w4), [w5] "+&r"(w5), [w6] "+&r"(w6), [lo] "=&r"(lo),  \
              [hi] "=&r"(hi), [z] "=&r"(z)                                     \
            : [a] "r"(a), [b] "r"(b), [p] "m"(field_p), [n0] "m"(field_n0)     \
            : "rdx", "cc", "memory");                                          \
    r->w[0] = w6, r->w[1] = w0, r->w[2] = w1;                                  \
    r->w[3] = w2, r->w[4] = w3, r->w[5] = w4

FIELD_FUNCTION void fp_mul(fp *r, const fp *a, const fp *b)
{
    X86_PRODUCT(X86_MULTIPLY);
}

FIELD_FUNCTION void fp_sum2(fp *r, const fp a[2], const fp b[2])
{
    X86_PRODUCT(X86_SUM);
}

/* Six instructions of a chain of carries, the operand of each with its place. */
#define X86_CHAIN(first, next, OPERANDS)                                       \
    first "q " OPERANDS(0) "\n\t" next "q " OPERANDS(1) "\n\t"                 \
    next "q " OPERANDS(2) "\n\t" next "q " OPERANDS(3) "\n\t"                  \
    next "q " OPERANDS(4) "\n\t" next "q " OPERANDS(5) "\n\t"
#define X86_B_TO_X(i) "%[b" #i "], %[x" #i "]"
#define X86_2P_TO_X(i) "8*" #i "+%[p], %[x" #i "]"
#define X86_2P_TO_Y(i) "8*" #i "+%[p], %[y" #i "]"
#define X86_X_TO_Y(i) "%[x" #i "], %[y" #i "]"
#define X86_Y_TO_X(i) "%[y" #i "], %[x" #i "]"
#define X86_0_TO_Y(i) "$0, %[y" #i "]"

#define X86_SUMMING(CODE)                                                      \
    limb x0 = a->w[0], x1 = a->w[1], x2 = a->w[2], x3 = a->w[3];               \
    limb x4 = a->w[4], x5 = a->w[5], y0, y1, y2, y3, y4, y5;                   \
    __asm__(CODE                                                               \
            : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3),  \
              [x4] "+&r"(x4), [x5] "+&r"(x5), [y0] "=&r"(y0), [y1] "=&r"(y1),  \
              [y2] "=&r"(y2), [y3] "=&r"(y3), [y4] "=&r"(y4), [y5] "=&r"(y5)   \
            : [b0] "m"(b->w[0]), [b1] "m"(b->w[1]), [b2] "m"(b->w[2]),         \
              [b3] "m"(b->w[3]), [b4] "m"(b->w[4]), [b5] "m"(b->w[5]),         \
              [p] "m"(field_2p)                                                \
            : "cc");                                                           \
    r->w[0] = x0, r->w[1] = x1, r->w[2] = x2;                                  \
    r->w[3] = x3, r->w[4] = x4, r->w[5] = x5

FIELD_FUNCTION void fp_add(fp *r, const fp *a, const fp *b)
{
    X86_SUMMING(X86_CHAIN("add", "adc", X86_B_TO_X) X86_CHAIN("mov", "mov", X86_X_TO_Y)
                X86_CHAIN("sub", "sbb", X86_2P_TO_X)
                X86_CHAIN("cmovc", "cmovc", X86_Y_TO_X));
}

/* mov leaves the borrow as it is */
FIELD_FUNCTION void fp_sub(fp *r, const fp *a, const fp *b)
{
    X86_SUMMING(X86_CHAIN("sub", "sbb", X86_B_TO_X) X86_CHAIN("mov", "mov", X86_0_TO_Y)
                X86_CHAIN("cmovc", "cmovc", X86_2P_TO_Y)
                X86_CHAIN("add", "adc", X86_Y_TO_X));
}

#endif
