/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's signatures by its C++ interface; primitives/crypto_sign/_library/api.h describes what
 * each family provides.
 *
 *   PROVIDER_DSA   donald*     PROVIDER_EC = "curve"   ecdonald*     otherwise ed25519
 *
 * Exceptions do not propagate: an invalid key or signature is rejected. */
extern "C" {
#include "crypto_sign.h"
}

#include <botan/hash.h>
#include <botan/pubkey.h>
#include <cstring>
#include <memory>

#include "../random.h"

namespace
{

/* A key and the object that uses it. */
struct Signer {
    std::unique_ptr<Botan::Private_Key> key;
    std::unique_ptr<Botan::PK_Signer> with;
};

struct Verifier {
    std::unique_ptr<Botan::Public_Key> key;
    std::unique_ptr<Botan::PK_Verifier> with;
};

inline void sha256(uint8_t digest[32], const unsigned char *m, unsigned long long mlen)
{
    static const std::unique_ptr<Botan::HashFunction> hash = Botan::HashFunction::create_or_throw("SHA-256");
    hash->update(m, mlen);
    hash->final(digest);
}

} // namespace

#if defined(PROVIDER_DSA) || defined(PROVIDER_EC)
#include "pair.h"
#else
#include "edwards.h"
#endif

#include "../../../primitives/crypto_sign/_library/objects.h"

#define FAMILY_DRAWS 1
extern "C" {
#include "../../../primitives/crypto_sign/_library/api.h"
}
