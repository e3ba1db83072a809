/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* For C++: what api.h wants of a library whose keys are objects and whose functions throw.  A key or a signature
 * that is none is refused.  Before the #include, give types Signer and Verifier, and (0 is success)
 *
 *   int keypair(unsigned char *pk, unsigned char *sk);
 *   int verifier_set(Verifier &, const unsigned char *pk), signer_set(Signer &, const unsigned char *sk);
 *   int sign(unsigned char *signature, m, mlen, Signer &);
 *   bool holds(const unsigned char *signature, m, mlen, Verifier &);
 *
 * or FAMILY_RECOVERS instead of the last two, and family_sign and family_open, for a system with message recovery. */

#include "caught.h"

namespace {

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

#ifndef FAMILY_RECOVERS
int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return sign(signature, m, mlen, *static_cast<Signer *>(handle)); });
}

int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    return caught([=] { return holds(signature, m, mlen, *static_cast<Verifier *>(handle)) ? 0 : -1; });
}

#include "appended.h"
#endif

} // namespace
