/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's signatures by its C++ interface; what a family gives is in primitives/crypto_sign/_library/api.h.
 *
 *   PROVIDER_DSA   donald*     PROVIDER_EC = "curve"   ecdonald*     otherwise ed25519
 *
 * Exceptions do not pass: a key or a signature that is none is refused. */
extern "C" {
#include "crypto_sign.h"
}

#include <botan/hash.h>
#include <botan/pubkey.h>
#include <cstring>
#include <memory>

#include "../random.h"

namespace {

/* A key and what works with it. */
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

namespace {

template <typename Work> int caught(Work work)
{
    try {
        return work();
    } catch (const std::exception &) {
        return -1;
    }
}

int family_keypair(unsigned char *pk, unsigned char *sk)
{
    return caught([=] { return keypair(pk, sk); });
}

void *family_public(const unsigned char *pk)
{
    Verifier *made = nullptr;
    if (!caught([&] { return made = new Verifier, verifier_set(*made, pk); })) return made;
    delete made;
    return nullptr;
}

void *family_secret(const unsigned char *sk)
{
    Signer *made = nullptr;
    if (!caught([&] { return made = new Signer, signer_set(*made, sk); })) return made;
    delete made;
    return nullptr;
}

void family_release_public(void *handle)
{
    delete static_cast<Verifier *>(handle);
}

void family_release_secret(void *handle)
{
    delete static_cast<Signer *>(handle);
}

int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return sign(signature, m, mlen, *static_cast<Signer *>(handle)); });
}

int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return holds(signature, m, mlen, *static_cast<Verifier *>(handle)) ? 0 : -1; });
}

#include "../../../primitives/crypto_sign/_library/appended.h"

} // namespace

#define FAMILY_DRAWS 1
extern "C" {
#include "../../../primitives/crypto_sign/_library/api.h"
}
