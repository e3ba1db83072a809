/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_ENCODING_H
#define BLS12381_ENCODING_H

/* Compressed points (draft-irtf-cfrg-pairing-friendly-curves, appendix C): x, big-endian,
 * the part at i first, and three bits before it: 1; whether it is the point at infinity,
 * which is neither a key nor a signature; whether y is the greater of y and -y. */

#define POINT_COMPRESSED 0x80
#define POINT_INFINITY 0x40
#define POINT_LARGE 0x20

/* -1 for what fp_put does not make */
static int fp_get_exactly(fp *r, const uint8_t bytes[48])
{
    uint8_t again[48];

    fp_get(r, bytes);
    fp_put(again, r);
    return memcmp(again, bytes, 48) ? -1 : 0;
}

/* The first of the coordinates, without the bits before it. */
static int get_first(fp *r, const uint8_t bytes[48])
{
    uint8_t x[48];

    if ((bytes[0] & (POINT_COMPRESSED | POINT_INFINITY)) != POINT_COMPRESSED) return -1;
    memcpy(x, bytes, 48);
    x[0] &= POINT_LARGE - 1;
    return fp_get_exactly(r, x);
}

static void put_bits(uint8_t *bytes, int large)
{
    bytes[0] |= (uint8_t)(POINT_COMPRESSED | POINT_LARGE * large);
}

static void g1_put(uint8_t bytes[48], const g1_affine *p)
{
    fp_put(bytes, &p->x);
    put_bits(bytes, fp_is_large(&p->y));
}

static void g2_put(uint8_t bytes[96], const g2_affine *p)
{
    fp_put(bytes, &p->x.c[1]);
    fp_put(bytes + 48, &p->x.c[0]);
    put_bits(bytes, fp2_is_large(&p->y));
}

/* -1 for what is no point of G1 other than that at infinity */
static int g1_get(g1_affine *p, const uint8_t bytes[48])
{
    fp t;

    if (get_first(&p->x, bytes)) return -1;
    fp_set(&t, 4);
    fp_square(&p->y, &p->x);
    fp_mul(&p->y, &p->y, &p->x);
    fp_add(&p->y, &p->y, &t);
    if (fp_root(&p->y, &p->y)) return -1;
    fp_negate_if(&p->y, fp_is_large(&p->y) != (bytes[0] & POINT_LARGE) / POINT_LARGE);
    return g1_is_in_group(p) ? 0 : -1;
}

static int g2_get(g2_affine *p, const uint8_t bytes[96])
{
    fp2 t;

    if (get_first(&p->x.c[1], bytes) || fp_get_exactly(&p->x.c[0], bytes + 48)) return -1;
    fp2_set(&t, 4, 4);
    fp2_square(&p->y, &p->x);
    fp2_mul(&p->y, &p->y, &p->x);
    fp2_add(&p->y, &p->y, &t);
    if (fp2_root(&p->y, &p->y)) return -1;
    fp2_negate_if(&p->y, fp2_is_large(&p->y) != (bytes[0] & POINT_LARGE) / POINT_LARGE);
    return g2_is_in_group(p) ? 0 : -1;
}

#endif
