/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's SHAKE, which needs a new object for each output length. The last one is kept and never
 * deleted, because the library's memory pool may be destroyed first at exit. */
extern "C" {
#include "crypto_xof.h"
}

#include <botan/hash.h>
#include <string>

namespace
{

/* Its lengths are in bits. */
Botan::HashFunction &of_length(unsigned long long outlen)
{
    static Botan::HashFunction *hash;
    if (!hash || hash->output_length() != outlen) {
        delete hash;
        hash = nullptr;
        hash = Botan::HashFunction::create_or_throw(PROVIDER_HASH "(" + std::to_string(8 * outlen) + ")").release();
    }
    return *hash;
}

} // namespace

extern "C" int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in,
                          unsigned long long inlen)
{
    if (outlen == 0) return 0; /* it rejects an output length of 0 */
    try {
        Botan::HashFunction &hash = of_length(outlen);
        hash.update(in, inlen);
        hash.final(out);
        return 0;
    } catch (...) {
        return -1;
    }
}
