/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s hash functions: one object, which is reused. */
extern "C" {
#include "crypto_hash.h"
}

#include PROVIDER_HEADER

extern "C" int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    try {
        static PROVIDER_CLASS hash;
        static_assert(PROVIDER_CLASS::DIGESTSIZE == crypto_hash_BYTES, "the class must compute the requested hash");
        hash.CalculateDigest(out, in, inlen);
        return 0;
    } catch (...) {
        return -1;
    }
}
