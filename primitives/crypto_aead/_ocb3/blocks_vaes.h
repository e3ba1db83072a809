/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_BLOCKS_VAES_H
#define OCB3_BLOCKS_VAES_H

/* Groups of 16 blocks in four registers of 512 bits: for wide.h.  Offsets inside
 * a group are the group's plus a table of the expanded key, except that the last
 * block brings in an L that depends on the group's number. */

/* The first 4 (n - 1) + 1 .. 4 n blocks of a group; mask has two bits for each
 * block of the last register.  Gives the group's sum. */
AES_INLINE __m512i ocb3_few(uint8_t *out, const uint8_t *in, int n, __mmask8 mask, __m128i base,
                            __m128i last, const crypto_aead_key *k, enum ocb3_task task)
{
    const __m512i base_x4 = _mm512_broadcast_i32x4(base);
    __m512i x[4], offset[4], sum = _mm512_setzero_si512();
    AES_UNROLL for (int j = 0; j < n; j++) {
        const __mmask8 m = j == n - 1 ? mask : 0xff;
        offset[j] = _mm512_xor_si512(base_x4, _mm512_loadu_si512(k->within[4 * j]));
        if (j == 3)
            offset[j] = _mm512_xor_si512(offset[j], _mm512_maskz_broadcast_i32x4(0xf000, last));
        x[j] = _mm512_maskz_loadu_epi64(m, in + 64 * j);
        if (task == OCB3_ENCRYPT) sum = _mm512_xor_si512(sum, x[j]);
        x[j] = _mm512_xor_si512(x[j], offset[j]);
    }
    aes_crypt_x4(x, n, task == OCB3_DECRYPT ? k->v : k->w, OCB3_ROUNDS, task == OCB3_DECRYPT);
    AES_UNROLL for (int j = 0; j < n; j++) {
        const __mmask8 m = j == n - 1 ? mask : 0xff;
        if (task != OCB3_HASH) {
            x[j] = _mm512_xor_si512(x[j], offset[j]);
            _mm512_mask_storeu_epi64(out + 64 * j, m, x[j]);
        }
        if (task != OCB3_ENCRYPT) sum = _mm512_mask_xor_epi64(sum, m, sum, x[j]);
    }
    return sum;
}

AES_INLINE __m128i ocb3_fold(__m512i x)
{
    const __m256i y = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
}

AES_INLINE void ocb3_blocks(uint8_t *out, uint64_t advance, const uint8_t *in, uint64_t blocks,
                            ocb3_sums *s, const crypto_aead_key *k, enum ocb3_task task)
{
    const __m128i none = _mm_setzero_si128(), whole = aes_load(k->within[OCB3_GROUP - 1]);
    const __mmask8 mask = (__mmask8)(0xffu >> (2 * ((0 - blocks) & 3)));
    __m512i sum = _mm512_setzero_si512();
    __m128i base = s->offset;
    for (uint64_t i = 16; blocks >= 16; blocks -= 16, i += 16, in += 256, out += 256 & advance) {
        const __m128i last = ocb3_L(i, k);
        sum = _mm512_xor_si512(sum, ocb3_few(out, in, 4, 0xff, base, last, k, task));
        base = _mm_xor_si128(base, _mm_xor_si128(whole, last));
    }
    s->offset = base;
    if (blocks > 0) {
        switch ((blocks + 3) / 4) {
        case 1: sum = _mm512_xor_si512(sum, ocb3_few(out, in, 1, mask, base, none, k, task)); break;
        case 2: sum = _mm512_xor_si512(sum, ocb3_few(out, in, 2, mask, base, none, k, task)); break;
        case 3: sum = _mm512_xor_si512(sum, ocb3_few(out, in, 3, mask, base, none, k, task)); break;
        default: sum = _mm512_xor_si512(sum, ocb3_few(out, in, 4, mask, base, none, k, task)); break;
        }
        s->offset = _mm_xor_si128(base, aes_load(k->within[blocks - 1]));
    }
    s->sum = _mm_xor_si128(s->sum, ocb3_fold(sum));
}

#endif
