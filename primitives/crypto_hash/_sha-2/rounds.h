/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The compression of all of SHA-2: FIPS 180-4, sections 6.2.2 and 6.4.2, which differ in the word and the
 * functions on it.  Before the #include: HASH_WORD, HASH_LOAD, HASH_BLOCK (bytes), HASH_ROUNDS, HASH_CONSTANTS,
 * and the functions of sections 4.1.2 or 4.1.3 as BIG0, BIG1, SMALL0, SMALL1. */

#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

/* One round; its caller renames the words instead of moving them. */
#define ROUND(a, b, c, d, e, f, g, h, i)                        \
    do {                                                        \
        h += BIG1(e) + CH(e, f, g) + HASH_CONSTANTS[t + (i)] + w[(t + (i)) % 16]; \
        d += h;                                                 \
        h += BIG0(a) + MAJ(a, b, c);                            \
    } while (0)

/* The next 16 words of the message schedule in place of the former. */
static inline void next_words(HASH_WORD *w)
{
    for (unsigned i = 0; i < 16; i++)
        w[i] += SMALL1(w[(i + 14) % 16]) + w[(i + 9) % 16] + SMALL0(w[(i + 1) % 16]);
}

static void hash_block(HASH_WORD *s, const uint8_t *in)
{
    HASH_WORD w[16];
    HASH_WORD a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (unsigned i = 0; i < 16; i++) w[i] = HASH_LOAD(in + sizeof w[0] * i);
    for (unsigned t = 0; t < HASH_ROUNDS; t += 8) {
        if (t && t % 16 == 0) next_words(w);
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
    }
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
}

static void hash_blocks(HASH_WORD *s, const uint8_t *in, uint64_t blocks)
{
    for (; blocks > 0; blocks--, in += HASH_BLOCK) hash_block(s, in);
}
