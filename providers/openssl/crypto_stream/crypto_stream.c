/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's ciphers through EVP as keystreams.
 *
 * PREPENDED  the cipher counts itself: its IV is a 32-bit little-endian block
 *            counter and then the nonce (EVP_chacha20(3))
 * ADDED      a block cipher in ECB mode over counter blocks made here, for the
 *            eSTREAM counter mode, which no mode of OpenSSL's is: its counter
 *            is the first four bytes of the IV, little-endian
 * NONE       RC4, whose key is the nonce too: the schedule runs for each packet.
 *            By its own functions, because EVP has it only with a module that
 *            is loaded from a file (OSSL_PROVIDER-legacy(7)) */
#include "crypto_stream.h"

#include <openssl/evp.h>
#include <openssl/rc4.h>
#include <string.h>

#include "bytes.h"

#define PREPENDED 1
#define ADDED 2
#define NONE 3
#define FIRST crypto_stream_FIRSTBYTES

#if PROVIDER_COUNTER == NONE

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    uint8_t both[crypto_stream_KEYBYTES + crypto_stream_NONCEBYTES];
    (void)soon;
    memcpy(both, expanded->key, sizeof expanded->key);
    memcpy(both + sizeof expanded->key, nonce, crypto_stream_NONCEBYTES);
    RC4_set_key(&state->rc4, sizeof both, both);
    memset(first, 0, FIRST);
    RC4(&state->rc4, FIRST, first, first);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    RC4(&state->rc4, (size_t)length, in, out);
}

#else

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    static EVP_CIPHER *cipher;
    if (!cipher) cipher = EVP_CIPHER_fetch(NULL, PROVIDER_CIPHER, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex2(ctx, cipher, key, NULL, NULL);
    EVP_CIPHER_CTX_set_padding(ctx, 0);
    expanded->context = ctx;
}

#if PROVIDER_COUNTER == PREPENDED

#define BLOCK 64

static void set_counter(const crypto_stream_state *state, uint32_t counter)
{
    uint8_t iv[16];
    store_le32(iv, counter);
    memcpy(iv + 4, state->nonce, 12);
    EVP_EncryptInit_ex2(state->key->context, NULL, NULL, iv, NULL);
}

/* out = in ^ keystream, from the current block. */
static void mix(const crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    int done;
    for (; length > 0; in += done, out += done, length -= (uint64_t)done)
        EVP_EncryptUpdate(state->key->context, out, &done, in, length < 1 << 30 ? (int)length : 1 << 30);
}

#else

#define BLOCK 16
#define BATCH 32 /* blocks per call, to fill the library's pipelines */

static void set_counter(crypto_stream_state *state, uint32_t counter)
{
    memcpy(state->block + BLOCK, state->nonce, BLOCK);
    store_le32(state->block + BLOCK, load_le32(state->nonce) + counter);
}

static void mix(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    uint8_t pad[BATCH * BLOCK];
    uint32_t counter = load_le32(state->block + BLOCK);
    while (length > 0) {
        const uint64_t now = length < sizeof pad ? length : sizeof pad;
        const size_t blocks = (size_t)(now + BLOCK - 1) / BLOCK;
        int done;
        for (size_t i = 0; i < blocks; i++) {
            memcpy(pad + i * BLOCK, state->block + BLOCK, BLOCK);
            store_le32(pad + i * BLOCK, counter++);
        }
        EVP_EncryptUpdate(state->key->context, pad, &done, pad, (int)(blocks * BLOCK));
        xor_bytes(out, in, pad, now);
        out += now, in += now, length -= now;
    }
}

#endif

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    static const uint8_t zero[BLOCK];
    uint8_t block[BLOCK];
    (void)soon;
    state->key = expanded;
    memcpy(state->nonce, nonce, crypto_stream_NONCEBYTES);
    set_counter(state, 0);
    mix(state, block, zero, BLOCK);
    memcpy(first, block, FIRST);
    memcpy(state->block, block + FIRST, BLOCK - FIRST);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    const uint64_t rest = length < BLOCK - FIRST ? length : BLOCK - FIRST;
    xor_bytes(out, in, state->block, rest);
    if (length == rest) return;
    set_counter(state, 1);
    mix(state, out + rest, in + rest, length - rest);
}

#endif
