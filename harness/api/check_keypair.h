/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_KEYPAIR_H
#define CHECK_KEYPAIR_H

/* What the checks of all public-key operations have in common.  Before the
 * #include:
 *
 *   PK, SK            bytes of a public and of a secret key
 *   KEYPAIR(pk, sk)   the implementation's function
 *   KEYPAIR_OF_VECTORS(pk, sk)   optional: the one that published vectors mean
 *   HIDDEN_RNG        optional: the harness does not see its random bytes
 *   KEYGEN_VARIES       optional: what it makes of them differs from library to library
 *   STATEFUL_KEY           optional: a secret key has a state and is used once */

#include <string.h>

#include "harness.h"

#ifndef KEYPAIR_OF_VECTORS
#define KEYPAIR_OF_VECTORS KEYPAIR
#endif

struct keys {
    uint8_t pk[PK], sk[SK];
};

static struct guard pks, sks;

static inline void open_key_guards(void)
{
    guard_open(&pks, PK, "public key");
    guard_open(&sks, SK, "secret key");
}

/* Of what all implementations of a primitive compute alike. */
static inline void digest(const uint8_t *data, size_t length)
{
#if defined(HIDDEN_RNG) || defined(KEYGEN_VARIES)
    (void)data, (void)length;
#else
    harness_digest(data, length);
#endif
}

static inline void draw(struct keys *keys, uint64_t seed)
{
    const enum guard_edge edge = seed % 2 ? GUARD_FRONT : GUARD_BACK;
    uint8_t *pk = guard_place(&pks, PK, GUARD_ANY, edge), *sk = guard_place(&sks, SK, GUARD_ANY, edge);
    memset(pk, 0xa5, PK); /* every byte must be written */
    memset(sk, 0xa5, SK);
    random_seed(seed);
    if (KEYPAIR(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    memcpy(keys->pk, pk, PK);
    memcpy(keys->sk, sk, SK);
}

#define SECONDS 0.5 /* of CPU time, for what goes beyond the fixed cases */

/* The first key pair, from a seed that is returned; equal random bytes must give an equal one, which is tried
 * where a key pair takes less than SECONDS. What is left of them is there for the caller's cases. */
static inline uint64_t draw_first(struct keys *keys)
{
    const uint64_t seed = prng_word();
    cpu_budget_start(SECONDS);
    const double start = cpu_seconds();
    draw(keys, seed);
#ifndef STATEFUL_KEY
    keypair_record(keys->pk, PK, keys->sk, SK, cpu_seconds() - start);
#endif
#ifndef HIDDEN_RNG
    if (!harness_lenient && cpu_budget_left()) {
        static struct keys again;
        harness_case("equal random bytes");
        draw(&again, seed);
        if (memcmp(keys, &again, sizeof again)) harness_fail(HIDDEN_RNG, "produce different key pairs");
    }
#endif
    return seed;
}

/* Request RANDOM -> PUBLIC_KEY SECRET_KEY in one, or `absent` where the harness does not see the random bytes. */
static inline int answer_keypair(void)
{
#ifdef HIDDEN_RNG
    answer_word("absent");
#else
    static struct keys keys;
    size_t length;
    const uint8_t *random = request_bytes(&length);
    random_script(random, length);
    if (KEYPAIR_OF_VECTORS(keys.pk, keys.sk)) harness_fail(VALID_REJECTED, "key generation fails");
    random_script_end();
    answer_bytes((const uint8_t *)&keys, sizeof keys);
#endif
    return 0;
}

/* After random_seed() and one call: what the call drew. */
static inline void record_drawn(const char *bytes, const char *calls)
{
#ifdef HIDDEN_RNG
    (void)bytes, (void)calls;
#else
    record_info(bytes, random_usage().bytes);
    record_info(calls, random_usage().calls);
#endif
}

#endif
