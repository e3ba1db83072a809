/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ed25519: sk = seed || pk, the same as Botan's secret key. */

#include <botan/ed25519.h>

#include "../../../primitives/crypto_sign/_library/reduced.h"

namespace
{

int keypair(unsigned char *pk, unsigned char *sk)
{
    Botan::secure_vector<uint8_t> seed(32);
    randombytes(seed.data(), 32);
    const Botan::Ed25519_PrivateKey key(seed);
    std::memcpy(sk, key.get_private_key().data(), 64);
    std::memcpy(pk, sk + 32, 32);
    return 0;
}

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    verifier.key = std::make_unique<Botan::Ed25519_PublicKey>(pk, 32);
    verifier.with = std::make_unique<Botan::PK_Verifier>(*verifier.key, "Pure");
    return 0;
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    signer.key = std::make_unique<Botan::Ed25519_PrivateKey>(Botan::secure_vector<uint8_t>(sk, sk + 64));
    signer.with = std::make_unique<Botan::PK_Signer>(*signer.key, blinding(), "Pure");
    return 0;
}

int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    std::memcpy(signature, signer.with->sign_message(m, mlen, blinding()).data(), 64);
    return 0;
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    return ed25519_is_reduced(signature + 32) && verifier.with->verify_message(m, mlen, signature, 64);
}

} // namespace
