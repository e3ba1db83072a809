/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_HASH_H
#define BLS12381_HASH_H

/* BLS12381G2_XMD:SHA-256_SSWU_RO_ of RFC 9380, 8.8.2.  Time depends on the message,
 * which is public. */

static const char suite[] = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

/* 256 bytes from a message (RFC 9380, 5.3.1). */
static void expand_message(uint8_t out[256], const unsigned char *m, unsigned long long mlen)
{
    static const uint8_t zeros[64] = {0}, length[3] = {1, 0, 0}; /* 256, then a zero byte */
    const uint8_t suite_bytes = sizeof suite - 1;
    uint8_t first[32], block[33];
    struct hash h;

    sha256_init(&h);
    hash_update(&h, zeros, 64);
    hash_update(&h, m, mlen);
    hash_update(&h, length, 3);
    hash_update(&h, suite, suite_bytes);
    hash_update(&h, &suite_bytes, 1);
    hash_final(&h, first);
    memset(block, 0, sizeof block);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 32; j++) block[j] ^= first[j];
        block[32] = (uint8_t)(i + 1);
        sha256_init(&h);
        hash_update(&h, block, 33);
        hash_update(&h, suite, suite_bytes);
        hash_update(&h, &suite_bytes, 1);
        hash_final(&h, block);
        memcpy(out + 32 * i, block, 32);
    }
}

/* 64 bytes, big-endian: 2^384 times the first 16 of them, and the others */
static void fp_get_64(fp *r, const uint8_t bytes[64])
{
    uint8_t high[48] = {0};
    fp t;

    memcpy(high + 32, bytes, 16);
    fp_get(&t, high);
    fp_from(&t, &t);
    fp_get(r, bytes + 16);
    fp_add(r, r, &t);
}

/* A point of y^2 = x^3 + 240 i x + 1012 (1 + i), from which an isogeny leads to E',
 * not yet divided: (n/d, y/d^2). */
struct isogenous {
    fp2 n, d, y;
};

/* n^3 d + 240 i n d^3 + 1012 (1 + i) d^4: d^4 times the right side at n/d */
static void isogenous_right_side(fp2 *r, const fp2 *n, const fp2 *d)
{
    fp2 k, t, dd;

    fp2_square(&dd, d);
    fp2_square(&t, n);
    fp2_set(&k, 0, 240);
    fp2_mul(&k, &k, &dd);
    fp2_add(&t, &t, &k);
    fp2_mul(&t, &t, n);
    fp2_set(&k, 1012, 1012);
    fp2_mul(&k, &k, &dd);
    fp2_mul(&k, &k, d);
    fp2_add(&t, &t, &k);
    fp2_mul(r, &t, d);
}

/* The simplified map of Shallue, van de Woestijne and Ulas (RFC 9380, 6.6.2), Z = -(2 + i),
 * but for the sign of y.  x1 = B (t + 1)/(-A t) with t = (Z u^2)^2 + Z u^2, x2 = Z u^2 x1,
 * y2 = Z u^3 root(Z g(x1)).  root(-5) takes a root of -norm, when the norm is no square,
 * to one of the norm of Z times that: 5 times as much. */
static void map_to_isogenous(struct isogenous *r, const fp2 *u)
{
    static const fp root_plain = {
        LIMBS_384(0x186417302d5a6534, 0x7a88b0f999ab2b50, 0x4614aa5e2eebdeb1,
                  0xa014c40bceb7d230, 0x6c12a6d436befcf9, 0x4d39c9db7b263cd4)};
    fp2 z, zuu, t, one, w;
    fp s, root;

    fp2_set(&z, 2, 1);
    fp2_negate(&z, &z);
    fp2_set(&one, 1, 0);
    fp2_square(&zuu, u);
    fp2_mul(&zuu, &zuu, &z);
    fp2_square(&t, &zuu);
    fp2_add(&t, &t, &zuu);
    fp2_add(&r->n, &t, &one);
    if (fp2_is_zero(&t)) fp2_negate(&t, &z); /* x1 = B/(Z A) */
    fp2_set(&w, 1012, 1012);
    fp2_mul(&r->n, &r->n, &w);
    fp2_set(&w, 0, 240);
    fp2_mul(&r->d, &t, &w);
    fp2_negate(&r->d, &r->d);
    isogenous_right_side(&w, &r->n, &r->d);
    fp2_norm(&s, &w);
    if (!fp_root(&s, &s)) {
        fp2_root_by_norm(&r->y, &w, &s);
        return;
    }
    fp_from(&root, &root_plain);
    fp_mul(&s, &s, &root);
    fp2_mul(&w, &w, &z);
    fp2_root_by_norm(&r->y, &w, &s);
    fp2_mul(&r->y, &r->y, &zuu);
    fp2_mul(&r->y, &r->y, u);
    fp2_mul(&r->n, &r->n, &zuu);
}

/* The isogeny of RFC 9380, E.3, as Velu writes it.  Its kernel has x = -6 + 6i; with
 * d = x + 6 - 6i,
 *   (x + 48i/d + 16(1 + i)/d^2) / 9, -y (1 - 48i/d^2 - 32(1 + i)/d^3) / 27 */
static void isogeny(g2_projective *r, const fp2 *x, const fp2 *y)
{
    fp2 d, dd, t, u;

    fp2_set(&t, 6, 0);
    fp_negate(&t.c[1], &t.c[0]);
    fp2_add(&d, x, &t);
    fp2_square(&dd, &d);
    fp2_set(&t, 0, 48);
    fp2_set(&u, 16, 16);
    fp2_mul(&t, &t, &d);
    fp2_mul(&r->x, x, &dd); /* x d^2 + 48 i d + 16(1 + i) */
    fp2_add(&r->x, &r->x, &t);
    fp2_add(&r->x, &r->x, &u);
    fp2_mul(&dd, &dd, &d); /* (d^3 - 48 i d - 32(1 + i)) y */
    fp2_sub(&r->y, &dd, &t);
    fp2_double(&u, &u);
    fp2_sub(&r->y, &r->y, &u);
    fp2_mul(&r->y, &r->y, y);
    fp2_triple(&d, &d); /* x / Z^2, y / Z^3 with Z = -3d */
    fp2_negate(&d, &d);
    fp2_mul(&r->x, &r->x, &d);
    fp2_square(&dd, &d);
    fp2_mul(&r->z, &dd, &d);
}

/* r = (x^2 - x - 1) p + (x - 1) psi(p) + psi^2(2 p): RFC 9380, G.3 */
static void clear_cofactor(g2_projective *r, const g2_projective *p)
{
    g2_projective t, minus = *p, s;

    g2_negate(&minus);
    g2_times_x(&t, p); /* -x p */
    g2_endomorphism(&s, p);
    g2_negate(&s);
    g2_add(&t, &t, &s);     /* -x p - psi(p) */
    g2_times_x(&s, &t);     /* x^2 p + x psi(p) */
    g2_add(&t, &t, &s);
    g2_add(&t, &t, &minus);
    *r = *p;
    g2_double(r);
    g2_endomorphism(r, r);
    g2_endomorphism(r, r);
    g2_add(r, r, &t);
}

static void hash_to_group(g2_projective *r, const unsigned char *m, unsigned long long mlen)
{
    uint8_t bytes[256];
    struct isogenous p[2];
    g2_projective sum[2];
    fp2 u[2], t, inverse, x, y;

    expand_message(bytes, m, mlen);
    for (int k = 0; k < 4; k++) fp_get_64(&u[k / 2].c[k % 2], bytes + 64 * k);
    for (int k = 0; k < 2; k++) map_to_isogenous(&p[k], &u[k]);
    fp2_mul(&t, &p[0].d, &p[1].d); /* 1/d of both by one inversion */
    fp2_invert(&t, &t);
    for (int k = 0; k < 2; k++) {
        fp2_mul(&inverse, &t, &p[1 - k].d);
        fp2_mul(&x, &p[k].n, &inverse);
        fp2_square(&inverse, &inverse);
        fp2_mul(&y, &p[k].y, &inverse);
        fp2_negate_if(&y, fp2_is_odd(&y) != fp2_is_odd(&u[k]));
        isogeny(&sum[k], &x, &y);
    }
    g2_add(&sum[0], &sum[0], &sum[1]);
    clear_cofactor(r, &sum[0]);
}

#endif
