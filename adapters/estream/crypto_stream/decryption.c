/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What eSTREAM's API has besides encryption: decrypting, in bytes and in blocks, and the keystream itself. None of it
 * is measured, but all of it belongs together. */
#include <string.h>

#include "crypto_stream.h"
#include "harness.h"

void estream_key(void *ctx, const unsigned char *key);
void estream_iv(void *ctx, const unsigned char *iv);
void estream_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks);
void estream_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length);
int estream_decrypt_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks);
int estream_decrypt_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length);
int estream_keystream(void *ctx, unsigned char *out, unsigned length);

#define BLOCK crypto_stream_BLOCKBYTES
#define LONGEST 600
#define BLOCKS 3

static struct guard outs, contexts;
static uint8_t kept[crypto_stream_STATEBYTES]; /* the context when the key has been set up */
static uint8_t key[crypto_stream_KEYBYTES + 1], nonce[crypto_stream_NONCEBYTES + 1];
static uint8_t plain[LONGEST + BLOCKS * BLOCK], cipher[sizeof plain];

/* Fails unless what has been written, if the cipher has the function at all, is `right`. */
static void expect(int absent, const uint8_t *right, size_t length, const char *what)
{
    guard_check(&outs, "output");
    guard_check(&contexts, "context");
    if (!absent && length && memcmp(outs.data, right, length)) harness_fail(WRONG_OUTPUT, "%s", what);
}

/* Returns a copy of the context, with nothing but canaries behind it. */
static void *start(void)
{
    uint8_t *context = guard_place(&contexts, sizeof kept, 0, GUARD_BACK);
    memcpy(context, kept, sizeof kept);
    estream_iv(context, nonce);
    return context;
}

/* Sets up the key in memory full of such bytes. */
static void set_up(int byte)
{
    uint8_t *context = guard_place(&contexts, sizeof kept, 0, GUARD_BACK);
    harness_case("key set-up in memory full of %d", byte);
    memset(context, byte, sizeof kept);
    estream_key(context, key);
    guard_check(&contexts, "context");
    memcpy(kept, context, sizeof kept);
}

/* The keystream does not depend on what was in the memory before. */
static void try_memory(void)
{
    set_up(0);
    prng_fill(plain, LONGEST);
    estream_bytes(start(), plain, cipher, LONGEST);
    set_up(255);
    uint8_t *out = guard_place(&outs, LONGEST, GUARD_ANY, GUARD_BACK);
    estream_bytes(start(), plain, out, LONGEST);
    expect(0, cipher, LONGEST, "the keystream depends on it");
}

static void try_bytes(unsigned length)
{
    static uint8_t stream[LONGEST];
    harness_case("length %u", length);
    prng_fill(plain, length);
    estream_bytes(start(), plain, cipher, length);
    for (unsigned i = 0; i < length; i++) stream[i] = plain[i] ^ cipher[i];
    uint8_t *out = guard_place(&outs, length, GUARD_ANY, GUARD_BACK);
    expect(estream_decrypt_bytes(start(), cipher, out, length), plain, length, "ECRYPT_decrypt_bytes does not decrypt");
    out = guard_place(&outs, length, GUARD_ANY, GUARD_BACK);
    expect(estream_keystream(start(), out, length), stream, length,
           "ECRYPT_keystream_bytes is not the keystream of ECRYPT_encrypt_bytes");
}

static void try_blocks(unsigned blocks)
{
    harness_case("%u blocks", blocks);
    prng_fill(plain, sizeof plain);
    estream_blocks(start(), plain, cipher, blocks);
    uint8_t *out = guard_place(&outs, blocks * BLOCK, GUARD_ANY, GUARD_BACK);
    expect(estream_decrypt_blocks(start(), cipher, out, blocks), plain, blocks * BLOCK,
           "ECRYPT_decrypt_blocks does not decrypt");
    out = guard_place(&outs, blocks * BLOCK, GUARD_ANY, GUARD_BACK);
    estream_bytes(start(), plain, out, blocks * BLOCK);
    expect(0, cipher, blocks * BLOCK, "ECRYPT_encrypt_blocks differs from ECRYPT_encrypt_bytes");
}

int oracle_answer(const char *name)
{
    static const unsigned lengths[] = {1, 15, 16, 40, 576, LONGEST};
    if (strcmp(name, "decryption")) return -1;
    guard_open(&outs, sizeof plain, "output");
    guard_open(&contexts, sizeof kept, "context");
    prng_seed(1);
    prng_fill(key, crypto_stream_KEYBYTES);
    prng_fill(nonce, crypto_stream_NONCEBYTES);
    try_memory();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) try_bytes(lengths[i]);
    for (unsigned blocks = 1; blocks <= BLOCKS; blocks++) try_blocks(blocks);
    answer_word("agrees");
    return 0;
}
