/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA and ECDSA of SHA-1(SHA-256(m)): to the library, SHA-256(m) is the message. */

#include <cryptopp/dsa.h>
#include <cryptopp/eccrypto.h>
#include <cryptopp/oids.h>
#include <cryptopp/sha.h>

#include "../../../primitives/crypto_sign/_donald/domain.h"

#define HALF (crypto_sign_BYTES / 2)

namespace {

using CryptoPP::Integer;

#ifdef PROVIDER_DSA
using Scheme = CryptoPP::DSA2<CryptoPP::SHA1>;
#define WIDTH DONALD_PBYTES
#define SECRET (sk + DONALD_PBYTES) /* sk = y || x */

struct Domain {
    const Integer p{DONALD_P "h"}, q{DONALD_Q "h"}, g{DONALD_G "h"};
};

const Domain &domain()
{
    static const Domain made;
    return made;
}

int keypair(unsigned char *pk, unsigned char *sk)
{
    Scheme::PrivateKey secret;
    Scheme::PublicKey key;
    secret.Initialize(visible(), domain().p, domain().q, domain().g);
    secret.MakePublicKey(key);
    key.GetPublicElement().Encode(pk, WIDTH);
    std::memcpy(sk, pk, WIDTH);
    secret.GetPrivateExponent().Encode(SECRET, DONALD_QBYTES);
    return 0;
}

int public_set(Scheme::PublicKey &key, const unsigned char *pk)
{
    key.Initialize(domain().p, domain().q, domain().g, Integer(pk, WIDTH));
    return key.GetPublicElement() > 1 && key.GetPublicElement() < domain().p ? 0 : -1;
}

void secret_set(Scheme::PrivateKey &key, const unsigned char *sk)
{
    key.Initialize(domain().p, domain().q, domain().g, Integer(SECRET, DONALD_QBYTES));
}
#else
using Curve = CryptoPP::PROVIDER_EC;
using Scheme = CryptoPP::ECDSA<Curve, CryptoPP::SHA1>;
#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)
#define CURVE CryptoPP::ASN1::PROVIDER_CURVE()

int keypair(unsigned char *pk, unsigned char *sk)
{
    Scheme::PrivateKey secret;
    Scheme::PublicKey key;
    secret.Initialize(visible(), CURVE);
    secret.MakePublicKey(key);
    key.GetPublicElement().x.Encode(pk, WIDTH);
    key.GetPublicElement().y.Encode(pk + WIDTH, WIDTH);
    secret.GetPrivateExponent().Encode(sk, WIDTH);
    std::memcpy(sk + WIDTH, pk, 2 * WIDTH);
    return 0;
}

int public_set(Scheme::PublicKey &key, const unsigned char *pk)
{
    Curve::Element point;
    point.identity = false;
    point.x.Decode(pk, WIDTH);
    point.y.Decode(pk + WIDTH, WIDTH);
    key.Initialize(CURVE, point);
    return key.GetGroupParameters().GetCurve().VerifyPoint(point) ? 0 : -1;
}

void secret_set(Scheme::PrivateKey &key, const unsigned char *sk)
{
    key.Initialize(CURVE, Integer(sk, WIDTH));
}
#endif

using Signer = Scheme::Signer;
using Verifier = Scheme::Verifier;

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    return public_set(verifier.AccessKey(), pk);
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    secret_set(signer.AccessKey(), sk);
    return 0;
}

/* The library's halves are as long as the order, ours as long as a field element. */
int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    unsigned char digest[32], given[2 * HALF + 2];
    const size_t half = signer.SignatureLength() / 2, more = half > HALF ? half - HALF : 0;
    CryptoPP::SHA256().CalculateDigest(digest, m, mlen);
    signer.SignMessage(visible(), digest, sizeof digest, given);
    std::memset(signature, 0, 2 * HALF);
    for (size_t i = 0; i < 2; i++) {
        if (more && given[i * half]) return -1; /* once in 2^79 */
        std::memcpy(signature + (i + 1) * HALF - half + more, given + i * half + more, half - more);
    }
    return 0;
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    unsigned char digest[32], given[2 * HALF + 2] = {0};
    const size_t half = verifier.SignatureLength() / 2, less = half < HALF ? HALF - half : 0;
    for (size_t i = 0; i < 2; i++) {
        if (less && signature[i * HALF]) return false; /* less is 1 at the most */
        std::memcpy(given + (i + 1) * half - HALF + less, signature + i * HALF + less, HALF - less);
    }
    CryptoPP::SHA256().CalculateDigest(digest, m, mlen);
    return verifier.VerifyMessage(digest, sizeof digest, given, 2 * half);
}

} // namespace

#define FAMILY_DRAWS 1
