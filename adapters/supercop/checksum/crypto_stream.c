/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_stream; see checksum.h. */
#include "crypto_stream.h"

#include "checksum.h"

static struct sum_array nonce, key, stream, message, ciphertext;

static int call_stream(unsigned char *const *p)
{
    return crypto_stream(p[0], stream.length, p[1], p[2]);
}

static int call_xor(unsigned char *const *p)
{
    return crypto_stream_xor(p[0], p[1], message.length, p[2], p[3]);
}

static const struct sum_function generate = {"crypto_stream", call_stream, {&stream}, {&nonce, &key}, 0, 1},
                                 encrypt = {"crypto_stream_xor",      call_xor, {&ciphertext},
                                            {&message, &nonce, &key}, 0,        0};

static void one(size_t length)
{
    sum_input(&nonce, crypto_stream_NONCEBYTES);
    sum_input(&key, crypto_stream_KEYBYTES);
    stream.length = length;
    sum_run(&generate);
    sum_input(&message, length);
    ciphertext.length = length;
    sum_run(&encrypt);
    for (size_t i = 0; i < length; i++)
        if ((message.value[i] ^ stream.value[i]) != ciphertext.value[i])
            harness_fail(WRONG_OUTPUT, "differs from crypto_stream at byte %zu of %zu", i, length);
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&nonce, "nonce", crypto_stream_NONCEBYTES);
    sum_open(&key, "key", crypto_stream_KEYBYTES);
    sum_open(&stream, "keystream", longest);
    sum_open(&message, "message", longest);
    sum_open(&ciphertext, "ciphertext", longest);
    for (size_t loop = 0; loop < sum_loops(512, 4096); loop++) one(sum_random() % (longest + 1));
}
