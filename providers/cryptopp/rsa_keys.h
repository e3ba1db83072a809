/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA keys: pk = n, sk = n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p, each of RSA_BYTES bytes.
 * Define RSA_BYTES and RSA_E before the #include. */

#include <cryptopp/rsa.h>

namespace
{

using CryptoPP::Integer;
using Private = CryptoPP::InvertibleRSAFunction;
using Public = CryptoPP::RSAFunction;

inline int rsa_keypair(unsigned char *pk, unsigned char *sk)
{
    Private key;
    key.Initialize(visible(), 8 * RSA_BYTES, RSA_E);
    const Integer numbers[] = {key.GetModulus(),
                               key.GetPublicExponent(),
                               key.GetPrivateExponent(),
                               key.GetPrime1(),
                               key.GetPrime2(),
                               key.GetModPrime1PrivateExponent(),
                               key.GetModPrime2PrivateExponent(),
                               key.GetMultiplicativeInverseOfPrime2ModPrime1()};
    for (size_t i = 0; i < 8; i++) numbers[i].Encode(sk + i * RSA_BYTES, RSA_BYTES);
    std::memcpy(pk, sk, RSA_BYTES);
    return 0;
}

inline void rsa_public(Public &key, const unsigned char *pk)
{
    key.Initialize(Integer(pk, RSA_BYTES), RSA_E);
}

inline void rsa_secret(Private &key, const unsigned char *sk)
{
    Integer n[8];
    for (size_t i = 0; i < 8; i++) n[i].Decode(sk + i * RSA_BYTES, RSA_BYTES);
    key.Initialize(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
}

} // namespace
