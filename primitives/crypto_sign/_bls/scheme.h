/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_SCHEME_H
#define BLS_SCHEME_H

/* Short signatures of Boneh, Lynn and Shacham as Scott submitted them to eBATS.  An
 * implementation includes a field_*.h before.
 *
 * Secret key: s < q.  Public key: R = s P on E', three coordinates of x, then of y.
 * Signature: x of S = s H(m) on E, its top bit the parity of y; it stands before
 * the message.  All numbers are 20 bytes, big-endian.
 * Verification: S has order q and e(-S, P) e(H(m), R) = 1. */

#include "randombytes.h"
#include "sha2_small.h"

#include "field.h"
#include "tower.h"
#include "curves.h"
#include "pairing.h"

/* a -= b; the borrow.  20 bytes, big-endian */
static unsigned subtract20(uint8_t *a, const uint8_t *b)
{
    unsigned borrow = 0;

    for (int i = 19; i >= 0; i--) {
        unsigned t = (unsigned)a[i] - b[i] - borrow;
        a[i] = (uint8_t)t;
        borrow = t >> 8 & 1;
    }
    return borrow;
}

static void reduce_by_order(uint8_t k[20])
{
    uint8_t t[20];

    for (int i = 0; i < 5; i++) { /* 2^160 < 5q */
        memcpy(t, k, 20);
        if (!subtract20(t, group_order)) memcpy(k, t, 20);
    }
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    e3_affine p;
    uint8_t any;

    do {
        randombytes(sk, 20);
        reduce_by_order(sk);
        any = 0;
        for (int i = 0; i < 20; i++) any |= sk[i];
        e3_base(&p);
    } while (any == 0 || e3_multiply(&p, &p, sk));
    for (int k = 0; k < 3; k++) {
        fp_put(pk + 20 * k, &p.x.c[k]);
        fp_put(pk + 60 + 20 * k, &p.y.c[k]);
    }
    return 0;
}

/* SHA-1(SHA-256(m)), whose bytes the reference takes as signed ones, plus 2^160:
 * the first x from there on with a point on E, that with even y, doubled. */
static void hash_to_point(e1_affine *r, const unsigned char *m, unsigned long long mlen)
{
    uint8_t digest[32], number[24] = {0};
    struct hash h;
    e1_jacobian t;
    struct e1_tangent l;
    fp one;
    int carry = 0;

    sha256(digest, m, mlen);
    sha1_init(&h);
    hash_update(&h, digest, 32);
    hash_final(&h, digest);
    for (int j = 19; j >= 0; j--) {
        int value = digest[j] - (digest[j] >= 128 ? 256 : 0) + carry;
        number[4 + j] = (uint8_t)value;
        carry = value < 0 ? -1 : 0;
    }
    number[3] = (uint8_t)(1 + carry);
    fp_get(&r->x, number);
    fp_set(&one, 1);
    for (;; fp_add(&r->x, &r->x, &one)) {
        e1_right_side(&r->y, &r->x);
        if (fp_root(&r->y, &r->y) || fp_is_zero(&r->y)) continue;
        fp_sign(&r->y, &r->y, fp_is_odd(&r->y));
        e1_set(&t, r);
        e1_double(&t, &l);
        (void)e1_normalise(r, &t); /* only y = 0 doubles to infinity */
        return;
    }
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                unsigned long long mlen, const unsigned char *sk)
{
    e1_affine s;

    hash_to_point(&s, m, mlen);
    if (e1_multiply(&s, &s, sk)) return -1;
    fp_put(sm, &s.x);
    sm[0] |= (unsigned char)(fp_is_odd(&s.y) << 7);
    if (mlen > 0) memcpy(sm + 20, m, mlen);
    *smlen = mlen + 20;
    return 0;
}

/* -1 for what fp_put does not make */
static int get_number(fp *r, const uint8_t bytes[20])
{
    uint8_t again[20];

    fp_get20(r, bytes);
    fp_put(again, r);
    return memcmp(again, bytes, 20) ? -1 : 0;
}

/* -S */
static int get_signature(e1_affine *s, const unsigned char *bytes)
{
    uint8_t x[20];

    memcpy(x, bytes, 20);
    x[0] &= 127;
    if (get_number(&s->x, x)) return -1;
    e1_right_side(&s->y, &s->x);
    if (fp_root(&s->y, &s->y)) return -1;
    fp_sign(&s->y, &s->y, fp_is_odd(&s->y) == bytes[0] >> 7);
    return 0;
}

static int get_public_key(e3_affine *r, const unsigned char *pk)
{
    for (int k = 0; k < 3; k++)
        if (get_number(&r->x.c[k], pk + 20 * k) || get_number(&r->y.c[k], pk + 60 + 20 * k))
            return -1;
    return e3_is_on_curve(r) ? 0 : -1;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                     unsigned long long smlen, const unsigned char *pk)
{
    e1_affine s, q;
    e3_affine p, r;

    if (smlen < 20 || get_signature(&s, sm) || get_public_key(&r, pk)) return -1;
    e3_base(&p);
    hash_to_point(&q, sm + 20, smlen - 20);
    if (!pairings_cancel(&s, &p, &q, &r)) return -1;
    *mlen = smlen - 20;
    if (*mlen > 0) memcpy(m, sm + 20, *mlen);
    return 0;
}

#endif
