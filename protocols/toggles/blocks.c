/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How many blocks of a message a call of a block cipher gets. */
#include "api.h"

#ifdef SUBJECT_IS_BLOCKCIPHER

/* `at_a_time` is a constant in each level. */
static inline __attribute__((always_inline)) void encrypt(const struct message *m, uint64_t at_a_time)
{
    const uint64_t blocks = m->n / SUBJECT_BLOCKBYTES;
    for (uint64_t i = 0; i < blocks; i += at_a_time) {
        const uint64_t now = blocks - i < at_a_time ? blocks - i : at_a_time;
        crypto_blockcipher_encrypt(m->out + i * SUBJECT_BLOCKBYTES, m->in + i * SUBJECT_BLOCKBYTES, now, m->state);
    }
}

#define HAS(blocks) (m->n >= (blocks) * SUBJECT_BLOCKBYTES)

BASE("blocks", by_1, , , encrypt(m, 1));
LEVEL_IF(HAS(2), "blocks", by_2, , , encrypt(m, 2));
LEVEL_IF(HAS(4), "blocks", by_4, , , encrypt(m, 4));
LEVEL_IF(HAS(8), "blocks", by_8, , , encrypt(m, 8));
LEVEL_IF(HAS(64), "blocks", by_64, , , encrypt(m, 64));

#endif
