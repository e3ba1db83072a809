/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rabbit with vectors, for a file that defines
 *   vec                       the eight state words in vectors
 *   load(u, x, c)             u = state words x plus counter c
 *   next(u, x, c)             a next-state step: u holds state plus counter;
 *                             afterwards x is the new state and u = x + c
 *   output(out, in, x)        16 bytes from x
 *   output2(out, in, x, y)    32 bytes from x and y
 * One step waits for the one before, but the counter does not wait for the
 * state: it runs ahead in ordinary registers through a ring of AHEAD values
 * in memory, far enough for its stores to have reached the cache when a vector
 * load takes four words at once. */

#define AHEAD 8

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint64_t ring[6][4], b = 0;
    uint32_t x[8];
    vec u, v;
    load_key(x, ring[0], key);
    for (int n = 0; n < 5; n++) {
        count(ring[n + 1], ring[n], &b);
        if (n == 3) expanded->b = b;
    }
    load(&u, x, ring[1]);
    for (int n = 0; n < 4; n++) next(&u, &v, ring[n + 2]);
    store(expanded->x, &v);
    for (int m = 0; m < 4; m++) {
        const uint32_t *far = expanded->x + (2 * m + 4) % 8;
        expanded->c[m] = ring[4][m] ^ (far[0] | (uint64_t)far[1] << 32);
    }
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    static const uint8_t zero[16];
    uint64_t ring[6][4], b = expanded->b, even, odd;
    vec u, v;
    (void)soon;
    load_nonce(&even, &odd, nonce);
    for (int m = 0; m < 4; m++) ring[0][m] = expanded->c[m] ^ (m & 1 ? odd : even);
    for (int n = 0; n < 5; n++) count(ring[n + 1], ring[n], &b);
    load(&u, expanded->x, ring[1]);
    for (int n = 2; n < 6; n++) next(&u, &v, ring[n]);
    next(&u, &v, ring[5]);
    output(first, zero, &v);
    store(state->x, &v);
    memcpy(state->c, ring[5], sizeof ring[5]);
    state->b = b;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t ring[AHEAD][4], b = state->b, n = 1, total = length / 16 + 2;
    uint64_t counted = total < AHEAD ? total : AHEAD;
    vec u, v, w;
    count(ring[0], state->c, &b);
    for (uint64_t i = 1; i < counted; i++) count(ring[i], ring[i - 1], &b);
    load(&u, state->x, ring[0]);
    for (; length >= 32; length -= 32, out += 32, in += 32) {
        next(&u, &v, ring[n++ % AHEAD]);
        next(&u, &w, ring[n++ % AHEAD]);
        output2(out, in, &v, &w);
        for (int i = 0; i < 2 && counted < total; i++, counted++)
            count(ring[counted % AHEAD], ring[(counted - 1) % AHEAD], &b);
    }
    if (length >= 16) {
        next(&u, &v, ring[n++ % AHEAD]);
        output(out, in, &v);
        length -= 16, out += 16, in += 16;
    }
    if (length > 0) {
        uint8_t pad[16] = { 0 };
        next(&u, &v, ring[n % AHEAD]);
        output(pad, pad, &v);
        xor_bytes(out, in, pad, length);
    }
}
