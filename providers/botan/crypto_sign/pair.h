/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA and ECDSA of SHA-1(SHA-256(m)): for the library, SHA-256(m) is the message and EMSA1 with
 * SHA-1 the hash. Botan derives nonces from the secret key and the message (RFC 6979). */

#include <botan/dsa.h>
#include <botan/ecdsa.h>

#include "../../../primitives/crypto_sign/_donald/domain.h"

#define HALF (crypto_sign_BYTES / 2)

namespace
{

using Botan::BigInt;

inline void number_write(unsigned char *out, size_t length, const BigInt &number)
{
    BigInt::encode_1363(out, length, number); /* throws if it does not fit */
}

#ifdef PROVIDER_DSA
#define WIDTH DONALD_PBYTES

inline const Botan::DL_Group &domain()
{
    static const Botan::DL_Group made(BigInt("0x" DONALD_P), BigInt("0x" DONALD_Q), BigInt("0x" DONALD_G));
    return made;
}

int keypair(unsigned char *pk, unsigned char *sk)
{
    const Botan::DSA_PrivateKey key(visible(), domain());
    number_write(pk, WIDTH, key.get_y());
    std::memcpy(sk, pk, WIDTH);
    number_write(sk + WIDTH, DONALD_QBYTES, key.get_x());
    return 0;
}

Botan::Public_Key *public_key(const unsigned char *pk)
{
    return new Botan::DSA_PublicKey(domain(), BigInt(pk, WIDTH));
}

Botan::Private_Key *secret_key(const unsigned char *sk)
{
    return new Botan::DSA_PrivateKey(blinding(), domain(), BigInt(sk + WIDTH, DONALD_QBYTES));
}

size_t half()
{
    return DONALD_QBYTES;
}
#else
#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)

inline const Botan::EC_Group &group()
{
    static const Botan::EC_Group made(PROVIDER_EC);
    return made;
}

int keypair(unsigned char *pk, unsigned char *sk)
{
    const Botan::ECDSA_PrivateKey key(visible(), group());
    number_write(pk, WIDTH, key.public_point().get_affine_x());
    number_write(pk + WIDTH, WIDTH, key.public_point().get_affine_y());
    number_write(sk, WIDTH, key.private_value());
    std::memcpy(sk + WIDTH, pk, 2 * WIDTH);
    return 0;
}

/* Decoding rejects a point that is not on the curve. */
Botan::Public_Key *public_key(const unsigned char *pk)
{
    uint8_t point[1 + 2 * WIDTH] = {4};
    std::memcpy(point + 1, pk, 2 * WIDTH);
    return new Botan::ECDSA_PublicKey(group(), group().OS2ECP(point, sizeof point));
}

/* Botan recomputes the public key. */
Botan::Private_Key *secret_key(const unsigned char *sk)
{
    return new Botan::ECDSA_PrivateKey(blinding(), group(), BigInt(sk, WIDTH));
}

size_t half()
{
    return group().get_order_bytes();
}
#endif

int verifier_set(Verifier &verifier, const unsigned char *pk)
{
    verifier.key.reset(public_key(pk));
    verifier.with = std::make_unique<Botan::PK_Verifier>(*verifier.key, "EMSA1(SHA-160)");
    return 0;
}

int signer_set(Signer &signer, const unsigned char *sk)
{
    signer.key.reset(secret_key(sk));
    signer.with = std::make_unique<Botan::PK_Signer>(*signer.key, blinding(), "EMSA1(SHA-160)");
    return 0;
}

/* In the library, each half is as long as the order; in ours, as long as a field element. */
int sign(unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Signer &signer)
{
    uint8_t digest[32];
    sha256(digest, m, mlen);
    const auto given = signer.with->sign_message(digest, sizeof digest, visible());
    const size_t length = given.size() / 2;
    number_write(signature, HALF, BigInt(given.data(), length));
    number_write(signature + HALF, HALF, BigInt(given.data() + length, length));
    return 0;
}

bool holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen, const Verifier &verifier)
{
    uint8_t digest[32], given[2 * HALF + 2];
    number_write(given, half(), BigInt(signature, HALF));
    number_write(given + half(), half(), BigInt(signature + HALF, HALF));
    sha256(digest, m, mlen);
    return verifier.with->verify_message(digest, sizeof digest, given, 2 * half());
}

} // namespace
