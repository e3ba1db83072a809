/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's AEADs: one handle with the key set; each packet sets the nonce.
 *
 * PROVIDER_CCM    lengths come before the associated data PROVIDER_SIV    (GCM-SIV) the tag comes
 * before the ciphertext to decrypt PROVIDER_RESET  a handle that has finished a packet must be
 * reset before the next nonce The others take the tag at the end; the plaintext of a forgery is
 * then zeroed. */
#include "crypto_aead.h"

#include "../start.h"
#include <string.h>

#define TAG crypto_aead_TAGBYTES

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    gcry_cipher_hd_t handle;
    if (!start_library()) return -1;
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    expanded->handle = NULL;
    if (gcry_cipher_open(&handle, PROVIDER_CIPHER, PROVIDER_MODE, 0)) return -1;
    expanded->handle = handle;
    return gcry_cipher_setkey(handle, key, crypto_aead_KEYBYTES) ? -1 : 0;
}

void crypto_aead_release(crypto_aead_key *expanded)
{
    gcry_cipher_close(expanded->handle);
}

/* Sets nonce, lengths and associated data. */
static int start(gcry_cipher_hd_t handle, uint64_t length, const uint8_t *ad, uint64_t ad_length, const uint8_t *nonce)
{
#ifdef PROVIDER_RESET
    if (gcry_cipher_reset(handle)) return -1;
#endif
    if (gcry_cipher_setiv(handle, nonce, crypto_aead_NONCEBYTES)) return -1;
#ifdef PROVIDER_CCM
    uint64_t lengths[3] = {length, ad_length, TAG};
    if (gcry_cipher_ctl(handle, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths)) return -1;
#else
    (void)length;
#endif
    return ad_length && gcry_cipher_authenticate(handle, ad, (size_t)ad_length) ? -1 : 0;
}

/* Works in place if the caller passes the same buffer. */
static int encrypt(gcry_cipher_hd_t handle, uint8_t *out, const uint8_t *in, uint64_t length)
{
    gcry_cipher_final(handle);
    if (out == in) return gcry_cipher_encrypt(handle, out, (size_t)length, NULL, 0) ? -1 : 0;
    return gcry_cipher_encrypt(handle, out, (size_t)length, in, (size_t)length) ? -1 : 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (start(expanded->handle, length, ad, ad_length, nonce)) return -1;
    if (encrypt(expanded->handle, packet + TAG, plaintext, length)) return -1;
    return gcry_cipher_gettag(expanded->handle, packet, TAG) ? -1 : 0;
}

static int opened(gcry_cipher_hd_t handle, uint8_t *plaintext, const uint8_t *packet, uint64_t length,
                  const uint8_t *ad, uint64_t ad_length, const uint8_t *nonce)
{
    uint8_t tag[TAG];
    const uint8_t *in = packet + TAG;
    memcpy(tag, packet, TAG);
    if (start(handle, length, ad, ad_length, nonce)) return -1;
#ifdef PROVIDER_SIV
    if (gcry_cipher_set_decryption_tag(handle, tag, TAG)) return -1;
#endif
    gcry_cipher_final(handle);
    if (plaintext == in ? gcry_cipher_decrypt(handle, plaintext, (size_t)length, NULL, 0)
                        : gcry_cipher_decrypt(handle, plaintext, (size_t)length, in, (size_t)length))
        return -1;
    return gcry_cipher_checktag(handle, tag, TAG) ? -1 : 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (packet_length < TAG) return -1;
    if (!opened(expanded->handle, plaintext, packet, packet_length - TAG, ad, ad_length, nonce)) return 0;
    memset(plaintext, 0, packet_length - TAG);
    return -1;
}
