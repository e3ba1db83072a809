/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's SHAKE: one handle, which is reused. */
#include "crypto_xof.h"

#include "../start.h"

int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen)
{
    static gcry_md_hd_t handle;
    if (!handle) {
        if (!start_library()) return -1;
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        if (gcry_md_open(&handle, PROVIDER_HASH, 0)) return -1;
    }
    gcry_md_reset(handle);
    gcry_md_write(handle, in, (size_t)inlen);
    return outlen && gcry_md_extract(handle, PROVIDER_HASH, out, (size_t)outlen) ? -1 : 0;
}
