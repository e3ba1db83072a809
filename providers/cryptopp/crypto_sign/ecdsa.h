/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ECDSA of SHA-1(SHA-256(m)) on PROVIDER_CURVE. */

#include "curve.h"

#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)
#define CURVE CryptoPP::ASN1::PROVIDER_CURVE()

namespace
{

using Signer = CurveSigner;
using Verifier = CurveVerifier;

int keypair(unsigned char *pk, unsigned char *sk)
{
    return curve_keypair(pk, sk, CURVE, WIDTH);
}

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    return verifier.set(CURVE, WIDTH, pk);
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    return signer.set(CURVE, WIDTH, sk);
}

int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    return signer.sign(signature, WIDTH, m, mlen);
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    return verifier.holds(signature, WIDTH, m, mlen);
}

} // namespace

#define FAMILY_DRAWS 1
