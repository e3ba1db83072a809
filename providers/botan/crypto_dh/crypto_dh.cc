/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Botan's Diffie-Hellman by its C++ interface: X25519 with PROVIDER_MONTGOMERY, where an all-zero
 * secret is rejected, and NIST P-256, little-endian, pk = x || y, shared = x. */
extern "C" {
#include "crypto_dh.h"
}

#include <botan/curve25519.h>
#include <botan/ecdh.h>
#include <botan/pubkey.h>
#include <cstring>

#include "../random.h"

namespace
{

#ifdef PROVIDER_MONTGOMERY
int keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    Botan::curve25519_basepoint(pk, sk);
    return 0;
}

int shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    static const uint8_t zero[32] = {0};
    Botan::curve25519_donna(s, sk, pk);
    return std::memcmp(s, zero, 32) ? 0 : -1;
}
#else
const Botan::EC_Group &group()
{
    static const Botan::EC_Group made("secp256r1");
    return made;
}

void reversed(unsigned char *out, const unsigned char *in)
{
    for (size_t i = 0; i < 32; i++) out[i] = in[31 - i];
}

int keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t number[32];
    const Botan::ECDH_PrivateKey key(visible(), group());
    Botan::BigInt::encode_1363(number, 32, key.private_value());
    reversed(sk, number);
    const auto point = key.public_value(); /* 04 || x || y */
    reversed(pk, point.data() + 1);
    reversed(pk + 32, point.data() + 33);
    return 0;
}

int shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    uint8_t point[65] = {4}, number[32];
    reversed(point + 1, pk);
    reversed(point + 33, pk + 32);
    reversed(number, sk);
    const Botan::ECDH_PrivateKey key(blinding(), group(), Botan::BigInt(number, 32));
    const Botan::PK_Key_Agreement agreement(key, blinding(), "Raw");
    reversed(s, agreement.derive_key(32, point, sizeof point).begin());
    return 0;
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
