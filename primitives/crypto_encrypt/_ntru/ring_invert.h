/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_RING_INVERT_H
#define NTRU_RING_INVERT_H

/* For ring_vector.h: inverses by Euclid's algorithm on (X^N - 1, f), one leading
 * coefficient a step.
 *
 * Values are kept reversed, the leading coefficient in value[0]: a step
 *     a -= c X^(deg a - deg b) b,   then away with the 0 in front
 * needs no shift by the difference of the degrees, only one by 1.  Factors (f times
 * the factor is the value, modulo X^N - 1) are kept in order, behind N zeros, so
 * that X^shift times one is a load from further ahead.  The factor of a stays below
 * degree N - deg b + 1.
 *
 * Coefficients are in 0 .. 2q-1 on the way: with c and c' = floor(2^16 c / q),
 * c y - floor(c' y / 2^16) q is c y modulo q and in the same range (Shoup). */

#define INVERT_PAD (2 * VEC_LANES)

struct remainder {
    int degree; /* of value; -1 = 0 */
    uint16_t value[NTRU_N + 1 + INVERT_PAD];
    uint16_t factor[2 * NTRU_N + 1 + INVERT_PAD]; /* from [NTRU_N] on */
};

struct multiplier {
    vec c, quotient;
};

/* x + c y */
static inline vec v_multiply_add(vec x, vec y, struct multiplier m)
{
    vec p = v_low(y, m.c), n = v_low(v_high(y, m.quotient), v_all(NTRU_Q));

    x = v_add(x, v_sub(p, n));
    return v_min(x, v_sub(x, v_all(2 * NTRU_Q)));
}

/* value[0] of a becomes 0, and goes; so do further zeros in front. */
static void step_value(struct remainder *a, const struct remainder *b,
                       struct multiplier m)
{
    for (int i = 0; i <= a->degree; i += VEC_LANES)
        v_store(a->value + i, v_multiply_add(v_load(a->value + i + 1),
                                             v_load(b->value + i + 1), m));
    a->degree--;
    while (a->degree >= 0 && a->value[0] % NTRU_Q == 0) {
        memmove(a->value, a->value + 1, sizeof a->value - sizeof a->value[0]);
        a->degree--;
    }
}

static void step_factor(struct remainder *a, const struct remainder *b,
                        struct multiplier m, int shift)
{
    uint16_t *to = a->factor + NTRU_N;
    const uint16_t *from = b->factor + NTRU_N - shift;

    for (int i = 0; i <= NTRU_N - b->degree; i += VEC_LANES)
        v_store(to + i, v_multiply_add(v_load(to + i), v_load(from + i), m));
}

/* inverse[x] = 1/x modulo q, as q = (q/x) x + q%x. */
static void invert_numbers(uint16_t inverse[NTRU_Q])
{
    inverse[1] = 1;
    for (uint32_t x = 2; x < NTRU_Q; x++)
        inverse[x] =
            (uint16_t)((NTRU_Q - NTRU_Q / x) * inverse[NTRU_Q % x] % NTRU_Q);
}

/* Until the value of one of both is a constant or 0: that one. */
static struct remainder *divide(struct remainder *a, struct remainder *b,
                                const uint16_t *inverse, int with_factors)
{
    while (b->degree > 0) {
        uint32_t lead = inverse[b->value[0] % NTRU_Q];
        while (a->degree >= b->degree) {
            uint32_t c = NTRU_Q - a->value[0] % NTRU_Q * lead % NTRU_Q;
            struct multiplier m = {v_all(c), v_all((c << 16) / NTRU_Q)};
            int shift = a->degree - b->degree;
            step_value(a, b, m);
            if (with_factors) step_factor(a, b, m, shift);
        }
        struct remainder *t = a;
        a = b;
        b = t;
    }
    return b;
}

static int ring_invert(ring_element *out, const ring_element *f)
{
    struct remainder a = {.degree = NTRU_N}, b = {.degree = NTRU_N - 1};
    uint16_t inverse[NTRU_Q];

    invert_numbers(inverse);
    a.value[0] = 1;
    a.value[NTRU_N] = NTRU_Q - 1;
    b.factor[NTRU_N] = 1;
    while (b.degree >= 0 && f->c[b.degree] == 0) b.degree--;
    for (int i = 0; i <= b.degree; i++) b.value[i] = f->c[b.degree - i];
    const struct remainder *last = divide(&a, &b, inverse, out != 0);
    if (last->degree < 0) return -1;
    uint32_t c = inverse[last->value[0] % NTRU_Q];
    for (int i = 0; out && i < NTRU_N; i++)
        out->c[i] = (uint16_t)(last->factor[NTRU_N + i] * c % NTRU_Q);
    return 0;
}

#endif
