/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_PORTABLE_H
#define SFLASH_PORTABLE_H

/* Keys and signatures of SFLASHv2 in portable C over the includer's mul in K,
 * ext_mul and ext_square in L: ext_ref.h or ext_planes.h.  No branch and no index
 * depends on a value. */

/* r = a^(2^times) b; r may be a or b. */
static void square_mul(uint8_t r[N], const uint8_t a[N], int times, const uint8_t b[N])
{
    uint8_t t[N];
    ext_square(t, a, times);
    ext_mul(r, t, b);
}

/* a = b^(1 / (Q + 1)) with Q = 128^11 = 2^77.  Since Q^37 = 1 in exponents, twice
 * the inverse of Q + 1 is 1 - Q + Q^2 - ... + Q^36, which is
 * 1 + Q (Q - 1) (1 + Q^2 + ... + Q^34); and halving is squaring 258 times. */
static void central_inverse(uint8_t a[N], const uint8_t b[N])
{
    uint8_t r[N], t[N];
    square_mul(t, b, 1, b);
    square_mul(t, t, 2, t); /* b^(2^4 - 1) */
    square_mul(r, t, 1, b); /* b^(2^5 - 1) */
    square_mul(t, r, 4, t);
    square_mul(t, t, 9, t);
    square_mul(t, t, 18, t);
    square_mul(t, t, 36, t);
    square_mul(t, t, 5, r); /* b^(Q - 1) */
    square_mul(r, t, 154, t);
    square_mul(t, r, 154, t); /* three of the eighteen powers of Q^2 */
    square_mul(r, t, 203, t); /* Q^6 is 2^203 */
    square_mul(t, r, 203, t);
    square_mul(t, t, 91, t); /* Q^18 is 2^91 */
    square_mul(t, t, 77, b);
    ext_square(a, t, 258);
}

/* ---- matrices and maps ------------------------------------------------ */

static void add_multiple(uint8_t *row, const uint8_t *other, uint8_t factor)
{
    for (int i = 0; i < N; i++) row[i] ^= mul(factor, other[i]);
}

static void matrix_mul(uint8_t out[N * N], const uint8_t a[N * N], const uint8_t b[N * N])
{
    memset(out, 0, N * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) add_multiple(out + N * i, b + N * j, a[N * i + j]);
}

/* Of a triangle with ones on the diagonal: rows are freed of what stands beside
 * it, from the first row on (step 1) or from the last (step -1). */
static void invert_triangle(uint8_t inverse[N * N], const uint8_t a[N * N], int step)
{
    int first = step > 0 ? 0 : N - 1, end = step > 0 ? N : -1;
    memset(inverse, 0, N * N);
    for (int i = 0; i < N; i++) inverse[N * i + i] = 1;
    for (int c = first; c != end; c += step)
        for (int r = c + step; r != end; r += step)
            add_multiple(inverse + N * r, inverse + N * c, a[N * r + c]);
}

static void complete_map(struct map *map, const uint8_t lower[N * N], const uint8_t upper[N * N])
{
    uint8_t lower_inverse[N * N], upper_inverse[N * N];
    matrix_mul(map->linear, lower, upper);
    invert_triangle(lower_inverse, lower, 1);
    invert_triangle(upper_inverse, upper, -1);
    matrix_mul(map->inverse, upper_inverse, lower_inverse);
}

/* The place of x_j x_k in an equation, j <= k; 1 is x_-1. */
static int term(int j, int k)
{
    if (k < 0) return 0;
    if (j < 0) return 1 + k * N - k * (k - 1) / 2 + k;
    return 1 + j * N - j * (j - 1) / 2 + j + 1 + k - j;
}

/* F(a) = a a^Q where a is the sum of x_j times row j of s, and its affine part. */
static void expand_public(uint8_t *pk, const struct map *s, const struct map *t)
{
    uint8_t quadratic[TERMS][N] = {{0}}, conjugate[N], product[N];
    for (int k = -1; k < N; k++) {
        ext_square(conjugate, k < 0 ? s->affine : s->linear + N * k, 77);
        for (int j = -1; j < N; j++) {
            uint8_t *sum = quadratic[j < k ? term(j, k) : term(k, j)];
            ext_mul(product, j < 0 ? s->affine : s->linear + N * j, conjugate);
            for (int i = 0; i < N; i++) sum[i] ^= product[i];
        }
    }
    for (int e = 0; e < TERMS; e++) {
        uint8_t y[N] = {0};
        for (int j = 0; j < N; j++) add_multiple(y, t->linear + N * j, quadratic[e][j]);
        for (int i = 0; i < PUBLISHED; i++) pk[TERMS * i + e] = e == 0 ? y[i] ^ t->affine[i] : y[i];
    }
}

/* (y + affine) * inverse of one of the two maps of a secret key. */
static void unmap(uint8_t out[N], const uint8_t in[N], const uint8_t *sk)
{
    uint8_t r[N] = {0};
    for (int j = 0; j < N; j++) {
        const uint8_t *row = sk + SECRET_ROW * j;
        uint8_t c = in[j] ^ row[0];
        for (int i = 0; i < N; i++) r[i] ^= mul(c, row[2 + 2 * i]);
    }
    memcpy(out, r, N);
}

static void preimage(uint8_t x[N], const uint8_t y[N], const uint8_t *sk)
{
    uint8_t a[N], b[N];
    unmap(b, y, sk + 1);
    central_inverse(a, b);
    unmap(x, a, sk);
}

#endif
