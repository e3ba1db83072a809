/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mode of a block cipher: CBC, which pads a message of whole blocks or not to the next block; CTR and OFB, which
 * keep its length. The modes are those of operations/crypto_cipher, which are checked there. */
#include "api.h"

#ifdef SUBJECT_IS_BLOCKCIPHER

#define crypto_cipher_KEYBYTES SUBJECT_KEYBYTES

#define crypto_cipher_expandkey cbc_expandkey
#define crypto_cipher_release cbc_release
#define crypto_cipher_encrypt cbc_encrypt
#define crypto_cipher_decrypt cbc_decrypt
#include "cbc/compose.c"
#undef crypto_cipher_expandkey
#undef crypto_cipher_release
#undef crypto_cipher_encrypt
#undef crypto_cipher_decrypt

#define crypto_cipher_expandkey ctr_expandkey
#define crypto_cipher_release ctr_release
#define crypto_cipher_encrypt ctr_encrypt
#define crypto_cipher_decrypt ctr_decrypt
#include "ctr/compose.c"
#undef crypto_cipher_expandkey
#undef crypto_cipher_release
#undef crypto_cipher_encrypt
#undef crypto_cipher_decrypt

#define crypto_cipher_expandkey ofb_expandkey
#define crypto_cipher_release ofb_release
#define crypto_cipher_encrypt ofb_encrypt
#define crypto_cipher_decrypt ofb_decrypt
#include "ofb/compose.c"

static const uint8_t iv[SUBJECT_BLOCKBYTES];

/* PKCS padding: between one byte and a block. */
static __attribute__((noinline)) void pad_and_encrypt(const struct message *m)
{
    const size_t padding = SUBJECT_BLOCKBYTES - (size_t)m->n % SUBJECT_BLOCKBYTES;
    memcpy(m->spare[0], m->in, (size_t)m->n);
    memset(m->spare[0] + m->n, (int)padding, padding);
    (void)cbc_encrypt(m->out, m->spare[0], m->n + padding, iv, (const crypto_cipher_key *)m->state);
}

#define MODE_LEVEL(base, mode, call) ANY_LEVEL("mode", mode, base, 0, 1, 1, , , , call)

MODE_LEVEL(1, cbc, pad_and_encrypt(m));
MODE_LEVEL(0, ctr, (void)ctr_encrypt(m->out, m->in, m->n, iv, (const crypto_cipher_key *)m->state));
MODE_LEVEL(0, ofb, (void)ofb_encrypt(m->out, m->in, m->n, iv, (const crypto_cipher_key *)m->state));

#endif
