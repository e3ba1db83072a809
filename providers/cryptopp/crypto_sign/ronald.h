/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA with message recovery by the library's RSA function; the padding, block type 1, is
 * implemented here, because the library offers it only with the name of a hash. */

#include <cryptopp/sha.h>

#define RSA_BYTES crypto_sign_PUBLICKEYBYTES
#define RSA_E 3
#include "../random.h"
#include "../rsa_keys.h"
#include "../../../primitives/crypto_sign/_library/caught.h"

namespace
{

using Signer = Private;
using Verifier = Public;

int keypair(unsigned char *pk, unsigned char *sk)
{
    return rsa_keypair(pk, sk);
}

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    return rsa_public(verifier, pk), 0;
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    return rsa_secret(signer, sk), 0;
}

int ronald_hash(unsigned char digest[32], const unsigned char *m, unsigned long long mlen)
{
    CryptoPP::SHA256().CalculateDigest(digest, m, mlen);
    return 0;
}

int ronald_power_secret(unsigned char *out, const unsigned char *in, void *key)
{
    static_cast<Signer *>(key)->CalculateInverse(blinding(), Integer(in, RSA_BYTES)).Encode(out, RSA_BYTES);
    return 0;
}

int ronald_power_public(unsigned char *out, const unsigned char *in, void *key)
{
    const Integer number(in, RSA_BYTES);
    const Verifier *verifier = static_cast<Verifier *>(key);
    if (number >= verifier->GetModulus()) return -1;
    verifier->ApplyFunction(number).Encode(out, RSA_BYTES);
    return 0;
}

#include "../../../primitives/crypto_sign/_ronald/padding.h"
#include "../../../primitives/crypto_sign/_ronald/recovery.h"

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

} // namespace

#define FAMILY_DRAWS 0
#define FAMILY_RECOVERS
