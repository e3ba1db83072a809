/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who allocates the memory of the result: the caller, on its heap or its stack; or the function, once for a key, for
 * each packet, for each block, or for each packet without ever freeing it. */
#include "api.h"

#define OUTPUT (size_t)SUBJECT_OUTPUT(m->n)
#define LONGEST (16384 + MARGIN) /* of what is put on the stack */

/* A key and, behind it, the memory of its packets' results. */
struct provided {
    subject_state *state;
    uint8_t *result;
};

static struct provided *provide(const struct message *m)
{
    static struct provided provided;
    free(provided.result);
    provided = (struct provided){.state = m->state, .result = malloc(OUTPUT)};
    return &provided;
}

static __attribute__((noinline)) uint8_t *provided_call(struct provided *key, const struct message *m)
{
    DIRECT(key->result, m->in, m->nonce, key->state);
    return key->result;
}

/* Returns a new result, which the caller frees. */
static __attribute__((noinline)) uint8_t *allocating_call(const struct message *m)
{
    uint8_t *result = malloc(OUTPUT);
    DIRECT(result, m->in, m->nonce, m->state);
    return result;
}

#define KEPT 4096
#define KEPT_BYTES (32 << 20)
static uint8_t *kept[KEPT];
static unsigned kept_count;

/* Frees after all, between timings, what would fill the machine. */
static void keep(uint8_t *result, size_t bytes)
{
    if (kept_count == KEPT || kept_count * bytes > KEPT_BYTES)
        while (kept_count) free(kept[--kept_count]);
    kept[kept_count++] = result;
}

BASE("memory", heap, uint8_t *own = malloc(OUTPUT), m->result = own, DIRECT(own, m->in, m->nonce, m->state));
LEVEL_IF(m->n + MARGIN <= LONGEST, "memory", stack, uint8_t own[LONGEST], m->result = own,
         DIRECT(own, m->in, m->nonce, m->state));
LEVEL("memory", per_key, struct provided *volatile key = provide(m), , m->result = provided_call(key, m));

/* Each call frees the packet before. */
LEVEL("memory", per_packet, m->result = NULL, , (free(m->result), m->result = allocating_call(m)));
LEVEL("memory", never_freed, m->result = NULL, if (m->result) keep(m->result, OUTPUT), m->result = allocating_call(m));

#ifdef SUBJECT_IS_BLOCKCIPHER
static __attribute__((noinline)) void allocate_blocks(const struct message *m)
{
    for (uint64_t i = 0; i < m->n; i += SUBJECT_BLOCKBYTES) {
        uint8_t *block = malloc(SUBJECT_BLOCKBYTES);
        crypto_blockcipher_encrypt(block, m->in + i, 1, m->state);
        memcpy(m->out + i, block, SUBJECT_BLOCKBYTES);
        free(block);
    }
}
LEVEL("memory", per_block, , , allocate_blocks(m));
#endif
