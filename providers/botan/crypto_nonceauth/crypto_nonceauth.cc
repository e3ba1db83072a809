/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's GMAC: one object, which receives key and nonce in each call. It is never deleted,
 * because the library's memory pool may be destroyed first at exit. */
extern "C" {
#include "crypto_nonceauth.h"
}

#include <botan/mac.h>

extern "C" int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                                const unsigned char *n, const unsigned char *k)
{
    try {
        static Botan::MessageAuthenticationCode *const mac =
            Botan::MessageAuthenticationCode::create_or_throw(PROVIDER_MAC).release();
        mac->set_key(k, crypto_nonceauth_KEYBYTES);
        mac->start(n, crypto_nonceauth_NONCEBYTES);
        mac->update(in, inlen);
        mac->final(out);
        return 0;
    } catch (...) {
        return -1;
    }
}
