/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA of SHA-1(SHA-256(m)). */

#include <cryptopp/dsa.h>

#include "../../../primitives/crypto_sign/_donald/domain.h"
#include "pair.h"

#define HALF (crypto_sign_BYTES / 2)
#define WIDTH DONALD_PBYTES
#define SECRET (sk + DONALD_PBYTES) /* sk = y || x */

namespace
{

using CryptoPP::Integer;
using Scheme = CryptoPP::DSA2<CryptoPP::SHA1>;
using Signer = Scheme::Signer;
using Verifier = Scheme::Verifier;

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

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    Scheme::PublicKey &key = verifier.AccessKey();
    key.Initialize(domain().p, domain().q, domain().g, Integer(pk, WIDTH));
    return key.GetPublicElement() > 1 && key.GetPublicElement() < domain().p ? 0 : -1;
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    signer.AccessKey().Initialize(domain().p, domain().q, domain().g, Integer(SECRET, DONALD_QBYTES));
    return 0;
}

int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    return pair_sign(signature, HALF, m, mlen, signer);
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    return pair_holds(signature, HALF, m, mlen, verifier);
}

} // namespace

#define FAMILY_DRAWS 1
