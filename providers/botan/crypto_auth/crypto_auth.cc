/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's HMAC and CMAC: one object, which receives its key in each call. It is never deleted,
 * because the library's memory pool may be destroyed first at exit. */
extern "C" {
#include "crypto_auth.h"
}

#include <botan/mac.h>

namespace
{

Botan::MessageAuthenticationCode &fed(const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    static Botan::MessageAuthenticationCode *const mac =
        Botan::MessageAuthenticationCode::create_or_throw(PROVIDER_MAC).release();
    mac->set_key(k, crypto_auth_KEYBYTES);
    mac->update(in, inlen);
    return *mac;
}

} // namespace

extern "C" int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                           const unsigned char *k)
{
    try {
        Botan::MessageAuthenticationCode &mac = fed(in, inlen, k);
        if (mac.output_length() != crypto_auth_BYTES) return -1;
        mac.final(out);
        return 0;
    } catch (...) {
        return -1;
    }
}

extern "C" int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                                  const unsigned char *k)
{
    try {
        return fed(in, inlen, k).verify_mac(h, crypto_auth_BYTES) ? 0 : -1;
    } catch (...) {
        return -1;
    }
}
