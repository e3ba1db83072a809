/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where the expanded key is: a parameter, a global, on the heap behind a handle; expanded anew by each call; or in a
 * cache of 16, of which 100, 90 or 50 % of the calls find theirs. */
#include "api.h"

#if SUBJECT_KEYBYTES

static subject_state global;

struct handle {
    subject_state *state;
};

static struct handle *on_heap(const struct message *m)
{
    static struct handle handle;
    if (!handle.state && posix_memalign((void **)&handle.state, 64, sizeof *handle.state)) abort();
    memcpy(handle.state, m->state, sizeof *handle.state);
    return &handle;
}

/* The expanded key is the caller's own only during the call. */
static __attribute__((noinline)) void expand_and_encrypt(const struct message *m)
{
    subject_state state;
    (void)SUBJECT_EXPAND(&state, m->key);
    DIRECT(m->out, m->in, m->nonce, &state);
#if defined crypto_aead_RELEASES
    crypto_aead_release(&state);
#elif defined crypto_blockcipher_RELEASES
    crypto_blockcipher_release(&state);
#endif
}

#define ENTRIES 16

static struct {
    uint64_t name[ENTRIES]; /* of the key; all names are of the same key here, so that results can be compared */
    subject_state state[ENTRIES];
    unsigned oldest;
} cache;

static void fill_cache(const struct message *m)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        cache.name[i] = prng_word();
        memcpy(&cache.state[i], m->state, sizeof cache.state[i]);
    }
}

/* The name of the next key: in `hits` of 100 calls one that the cache has. */
static uint64_t next_key(unsigned hits)
{
    return prng_word() % 100 < hits ? cache.name[prng_word() % ENTRIES] : prng_word();
}

static __attribute__((noinline)) const subject_state *cached(uint64_t name, const uint8_t *key)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if (cache.name[i] == name) return &cache.state[i];
    const unsigned i = cache.oldest++ % ENTRIES;
    cache.name[i] = name;
#if !defined crypto_aead_RELEASES && !defined crypto_blockcipher_RELEASES
    (void)SUBJECT_EXPAND(&cache.state[i], key);
#endif
    return &cache.state[i];
}

#define CAN_BE_COPIED (!IS_RELEASED)
#if defined crypto_aead_RELEASES || defined crypto_blockcipher_RELEASES
#define IS_RELEASED 1
#else
#define IS_RELEASED 0
#endif

PLAIN_BASE("schedule", parameter);
LEVEL_IF(CAN_BE_COPIED, "schedule", global, memcpy(&global, m->state, sizeof global), ,
         DIRECT(m->out, m->in, m->nonce, &global));
LEVEL_IF(CAN_BE_COPIED, "schedule", heap, struct handle *volatile handle = on_heap(m), ,
         DIRECT(m->out, m->in, m->nonce, handle->state));
LEVEL("schedule", each_call, , , expand_and_encrypt(m));
LEVEL_IF(CAN_BE_COPIED, "schedule", cached_100, fill_cache(m);
         uint64_t name, name = next_key(100), DIRECT(m->out, m->in, m->nonce, cached(name, m->key)));
LEVEL_IF(CAN_BE_COPIED, "schedule", cached_90, fill_cache(m);
         uint64_t name, name = next_key(90), DIRECT(m->out, m->in, m->nonce, cached(name, m->key)));
LEVEL_IF(CAN_BE_COPIED, "schedule", cached_50, fill_cache(m);
         uint64_t name, name = next_key(50), DIRECT(m->out, m->in, m->nonce, cached(name, m->key)));

#endif
