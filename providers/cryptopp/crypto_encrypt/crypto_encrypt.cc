/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA of Crypto++, e = 3, PKCS #1 v1.5, with the hybrid wrapper for long messages. */
extern "C" {
#include "crypto_encrypt.h"
}

#include <cryptopp/pkcspad.h>
#include <cryptopp/rsa.h>
#include <cstring>

#include "../random.h"

#define RSA_BYTES crypto_encrypt_PUBLICKEYBYTES
#define RSA_E 3
#include "../rsa_keys.h"

#define HYBRID_BLOCK RSA_BYTES
#define HYBRID_ROOM (RSA_BYTES - 11)

namespace
{

using Scheme = CryptoPP::RSAES<CryptoPP::PKCS1v15>;

int hybrid_block_encrypt(unsigned char *c, const unsigned char *m, unsigned length, const unsigned char *pk)
{
    Scheme::Encryptor encryptor;
    rsa_public(encryptor.AccessKey(), pk);
    encryptor.Encrypt(visible(), m, length, c);
    return 0;
}

int hybrid_block_decrypt(unsigned char *m, unsigned *length, const unsigned char *c, const unsigned char *sk)
{
    Scheme::Decryptor decryptor;
    rsa_secret(decryptor.AccessKey(), sk);
    const CryptoPP::DecodingResult result = decryptor.Decrypt(blinding(), c, RSA_BYTES, m);
    *length = static_cast<unsigned>(result.messageLength);
    return result.isValidCoding && result.messageLength <= HYBRID_ROOM ? 0 : -1;
}

#define SALSA20_ROUNDS 20
#include "../../../primitives/crypto_stream/_salsa20/ref.h"
#if RSA_BYTES < 75
#include "../../../primitives/crypto_encrypt/_hybrid/short.h"
#else
#include "../../../primitives/crypto_encrypt/_hybrid/hybrid.h"
#endif

} // namespace

extern "C" int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk)
{
    try {
        return rsa_keypair(pk, sk);
    } catch (const std::exception &) {
        return -1;
    }
}

extern "C" int crypto_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                              unsigned long long mlen, const unsigned char *pk)
{
    try {
        return hybrid_encrypt(c, clen, m, mlen, pk);
    } catch (const std::exception &) {
        return -1;
    }
}

extern "C" int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen, const unsigned char *c,
                                   unsigned long long clen, const unsigned char *sk)
{
    try {
        return hybrid_open(m, mlen, c, clen, sk);
    } catch (const std::exception &) {
        return -1;
    }
}
