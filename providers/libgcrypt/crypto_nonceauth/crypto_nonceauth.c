/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's GMAC and Poly1305-AES. PROVIDER_SWAPPED: the library takes r first, then the AES
 * key; here the order is reversed. */
#include "crypto_nonceauth.h"

#include "../start.h"
#include <string.h>

#define KEY crypto_nonceauth_KEYBYTES

static int set_key(gcry_mac_hd_t handle, const unsigned char *k)
{
#ifdef PROVIDER_SWAPPED
    unsigned char swapped[KEY];
    memcpy(swapped, k + KEY / 2, KEY / 2);
    memcpy(swapped + KEY / 2, k, KEY / 2);
    return gcry_mac_setkey(handle, swapped, KEY) ? -1 : 0;
#else
    return gcry_mac_setkey(handle, k, KEY) ? -1 : 0;
#endif
}

int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k)
{
    static gcry_mac_hd_t handle;
    size_t length = crypto_nonceauth_BYTES;
    if (!handle) {
        if (!start_library()) return -1;
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        if (gcry_mac_open(&handle, PROVIDER_MAC, 0, NULL)) return -1;
    }
    if (set_key(handle, k) || gcry_mac_setiv(handle, n, crypto_nonceauth_NONCEBYTES)) return -1;
    if (gcry_mac_write(handle, in, (size_t)inlen)) return -1;
    return gcry_mac_read(handle, out, &length) ? -1 : 0;
}
