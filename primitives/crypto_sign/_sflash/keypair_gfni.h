/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_KEYPAIR_GFNI_H
#define SFLASH_KEYPAIR_GFNI_H

/* Key generation of SFLASHv2 over field_gfni.h: a matrix is its rows. */

static void matrix_mul(vec out[N], const uint8_t a[N * N], const vec b[N])
{
    struct matrices m;
    for (int i = 0; i < N; i++) {
        matrices_of(&m, load37(a + N * i));
        out[i] = combination(&m, b, N);
    }
}

/* out * a = 1 for a triangle a with ones on the diagonal: a row of the result is
 * a unit row and rows before it, from the first on (step 1) or the last (-1). */
static void invert_triangle(vec out[N], const uint8_t a[N * N], int step)
{
    struct matrices m;
    for (int i = 0; i < N; i++) out[i] = _mm512_setzero_si512();
    for (int n = 0, i = step > 0 ? 0 : N - 1; n < N; n++, i += step) {
        vec row;
        matrices_of(&m, load37(a + N * i)); /* out[i] is 0 yet: the diagonal adds nothing */
        row = combination(&m, out, N);
        out[i] = _mm512_mask_xor_epi64(row, 0xff, row, _mm512_maskz_set1_epi8(UINT64_C(1) << i, 1));
    }
}

static void store_rows(uint8_t out[N * N], const vec rows[N])
{
    for (int i = 0; i < N; i++) store37(out + N * i, rows[i]);
}

static void complete_map(struct map *map, const uint8_t lower[N * N], const uint8_t upper[N * N])
{
    vec rows[N], product[N];
    uint8_t upper_inverse[N * N];
    for (int i = 0; i < N; i++) rows[i] = load37(upper + N * i);
    matrix_mul(product, lower, rows);
    store_rows(map->linear, product);
    invert_triangle(rows, upper, -1);
    store_rows(upper_inverse, rows);
    invert_triangle(rows, lower, 1);
    matrix_mul(product, upper_inverse, rows);
    store_rows(map->inverse, product);
}

/* What the sum of x_j rows is made of: row N is the affine part, times 1. */
struct expansion {
    struct matrices row[N + 1];
    struct shifts conjugate[N + 1];
    vec outer[N];
    uint8_t constant[N];
};

/* The coefficients of one term in all published equations. */
static void put_term(uint8_t *pk, const struct expansion *e, const struct product *p, int is_constant)
{
    struct matrices m;
    uint8_t y[64];
    matrices_of(&m, reduced(p));
    _mm512_storeu_si512(y, combination(&m, e->outer, N));
    for (int i = 0; i < PUBLISHED; i++) pk[TERMS * i] = is_constant ? y[i] ^ e->constant[i] : y[i];
}

/* F(a) = a a^Q, where a is the sum of x_j times row j, and its affine part. */
static void expand_public(uint8_t *pk, const struct map *s, const struct map *t)
{
    const vec zero = _mm512_setzero_si512();
    const struct product none = {{zero, zero, zero, zero, zero}};
    struct expansion e;
    struct product p = none;
    for (int j = 0; j <= N; j++) {
        vec row = load37(j < N ? s->linear + N * j : s->affine);
        matrices_of(&e.row[j], row);
        shifts_of(&e.conjugate[j], power(row, &frobenius_77));
        if (j < N) e.outer[j] = load37(t->linear + N * j);
    }
    memcpy(e.constant, t->affine, N);
    add_product(&p, &e.conjugate[N], &e.row[N]);
    put_term(pk++, &e, &p, 1);
    for (int j = 0; j < N; j++) {
        p = none;
        add_product(&p, &e.conjugate[N], &e.row[j]);
        add_product(&p, &e.conjugate[j], &e.row[N]);
        put_term(pk++, &e, &p, 0);
        for (int k = j; k < N; k++) {
            p = none;
            add_product(&p, &e.conjugate[k], &e.row[j]);
            if (k != j) add_product(&p, &e.conjugate[j], &e.row[k]);
            put_term(pk++, &e, &p, 0);
        }
    }
}

#endif
