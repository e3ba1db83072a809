/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_FIELD_X86_H
#define BLS_FIELD_X86_H

/* For field_montgomery.h with limbs of 64 bits: the same arithmetic with mulx and
 * the two carry chains of adcx and adox.
 *
 * A product of two numbers below 2p < 2^160 is made row by row, and a row below
 * 2^224 added to what is left of the sum so far, below 2^227: four limbs never
 * overflow, the lowest of them is reduced away, and its register is the highest of
 * the next row. */

/* w3 w2 w1 w0 += rdx * the number at A; z = 0 */
#define X86_ROW(A, w0, w1, w2, w3)                                             \
    "xorl %k[z], %k[z]\n\t"                                                    \
    "mulx " A(0) ", %[lo], %[hi]\n\t"                                          \
    "adcx %[lo], %[" w0 "]\n\tadox %[hi], %[" w1 "]\n\t"                       \
    "mulx " A(8) ", %[lo], %[hi]\n\t"                                          \
    "adcx %[lo], %[" w1 "]\n\tadox %[hi], %[" w2 "]\n\t"                       \
    "mulx " A(16) ", %[lo], %[hi]\n\t"                                         \
    "adcx %[lo], %[" w2 "]\n\tadox %[hi], %[" w3 "]\n\t"                       \
    "adcx %[z], %[" w3 "]\n\t"
#define X86_AT(offset) #offset "(%[a])"
#define X86_AT_1(offset) "24+" #offset "(%[a])"
#define X86_AT_2(offset) "48+" #offset "(%[a])"
#define X86_AT_P(offset) #offset "+%[p]"
#define X86_LIMB(offset) "movq " #offset "(%[b]), %%rdx\n\t"

/* w0 becomes 0 modulo 2^64 */
#define X86_REDUCE(w0, w1, w2, w3)                                             \
    "movq %[n0], %%rdx\n\timulq %[" w0 "], %%rdx\n\t"                          \
    X86_ROW(X86_AT_P, w0, w1, w2, w3)

#define X86_MULTIPLY(i, w0, w1, w2, w3)                                        \
    X86_LIMB(i) X86_ROW(X86_AT, w0, w1, w2, w3) X86_REDUCE(w0, w1, w2, w3)
#define X86_SUM(i, w0, w1, w2, w3)                                             \
    X86_LIMB(i) X86_ROW(X86_AT, w0, w1, w2, w3)                                \
    X86_LIMB(24 + i) X86_ROW(X86_AT_1, w0, w1, w2, w3)                         \
    X86_LIMB(48 + i) X86_ROW(X86_AT_2, w0, w1, w2, w3)                         \
    X86_REDUCE(w0, w1, w2, w3)

/* The result stands in w3, w0, w1, lowest first. */
#define X86_THREE_ROWS(STEP)                                                   \
    STEP(0, "w0", "w1", "w2", "w3")                                            \
    STEP(8, "w1", "w2", "w3", "w0")                                            \
    STEP(16, "w2", "w3", "w0", "w1")

static inline void fp_mul(fp *r, const fp *a, const fp *b)
{
    limb w0 = 0, w1 = 0, w2 = 0, w3 = 0, lo, hi, z;

    __asm__(X86_THREE_ROWS(X86_MULTIPLY)
            : [w0] "+&r"(w0), [w1] "+&r"(w1), [w2] "+&r"(w2), [w3] "+&r"(w3),
              [lo] "=&r"(lo), [hi] "=&r"(hi), [z] "=&r"(z)
            : [a] "r"(a), [b] "r"(b), [p] "m"(field_p), [n0] "m"(field_n0),
              "m"(*a), "m"(*b)
            : "rdx", "cc");
    r->w[0] = w3;
    r->w[1] = w0;
    r->w[2] = w1;
}

static inline void fp_sum3(fp *r, const fp a[3], const fp b[3])
{
    limb w0 = 0, w1 = 0, w2 = 0, w3 = 0, lo, hi, z;

    __asm__(X86_THREE_ROWS(X86_SUM)
            : [w0] "+&r"(w0), [w1] "+&r"(w1), [w2] "+&r"(w2), [w3] "+&r"(w3),
              [lo] "=&r"(lo), [hi] "=&r"(hi), [z] "=&r"(z)
            : [a] "r"(a), [b] "r"(b), [p] "m"(field_p), [n0] "m"(field_n0),
              "m"(*(const fp(*)[3])a), "m"(*(const fp(*)[3])b)
            : "rdx", "cc");
    r->w[0] = w3;
    r->w[1] = w0;
    r->w[2] = w1;
}

static inline void fp_sub(fp *r, const fp *a, const fp *b)
{
    limb x0 = a->w[0], x1 = a->w[1], x2 = a->w[2], mask;
    limb y0 = field_2p[0], y1 = field_2p[1], y2 = field_2p[2];

    __asm__("subq %[b0], %[x0]\n\tsbbq %[b1], %[x1]\n\tsbbq %[b2], %[x2]\n\t"
            "sbbq %[mask], %[mask]\n\t"
            "andq %[mask], %[y0]\n\tandq %[mask], %[y1]\n\tandq %[mask], %[y2]\n\t"
            "addq %[y0], %[x0]\n\tadcq %[y1], %[x1]\n\tadcq %[y2], %[x2]"
            : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [y0] "+&r"(y0),
              [y1] "+&r"(y1), [y2] "+&r"(y2), [mask] "=&r"(mask)
            : [b0] "m"(b->w[0]), [b1] "m"(b->w[1]), [b2] "m"(b->w[2])
            : "cc");
    r->w[0] = x0;
    r->w[1] = x1;
    r->w[2] = x2;
}

static inline void fp_add(fp *r, const fp *a, const fp *b)
{
    limb x0 = a->w[0], x1 = a->w[1], x2 = a->w[2], y0, y1, y2;

    __asm__("addq %[b0], %[x0]\n\tadcq %[b1], %[x1]\n\tadcq %[b2], %[x2]\n\t"
            "movq %[x0], %[y0]\n\tmovq %[x1], %[y1]\n\tmovq %[x2], %[y2]\n\t"
            "subq %[p0], %[x0]\n\tsbbq %[p1], %[x1]\n\tsbbq %[p2], %[x2]\n\t"
            "cmovcq %[y0], %[x0]\n\tcmovcq %[y1], %[x1]\n\tcmovcq %[y2], %[x2]"
            : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [y0] "=&r"(y0),
              [y1] "=&r"(y1), [y2] "=&r"(y2)
            : [b0] "m"(b->w[0]), [b1] "m"(b->w[1]), [b2] "m"(b->w[2]),
              [p0] "m"(field_2p[0]), [p1] "m"(field_2p[1]), [p2] "m"(field_2p[2])
            : "cc");
    r->w[0] = x0;
    r->w[1] = x1;
    r->w[2] = x2;
}

#endif
