/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's HMAC and CMAC: one handle, which receives its key in each call. */
#include "crypto_auth.h"

#include "../start.h"

static gcry_mac_hd_t ready(const unsigned char *k)
{
    static gcry_mac_hd_t handle;
    if (!handle) {
        if (!start_library()) return NULL;
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        if (gcry_mac_open(&handle, PROVIDER_MAC, 0, NULL)) return NULL;
    }
    if (gcry_mac_setkey(handle, k, crypto_auth_KEYBYTES)) return NULL;
#ifdef PROVIDER_RESET /* setting the key does not start a new message */
    if (gcry_mac_reset(handle)) return NULL;
#endif
    return handle;
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    gcry_mac_hd_t handle = ready(k);
    size_t length = crypto_auth_BYTES;
    if (!handle || gcry_mac_write(handle, in, (size_t)inlen)) return -1;
    return gcry_mac_read(handle, out, &length) || length != crypto_auth_BYTES ? -1 : 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    gcry_mac_hd_t handle = ready(k);
    if (!handle || gcry_mac_write(handle, in, (size_t)inlen)) return -1;
    return gcry_mac_verify(handle, h, crypto_auth_BYTES) ? -1 : 0;
}
