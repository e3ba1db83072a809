/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RAINBOW_KEYPAIR_GFNI_H
#define RAINBOW_KEYPAIR_GFNI_H

/* The public key of Rainbow over field_gfni.h. */

#define CHUNKS 16 /* of 64 terms */

struct matrix {
    uint8_t row[ALL][64];
};

static inline vec row(const struct matrix *m, int i)
{
    return _mm512_loadu_si512(m->row[i]);
}

/* Sums factors[stride * i] times row i of the vinegars and of 1. */
static inline vec combination(const uint8_t *factors, int stride, const struct matrix *m, int vinegar)
{
    vec sum[2] = {mul_byte(row(m, VARIABLES), factors[stride * VARIABLES]), _mm512_setzero_si512()};
    for (int i = 0; i < vinegar; i++)
        sum[i % 2] = _mm512_xor_si512(sum[i % 2], mul_byte(row(m, i), factors[stride * i]));
    return _mm512_xor_si512(sum[0], sum[1]);
}

/* A polynomial of a layer as a quadratic form in the variables and 1: rows of
 * vinegars, and the row of 1. */
static void form_of(struct matrix *form, const uint8_t *p, struct layer l)
{
    const uint8_t *products = p + products_at(l);
    memset(form, 0, sizeof *form);
    for (int i = 0; i < l.oils; i++)
        for (int j = 0; j < l.vinegar; j++) form->row[j][l.vinegar + i] = p[i * l.vinegar + j];
    for (int i = 0; i < l.vinegar; i++)
        for (int j = i; j < l.vinegar; j++) form->row[i][j] = *products++;
    memcpy(form->row[VARIABLES], p + linear_at(l), (size_t)(l.vinegar + l.oils));
    form->row[VARIABLES][VARIABLES] = p[constant_at(l)];
    for (int i = 0; i < ALL; i++) _mm512_storeu_si512(form->row[i], there(row(form, i)));
}

/* The form after x -> inner x + affine, as an equation's coefficients. */
static void substitute(uint8_t out[64 * CHUNKS], const struct matrix *form, const struct matrix *inner, int vinegar)
{
    struct matrix half, full;
    for (int n = 0; n <= vinegar; n++) {
        int i = n < vinegar ? n : VARIABLES;
        vec sum = mul_byte(row(inner, VARIABLES), form->row[i][VARIABLES]);
        for (int j = 0; j < VARIABLES; j++)
            sum = _mm512_xor_si512(sum, mul_byte(row(inner, j), form->row[i][j]));
        _mm512_storeu_si512(half.row[i], sum);
    }
    for (int j = 0; j < ALL; j++)
        _mm512_storeu_si512(full.row[j], combination(&inner->row[0][j], 64, &half, vinegar));
    for (int i = 0; i < ALL; i++) {
        *out++ = full.row[i][i];
        for (int j = i + 1; j < ALL; j++) *out++ = full.row[i][j] ^ full.row[j][i];
    }
}

static void inner_map(struct matrix *m, const uint8_t *inner, const uint8_t *affine)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < VARIABLES; i++) {
        memcpy(m->row[i], inner + VARIABLES * i, VARIABLES);
        m->row[i][VARIABLES] = affine[i];
    }
    m->row[VARIABLES][VARIABLES] = 1;
    for (int i = 0; i < ALL; i++) _mm512_storeu_si512(m->row[i], there(row(m, i)));
}

static void expand_public(uint8_t *pk, const uint8_t *outer, const uint8_t *inner, const uint8_t *sk)
{
    uint8_t central[EQUATIONS][64 * CHUNKS] = {{0}}, factors[64];
    struct matrix map, form;
    const uint8_t *p = sk + CENTRAL;
    int k = 0;
    inner_map(&map, inner, sk + INNER_AFFINE);
    for (int n = 0; n < LAYERS; n++)
        for (int i = 0; i < layers[n].oils; i++, p += polynomial_bytes(layers[n])) {
            form_of(&form, p, layers[n]);
            substitute(central[k++], &form, &map, layers[n].vinegar);
        }
    for (int j = 0; j < EQUATIONS; j++, pk += TERMS) {
        _mm512_storeu_si512(factors, there(load(outer + EQUATIONS * j, EQUATIONS)));
        for (int c = 0; c < CHUNKS; c++) {
            vec sum = _mm512_setzero_si512();
            for (k = 0; k < EQUATIONS; k++)
                sum = _mm512_xor_si512(sum, mul_byte(_mm512_loadu_si512(central[k] + 64 * c), factors[k]));
            if (c + 1 < CHUNKS)
                _mm512_storeu_si512(pk + 64 * c, back(sum));
            else
                store(pk + 64 * c, back(sum), TERMS % 64);
        }
        pk[TERMS - 1] ^= sk[OUTER_AFFINE + j];
    }
}

#endif
