/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_RANDOM_H
#define PROVIDER_RANDOM_H

/* randombytes() as one of Crypto++'s generators, for keys and signatures; and one of its own for
 * blinding, which changes no result. */

#include <cryptopp/cryptlib.h>
#include <cryptopp/osrng.h>

extern "C" {
#include "randombytes.h"
}

namespace
{

class Harness : public CryptoPP::RandomNumberGenerator
{
  public:
    void GenerateBlock(CryptoPP::byte *out, size_t length) override
    {
        randombytes(out, length);
    }
};

inline CryptoPP::RandomNumberGenerator &visible()
{
    static Harness harness;
    return harness;
}

inline CryptoPP::RandomNumberGenerator &blinding()
{
    static CryptoPP::AutoSeededRandomPool pool;
    return pool;
}

} // namespace

#endif
