/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions which a cipher's ref.h describes, except expandkey, on cipher_pass
 * and on
 *
 *   cipher_plan  how many blocks to make at once when this many are wanted; number
 *                0 for all beyond the table.  Found by timing each pass: the first
 *                pass of the cheapest sequence that gives as many. */

static inline unsigned CIPHER(first)(uint64_t blocks)
{
    return cipher_plan[blocks < sizeof cipher_plan ? blocks : 0];
}

static void CIPHER(xor)(uint8_t *out, const uint8_t *in, uint64_t length,
                        const uint32_t key[8], const uint8_t *nonce,
                        cipher_counter counter)
{
    const uint32_t n[] = CIPHER_NONCE(nonce);

    while (length > 0) {
        unsigned blocks = CIPHER(first)((length - 1) / 64 + 1);
        if (length < 64 * blocks) {
            _Alignas(64) uint8_t pad[64 * CIPHER_AHEAD];
            cipher_pass(blocks, pad, 0, key, n, counter);
            if (in)
                lanes_apply(out, in, pad, length);
            else
                memcpy(out, pad, length);
            return;
        }
        cipher_pass(blocks, out, in, key, n, counter);
        out += 64 * blocks;
        if (in) in += 64 * blocks;
        length -= 64 * blocks;
        counter += blocks;
    }
}
