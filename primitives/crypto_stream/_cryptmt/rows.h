/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CryptMT v2 after booting, the generator, in rows of seven words: 623 = 89 * 7
 * and the look-back of 14 words is 2 * 7, so that a row (eight words of memory,
 * the last one idle) needs the rows 89 and 2 before it, whole.  y is a running
 * xor, and the filter's accum a running product.
 *
 * Eight vectors of rows are made at a time and then transposed, so that a vector
 * has one word of each row: products along the rows are then plain
 * multiplications, the products of whole rows are combined across the vector,
 * and only one multiplication waits for the group before.
 *
 * Both the rows and the products are long chains.  A processor that has filled
 * its scheduler with one chain does not see the other, so they are interleaved:
 * one vector of the next rows, one step of the products of these.
 *
 * The includer defines
 *   vector, and GROUP: rows in eight of them; broadcast(uint32_t); or, mul, and
 *     the unpack instructions low32, high32, low64, high64
 *   low_words(a, b), high_words(a, b): the halves of rows that are words 0..3,
 *     and 4..7, of a and b
 *   earlier(v, i): for each row the word of the row 2^i before, or 1
 *   total(v): the last row's word, in all places
 *   generator, generator_init(rows), next(&generator, p): next rows in place
 *   write(out, in, q): 7 * GROUP bytes, out = in ^ the top bytes of q[0..6] */

enum { ROW = 7, ROWS = BLOCK / ROW, GROUP_BYTES = GROUP * ROW };

typedef struct {
    vector rows[8];         /* each word | 1 */
    vector t[8], q[8];      /* q[k] = word k of each row */
    vector s, accum;
} products;

static inline void multiply_step(products *w, int step)
{
    vector *q = w->q, *t = w->t, *r = w->rows, u;
    switch (step) {
    case 0:
        for (int i = 0; i < 8; i += 2) {
            t[i] = low32(r[i], r[i + 1]);
            t[i + 1] = high32(r[i], r[i + 1]);
        }
        break;
    case 1:
        for (int i = 0; i < 2; i++) {
            vector a = t[i], b = t[i + 2], c = t[i + 4], d = t[i + 6];
            q[2 * i] = low_words(low64(a, b), low64(c, d));
            q[2 * i + 1] = low_words(high64(a, b), high64(c, d));
            q[2 * i + 4] = high_words(low64(a, b), low64(c, d));
            q[2 * i + 5] = high_words(high64(a, b), high64(c, d));
        }
        break;
    case 2:
        q[1] = mul(q[0], q[1]);
        t[3] = mul(q[2], q[3]);
        t[5] = mul(q[4], q[5]);
        break;
    case 3:
        q[2] = mul(q[1], q[2]);
        q[3] = mul(q[1], t[3]);
        q[6] = mul(t[5], q[6]);
        break;
    case 4:
        w->s = q[6] = mul(q[3], q[6]);
        q[4] = mul(q[3], q[4]);
        q[5] = mul(q[3], t[5]);
        break;
    case 5:
    case 6:
        for (int i = 2 * step - 10; i < 2 * step - 8; i++)
            if (1 << i < GROUP) w->s = mul(w->s, earlier(w->s, i));
        break;
    case 7:
        u = mul(w->accum, earlier(w->s, 0));
        w->accum = mul(w->accum, total(w->s));
        for (int k = 0; k < 7; k++) q[k] = mul(u, q[k]);
    }
}

/* The rows from p[at] on, after (if `multiply`) the products of the last ones;
 * returns where the next group begins.  A group past the last row works on
 * copies of the first ones. */
static inline int next_group(generator *g, __m256i *p, int at, products *w, int multiply)
{
    int over = at + GROUP - ROWS;
    for (int i = 0; i < over; i++) p[ROWS + i] = p[i];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        if (multiply) multiply_step(w, i);
        w->rows[i] = or(next(g, p + at + i * (GROUP / 8)), broadcast(1));
    }
    for (int i = 0; i < over; i++) p[i] = p[ROWS + i];
    return over >= 0 ? over : at + GROUP;
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    const __m256i seven = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0);
    uint32_t t[BLOCK];
    uint64_t n = boot(st, t, out, in, length);
    out += n;
    in += n;
    length -= n;
    if (length == 0) return;

    __m256i p[ROWS + GROUP - 1];
    for (int i = 0; i < ROWS; i++)
        p[i] = _mm256_maskload_epi32((const int *)(t + ROW * i), seven);
    generator g = generator_init(p);
    products w;
    memset(&w, 0, sizeof w);
    w.accum = broadcast(st->accum);
    int at = next_group(&g, p, 0, &w, 0);
    for (; length >= GROUP_BYTES; length -= GROUP_BYTES) {
        at = next_group(&g, p, at, &w, 1);
        write(out, in, w.q);
        out += GROUP_BYTES;
        in += GROUP_BYTES;
    }
    if (length == 0) return;
    uint8_t pad[GROUP_BYTES] = {0};
    for (int i = 0; i < 8; i++) multiply_step(&w, i);
    write(pad, pad, w.q);
    xor_bytes(out, in, pad, length);
}
