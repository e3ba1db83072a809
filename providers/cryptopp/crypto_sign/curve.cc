/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifdef PROVIDER_EC
#include "curve.h"

#include <cryptopp/eccrypto.h>

#include "pair.h"

using CryptoPP::Integer;
using Curve = CryptoPP::PROVIDER_EC;
using Ecdsa = CryptoPP::ECDSA<Curve, CryptoPP::SHA1>;

struct CurveVerifier::Scheme : Ecdsa::Verifier {};
struct CurveSigner::Scheme : Ecdsa::Signer {};

CurveVerifier::CurveVerifier() : scheme(new Scheme)
{
}
CurveVerifier::~CurveVerifier() = default;
CurveSigner::CurveSigner() : scheme(new Scheme)
{
}
CurveSigner::~CurveSigner() = default;

int CurveVerifier::set(const CryptoPP::OID &curve, size_t width, const unsigned char *pk)
{
    Ecdsa::PublicKey &key = scheme->AccessKey();
    Curve::Element point;
    point.identity = false;
    point.x.Decode(pk, width);
    point.y.Decode(pk + width, width);
    key.Initialize(curve, point);
    return key.GetGroupParameters().GetCurve().VerifyPoint(point) ? 0 : -1;
}

bool CurveVerifier::holds(const unsigned char *signature, size_t width, const unsigned char *m,
                          unsigned long long mlen) const
{
    return pair_holds(signature, width, m, mlen, *scheme);
}

int CurveSigner::set(const CryptoPP::OID &curve, size_t width, const unsigned char *sk)
{
    scheme->AccessKey().Initialize(curve, Integer(sk, width));
    return 0;
}

int CurveSigner::sign(unsigned char *signature, size_t width, const unsigned char *m, unsigned long long mlen) const
{
    return pair_sign(signature, width, m, mlen, *scheme);
}

int curve_keypair(unsigned char *pk, unsigned char *sk, const CryptoPP::OID &curve, size_t width)
{
    Ecdsa::PrivateKey secret;
    Ecdsa::PublicKey key;
    secret.Initialize(visible(), curve);
    secret.MakePublicKey(key);
    key.GetPublicElement().x.Encode(pk, width);
    key.GetPublicElement().y.Encode(pk + width, width);
    secret.GetPrivateExponent().Encode(sk, width);
    std::memcpy(sk + width, pk, 2 * width);
    return 0;
}
#endif
