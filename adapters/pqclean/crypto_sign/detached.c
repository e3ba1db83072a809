/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* PQClean's functions for signatures that stand apart from their messages. They are not measured, but users of the
 * implementation call them: what is signed is verified, and nothing else. */
#include <stddef.h>
#include <string.h>

#include "crypto_sign.h"
#include "harness.h"

int foreign_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *sk);
int foreign_sign_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *pk);

#define PK crypto_sign_PUBLICKEYBYTES
#define SK crypto_sign_SECRETKEYBYTES
#define LONGEST 600
#define CHANGES 64  /* of a signature, and of its message */
#define SECONDS 0.3 /* CPU time for them */

static struct guard signatures, messages, pks;
static uint8_t pk[PK], other_pk[PK], sk[SK], signature[crypto_sign_BYTES + 1], message[LONGEST];
static size_t signature_length;

static void sign(size_t length)
{
    const uint8_t *m = guarded_copy(&messages, message, length, GUARD_ANY, GUARD_BACK);
    uint8_t *s = guard_place(&signatures, crypto_sign_BYTES, GUARD_ANY, GUARD_BACK);
    signature_length = ~(size_t)0;
    if (foreign_sign_signature(s, &signature_length, m, length, sk)) harness_fail(VALID_REJECTED, "signing fails");
    guard_check(&signatures, "signature");
    guard_check(&messages, "message");
    if (!signature_length || signature_length > crypto_sign_BYTES)
        harness_fail(WRONG_OUTPUT, "returns %zu as the length of a signature", signature_length);
    memcpy(signature, s, signature_length);
}

static int verified(size_t length, size_t count, const uint8_t *key)
{
    const uint8_t *m = guarded_copy(&messages, message, length, GUARD_ANY, GUARD_BACK);
    const uint8_t *s = guarded_copy(&signatures, signature, count, GUARD_ANY, GUARD_BACK);
    const uint8_t *k = guarded_copy(&pks, key, PK, GUARD_ANY, GUARD_BACK);
    const int result = foreign_sign_verify(s, count, m, length, k);
    guard_check(&signatures, "signature");
    if (memcmp(s, signature, count) || (length && memcmp(m, message, length)) || memcmp(k, key, PK))
        harness_fail(INPUT_MODIFIED, "verifying modifies its input");
    return !result;
}

static void must_reject(size_t length, size_t count, const uint8_t *key)
{
    if (verified(length, count, key)) harness_fail(FORGERY_ACCEPTED, "verifying accepts it");
}

/* In schemes with malleable signatures some changes may be accepted, but not most. */
static void changed_signatures(size_t length)
{
    unsigned tried = 0, accepted = 0;
    for (; tried < CHANGES && (tried < 4 || cpu_budget_left()); tried++) {
        const size_t at = (size_t)(prng_word() % signature_length);
        harness_case("message of %zu bytes, byte %zu of the signature changed", length, at);
        const uint8_t bit = (uint8_t)(1u << prng_word() % 8);
        signature[at] ^= bit;
        accepted += (unsigned)verified(length, signature_length, pk);
        signature[at] ^= bit;
    }
    if (accepted > tried / 2)
        harness_fail(FORGERY_ACCEPTED, "verifying accepts %u of %u such signatures", accepted, tried);
}

static void changed_messages(size_t length)
{
    for (size_t i = 0; i < CHANGES && i < length && (i < 2 || cpu_budget_left()); i++) {
        const size_t at = i ? (size_t)(prng_word() % length) : length - 1;
        harness_case("message of %zu bytes, byte %zu of it changed", length, at);
        message[at] ^= 1;
        must_reject(length, signature_length, pk);
        message[at] ^= 1;
    }
    harness_case("message of %zu bytes, its last byte missing", length);
    if (length) must_reject(length - 1, signature_length, pk);
}

static void try_length(size_t length)
{
    prng_fill(message, length);
    harness_case("message of %zu bytes", length);
    sign(length);
    if (!verified(length, signature_length, pk)) harness_fail(VALID_REJECTED, "verifying rejects its own signature");
    cpu_budget_start(SECONDS);
    changed_messages(length);
    changed_signatures(length);
    harness_case("message of %zu bytes, another public key", length);
    must_reject(length, signature_length, other_pk);
    harness_case("message of %zu bytes, no signature", length);
    must_reject(length, 0, pk);
    harness_case("message of %zu bytes, the last byte of the signature missing", length);
    must_reject(length, signature_length - 1, pk);
    harness_case("message of %zu bytes, a byte after the signature", length);
    signature[signature_length] = 0;
    must_reject(length, signature_length + 1, pk);
    harness_case("message of %zu bytes, a signature of zeroes", length);
    memset(signature, 0, signature_length);
    must_reject(length, signature_length, pk);
}

void detached_test(void)
{
    guard_open(&signatures, crypto_sign_BYTES + 1, "signature");
    guard_open(&messages, LONGEST, "message");
    guard_open(&pks, PK, "public key");
    prng_seed(1);
    harness_case("key generation");
    if (crypto_sign_keypair(other_pk, sk) || crypto_sign_keypair(pk, sk))
        harness_fail(VALID_REJECTED, "key generation fails");
    try_length(0);
    try_length(59);
    try_length(LONGEST);
}
