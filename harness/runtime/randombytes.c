/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* randombytes(), which implementations call (primitives/_shared/randombytes.h).
 * Its generator is separate from prng.c, so that the bytes an implementation
 * uses do not change the inputs of the property tests. */
#include <string.h>

#include "harness.h"
#include "secret.h"

void randombytes(unsigned char *x, unsigned long long xlen);

static uint64_t state = RANDOM_START;
static uint64_t word;
static unsigned left; /* bytes of `word` not yet used */
static const uint8_t *script;
static size_t script_length, script_at;
static struct random_count usage;
static int secret;                   /* mark the bytes for the constant-time check */
static random_function *replacement; /* used instead, for an oracle */

void random_seed(uint64_t seed)
{
    state = seed;
    left = 0;
    script = NULL;
    usage = (struct random_count){0, 0};
}

void random_script(const uint8_t *bytes, size_t length)
{
    random_seed(0);
    script = bytes;
    script_length = length;
    script_at = 0;
}

void random_script_end(void)
{
    if (script && script_at < script_length)
        harness_fail(RANDOM_MISUSED, "uses only %zu of the %zu random bytes of the vector", script_at, script_length);
    script = NULL;
}

void random_mark_secret(void)
{
    secret = 1;
}

void random_use(random_function *other)
{
    replacement = other;
}

struct random_count random_usage(void)
{
    return usage;
}

/* splitmix64, as in prng.c */
static uint64_t next_word(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void randombytes(unsigned char *x, unsigned long long xlen)
{
    usage.bytes += xlen;
    usage.calls++;
    if (replacement) {
        replacement(x, xlen);
        return;
    }
    if (script) {
        if (xlen > script_length - script_at)
            harness_fail(RANDOM_MISUSED, "uses more than the %zu random bytes of the vector", script_length);
        if (xlen) memcpy(x, script + script_at, (size_t)xlen);
        script_at += (size_t)xlen;
        return;
    }
    for (unsigned long long i = 0; i < xlen; i++) {
        if (!left) word = next_word(), left = 8;
        x[i] = (unsigned char)word; /* byte by byte, so that the stream does not depend on how calls divide it */
        word >>= 8;
        left--;
    }
    if (secret) secret_mark(x, (size_t)xlen);
}
