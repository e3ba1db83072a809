/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_KEYPAIR_H
#define CHECK_KEYPAIR_H

/* Helpers for the property tests of public-key operations. Define before the #include:
 *
 *   PK, SK                       bytes of a public and of a secret key
 *   KEYPAIR(pk, sk)              the implementation's key generation
 *   KEYPAIR_OF_VECTORS(pk, sk)   optional: the key generation that published vectors use; default: KEYPAIR
 *   HIDDEN_RNG                   optional: random bytes do not come from randombytes()
 *   KEYGEN_VARIES                optional: libraries derive different keys from equal random bytes
 *   STATEFUL_KEY                 optional: signing changes the secret key, and each state is used once */

#include <string.h>

#include "harness.h"
#include "key_pair.h"

#ifndef KEYPAIR_OF_VECTORS
#define KEYPAIR_OF_VECTORS KEYPAIR
#endif

static struct guard pks, sks;

static inline void open_key_guards(void)
{
    guard_open(&pks, PK, "public key");
    guard_open(&sks, SK, "secret key");
}

/* Adds to the digest that all implementations of a primitive must share; does nothing
 * where equal random bytes need not lead to equal keys. */
static inline void digest(const uint8_t *data, size_t length)
{
#if defined(HIDDEN_RNG) || defined(KEYGEN_VARIES)
    (void)data, (void)length;
#else
    harness_digest(data, length);
#endif
}

/* Generates a key pair in guarded buffers from the random bytes that follow `seed`. */
static inline void generate_keys(struct keys *keys, uint64_t seed)
{
    const enum guard_edge edge = seed % 2 ? GUARD_FRONT : GUARD_BACK;
    uint8_t *pk = guard_place(&pks, PK, GUARD_ANY, edge), *sk = guard_place(&sks, SK, GUARD_ANY, edge);
    memset(pk, 0xa5, PK); /* so that a byte that is never written shows */
    memset(sk, 0xa5, SK);
    open_keys(keys);
    random_seed(seed);
    if (KEYPAIR(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    memcpy(keys->pk, pk, PK);
    memcpy(keys->sk, sk, SK);
}

/* Generates a key pair from whatever random bytes come next. */
static inline void draw_keys(struct keys *keys)
{
    open_keys(keys);
    if (KEYPAIR(keys->pk, keys->sk)) harness_fail(VALID_REJECTED, "key generation fails");
}

#define EXTRA_CASES_SECONDS 0.5 /* CPU time for cases beyond the fixed ones */

/* Generates the first key pair and returns its seed. If that took less than EXTRA_CASES_SECONDS, checks that equal
 * random bytes give an equal pair. The caller may spend the rest of that CPU time on its own extra cases. */
static inline uint64_t generate_first_keys(struct keys *keys)
{
    const uint64_t seed = prng_word();
    cpu_budget_start(EXTRA_CASES_SECONDS);
    const double start = cpu_seconds();
    generate_keys(keys, seed);
#ifndef STATEFUL_KEY
    keypair_record(keys->pk, PK, keys->sk, SK, cpu_seconds() - start);
#endif
#ifndef HIDDEN_RNG
    if (!harness_lenient && cpu_budget_left()) {
        static struct keys again;
        harness_case("equal random bytes");
        generate_keys(&again, seed);
        if (memcmp(keys->pk, again.pk, PK + SK))
            harness_fail(HIDDEN_RNG, "produce different key pairs; draw random bytes by randombytes() alone");
    }
#endif
    return seed;
}

/* Answers the request RANDOM with the public key followed by the secret key, or with `absent` if HIDDEN_RNG. */
static inline int answer_keypair(void)
{
#ifdef HIDDEN_RNG
    answer_word("absent");
#else
    static struct keys keys;
    size_t length;
    const uint8_t *random = request_bytes(&length);
    open_keys(&keys);
    random_script(random, length);
    if (KEYPAIR_OF_VECTORS(keys.pk, keys.sk)) harness_fail(VALID_REJECTED, "key generation fails");
    random_script_end();
    answer_bytes(keys.pk, PK + SK);
#endif
    return 0;
}

/* After random_seed() and one call: records how many random bytes the call used and in how many calls of
 * randombytes(), under these two names. */
static inline void record_random_usage(const char *bytes, const char *calls)
{
#ifdef HIDDEN_RNG
    (void)bytes, (void)calls;
#else
    record_info(bytes, random_usage().bytes);
    record_info(calls, random_usage().calls);
#endif
}

#endif
