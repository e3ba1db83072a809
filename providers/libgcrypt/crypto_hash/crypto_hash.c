/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's hash functions: its call for one message at once. */
#include "crypto_hash.h"

#include "../start.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    static int ready;
    if (!ready) {
        if (!start_library()) return -1;
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        if (gcry_md_get_algo_dlen(PROVIDER_HASH) != crypto_hash_BYTES) return -1;
        ready = 1;
    }
    gcry_md_hash_buffer(PROVIDER_HASH, out, in, (size_t)inlen);
    return 0;
}
