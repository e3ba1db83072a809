/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The three functions of a table implementation that has defined
 *
 *   static void abc_xor(abc_registers *r, const abc_tables *tables,
 *                       uint8_t *out, const uint8_t *in, uint64_t length);
 *
 * which need not leave the registers in order.  Key set-up is that keystream
 * too: all 265 words it needs come from one call. */

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    enum { HEAD = 9, PER_BIT = 4, WORDS = HEAD + 2 * 32 * PER_BIT };
    uint8_t bytes[4 * WORDS] = {0};
    uint32_t w[WORDS], e[33], fields[32];
    abc_tables tables;
    abc_registers r = {{0}, 0, {0}};
    abc_make(&tables, abc_key_coefficients);
    abc_load(&r, key, &tables);
    abc_xor(&r, &tables, bytes, bytes, sizeof bytes);
    for (int i = 0; i < WORDS; i++) w[i] = load_le32(bytes + 4 * i);

    const uint32_t *v = w + HEAD;
    for (int i = 0; i < 32; i++, v += PER_BIT) e[i] = v[0] & v[1] & v[2] & v[3];
    e[32] = w[HEAD - 1];
    /* fields[i]: the set of the 20 five-bit fields of draw i, as a mask; bit i
     * of e[j] is bit j of fields[i] */
    for (int i = 0; i < 32; i++, v += PER_BIT) {
        uint32_t set = 0;
#pragma GCC unroll 20
        for (int f = 0; f < 20; f++) set |= (uint32_t)1 << (v[f / 6] >> (f % 6 * 5) & 31);
        fields[i] = set;
    }
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) e[j] |= (fields[i] >> j & 1) << i;
    e[30] |= e[31] & 0xffff;
    e[31] = (e[31] & 0xffff0000) | 0x00010000;
    abc_make(&expanded->tables, e);

    abc_registers *s = &expanded->start;
    s->d[0] = w[0] & ABC_M;
    s->d[1] = (w[1] & ABC_M) | 1;
    s->d[2] = w[2] & ABC_M;
    s->x = w[3];
    for (int i = 0; i < 4; i++) s->z[i] = w[4 + i];
    s->z[0] |= 2;
}

void crypto_stream_start(crypto_stream_state *st, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    st->tables = &expanded->tables;
    st->r = expanded->start;
    abc_load(&st->r, nonce, st->tables);
    for (int i = 0; i < 4; i++) store_le32(first + 4 * i, abc_step(&st->r, st->tables));
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    abc_xor(&st->r, st->tables, out, in, length);
}
