/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSASSA-PSS: in the library, the salt is as long as the hash. */

#include <cryptopp/pssr.h>
#include <cryptopp/sha.h>

#define RSA_BYTES crypto_sign_PUBLICKEYBYTES
#define RSA_E 65537
#include "../random.h"
#include "../rsa_keys.h"

namespace
{

using Scheme = CryptoPP::RSASS<CryptoPP::PSS, CryptoPP::SHA256>;
using Signer = Scheme::Signer;
using Verifier = Scheme::Verifier;

int keypair(unsigned char *pk, unsigned char *sk)
{
    return rsa_keypair(pk, sk);
}

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    return rsa_public(verifier.AccessKey(), pk), 0;
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    return rsa_secret(signer.AccessKey(), sk), 0;
}

int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    return signer.SignMessage(visible(), m, mlen, signature) == crypto_sign_BYTES ? 0 : -1;
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    return verifier.VerifyMessage(m, mlen, signature, crypto_sign_BYTES);
}

} // namespace

#define FAMILY_DRAWS 1
