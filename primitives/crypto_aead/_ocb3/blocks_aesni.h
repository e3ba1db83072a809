/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_BLOCKS_AESNI_H
#define OCB3_BLOCKS_AESNI_H

/* Eight blocks side by side, then the rest: for wide.h. */

/* Blocks i .. i + n - 1, i counting from 1 */
AES_INLINE void ocb3_few(uint8_t *out, const uint8_t *in, uint64_t i, int n, ocb3_sums *s,
                         const crypto_aead_key *k, enum ocb3_task task)
{
    __m128i x[8], offset[8], sum = s->sum;
    AES_UNROLL for (int j = 0; j < n; j++) {
        s->offset = _mm_xor_si128(s->offset, ocb3_L(i + (uint64_t)j, k));
        offset[j] = s->offset;
        x[j] = aes_load(in + 16 * j);
        if (task == OCB3_ENCRYPT) sum = _mm_xor_si128(sum, x[j]);
        x[j] = _mm_xor_si128(x[j], offset[j]);
    }
    aes_crypt_n(x, n, task == OCB3_DECRYPT ? k->v : k->w, OCB3_ROUNDS, task == OCB3_DECRYPT);
    AES_UNROLL for (int j = 0; j < n; j++) {
        if (task != OCB3_HASH) {
            x[j] = _mm_xor_si128(x[j], offset[j]);
            aes_store(out + 16 * j, x[j]);
        }
        if (task != OCB3_ENCRYPT) sum = _mm_xor_si128(sum, x[j]);
    }
    s->sum = sum;
}

AES_INLINE void ocb3_blocks(uint8_t *out, uint64_t advance, const uint8_t *in, uint64_t blocks,
                            ocb3_sums *s, const crypto_aead_key *k, enum ocb3_task task)
{
    uint64_t i = 1;
    for (; blocks >= 8; blocks -= 8, i += 8, in += 128, out += 128 & advance)
        ocb3_few(out, in, i, 8, s, k, task);
    switch (blocks) {
    case 1: ocb3_few(out, in, i, 1, s, k, task); break;
    case 2: ocb3_few(out, in, i, 2, s, k, task); break;
    case 3: ocb3_few(out, in, i, 3, s, k, task); break;
    case 4: ocb3_few(out, in, i, 4, s, k, task); break;
    case 5: ocb3_few(out, in, i, 5, s, k, task); break;
    case 6: ocb3_few(out, in, i, 6, s, k, task); break;
    case 7: ocb3_few(out, in, i, 7, s, k, task); break;
    default: break;
    }
}

#endif
