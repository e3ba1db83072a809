/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_RING_REF_H
#define NTRU_RING_REF_H

/* The ring of scheme.h as its definition says, in portable C. */

#include <stdint.h>
#include <string.h>

typedef struct {
    uint16_t c[NTRU_N]; /* coefficients of X^0, X^1, ... */
} ring_element;

static void ring_multiply(ring_element *out, const ring_element *h,
                          const uint16_t *list, unsigned count)
{
    uint32_t sum[NTRU_N] = {0}; /* below N q < 2^19 */

    for (unsigned j = 0; j < count; j++) {
        for (unsigned i = 0; i < list[j]; i++)
            sum[i] += h->c[i + NTRU_N - list[j]];
        for (unsigned i = list[j]; i < NTRU_N; i++) sum[i] += h->c[i - list[j]];
    }
    for (int i = 0; i < NTRU_N; i++) out->c[i] = (uint16_t)(sum[i] % NTRU_Q);
}

/* x^(q-2), which is 1/x as q is prime. */
static uint32_t number_invert(uint32_t x)
{
    uint32_t result = 1;

    for (unsigned e = NTRU_Q - 2; e > 0; e >>= 1) {
        if (e & 1) result = result * x % NTRU_Q;
        x = x * x % NTRU_Q;
    }
    return result;
}

/* A remainder of Euclid's algorithm on (X^N - 1, f), and the polynomial by which
 * f is multiplied in it. */
struct remainder {
    int degree; /* of value */
    uint16_t value[NTRU_N + 1], factor[NTRU_N + 1];
};

/* a -= c X^shift b */
static void subtract(uint16_t *a, const uint16_t *b, uint32_t c, int shift)
{
    for (int i = shift; i <= NTRU_N; i++)
        a[i] = (uint16_t)((a[i] + (NTRU_Q - c) * b[i - shift]) % NTRU_Q);
}

static void find_degree(struct remainder *r)
{
    while (r->degree >= 0 && r->value[r->degree] == 0) r->degree--;
}

static int ring_invert(ring_element *out, const ring_element *f)
{
    struct remainder r[2] = {{.degree = NTRU_N}, {.degree = NTRU_N - 1}};
    struct remainder *a = &r[0], *b = &r[1];

    a->value[0] = NTRU_Q - 1;
    a->value[NTRU_N] = 1;
    memcpy(b->value, f->c, sizeof f->c);
    b->factor[0] = 1;
    find_degree(b);
    while (b->degree > 0) {
        uint32_t inverse = number_invert(b->value[b->degree]);
        while (a->degree >= b->degree) {
            uint32_t c = a->value[a->degree] * inverse % NTRU_Q;
            int shift = a->degree - b->degree;
            subtract(a->value, b->value, c, shift);
            subtract(a->factor, b->factor, c, shift);
            find_degree(a);
        }
        struct remainder *t = a;
        a = b;
        b = t;
    }
    if (b->degree < 0) return -1;
    uint32_t inverse = number_invert(b->value[0]);
    for (int i = 0; out && i < NTRU_N; i++)
        out->c[i] = (uint16_t)(b->factor[i] * inverse % NTRU_Q);
    return 0;
}

static void ring_bits(uint8_t *bits, const ring_element *a)
{
    memset(bits, 0, (NTRU_N + 7) / 8);
    for (int i = 0; i < NTRU_N; i++)
        bits[i / 8] |= (uint8_t)((a->c[i] & 1) << i % 8);
}

static void ring_add_bits(ring_element *out, const ring_element *a,
                          const uint8_t *bits)
{
    for (int i = 0; i < NTRU_N; i++)
        out->c[i] = (uint16_t)((a->c[i] + (bits[i / 8] >> i % 8 & 1)) % NTRU_Q);
}

static void ring_subtract_parity(ring_element *a, const ring_element *b)
{
    for (int i = 0; i < NTRU_N; i++)
        a->c[i] = (uint16_t)((a->c[i] + NTRU_Q - (b->c[i] & 1)) % NTRU_Q);
}

#endif
