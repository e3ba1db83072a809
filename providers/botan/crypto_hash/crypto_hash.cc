/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's hash functions: one object, which is reused and never deleted, because the library's
 * memory pool may be destroyed first at exit. */
extern "C" {
#include "crypto_hash.h"
}

#include <botan/hash.h>

extern "C" int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    try {
        static Botan::HashFunction *const hash = Botan::HashFunction::create_or_throw(PROVIDER_HASH).release();
        if (hash->output_length() != crypto_hash_BYTES) return -1;
        hash->update(in, inlen);
        hash->final(out);
        return 0;
    } catch (...) {
        return -1;
    }
}
