/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s signatures; what a family gives is in primitives/crypto_sign/_library/api.h.
 *
 *   PROVIDER_DSA      donald*        PROVIDER_EC = ECP or EC2N, PROVIDER_CURVE = name   ecdonald*
 *   PROVIDER_RONALD   ronald*        PROVIDER_PSS   rsa-pss-*
 *
 * Exceptions do not pass: a key or a signature that is none is refused. */
extern "C" {
#include "crypto_sign.h"
}

#include <cstring>

#include "../random.h"

#if defined(PROVIDER_DSA) || defined(PROVIDER_EC)
#include "pair.h"
#elif defined(PROVIDER_RONALD)
#include "ronald.h"
#else
#include "pss.h"
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
    if (caught([&] { return made = new Verifier, verifier_set(*made, pk); })) {
        delete made;
        return nullptr;
    }
    return made;
}

void *family_secret(const unsigned char *sk)
{
    Signer *made = nullptr;
    if (caught([&] { return made = new Signer, signer_set(*made, sk); })) {
        delete made;
        return nullptr;
    }
    return made;
}

void family_release_public(void *handle)
{
    delete static_cast<Verifier *>(handle);
}

void family_release_secret(void *handle)
{
    delete static_cast<Signer *>(handle);
}

#ifdef PROVIDER_RONALD
int family_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                void *handle)
{
    return caught([=] { return ronald_sign(sm, smlen, m, mlen, handle); });
}

int family_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                void *handle)
{
    return caught([=] { return ronald_open(m, mlen, sm, smlen, handle); });
}
#else
int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return sign(signature, m, mlen, *static_cast<Signer *>(handle)); });
}

int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return holds(signature, m, mlen, *static_cast<Verifier *>(handle)) ? 0 : -1; });
}

#include "../../../primitives/crypto_sign/_library/appended.h"
#endif

} // namespace

extern "C" {
#include "../../../primitives/crypto_sign/_library/api.h"
}
