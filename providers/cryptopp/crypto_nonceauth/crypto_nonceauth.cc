/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s VMAC and Poly1305-AES: one object, which receives key and nonce in each call. */
extern "C" {
#include "crypto_nonceauth.h"
}

#include PROVIDER_HEADER
#include <cryptopp/aes.h>

extern "C" int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                                const unsigned char *n, const unsigned char *k)
{
    try {
        static PROVIDER_CLASS mac;
        mac.SetKeyWithIV(k, crypto_nonceauth_KEYBYTES, n, crypto_nonceauth_NONCEBYTES);
        mac.CalculateDigest(out, in, inlen);
        return 0;
    } catch (...) {
        return -1;
    }
}
