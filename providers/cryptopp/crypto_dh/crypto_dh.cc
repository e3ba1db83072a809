/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s Diffie-Hellman.
 *
 *   PROVIDER_MONTGOMERY   X25519; an all-zero secret is rejected
 *   PROVIDER_EC           NIST P-256, little-endian, pk = x || y, shared = x
 *   PROVIDER_CLAUS        sk = pk || exponent, big-endian */
extern "C" {
#include "crypto_dh.h"
}

#include <cstring>

#include "../random.h"

namespace
{

#if defined(PROVIDER_CLAUS)
#include "../../../primitives/crypto_dh/_claus/domain.h"
} // namespace
#include <cryptopp/dh.h>
namespace
{

using CryptoPP::Integer;

CryptoPP::DH &group()
{
    static CryptoPP::DH made(Integer(CLAUS_P "h"), Integer(CLAUS_G));
    return made;
}

/* The library itself generates exponents of 160 bits, which would be a different system. */
int keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk + CLAUS_BYTES, CLAUS_BYTES);
    group().GeneratePublicKey(CryptoPP::NullRNG(), sk + CLAUS_BYTES, pk);
    std::memcpy(sk, pk, CLAUS_BYTES);
    return 0;
}

/* The library's validation requires the subgroup of squares, which does not contain 2; therefore
 * only 0, 1, p - 1 and above are rejected here. */
int shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    const Integer y(pk, CLAUS_BYTES);
    if (y <= 1 || y >= group().GetGroupParameters().GetModulus() - 1) return -1;
    return group().Agree(s, sk + CLAUS_BYTES, pk, false) ? 0 : -1;
}
#elif defined(PROVIDER_EC)
} // namespace
#include <cryptopp/eccrypto.h>
#include <cryptopp/oids.h>
namespace
{

CryptoPP::ECDH<CryptoPP::ECP>::Domain &group()
{
    static CryptoPP::ECDH<CryptoPP::ECP>::Domain made(CryptoPP::ASN1::secp256r1());
    return made;
}

void reversed(unsigned char *out, const unsigned char *in)
{
    for (size_t i = 0; i < 32; i++) out[i] = in[31 - i];
}

int keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char point[65], secret[32]; /* 04 || x || y */
    group().GenerateKeyPair(visible(), secret, point);
    reversed(pk, point + 1);
    reversed(pk + 32, point + 33);
    reversed(sk, secret);
    return 0;
}

int shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    unsigned char point[65] = {4}, secret[32], x[32];
    reversed(point + 1, pk);
    reversed(point + 33, pk + 32);
    reversed(secret, sk);
    if (!group().Agree(x, secret, point)) return -1;
    reversed(s, x);
    return 0;
}
#else
} // namespace
#include <cryptopp/xed25519.h>
namespace
{

int keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    CryptoPP::x25519(sk).GeneratePublicKey(CryptoPP::NullRNG(), sk, pk);
    return 0;
}

int shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    static const CryptoPP::x25519 agreement;
    unsigned char any = 0;
    /* not validated, because the library's list of points of small order wrongly contains ffff...da (Wycheproof 94) */
    if (!agreement.Agree(s, sk, pk, false)) return -1;
    for (size_t i = 0; i < 32; i++) any |= s[i];
    return any ? 0 : -1;
}
#endif

} // namespace

extern "C" int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    try {
        return keypair(pk, sk);
    } catch (const std::exception &) {
        return -1;
    }
}

extern "C" int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    try {
        return shared(s, pk, sk);
    } catch (const std::exception &) {
        return -1;
    }
}
