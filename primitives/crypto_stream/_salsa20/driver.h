/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions which ref.h describes, on cipher_pass and cipher_plan. */

static inline unsigned salsa20_first(uint64_t blocks)
{
    return cipher_plan[blocks < sizeof cipher_plan ? blocks : 0];
}

static inline void salsa20_expandkey(uint32_t key[8], const uint8_t bytes[32])
{
    static const uint8_t order[8] = {3, 6, 7, 2, 5, 0, 1, 4}; /* words.h */

    for (int i = 0; i < 8; i++) key[i] = load_le32(bytes + 4 * order[i]);
}

static void salsa20_xor(uint8_t *out, const uint8_t *in, uint64_t length,
                        const uint32_t key[8], const uint8_t nonce[8],
                        uint64_t counter)
{
    const uint32_t n[2] = {load_le32(nonce), load_le32(nonce + 4)};

    while (length > 0) {
        unsigned blocks = salsa20_first((length - 1) / 64 + 1);
        if (length < 64 * blocks) {
            _Alignas(64) uint8_t pad[64 * SALSA20_AHEAD];
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

#define salsa20_apply lanes_apply
