/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_encrypt: decryption returns the message; a changed ciphertext is
 * rejected or, if the system does not claim that, never decrypts to the same message; nothing is
 * written outside the buffers; equal random bytes give equal results. */
#include "crypto_encrypt.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_encrypt_keypair checked_call(crypto_encrypt_keypair)
#define crypto_encrypt checked_call(crypto_encrypt)
#define crypto_encrypt_open checked_call(crypto_encrypt_open)
#define crypto_encrypt_complete checked_call(crypto_encrypt_complete)
#define crypto_encrypt_keypair_published checked_call(crypto_encrypt_keypair_published)

#define PK crypto_encrypt_PUBLICKEYBYTES
#define SK crypto_encrypt_SECRETKEYBYTES
#define KEYPAIR crypto_encrypt_keypair
#ifdef crypto_encrypt_PUBLISHED_KEYPAIR
#define KEYPAIR_OF_VECTORS crypto_encrypt_keypair_published
#endif
#ifdef crypto_encrypt_OWN_RANDOM
#define HIDDEN_RNG
#endif
#ifdef crypto_encrypt_OWN_DRAWING
#define KEYGEN_VARIES
#endif
#include "bit_order.h"
#include "check.h"
#include "check_kept.h"
#include "check_draws.h"
#include "check_keypair.h"

#define OVERHEAD crypto_encrypt_BYTES
#define MAX_LENGTH ((size_t)96397)
#define MAX_CIPHERTEXT (MAX_LENGTH + OVERHEAD + 1)
#define MIN_FORGERIES 4

static struct guard messages, ciphertexts, openeds;
static uint8_t message[MAX_LENGTH], *ciphertext; /* MAX_CIPHERTEXT bytes */
static size_t ciphertext_length;

/* Encrypts the first `length` bytes of `message`. */
static void encrypt(const struct keys *keys, size_t length, enum guard_edge edge)
{
    const uint8_t *pk = guarded_copy(&pks, keys->pk, PK, GUARD_ANY, edge);
    const uint8_t *m = guarded_copy(&messages, message, length, GUARD_ANY, edge);
    uint8_t *c = guard_place(&ciphertexts, length + OVERHEAD, GUARD_ANY, edge);
    unsigned long long clen = ~0ull;
    if (crypto_encrypt(c, &clen, m, length, pk)) harness_fail(VALID_REJECTED, "encryption fails");
    guard_check(&pks, "public key");
    guard_check(&messages, "message");
    guard_check(&ciphertexts, "ciphertext");
    if (memcmp(pk, keys->pk, PK)) harness_fail(INPUT_MODIFIED, "modifies the public key");
    if (memcmp(m, message, length)) harness_fail(INPUT_MODIFIED, "modifies the message");
    if (clen > length + OVERHEAD)
        harness_fail(WRONG_OUTPUT, "returns a ciphertext of %llu bytes; the maximum is %zu", clen, length + OVERHEAD);
    ciphertext_length = (size_t)clen;
    memcpy(ciphertext, c, ciphertext_length);
}

/* Opens the first `length` bytes of `ciphertext`; returns whether that succeeds, and then *mlen
 * and `openeds` hold the message. */
static int opened(size_t length, const uint8_t *sk_given, size_t *mlen, enum guard_edge edge)
{
    const uint8_t *sk = guarded_copy(&sks, sk_given, SK, GUARD_ANY, edge);
    const uint8_t *c = guarded_copy(&ciphertexts, ciphertext, length, GUARD_ANY, edge);
    uint8_t *m = guard_place(&openeds, length, GUARD_ANY, edge);
    unsigned long long said = ~0ull;
    const int result = crypto_encrypt_open(m, &said, c, length, sk);
    guard_check(&sks, "secret key");
    guard_check(&ciphertexts, "ciphertext");
    guard_check(&openeds, "opened message");
    if (memcmp(sk, sk_given, SK)) harness_fail(INPUT_MODIFIED, "modifies the secret key");
    if (memcmp(c, ciphertext, length)) harness_fail(INPUT_MODIFIED, "modifies the ciphertext");
    if (!result && said > length) harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", said, length);
    *mlen = (size_t)said;
    return !result;
}

static void must_open(const uint8_t *sk, size_t length, enum guard_edge edge)
{
    size_t mlen;
    if (!opened(ciphertext_length, sk, &mlen, edge)) harness_fail(VALID_REJECTED, "rejects its own ciphertext");
    if (mlen != length) harness_fail(WRONG_OUTPUT, "opening returns %zu bytes instead of %zu", mlen, length);
    if (memcmp(openeds.data, message, length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
}

/* `original` is the length of the message; a very short one may be guessed by chance. */
static void must_not_open(size_t length, size_t original, const uint8_t *sk)
{
    size_t mlen;
    if (!opened(length, sk, &mlen, GUARD_BACK)) return;
    if (crypto_encrypt_CHOSENCIPHERTEXT) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    if (original >= 8 && mlen == original && !memcmp(openeds.data, message, original))
        harness_fail(SAME_OUTPUT, "returns the same message");
}

static void round_trip(const struct keys *keys, size_t length, int digested)
{
    harness_case("message of %zu bytes", length);
    prng_fill(message, length);
    encrypt(keys, length, length % 2 ? GUARD_FRONT : GUARD_BACK);
    if (digested) digest(ciphertext, ciphertext_length);
    must_open(keys->sk, length, length % 2 ? GUARD_BACK : GUARD_FRONT);
    if (cpu_budget_left()) must_open(keys->sk, length, length % 2 ? GUARD_FRONT : GUARD_BACK);
}

static void same_random_bytes(const struct keys *keys, uint64_t seed)
{
#ifdef HIDDEN_RNG
    (void)keys, (void)seed;
#else
    uint8_t *first = allocate(64 + OVERHEAD, 0);
    harness_case("equal random bytes");
    digest(keys->pk, PK);
    prng_fill(message, 64);
    random_seed(seed);
    encrypt(keys, 64, GUARD_BACK);
    const size_t length = ciphertext_length;
    memcpy(first, ciphertext, length);
    random_seed(seed);
    encrypt(keys, 64, GUARD_FRONT);
    if (length != ciphertext_length || memcmp(first, ciphertext, length))
        harness_fail(HIDDEN_RNG, "produce different ciphertexts; draw random bytes by randombytes() alone");
#endif
}

static void forgeries(const struct keys *keys, size_t length)
{
    prng_fill(message, length);
    harness_case("message of %zu bytes", length);
    encrypt(keys, length, GUARD_BACK);
    const struct bit_order order = random_bit_order(ciphertext_length);
    const size_t most = length > 200 ? OVERHEAD + 200 : 8 * ciphertext_length;
    for (size_t i = 0; i < most && (i < MIN_FORGERIES || cpu_budget_left()); i++) {
        harness_case("message of %zu bytes, byte %zu of the ciphertext changed", length, byte_of(&order, i));
        flip(&order, i, ciphertext);
        must_not_open(ciphertext_length, length, keys->sk);
        flip(&order, i, ciphertext);
    }
    for (size_t i = 0; i < ciphertext_length && (i < 3 || cpu_budget_left()); i += 1 + i / 8) {
        harness_case("message of %zu bytes, ciphertext of %zu cut to %zu", length, ciphertext_length, i);
        must_not_open(i, length, keys->sk);
    }
    harness_case("message of %zu bytes, ciphertext with one extra byte", length);
    ciphertext[ciphertext_length] = 0;
    must_not_open(ciphertext_length + 1, length, keys->sk);
}

/* Messages of equal bytes, and ciphertexts with two changes that may cancel, while time is left. */
static void special_messages(const struct keys *keys)
{
    for (int byte = 0; byte <= 255 && cpu_budget_left(); byte += 255) {
        harness_case("message of 59 bytes %d", byte);
        memset(message, byte, 59);
        encrypt(keys, 59, GUARD_BACK);
        must_open(keys->sk, 59, GUARD_BACK);
    }
    for (unsigned i = 0; i < CANCELLING_CHANGES && cpu_budget_left() && ciphertext_length > 1; i++) {
        harness_case("two bytes of the ciphertext changed, case %u", i);
        const struct changed_pair pair = change_together(ciphertext, ciphertext_length, i);
        must_not_open(ciphertext_length, 59, keys->sk);
        change_back(&pair);
    }
}

/* Tries random bytes and a different secret key, which must not crash. */
static void nonsense(const struct keys *keys, const struct keys *other)
{
    round_trip(keys, 59, 0);
    harness_case("different secret key");
    must_not_open(ciphertext_length, 59, other->sk);
    for (int kind = 0; kind < 4; kind++) {
        const size_t length = OVERHEAD + (kind % 2 ? 59 : 0);
        harness_case("%zu random bytes", length);
        prng_fill(ciphertext, length);
        must_not_open(length, 59, keys->sk);
    }
}

/* Changes the last byte of the ciphertext of a long message, the first, and some between. */
static void long_forgeries(const struct keys *keys)
{
    round_trip(keys, MAX_LENGTH, 0);
    for (size_t i = 0; i < 8 && cpu_budget_left() && !harness_lenient; i++) {
        const size_t at = i < 2 ? (i + 1) % 2 * (ciphertext_length - 1) : (size_t)(prng_word() % ciphertext_length);
        const uint8_t bit = (uint8_t)(1u << prng_word() % 8);
        harness_case("message of %zu bytes, byte %zu of the ciphertext changed", MAX_LENGTH, at);
        ciphertext[at] ^= bit;
        must_not_open(ciphertext_length, MAX_LENGTH, keys->sk);
        ciphertext[at] ^= bit;
    }
}

static void what_is_no_ciphertext(const struct keys *keys, const struct keys *other)
{
    nonsense(keys, other);
    cpu_budget_start(4 * FEW_SECONDS);
    special_messages(keys);
    cpu_budget_start(EXTRA_CASES_SECONDS / 2);
    forgeries(keys, 59);
    if (cpu_budget_left()) forgeries(keys, 0);
    if (cpu_budget_left()) forgeries(keys, 709);
}

/* Tries further lengths while time is left. What others compute for them depends on `seed` alone. */
static void more_lengths(struct keys *keys, uint64_t seed)
{
    prng_seed(seed);
    for (size_t length = 2; cpu_budget_left() && length < 3000; length += 1 + length / 16) {
        if (length % 8 == 0) generate_keys(keys, prng_word());
        random_seed(prng_word());
        round_trip(keys, length, 1);
    }
}

/* With random bytes of its own, it must not encrypt a message twice in the same way, unless it always does. */
static void weak_randomness(const struct keys *keys)
{
#ifdef HIDDEN_RNG
    prng_fill(message, 59);
    EXPECT_DRAWS_TO_DIFFER_IF_ANY_DO(encrypt(keys, 59, GUARD_BACK), ciphertext, ciphertext_length, "ciphertext");
#else
    (void)keys;
#endif
}

static struct keys similar;
static unsigned long long opened_length;

static void encrypt_similar(void)
{
    unsigned long long clen;
    random_seed(1);
    if (crypto_encrypt(ciphertext, &clen, message, 59, similar.pk)) harness_fail(VALID_REJECTED, "encryption fails");
    ciphertext_length = (size_t)clen;
}

static void open_similar(void)
{
    static uint8_t *m;
    if (!m) m = allocate(59 + OVERHEAD, 0);
    if (crypto_encrypt_open(m, &opened_length, ciphertext, ciphertext_length, similar.sk)) opened_length = ~0ull;
}

static void similar_messages(const struct keys *keys)
{
    copy_keys(&similar, keys);
    encrypt_similar();
#ifndef HIDDEN_RNG
    EXPECT_NOTHING_KEPT("message", message, 59, encrypt_similar, ciphertext, ciphertext_length);
#endif
    EXPECT_NOTHING_KEPT("ciphertext", ciphertext, ciphertext_length, open_similar, &opened_length,
                        sizeof opened_length);
}

void operation_check(void)
{
    static const size_t fixed[] = {0, 1, 23, 59, 147, 709, 4096};
    static struct keys keys, other;
    open_key_guards();
    guard_open(&messages, MAX_LENGTH, "message");
    guard_open(&ciphertexts, MAX_CIPHERTEXT, "ciphertext");
    guard_open(&openeds, MAX_CIPHERTEXT, "opened message");
    ciphertext = allocate(MAX_CIPHERTEXT, 0);
    const uint64_t seed = generate_first_keys(&keys);
    if (!harness_lenient) same_random_bytes(&keys, seed);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) round_trip(&keys, fixed[i], 1);
    generate_keys(&other, prng_word());
    const uint64_t later = prng_word(); /* drawn before the first case that depends on time */
    if (!harness_lenient) what_is_no_ciphertext(&keys, &other);
    cpu_budget_start(EXTRA_CASES_SECONDS / 2);
    if (cpu_budget_left()) long_forgeries(&keys);
    more_lengths(&keys, later);
    if (!harness_lenient) weak_randomness(&keys);
    if (!harness_lenient) similar_messages(&keys);
}

#include "answer.h"
