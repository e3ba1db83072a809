/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s SHAKE: one object, which is reused. */
extern "C" {
#include "crypto_xof.h"
}

#include <cryptopp/shake.h>

extern "C" int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in,
                          unsigned long long inlen)
{
    try {
        static PROVIDER_CLASS hash;
        hash.Update(in, inlen);
        hash.TruncatedFinal(out, outlen);
        return 0;
    } catch (...) {
        return -1;
    }
}
