/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_cipher: decrypt inverts encrypt, in place, at every alignment;
 * unsupported lengths are rejected; the result depends on key and initialisation vector; nothing
 * is written outside the buffers. */

#include "crypto_cipher.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_cipher_expandkey checked_call(crypto_cipher_expandkey)
#define crypto_cipher_encrypt checked_call(crypto_cipher_encrypt)
#define crypto_cipher_decrypt checked_call(crypto_cipher_decrypt)
#define crypto_cipher_release checked_call(crypto_cipher_release)

#include "check.h"
#include "check_kept.h"

#define KEY crypto_cipher_KEYBYTES
#define IV crypto_cipher_IVBYTES
#define BLOCK crypto_cipher_BLOCKBYTES
#define MAX_LENGTH 8192

static struct guard keys, ivs, plains, ciphers, opens;
static crypto_cipher_key *expanded, *kept;
static int holds_key;
static uint8_t *key, *iv; /* KEY and IV bytes */
static uint8_t plain[COMPARED_MAX], cipher[COMPARED_MAX];

void operation_info(void)
{
    crypto_cipher_key *one = allocate(crypto_cipher_key_size, 0);
    const uint8_t *zeroes = allocate(KEY, 0);
    const int64_t before = memory_heap();
    harness_case("expandkey");
    if (crypto_cipher_expandkey(one, zeroes)) harness_fail(VALID_REJECTED, "rejects a valid key");
    record_info("expanded_key_bytes", crypto_cipher_key_size + (size_t)(memory_heap() - before));
    record_info("key_bytes", KEY);
    record_info("iv_bytes", IV);
    record_info("block_bytes", BLOCK);
}

static void expand(void)
{
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
#ifdef crypto_cipher_RELEASES
    if (holds_key) crypto_cipher_release(expanded);
#endif
    memset(expanded, 0xa5, crypto_cipher_key_size); /* expandkey must not rely on zeroed memory */
    if (crypto_cipher_expandkey(expanded, k)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    expect_unchanged(&keys, key, "key");
    holds_key = 1;
    memcpy(kept, expanded, crypto_cipher_key_size);
}

/* A library may change its context behind a pointer, but not the bytes of the type itself. */
static void key_unchanged(void)
{
#ifndef crypto_cipher_RELEASES
    if (memcmp(kept, expanded, crypto_cipher_key_size)) harness_fail(INPUT_MODIFIED, "modifies the expanded key");
#endif
}

static int encrypt(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&plains, plain, length, alignment, edge);
    const uint8_t *v = guarded_copy(&ivs, iv, IV, GUARD_ANY, next_edge());
    uint8_t *out = guard_place(&ciphers, length, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, length);
    const int result = crypto_cipher_encrypt(out, in, length, v, expanded);
    expect_unchanged(&plains, plain, "plaintext");
    expect_unchanged(&ivs, iv, "initialisation vector");
    guard_check(&ciphers, "ciphertext");
    key_unchanged();
    memcpy(cipher, out, length);
    return result;
}

static void must_decrypt(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&ciphers, cipher, length, alignment, edge);
    const uint8_t *v = guarded_copy(&ivs, iv, IV, GUARD_ANY, next_edge());
    uint8_t *out = guard_place(&opens, length, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, length);
    if (crypto_cipher_decrypt(out, in, length, v, expanded))
        harness_fail(VALID_REJECTED, "decrypt rejects a valid length");
    expect_unchanged(&ciphers, cipher, "ciphertext");
    expect_unchanged(&ivs, iv, "initialisation vector");
    guard_check(&opens, "plaintext");
    key_unchanged();
    if (memcmp(out, plain, length)) harness_fail(WRONG_OUTPUT, "decrypts to a different plaintext");
}

static void in_place(size_t length)
{
    uint8_t *both = guarded_copy_to_change(&plains, plain, length, GUARD_ANY, GUARD_BACK);
    if (crypto_cipher_encrypt(both, both, length, iv, expanded))
        harness_fail(VALID_REJECTED, "rejects a valid length in place");
    guard_check(&plains, "text in place");
    if (memcmp(both, cipher, length)) harness_fail(WRONG_OUTPUT, "encryption differs in place");
    if (crypto_cipher_decrypt(both, both, length, iv, expanded))
        harness_fail(VALID_REJECTED, "rejects a valid length in place");
    guard_check(&plains, "text in place");
    if (memcmp(both, plain, length)) harness_fail(WRONG_OUTPUT, "decryption differs in place");
}

static void round_trip(size_t length, unsigned alignment, enum guard_edge edge)
{
    static uint8_t first[MAX_LENGTH];
    harness_case("length %zu, alignment %u", length, alignment);
    prng_fill(iv, IV);
    prng_fill(plain, length);
    if (encrypt(length, GUARD_ANY, GUARD_BACK)) harness_fail(VALID_REJECTED, "encrypt rejects a valid length");
    memcpy(first, cipher, length);
    (void)encrypt(length, alignment, edge);
    if (memcmp(first, cipher, length))
        harness_fail(NOT_DETERMINISTIC, "two calls on the same input return different ciphertexts");
    must_decrypt(length, alignment, edge);
    in_place(length);
}

/* Counters that overflow within the text. Before compare_lengths, because implementations get through more or fewer of
 * its lengths. */
static void overflows(void)
{
    const size_t length = 608 / BLOCK * BLOCK;
    prng_fill(key, KEY);
    expand();
    for (size_t i = 0; i <= 2 * IV; i++) {
        harness_case("initialisation vector %zu of those from which a counter overflows", i);
        fill_to_overflow(iv, IV, i);
        prng_fill(plain, length);
        if (encrypt(length, GUARD_ANY, GUARD_BACK)) harness_fail(VALID_REJECTED, "encrypt rejects a valid length");
        harness_digest(cipher, length);
        must_decrypt(length, GUARD_ANY, GUARD_BACK);
    }
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("%zu bytes of %d, initialisation vector of bytes %d", 8 * length, byte, byte);
        memset(iv, byte, IV);
        memset(plain, byte, 8 * length);
        if (encrypt(8 * length, GUARD_ANY, GUARD_BACK)) harness_fail(VALID_REJECTED, "encrypt rejects a valid length");
        harness_digest(cipher, 8 * length);
        must_decrypt(8 * length, GUARD_ANY, GUARD_BACK);
    }
}

static void compare(size_t length)
{
    length = length / BLOCK * BLOCK;
    if (length % 8 < 2) { /* lengths of the same parity follow each other */
        prng_fill(key, KEY);
        expand();
    }
    prng_fill(iv, IV);
    prng_fill(plain, length);
    if (encrypt(length, GUARD_ANY, alternate_edge(length)))
        harness_fail(VALID_REJECTED, "encrypt rejects a valid length");
    harness_digest(cipher, length);
    if (cpu_budget_left() || length % 21 == 0) must_decrypt(length, GUARD_ANY, alternate_edge(length));
}

/* Checks that changing a byte changes the ciphertext of a few blocks. */
static void must_matter(uint8_t *bytes, size_t count, uint8_t change, const char *what)
{
    const size_t length = 8 * (BLOCK > 16 ? BLOCK : 16);
    uint8_t first[length];
    (void)encrypt(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, cipher, length);
    for (size_t i = 0; i < count; i++) {
        harness_case("byte %zu of the %s changed", i, what);
        bytes[i] ^= change;
        expand();
        (void)encrypt(length, GUARD_ANY, GUARD_BACK);
        bytes[i] ^= change;
        if (!memcmp(first, cipher, length)) harness_fail(SAME_OUTPUT, "returns the same ciphertext");
    }
    expand();
}

/* Checks that an expanded key is all that is kept of a key: another one may be expanded before it is used again. */
static void two_keys(void)
{
    static crypto_cipher_key *other;
    uint8_t first[8 * BLOCK], second[KEY + 1];
    harness_case("two keys in use");
    if (!other) other = allocate(crypto_cipher_key_size, 0);
    (void)encrypt(sizeof first, GUARD_ANY, GUARD_BACK);
    memcpy(first, cipher, sizeof first);
    prng_fill(second, KEY);
    if (crypto_cipher_expandkey(other, second)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    (void)encrypt(sizeof first, GUARD_ANY, GUARD_BACK);
    if (memcmp(first, cipher, sizeof first))
        harness_fail(WRONG_OUTPUT, "a ciphertext changes when another key is expanded");
    must_decrypt(sizeof first, GUARD_ANY, GUARD_BACK);
#ifdef crypto_cipher_RELEASES
    crypto_cipher_release(other);
#endif
}

static void encrypt_similar(void)
{
    expand();
    if (crypto_cipher_encrypt(cipher, plain, 2 * BLOCK, iv, expanded))
        harness_fail(VALID_REJECTED, "encrypt rejects a valid length");
}

static void decrypt_similar(void)
{
    if (crypto_cipher_decrypt(plain, cipher, 2 * BLOCK, iv, expanded))
        harness_fail(VALID_REJECTED, "decrypt rejects a valid length");
}

static uint8_t *both; /* 4 * BLOCK bytes */

static void encrypt_and_decrypt(void)
{
    if (crypto_cipher_encrypt(both, plain, 2 * BLOCK, iv, expanded) ||
        crypto_cipher_decrypt(both + 2 * BLOCK, plain, 2 * BLOCK, iv, expanded))
        harness_fail(VALID_REJECTED, "rejects a valid length");
}

static void fixed_inputs(void)
{
    memset(key, 0x5c, KEY), memset(iv, 1, IV), memset(plain, 0x36, 2 * BLOCK);
    expand();
}

static void similar_blocks(void)
{
    EXPECT_NOTHING_KEPT("key", key, KEY, encrypt_similar, cipher, 2 * BLOCK);
    EXPECT_NOTHING_KEPT("initialisation vector", iv, IV, encrypt_similar, cipher, 2 * BLOCK);
    EXPECT_NOTHING_KEPT("plaintext", plain, 2 * BLOCK, encrypt_similar, cipher, 2 * BLOCK);
    EXPECT_NOTHING_KEPT("ciphertext", cipher, 2 * BLOCK, decrypt_similar, plain, 2 * BLOCK);
}

static void open_all(void)
{
    expanded = allocate_guarded(crypto_cipher_key_size, "expanded key");
    kept = allocate(crypto_cipher_key_size, 0);
    key = allocate(KEY, 0);
    iv = allocate(IV, 0);
    both = allocate(4 * BLOCK, 0);
    guard_open(&keys, KEY, "key");
    guard_open(&ivs, IV, "initialisation vector");
    guard_open(&plains, COMPARED_MAX + 64, "plaintext");
    guard_open(&ciphers, COMPARED_MAX + 64, "ciphertext");
    guard_open(&opens, COMPARED_MAX + 64, "plaintext");
}

void operation_check(void)
{
    open_all();
    call_first(fixed_inputs, encrypt_and_decrypt, both, 4 * BLOCK);
    overflows();
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        if (length % 64 == 0 || length > 300) {
            prng_fill(key, KEY);
            expand();
        }
        round_trip(length / BLOCK * BLOCK, (unsigned)(length * 11 + 1) % 64, alternate_edge(length));
        harness_case("length %zu", length);
        if (length % BLOCK && !encrypt(length, GUARD_ANY, GUARD_BACK))
            harness_fail(WRONG_OUTPUT, "processes an incomplete block");
    }
    for (unsigned alignment = 0; alignment < 64; alignment++)
        round_trip(600 / BLOCK * BLOCK, alignment, alternate_edge(alignment));
    must_matter(plain, 2 * BLOCK, 1, "plaintext");
    must_matter(iv, IV, 1, "initialisation vector");
    must_matter(key, KEY, 0xff, "key");
    two_keys();
    similar_blocks();
    repeat_first_call(repeat_calls);
}

int operation_answer(const char *verb)
{
    size_t length;
    const int decrypting = !strcmp(verb, "decrypt");
    if (!decrypting && strcmp(verb, "encrypt")) return -1;
    if (!expanded) open_all();
    const uint8_t *k = request_exactly(KEY, "key"), *v = request_exactly(IV, "initialisation vector");
    const uint8_t *in = request_bytes(&length);
    uint8_t *out = allocate(length, 0);
    if (crypto_cipher_expandkey(expanded, k) || (decrypting ? crypto_cipher_decrypt(out, in, length, v, expanded)
                                                            : crypto_cipher_encrypt(out, in, length, v, expanded)))
        answer_word("refused");
    else
        answer_bytes(out, length);
    return 0;
}
