/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_SAMPLER_H
#define FALCON_SAMPLER_H

/* Integers of a Gaussian distribution: section 3.9.3. */

#include "../../_shared/crypto_declassify.h"
#include "fft.h"
#include "hash.h"

/* Table 3.1, RCDT: 2^72 times the probability of more than i, in two halves of 36 bits. */
#define HALF 36
static const uint64_t rcdt[18][2] = {
    {0xa3f7f42ed, 0x3ac391802}, /* 3024686241123004913666 */
    {0x54d32b181, 0xf3f7ddb82}, /* 1564742784480091954050 */
    {0x227dcdd09, 0x34829c1ff}, /* 636254429462080897535 */
    {0x0ad175437, 0x7c7994ae4}, /* 199560484645026482916 */
    {0x0295846ca, 0xef33f1f6f}, /* 47667343854657281903 */
    {0x00774ac75, 0x4ed74bd5f}, /* 8595902006365044063 */
    {0x001024dd5, 0x42b776ae4}, /* 1163297957344668388 */
    {0x0001a1ffd, 0xc65ad63da}, /* 117656387352093658 */
    {0x00001f80d, 0x88a7b6428}, /* 8867391802663976 */
    {0x000001c3f, 0xdb2040c69}, /* 496969357462633 */
    {0x00000012c, 0xf24d031fb}, /* 20680885154299 */
    {0x000000009, 0x49f8b091f}, /* 638331848991 */
    {0x000000000, 0x3665da998}, /* 14602316184 */
    {0x000000000, 0x00ebf6ebb}, /* 247426747 */
    {0x000000000, 0x0002f5d7e}, /* 3104126 */
    {0x000000000, 0x000007098}, /* 28824 */
    {0x000000000, 0x0000000c6}, /* 198 */
    {0x000000000, 0x000000001}, /* 1 */
};

/* Algorithm 12, BaseSampler: of nine bytes, big-endian as in table 3.2. */
static int32_t base_sampler(const uint8_t bytes[9])
{
    uint64_t high = 0, low = bytes[4] & 15;
    int32_t z = 0;
    for (unsigned i = 0; i < 4; i++) high = high << 8 | bytes[i];
    high = high << 4 | bytes[4] >> 4;
    for (unsigned i = 5; i < 9; i++) low = low << 8 | bytes[i];
    for (unsigned i = 0; i < 18; i++) {
        const uint64_t borrow = (low - rcdt[i][1]) >> 63;
        z += (int32_t)((high - rcdt[i][0] - borrow) >> 63);
    }
    return z;
}

/* x y / 2^63, rounded down; x, y <= 2^63 */
static inline uint64_t times_63(uint64_t x, uint64_t y)
{
    const uint64_t x1 = x >> 32, x0 = (uint32_t)x, y1 = y >> 32, y0 = (uint32_t)y;
    const uint64_t low = x0 * y0, a = x1 * y0 + (low >> 32), b = x0 * y1 + (uint32_t)a;
    const uint64_t high = x1 * y1 + (a >> 32) + (b >> 32);
    return high << 1 | (uint32_t)b >> 31;
}

/* Algorithm 13, ApproxExp: 2^63 ccs exp(-x), 0 <= x < ln 2, 0 < ccs <= 1.  An x that rounding has made a little
 * negative is 0.  ccs goes by 2^62, which a signed word holds: it has 53 bits, so nothing is lost. */
static uint64_t approx_exp(double x, double ccs)
{
    static const uint64_t c[13] = {
        0x00000004741183a3, 0x00000036548cfc06, 0x0000024fdcbf140a, 0x0000171d939de045, 0x0000d00cf58f6f84,
        0x000680681cf796e3, 0x002d82d8305b0fea, 0x011111110e066fd0, 0x0555555555070f00, 0x155555555581ff00,
        0x400000000002b400, 0x7fffffffffff4800, 0x8000000000000000,
    };
    uint64_t z = (uint64_t)(int64_t)(x * 0x1p63), y = c[0];
    z &= (z >> 63) - 1;
    for (unsigned u = 1; u < 13; u++) y = c[u] - times_63(z, y);
    return times_63((uint64_t)(int64_t)(ccs * 0x1p62) << 1, y);
}

/* Algorithm 14, BerExp: 1 with probability ccs exp(-x).
 *
 * Public: whether a byte equals that of the threshold (1 of 256 times whatever the
 * threshold is, as the byte is random and used for this alone). */
static int ber_exp(struct generator *g, double x, double ccs)
{
    const double ln2 = 0x1.62e42fefa39efp-1, inverse_ln2 = 0x1.71547652b82fep+0;
    int32_t s = floor_of(x * inverse_ln2);
    const double r = x - s * ln2;
    s ^= (s ^ 63) & -(int32_t)((uint32_t)(63 - s) >> 31);
    const uint64_t z = (2 * approx_exp(r, ccs) - 1) >> s;
    uint32_t w = 0;
    for (int i = 56; i >= 0; i -= 8) {
        uint8_t byte, differs;
        generate(g, &byte, 1);
        w = byte - (uint32_t)(z >> i & 255);
        differs = w != 0;
        crypto_declassify(&differs, sizeof differs);
        if (differs) break;
    }
    return (int)(w >> 31);
}

/* Algorithm 15, SamplerZ: centre mu, |mu| < 2^30, standard deviation sigma in
 * [SIGMA_MIN, SIGMA_MAX].
 *
 * Public: how often a candidate is rejected.  ccs makes the probability the same
 * for all centres and deviations, but for a part that the specification shows to
 * be negligible (section 3.9.3, isochrony). */
static int32_t sampler_z(struct generator *g, double mu, double sigma)
{
    const int32_t floor = floor_of(mu);
    const double r = mu - floor, dss = 1.0 / (2.0 * (sigma * sigma)), ccs = SIGMA_MIN / sigma;
    for (;;) {
        uint8_t bytes[10];
        generate(g, bytes, sizeof bytes);
        const int32_t z0 = base_sampler(bytes), b = bytes[9] & 1, z = b + (2 * b - 1) * z0;
        const double d = z - r, x = d * d * dss - (double)(z0 * z0) * (1.0 / (2.0 * SIGMA_MAX * SIGMA_MAX));
        uint8_t accepted = (uint8_t)ber_exp(g, x, ccs);
        crypto_declassify(&accepted, sizeof accepted);
        if (accepted) return z + floor;
    }
}

#endif
