/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s HMAC and CMAC: one object, which receives its key in each call. */
extern "C" {
#include "crypto_auth.h"
}

#include PROVIDER_HEADER
#include <cryptopp/aes.h>
#include <cryptopp/sha.h>
#include <cryptopp/sha3.h>

namespace
{

PROVIDER_CLASS &keyed(const unsigned char *k)
{
    static PROVIDER_CLASS mac;
    mac.SetKey(k, crypto_auth_KEYBYTES);
    return mac;
}

} // namespace

extern "C" int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                           const unsigned char *k)
{
    try {
        keyed(k).CalculateDigest(out, in, inlen);
        return 0;
    } catch (...) {
        return -1;
    }
}

extern "C" int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                                  const unsigned char *k)
{
    try {
        return keyed(k).VerifyDigest(h, in, inlen) ? 0 : -1;
    } catch (...) {
        return -1;
    }
}
