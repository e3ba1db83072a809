/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serpent in bit slices of one block, as its designers meant it for 32-bit
 * machines. */
#include "../../../crypto_stream/_sosemanuk/serpent.h"
#include "../../_serpent/inverse_sboxes.h"
#include "../../_serpent/substitute.h"
#include "../../_serpent/expandkey.h"

#define SERPENT_WORD uint32_t
#define SERPENT_KEY(w) (w)
#define SERPENT_ROTL(x, n) rotl32(x, n)
#define SERPENT_SHL(x, n) ((x) << (n))
#define SERPENT_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define SERPENT_CIRCUIT(name) SERPENT_##name
#include "../../_serpent/rounds.h"

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    return serpent_expandkey(expanded->k, key, key_bytes);
}

static inline serpent_set serpent_load(const uint8_t *in)
{
    return (serpent_set){load_le32(in), load_le32(in + 4), load_le32(in + 8), load_le32(in + 12)};
}

static inline void serpent_store(uint8_t *out, const serpent_set *s)
{
    store_le32(out, s->x0);
    store_le32(out + 4, s->x1);
    store_le32(out + 8, s->x2);
    store_le32(out + 12, s->x3);
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        serpent_set s = serpent_load(in);
        serpent_encrypt_sets(&s, 1, expanded->k);
        serpent_store(out, &s);
    }
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        serpent_set s = serpent_load(in);
        serpent_decrypt_sets(&s, 1, expanded->k);
        serpent_store(out, &s);
    }
}
