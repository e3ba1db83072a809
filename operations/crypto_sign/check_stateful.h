/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property of stateful keys: the secret key is updated before the first byte of the signed
 * message is written. A crash is simulated with a write-protected buffer: the signal handler
 * leaves the call at the first write. */
#ifndef crypto_sign_STATEFUL
static void states(struct keys *keys)
{
    (void)keys;
}
#else
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static sigjmp_buf crash;

static void crashed(int number)
{
    (void)number;
    siglongjmp(crash, 1);
}

/* Computes the secret key after a crash at the first byte of sm. */
static void sign_and_crash(const uint8_t *sk, size_t length, uint8_t *left)
{
    static uint8_t *present;
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK}, before;
    volatile int ended = 0;
    unsigned long long smlen;
    uint8_t *nowhere = mmap(NULL, length + OVERHEAD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (nowhere == MAP_FAILED) harness_fail(HARNESS_ERROR, "out of memory");
    if (!present) present = allocate(SK, 0);
    memcpy(present, sk, SK);
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGSEGV, &action, &before);
    if (!sigsetjmp(crash, 1)) {
        (void)crypto_sign_stateful(nowhere, &smlen, message, length, present);
        ended = 1;
    }
    (void)sigaction(SIGSEGV, &before, NULL);
    (void)munmap(nowhere, length + OVERHEAD);
    if (ended) harness_fail(WRONG_OUTPUT, "signing succeeds but writes no signed message");
    memcpy(left, present, SK);
}

#define STATES 12

static void states(struct keys *keys)
{
    uint8_t *seen[STATES + 1], *left = allocate(SK, 0), *first = allocate(59 + OVERHEAD, 0);
    for (size_t i = 0; i <= STATES; i++) seen[i] = allocate(SK, 0);
    generate_keys(keys, prng_word());
    memcpy(seen[0], keys->sk, SK);
    prng_fill(message, 59);
    for (size_t i = 1; i <= STATES; i++) {
        const uint64_t seed = prng_word();
        harness_case("state %zu", i);
        random_seed(seed);
        if (try_sign(keys, 59, GUARD_BACK)) return; /* exhausted */
        if (i > 1 && !memcmp(first, signed_message, OVERHEAD))
            harness_fail(STATE_REUSED, "repeats the signature of an earlier state");
        memcpy(first, signed_message, signed_length);
        memcpy(seen[i], keys->sk, SK);
        for (size_t j = 0; j < i; j++)
            if (!memcmp(seen[i], seen[j], SK)) harness_fail(STATE_REUSED, "the secret key returns to state %zu", j);
        harness_case("crash in state %zu", i);
        random_seed(seed);
        sign_and_crash(seen[i - 1], 59, left);
        if (memcmp(left, seen[i], SK))
            harness_fail(STATE_REUSED, "writes the signed message before advancing the secret key");
    }
}

#endif
