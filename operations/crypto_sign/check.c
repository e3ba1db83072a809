/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_sign: a signed message opens to the message; nothing else opens;
 * nothing is written outside the buffers; equal random bytes give equal results. */
#include "crypto_sign.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_sign_keypair checked_call(crypto_sign_keypair)
#define crypto_sign checked_call(crypto_sign)
#define crypto_sign_open checked_call(crypto_sign_open)
#define crypto_sign_stateful checked_call(crypto_sign_stateful)
#define crypto_sign_open_batch checked_call(crypto_sign_open_batch)
#define crypto_sign_expand_public checked_call(crypto_sign_expand_public)
#define crypto_sign_expand_secret checked_call(crypto_sign_expand_secret)
#define crypto_sign_expanded checked_call(crypto_sign_expanded)
#define crypto_sign_open_expanded checked_call(crypto_sign_open_expanded)
#define crypto_sign_release_public checked_call(crypto_sign_release_public)
#define crypto_sign_release_secret checked_call(crypto_sign_release_secret)

#include "bit_order.h"
#include "check.h"
#include "check_draws.h"
#include "check_kept.h"
#include "keys.h"

#define MAX_LENGTH ((size_t)96397)
#define EVERY_BIT_SECONDS 0.3 /* CPU time for the bits of one signature, */
#define LONGEST_SECONDS 1.0   /* or this much if it is enough for all of them */
#define EDGE 64               /* bytes at both ends, every bit of which is tried if there is no time for all */
#define MORE_CASES 400 /* so that code is found that is wrong if one byte of a signature has a certain value */
#define MOST_EXTRA ((size_t)64) /* bytes that are added to a signed message */
#define MAX_SIGNED (MAX_LENGTH + OVERHEAD + MOST_EXTRA)

static struct guard messages, signeds, openeds;
static uint8_t message[MAX_LENGTH], *signed_message; /* MAX_SIGNED bytes */
static uint8_t *changed_pk; /* PK bytes: a public key that is not always the right one */
static size_t signed_length, message_length;

static void open_all(void)
{
    if (pks.pages) return;
    open_key_guards();
    guard_open(&messages, MAX_LENGTH, "message");
    guard_open(&signeds, MAX_SIGNED, "signed message");
    guard_open(&openeds, MAX_SIGNED, "opened message");
    signed_message = allocate(MAX_SIGNED, 0);
    changed_pk = allocate(PK, 0);
}

/* Signs the first `length` bytes of `message`; returns nonzero if a stateful key is exhausted. */
static int try_sign(struct keys *keys, size_t length, enum guard_edge edge)
{
    const uint8_t *m = guarded_copy(&messages, message, length, GUARD_ANY, edge);
    uint8_t *sm = guard_place(&signeds, length + OVERHEAD, GUARD_ANY, edge);
    unsigned long long smlen = ~0ull;
#ifdef crypto_sign_STATEFUL
    uint8_t *sk = guard_place(&sks, SK, GUARD_ANY, edge);
    memcpy(sk, keys->sk, SK);
#else
    const uint8_t *sk = guarded_copy(&sks, keys->sk, SK, GUARD_ANY, edge);
#endif
    const int failed = sign_with(sm, &smlen, m, length, sk);
    guard_check(&sks, "secret key");
    guard_check(&messages, "message");
    guard_check(&signeds, "signed message");
    if (memcmp(m, message, length)) harness_fail(INPUT_MODIFIED, "modifies the message");
#ifdef crypto_sign_STATEFUL
    if (!failed == !memcmp(sk, keys->sk, SK))
        harness_fail(WRONG_OUTPUT, "returns a signature without changing the secret key, or the reverse");
    memcpy(keys->sk, sk, SK);
    if (failed) return failed;
#else
    if (memcmp(sk, keys->sk, SK)) harness_fail(INPUT_MODIFIED, "modifies the secret key");
    if (failed) harness_fail(VALID_REJECTED, "signing fails");
#endif
    if (smlen > length + OVERHEAD)
        harness_fail(WRONG_OUTPUT, "returns a signed message of %llu bytes; the maximum is %zu", smlen,
                     length + OVERHEAD);
    signed_length = (size_t)smlen;
    message_length = length;
    memcpy(signed_message, sm, signed_length);
    return 0;
}

static void sign(struct keys *keys, size_t length, enum guard_edge edge)
{
    while (try_sign(keys, length, edge)) generate_keys(keys, prng_word());
}

/* Opens the first `length` bytes of sm and returns the result; if it is 0, *mlen is set and
 * `openeds` holds the message. */
static int opened(const uint8_t *sm_given, size_t length, const uint8_t *pk_given, size_t *mlen, enum guard_edge edge)
{
    const uint8_t *pk = guarded_copy(&pks, pk_given, PK, GUARD_ANY, edge);
    const uint8_t *sm = guarded_copy(&signeds, sm_given, length, GUARD_ANY, edge);
    uint8_t *m = guard_place(&openeds, length, GUARD_ANY, edge);
    unsigned long long said = ~0ull;
    const int result = crypto_sign_open(m, &said, sm, length, pk);
    guard_check(&pks, "public key");
    guard_check(&signeds, "signed message");
    guard_check(&openeds, "opened message");
    if (memcmp(pk, pk_given, PK)) harness_fail(INPUT_MODIFIED, "modifies the public key");
    if (memcmp(sm, sm_given, length)) harness_fail(INPUT_MODIFIED, "modifies the signed message");
    *mlen = (size_t)said;
    return result;
}

static void must_open(const uint8_t *pk, size_t length, enum guard_edge edge)
{
    size_t mlen;
    if (opened(signed_message, signed_length, pk, &mlen, edge))
        harness_fail(VALID_REJECTED, "rejects its own signed message");
    if (mlen != length) harness_fail(WRONG_OUTPUT, "opening returns %zu bytes instead of %zu", mlen, length);
    if (memcmp(openeds.data, message, length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
}

static void must_reject(const uint8_t *sm, size_t length, const uint8_t *pk, const char *what)
{
    size_t mlen;
    if (opened(sm, length, pk, &mlen, GUARD_BACK)) return;
    if (harness_lenient && mlen == message_length && !memcmp(openeds.data, message, mlen))
        return; /* some schemes are malleable */
    harness_fail(FORGERY_ACCEPTED, "accepts %s", what);
}

/* What no scheme accepts, however malleable its signatures are. */
static void nobody_signed(const uint8_t *sm, size_t length, const uint8_t *pk, const char *what)
{
    size_t mlen;
    if (!opened(sm, length, pk, &mlen, GUARD_BACK)) harness_fail(UNSIGNED_ACCEPTED, "accepts %s", what);
}

static void round_trip(struct keys *keys, size_t length, int digested)
{
    harness_case("message of %zu bytes", length);
    prng_fill(message, length);
    sign(keys, length, length % 2 ? GUARD_FRONT : GUARD_BACK);
    if (digested) digest(signed_message, signed_length);
    must_open(keys->pk, length, length % 2 ? GUARD_BACK : GUARD_FRONT);
    if (cpu_budget_left()) must_open(keys->pk, length, length % 2 ? GUARD_FRONT : GUARD_BACK);
}

static void same_random_bytes(struct keys *keys, size_t messagelength, uint64_t seed)
{
#ifdef crypto_sign_OWN_RANDOM
    (void)keys, (void)messagelength, (void)seed;
#else
    static uint8_t *first;
    static struct keys again;
    if (!first) first = allocate(MAX_SIGNED, 0);
    copy_keys(&again, keys);
    harness_case("equal random bytes, message of %zu bytes", messagelength);
    prng_fill(message, messagelength);
    random_seed(seed);
    if (try_sign(keys, messagelength, GUARD_BACK)) return; /* an exhausted stateful key without a signature */
    const size_t length = signed_length;
    memcpy(first, signed_message, length);
    random_seed(seed);
    if (try_sign(&again, messagelength, GUARD_FRONT) || length != signed_length ||
        memcmp(first, signed_message, length))
        harness_fail(HIDDEN_RNG,
                     "produce different signatures of one message; draw random bytes by randombytes() alone");
#endif
}

static void change_bit(const uint8_t *pk, size_t length, size_t byte, uint8_t bit)
{
    harness_case("message of %zu bytes, byte %zu of the signed message changed", length, byte);
    signed_message[byte] ^= bit;
    must_reject(signed_message, signed_length, pk, "it");
    signed_message[byte] ^= bit;
}

/* Changes `most` bits in a random order, one at a time, while time is left: at most `longest` seconds. Unless that were
 * all bits, changes those at both ends, too, where many schemes have parts of a few bytes. */
static void change_bits(const uint8_t *pk, size_t length, size_t most, double longest)
{
    if (!signed_length) return;
    struct bit_order order = random_bit_order(signed_length);
    if (most < order.most) order.most = most;
    for (size_t i = 0; time_for_bit(&order, i, longest); i++)
        change_bit(pk, length, byte_of(&order, i), bit_of(&order, i));
    if (longest == 0 || order.most == 8 * signed_length) return;
    cpu_budget_start(EVERY_BIT_SECONDS / 2);
    for (size_t i = 0; i < 2 * 8 * EDGE && cpu_budget_left(); i++) {
        const size_t byte = i / 16 % signed_length;
        change_bit(pk, length, i % 2 ? byte : signed_length - 1 - byte, (uint8_t)(1u << i / 2 % 8));
    }
}

/* Adds bytes at the end of the signed message, then in front of it. */
static void extra_bytes(const uint8_t *pk, size_t length)
{
    for (size_t extra = 1; extra <= MOST_EXTRA; extra = extra < 2 ? 2 : 4 * extra) {
        harness_case("message of %zu bytes, signed message followed by %zu extra bytes", length, extra);
        memset(signed_message + signed_length, 0, extra);
        must_reject(signed_message, signed_length + extra, pk, "it");
    }
    for (size_t extra = 1; extra <= MOST_EXTRA; extra = extra < 2 ? 16 : 4 * extra) {
        harness_case("message of %zu bytes, signed message after %zu extra bytes", length, extra);
        memmove(signed_message + extra, signed_message, signed_length);
        memset(signed_message, 0, extra);
        must_reject(signed_message, signed_length + extra, pk, "it");
        memmove(signed_message, signed_message + extra, signed_length);
    }
}

/* Replaces as many bytes as a signature has, at either end, by equal ones: an empty signature of a message. */
static void empty_signatures(const uint8_t *pk, size_t length)
{
    static uint8_t *changed;
    const size_t overhead = signed_length - length;
    if (!changed) changed = allocate(MAX_SIGNED, 0);
    for (int kind = 0; kind < 4 && signed_length > length; kind++) {
        harness_case("message of %zu bytes, the signature replaced by bytes %s", length, kind % 2 ? "ff" : "00");
        memcpy(changed, signed_message, signed_length);
        memset(kind < 2 ? changed : changed + length, kind % 2 ? 0xff : 0, overhead);
        nobody_signed(changed, signed_length, pk, "it");
    }
}

/* Changes some bytes of a long message that was signed: the first, the last, and some between. */
static void long_forgeries(struct keys *keys)
{
    round_trip(keys, MAX_LENGTH, 0);
    for (size_t i = 0; i < 8 && cpu_budget_left() && !harness_lenient; i++) {
        const size_t at = i < 2 ? i * (signed_length - 1) : (size_t)(prng_word() % signed_length);
        change_bit(keys->pk, MAX_LENGTH, at, (uint8_t)(1u << prng_word() % 8));
    }
}

/* Opens forgeries made from one signed message: with bytes added, with bits changed, cut short. Of a message of at most
 * 200 bytes every bit is changed, of a longer one as many bits as signature and 200 bytes have bytes; `longest` seconds
 * are enough for that, or fewer bits are changed. */
static void forgeries(struct keys *keys, size_t length, double longest)
{
    prng_fill(message, length);
    harness_case("message of %zu bytes", length);
    sign(keys, length, GUARD_BACK);
    if (!harness_lenient) extra_bytes(keys->pk, length);
    if (!harness_lenient) empty_signatures(keys->pk, length);
    change_bits(keys->pk, length, length > 200 ? OVERHEAD + 200 : 8 * signed_length, longest);
    if (harness_lenient) return; /* foreign trees change signed messages but do not truncate them */
    for (size_t i = 0; i < signed_length && (i < 3 || cpu_budget_left()); i += 1 + i / 8) {
        harness_case("message of %zu bytes, signed message of %zu cut to %zu", length, signed_length, i);
        nobody_signed(signed_message, i, keys->pk, "it");
    }
    harness_case("message of %zu bytes, last byte of the signed message missing", length);
    if (signed_length) must_reject(signed_message, signed_length - 1, keys->pk, "it");
}

/* Tries meaningless signatures: zeroes, ones, random bytes. */
static void nonsense(const uint8_t *pk)
{
    for (int kind = 0; kind < 3; kind++)
        for (size_t more = 0; more <= 59; more += 59) {
            const size_t length = OVERHEAD + more;
            harness_case("%zu bytes of %s", length, kind ? kind == 1 ? "ff" : "noise" : "00");
            if (kind < 2)
                memset(signed_message, kind ? 0xff : 0, length);
            else
                prng_fill(signed_message, length);
            nobody_signed(signed_message, length, pk, "them");
        }
}

/* Verifies with public keys of which one bit is changed: in the first and the last byte, where encodings have headers,
 * and in some between. A scheme may ignore some bits, but its implementations must ignore the same ones. Bit 7 is left
 * out: in a byte for an element of a field of 128 it has no meaning. Each time the right key is used before, because
 * code that keeps a key must not take one for the other. */
static void changed_keys(const uint8_t *pk)
{
    size_t mlen;
    for (size_t i = 0; i < 21; i++) {
        const size_t at = i < 7 ? PK - 1 : i < 14 ? 0 : (size_t)(prng_word() % PK);
        harness_case("byte %zu of the public key changed", at);
        memcpy(changed_pk, pk, PK);
        changed_pk[at] ^= (uint8_t)(1u << i % 7);
        if (opened(signed_message, signed_length, pk, &mlen, GUARD_BACK))
            harness_fail(VALID_REJECTED, "rejects its own signed message");
        const uint8_t accepted = !opened(signed_message, signed_length, changed_pk, &mlen, GUARD_BACK);
        digest(&accepted, 1);
    }
}

/* No scheme is so malleable that a signature is one under any key. */
static void other_key(struct keys *keys, const struct keys *other)
{
    size_t mlen;
    round_trip(keys, 59, 0);
    harness_case("different public key");
    if (!opened(signed_message, signed_length, other->pk, &mlen, GUARD_BACK))
        harness_fail(FORGERY_ACCEPTED, "accepts it");
}

static void wrong_key(struct keys *keys)
{
    size_t mlen;
    changed_keys(keys->pk);
    /* Tries further ones, which must not crash. */
    for (size_t i = 0; i < 64 && (i < 4 || cpu_budget_left()); i++) {
        const size_t at = (size_t)(prng_word() % PK);
        harness_case("byte %zu of the public key changed", at);
        memcpy(changed_pk, keys->pk, PK);
        changed_pk[at] ^= (uint8_t)(1u << prng_word() % 8);
        (void)opened(signed_message, signed_length, changed_pk, &mlen, GUARD_BACK);
    }
}

/* Around whole blocks of hash functions and pages. */
static const uint16_t edges[] = {
    64,  512, 4097, 1024, 136, 63,  65,  128, 256,  2048, 8192, 168,  55,   56,    111,   112,   127,   129,
    135, 137, 167,  169,  255, 257, 511, 513, 1023, 1025, 2047, 2049, 4095, 12288, 16384, 32768, 65535,
};

/* Tries further lengths, then more short messages, while time is left. What others compute for them depends on `seed`
 * alone. */
static void more_lengths(struct keys *keys, uint64_t seed)
{
    prng_seed(seed);
#ifdef STATEFUL_KEY
    if (cpu_budget_left()) generate_keys(keys, prng_word());
#endif
    for (size_t i = 0; cpu_budget_left() && i < sizeof edges / sizeof edges[0]; i++) {
        random_seed(prng_word());
        round_trip(keys, edges[i], 1);
    }
    for (size_t length = 2; cpu_budget_left() && length < 3000; length += 1 + length / 16) {
        if (length % 8 == 0) generate_keys(keys, prng_word());
        random_seed(prng_word());
        round_trip(keys, length, 1);
    }
    for (unsigned i = 0; cpu_budget_left() && i < MORE_CASES; i++) {
        if (i % 4 == 0) generate_keys(keys, prng_word());
        random_seed(prng_word());
        round_trip(keys, 32 + i % 32, 1);
    }
}

#include "check_more.h"
#include "check_batch.h"
#include "check_expanded.h"
#include "check_stateful.h"

void operation_check(void)
{
    static const size_t fixed[] = {0, 1, 23, 59, 147, 709, 4096};
    static struct keys keys, other;
    open_all();
    const uint64_t seed = generate_first_keys(&keys);
    if (!harness_lenient) same_random_bytes(&keys, 64, seed);
    digest(keys.pk, PK);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) round_trip(&keys, fixed[i], 1);
    harness_case("second key pair");
    generate_keys(&other, prng_word());
    if (!memcmp(keys.pk, other.pk, PK)) harness_fail(WRONG_OUTPUT, "generates the same public key twice");
    digest(other.pk, PK);
    const uint64_t later = prng_word(); /* drawn before the first case that depends on time */
    other_key(&keys, &other);
    if (!harness_lenient) wrong_key(&keys);
    if (!harness_lenient) nonsense(keys.pk);
    cpu_budget_start(harness_lenient ? EXTRA_CASES_SECONDS / 2 : EVERY_BIT_SECONDS);
    forgeries(&keys, 59, harness_lenient ? 0 : LONGEST_SECONDS);
    cpu_budget_start(EXTRA_CASES_SECONDS / 4);
    forgeries(&keys, 0, 0);
    if (cpu_budget_left()) forgeries(&keys, 709, 0);
    cpu_budget_start(EXTRA_CASES_SECONDS / 4);
    forgeries(&keys, 4096, 0);
    batches(&keys, &other);
    expanded_keys(&keys);
    states(&other);
    cpu_budget_start(EXTRA_CASES_SECONDS / 2);
    if (cpu_budget_left()) long_forgeries(&keys);
    if (cpu_budget_left() && !harness_lenient) same_random_bytes(&keys, 8192, prng_word());
    more_lengths(&keys, later);
    if (harness_lenient) return;
    special_messages(&keys);
    more_keys();
    similar_signatures(&keys, &other);
    weak_randomness(&keys);
}

#include "answer.h"
