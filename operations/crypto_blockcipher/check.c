/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_blockcipher, for every key length that expandkey takes: decrypt
 * inverts encrypt; n blocks in one call are encrypted like n single blocks, in place and at every
 * alignment; the result depends on every key byte and every bit of a block; nothing is written
 * outside the buffers. */

#include "crypto_blockcipher.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_blockcipher_expandkey checked_call(crypto_blockcipher_expandkey)
#define crypto_blockcipher_encrypt checked_call(crypto_blockcipher_encrypt)
#define crypto_blockcipher_decrypt checked_call(crypto_blockcipher_decrypt)
#define crypto_blockcipher_release checked_call(crypto_blockcipher_release)

#include "check.h"
#include "check_kept.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES
#define KEY_LONGEST crypto_blockcipher_LONGESTKEYBYTES
#define MAX_BLOCKS 520 /* blocks */
#define STEP 326 /* has no divisor in common with MAX_BLOCKS + 1: multiples modulo that are all numbers of blocks */
#define MANY_SECONDS 0.25 /* CPU time for them, with each length of a key */
#define MANY_KEYS 512

static struct guard keys, plains, ciphers, opens;
static crypto_blockcipher_key *expanded, *kept;
static int holds_key;
static uint8_t key[KEY_LONGEST], plain[MAX_BLOCKS * BLOCK], cipher[MAX_BLOCKS * BLOCK];

void operation_info(void)
{
    crypto_blockcipher_key *one = allocate(crypto_blockcipher_key_size, 0);
    const int64_t before = memory_heap();
    harness_case("expandkey");
    if (crypto_blockcipher_expandkey(one, key, crypto_blockcipher_KEYBYTES))
        harness_fail(VALID_REJECTED, "rejects a valid key");
    record_info("expanded_key_bytes", crypto_blockcipher_key_size + (size_t)(memory_heap() - before));
    record_info("block_bytes", BLOCK);
    record_info("measured_key_bytes", crypto_blockcipher_KEYBYTES);
    record_info("longest_key_bytes", KEY_LONGEST);
}

/* Expands a key of that length; returns what expandkey returns. */
static int expand(size_t key_bytes)
{
    const uint8_t *k = guarded_copy(&keys, key, key_bytes, GUARD_ANY, next_edge());
#ifdef crypto_blockcipher_RELEASES
    if (holds_key) crypto_blockcipher_release(expanded);
#endif
    memset(expanded, 0xa5, crypto_blockcipher_key_size); /* expandkey must not rely on zeroed memory */
    const int result = crypto_blockcipher_expandkey(expanded, k, key_bytes);
    expect_unchanged(&keys, key, "key");
    holds_key = result == 0;
    memcpy(kept, expanded, crypto_blockcipher_key_size);
    return result;
}

static void encrypt(size_t blocks, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&plains, plain, blocks * BLOCK, alignment, edge);
    const unsigned other = alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64;
    uint8_t *out = guard_place(&ciphers, blocks * BLOCK, other, edge);
    memset(out, 0x5a, blocks * BLOCK);
    crypto_blockcipher_encrypt(out, in, blocks, expanded);
    expect_unchanged(&plains, plain, "plaintext");
    guard_check(&ciphers, "ciphertext");
    if (memcmp(kept, expanded, crypto_blockcipher_key_size)) harness_fail(INPUT_MODIFIED, "modifies the expanded key");
    memcpy(cipher, out, blocks * BLOCK);
}

static void must_decrypt(size_t blocks, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&ciphers, cipher, blocks * BLOCK, alignment, edge);
    const unsigned other = alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64;
    uint8_t *out = guard_place(&opens, blocks * BLOCK, other, edge);
    memset(out, 0x5a, blocks * BLOCK);
    crypto_blockcipher_decrypt(out, in, blocks, expanded);
    expect_unchanged(&ciphers, cipher, "ciphertext");
    guard_check(&opens, "plaintext");
    if (memcmp(kept, expanded, crypto_blockcipher_key_size)) harness_fail(INPUT_MODIFIED, "modifies the expanded key");
    if (memcmp(out, plain, blocks * BLOCK)) harness_fail(WRONG_OUTPUT, "decrypts to a different plaintext");
}

static void in_place(size_t blocks)
{
    uint8_t *both = guarded_copy_to_change(&plains, plain, blocks * BLOCK, GUARD_ANY, GUARD_BACK);
    crypto_blockcipher_encrypt(both, both, blocks, expanded);
    guard_check(&plains, "blocks in place");
    if (memcmp(both, cipher, blocks * BLOCK)) harness_fail(WRONG_OUTPUT, "encryption differs in place");
    crypto_blockcipher_decrypt(both, both, blocks, expanded);
    guard_check(&plains, "blocks in place");
    if (memcmp(both, plain, blocks * BLOCK)) harness_fail(WRONG_OUTPUT, "decryption differs in place");
}

/* Compares many blocks in one call with `cipher`, which holds them encrypted one by one. */
static void blocks_at_once(size_t blocks, const uint8_t *single)
{
    harness_case("%zu blocks in one call", blocks);
    encrypt(blocks, (unsigned)(blocks * 11 + 1) % 64, alternate_edge(blocks));
    if (memcmp(cipher, single, blocks * BLOCK)) harness_fail(WRONG_OUTPUT, "differs from single blocks");
    must_decrypt(blocks, (unsigned)(blocks * 13 + 1) % 64, alternate_edge(blocks));
    in_place(blocks);
}

/* Implementations may differ in which further key lengths they accept, so only the two lengths
 * that all must accept enter the digest, which all implementations share. Vectors test the others. */
static int all_take(size_t key_bytes)
{
    return key_bytes == KEY_LONGEST || key_bytes == crypto_blockcipher_KEYBYTES;
}

static void many_blocks(size_t key_bytes)
{
    static uint8_t single[MAX_BLOCKS * BLOCK];
    prng_fill(plain, sizeof plain);
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        harness_case("block %zu alone", i);
        crypto_blockcipher_encrypt(single + i * BLOCK, plain + i * BLOCK, 1, expanded);
    }
    if (all_take(key_bytes)) harness_digest(single, sizeof single);
    for (size_t blocks = 0; blocks <= 40; blocks++) blocks_at_once(blocks, single);
    cpu_budget_start(MANY_SECONDS);
    for (size_t i = 0; i <= MAX_BLOCKS && (i < 16 || cpu_budget_left()); i++)
        blocks_at_once(i * STEP % (MAX_BLOCKS + 1), single);
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        encrypt(9, alignment, alternate_edge(alignment));
        must_decrypt(9, alignment, alternate_edge(alignment));
    }
}

/* Many equal blocks in one call are encrypted like one. */
static void equal_blocks(void)
{
    static const uint8_t bytes[] = {0, 0xff, 0x80};
    static uint8_t single[64 * BLOCK];
    for (size_t i = 0; i < sizeof bytes; i++) {
        harness_case("64 blocks of bytes %u", bytes[i]);
        memset(plain, bytes[i], sizeof single);
        encrypt(1, GUARD_ANY, GUARD_BACK);
        for (size_t block = 0; block < 64; block++) memcpy(single + block * BLOCK, cipher, BLOCK);
        encrypt(64, GUARD_ANY, GUARD_BACK);
        if (memcmp(cipher, single, sizeof single)) harness_fail(WRONG_OUTPUT, "differs from single blocks");
        must_decrypt(64, GUARD_ANY, GUARD_FRONT);
    }
}

/* Checks that every bit of a block changes the result, and no two bits in the same way. */
static void every_bit_matters(void)
{
    static uint8_t seen[8 * BLOCK + 1][BLOCK];
    encrypt(1, GUARD_ANY, GUARD_BACK);
    memcpy(seen[8 * BLOCK], cipher, BLOCK);
    for (size_t bit = 0; bit < 8 * BLOCK; bit++) {
        harness_case("bit %zu of the block changed", bit);
        plain[bit / 8] ^= (uint8_t)(1u << bit % 8);
        encrypt(1, GUARD_ANY, GUARD_BACK);
        plain[bit / 8] ^= (uint8_t)(1u << bit % 8);
        memcpy(seen[bit], cipher, BLOCK);
        for (size_t other = 0; other <= 8 * BLOCK; other++)
            if ((other < bit || other == 8 * BLOCK) && !memcmp(seen[other], cipher, BLOCK))
                harness_fail(WRONG_OUTPUT, "encrypts two different blocks to the same block");
    }
}

/* The whole byte, because a definition may ignore a bit (DES: parity). */
static void every_key_byte_matters(size_t key_bytes)
{
    uint8_t first[BLOCK];
    encrypt(1, GUARD_ANY, GUARD_BACK);
    memcpy(first, cipher, BLOCK);
    for (size_t i = 0; i < key_bytes; i++) {
        harness_case("key of %zu bytes, byte %zu changed", key_bytes, i);
        key[i] ^= 0xff;
        if (expand(key_bytes)) harness_fail(VALID_REJECTED, "rejects a valid key");
        encrypt(1, GUARD_ANY, GUARD_BACK);
        if (!memcmp(first, cipher, BLOCK)) harness_fail(SAME_OUTPUT, "returns the same block");
        key[i] ^= 0xff;
    }
}

/* Checks that an expanded key is all that is kept of a key: another one may be expanded before it is used again. */
static void two_keys(void)
{
    static crypto_blockcipher_key *other;
    uint8_t first[BLOCK], second[crypto_blockcipher_KEYBYTES];
    harness_case("two keys in use");
    if (!other) other = allocate(crypto_blockcipher_key_size, 0);
    prng_fill(key, sizeof key);
    prng_fill(second, sizeof second);
    if (expand(crypto_blockcipher_KEYBYTES)) harness_fail(VALID_REJECTED, "rejects a valid key");
    encrypt(1, GUARD_ANY, GUARD_BACK);
    memcpy(first, cipher, BLOCK);
    if (crypto_blockcipher_expandkey(other, second, sizeof second)) harness_fail(VALID_REJECTED, "rejects a valid key");
    encrypt(1, GUARD_ANY, GUARD_BACK);
    if (memcmp(first, cipher, BLOCK)) harness_fail(WRONG_OUTPUT, "a block changes when another key is expanded");
    must_decrypt(1, GUARD_ANY, GUARD_BACK);
#ifdef crypto_blockcipher_RELEASES
    crypto_blockcipher_release(other);
#endif
}

static void open_all(void)
{
    expanded = allocate_guarded(crypto_blockcipher_key_size, "expanded key");
    kept = allocate(crypto_blockcipher_key_size, 0);
    guard_open(&keys, KEY_LONGEST, "key");
    guard_open(&plains, MAX_BLOCKS * BLOCK + 64, "plaintext");
    guard_open(&ciphers, MAX_BLOCKS * BLOCK + 64, "ciphertext");
    guard_open(&opens, MAX_BLOCKS * BLOCK + 64, "plaintext");
}

/* Runs the tests for one key length; returns whether the cipher supports it. */
static int try_key_bytes(size_t key_bytes)
{
    harness_case("key of %zu bytes", key_bytes);
    prng_fill(key, sizeof key);
    if (expand(key_bytes)) return 0;
    many_blocks(key_bytes);
    equal_blocks();
    every_bit_matters();
    every_key_byte_matters(key_bytes);
    return 1;
}

/* One block under one key, which all implementations encrypt alike. */
static void one_key(size_t key_bytes, unsigned turn)
{
    harness_case("key of %zu bytes", key_bytes);
    prng_fill(key, sizeof key);
    prng_fill(plain, BLOCK);
    if (turn < 8) { /* equal bytes first */
        memset(key, turn & 2 ? 0xff : 0, sizeof key);
        memset(plain, turn & 4 ? 0xff : 0, BLOCK);
    }
    if (expand(key_bytes)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    encrypt(1, GUARD_ANY, GUARD_BACK);
    harness_digest(cipher, BLOCK);
    must_decrypt(1, GUARD_ANY, GUARD_BACK);
}

static void encrypt_similar(void)
{
    if (expand(crypto_blockcipher_KEYBYTES)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    crypto_blockcipher_encrypt(cipher, plain, 1, expanded);
}

static void decrypt_similar(void)
{
    crypto_blockcipher_decrypt(plain, cipher, 1, expanded);
}

static uint8_t both[2 * BLOCK];

static void encrypt_and_decrypt(void)
{
    crypto_blockcipher_encrypt(both, plain, 1, expanded);
    crypto_blockcipher_decrypt(both + BLOCK, plain, 1, expanded);
}

static void fixed_inputs(void)
{
    memset(key, 0x5c, crypto_blockcipher_KEYBYTES), memset(plain, 0x36, BLOCK);
    if (expand(crypto_blockcipher_KEYBYTES)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
}

static void similar_blocks(void)
{
    EXPECT_NOTHING_KEPT("key", key, crypto_blockcipher_KEYBYTES, encrypt_similar, cipher, BLOCK);
    EXPECT_NOTHING_KEPT("plaintext", plain, BLOCK, encrypt_similar, cipher, BLOCK);
    EXPECT_NOTHING_KEPT("ciphertext", cipher, BLOCK, decrypt_similar, plain, BLOCK);
}

void operation_check(void)
{
    const size_t must[] = {crypto_blockcipher_KEYBYTES, KEY_LONGEST};
    open_all();
    call_first(fixed_inputs, encrypt_and_decrypt, both, sizeof both);
    for (unsigned turn = 0; turn < MANY_KEYS; turn++) one_key(must[turn % 2], turn);
    for (size_t i = 0; i < 2; i++) /* first, so that all implementations see the same random bytes */
        if ((i == 0 || must[i] != must[0]) && !try_key_bytes(must[i]))
            harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    for (size_t key_bytes = 0; key_bytes < KEY_LONGEST; key_bytes++)
        if (key_bytes != crypto_blockcipher_KEYBYTES) (void)try_key_bytes(key_bytes);
    two_keys();
    similar_blocks();
    repeat_first_call(repeat_calls);
}

/* iterations: how often the block is processed, each time on the previous result (absent or 0:
 * once). */
int operation_answer(const char *verb)
{
    size_t key_bytes, length;
    const int decrypting = !strcmp(verb, "decrypt");
    if (!decrypting && strcmp(verb, "encrypt")) return -1;
    if (!expanded) open_all();
    const uint8_t *k = request_bytes(&key_bytes), *in = request_bytes(&length);
    uint64_t iterations = request_number();
    uint8_t *both = allocate(length, 0);
    if (length % BLOCK)
        harness_fail(HARNESS_ERROR, "the request has %zu bytes, which is not a multiple of the block size %d", length,
                     (int)BLOCK);
    if (crypto_blockcipher_expandkey(expanded, k, key_bytes)) {
        answer_word("refused");
        return 0;
    }
    memcpy(both, in, length);
    do {
        if (decrypting)
            crypto_blockcipher_decrypt(both, both, length / BLOCK, expanded);
        else
            crypto_blockcipher_encrypt(both, both, length / BLOCK, expanded);
    } while (iterations > 1 && --iterations);
    answer_bytes(both, length);
#ifdef crypto_blockcipher_RELEASES
    crypto_blockcipher_release(expanded);
#endif
    return 0;
}
