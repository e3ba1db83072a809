/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's AEADs over AES. GCM keeps a state, CCM a scheduled key; the functions of EAX and
 * OCB3 take the key with each packet. The plaintext of a forgery is zeroed.
 *
 * PROVIDER_APART: it reads plaintext again after writing ciphertext, so the two must not overlap;
 * a copy is made then. */
#include "crypto_aead.h"

#include <stdlib.h>
#include <string.h>

#define TAG crypto_aead_TAGBYTES
#define KEY crypto_aead_KEYBYTES
#define NONCE crypto_aead_NONCEBYTES
#define GLUE(a, b) a##b
#define NAME(a, b) GLUE(a, b)

static int aes(void)
{
    static int index = -1;
    if (index < 0) index = register_cipher(&aes_desc);
    return index;
}

#if defined(PROVIDER_GCM)

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    return gcm_init(&expanded->state, aes(), key, KEY) == CRYPT_OK ? 0 : -1;
}

static int process(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                   const uint8_t *nonce, const crypto_aead_key *expanded, uint8_t *tag, int direction)
{
    gcm_state *state = (gcm_state *)&expanded->state; /* keeps its tables and resets the state of the packet */
    unsigned long tag_length = TAG;
    uint8_t *plain = direction == GCM_ENCRYPT ? (uint8_t *)in : out;
    uint8_t *cipher = direction == GCM_ENCRYPT ? out : (uint8_t *)in;
    if (gcm_reset(state) != CRYPT_OK || gcm_add_iv(state, nonce, NONCE) != CRYPT_OK) return -1;
    if (gcm_add_aad(state, ad, (unsigned long)ad_length) != CRYPT_OK) return -1;
    if (gcm_process(state, plain, (unsigned long)length, cipher, direction) != CRYPT_OK) return -1;
    return gcm_done(state, tag, &tag_length) == CRYPT_OK ? 0 : -1;
}

#define SEAL(out, in, length) process(out, in, length, ad, ad_length, nonce, expanded, packet, GCM_ENCRYPT)

static int opened(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded, const uint8_t *tag)
{
    uint8_t right[TAG];
    if (process(out, in, length, ad, ad_length, nonce, expanded, right, GCM_DECRYPT)) return 0;
    return !mem_neq(right, tag, TAG);
}

#elif defined(PROVIDER_CCM)

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    return aes_desc.setup(key, KEY, 0, &expanded->scheduled) == CRYPT_OK ? 0 : -1;
}

static int process(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                   const uint8_t *nonce, const crypto_aead_key *expanded, uint8_t *tag, int direction)
{
    unsigned long tag_length = TAG;
    uint8_t *plain = direction == CCM_ENCRYPT ? (uint8_t *)in : out;
    uint8_t *cipher = direction == CCM_ENCRYPT ? out : (uint8_t *)in;
    return ccm_memory(aes(), NULL, 0, (symmetric_key *)&expanded->scheduled, nonce, NONCE, ad, (unsigned long)ad_length,
                      plain, (unsigned long)length, cipher, tag, &tag_length, direction) == CRYPT_OK
               ? 0
               : -1;
}

#define SEAL(out, in, length) process(out, in, length, ad, ad_length, nonce, expanded, packet, CCM_ENCRYPT)

static int opened(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded, const uint8_t *tag)
{
    return !process(out, in, length, ad, ad_length, nonce, expanded, (uint8_t *)tag, CCM_DECRYPT);
}

#else

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, KEY);
    return 0;
}

static int seal(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                const uint8_t *nonce, const crypto_aead_key *expanded, uint8_t *tag)
{
    unsigned long tag_length = TAG;
    return NAME(PROVIDER_MEMORY, _encrypt_authenticate_memory)(aes(), expanded->key, KEY, nonce, NONCE, ad,
                                                               (unsigned long)ad_length, in, (unsigned long)length, out,
                                                               tag, &tag_length) == CRYPT_OK
               ? 0
               : -1;
}

#ifdef PROVIDER_APART
static int seal_apart(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                      const uint8_t *nonce, const crypto_aead_key *expanded, uint8_t *tag)
{
    if (out != in) return seal(out, in, length, ad, ad_length, nonce, expanded, tag);
    uint8_t *copy = malloc((size_t)length + 1);
    if (!copy) return -1;
    memcpy(copy, in, (size_t)length);
    const int result = seal(out, copy, length, ad, ad_length, nonce, expanded, tag);
    free(copy);
    return result;
}
#define SEAL(out, in, length) seal_apart(out, in, length, ad, ad_length, nonce, expanded, packet)
#else
#define SEAL(out, in, length) seal(out, in, length, ad, ad_length, nonce, expanded, packet)
#endif

static int opened(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded, const uint8_t *tag)
{
    int right = 0;
    return NAME(PROVIDER_MEMORY, _decrypt_verify_memory)(aes(), expanded->key, KEY, nonce, NONCE, ad,
                                                         (unsigned long)ad_length, in, (unsigned long)length, out,
                                                         (uint8_t *)tag, TAG, &right) == CRYPT_OK &&
           right;
}

#endif

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return SEAL(packet + TAG, plaintext, length);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG) return -1;
    const uint64_t length = packet_length - TAG;
    memcpy(tag, packet, TAG);
    if (opened(plaintext, packet + TAG, length, ad, ad_length, nonce, expanded, tag)) return 0;
    memset(plaintext, 0, length);
    return -1;
}
