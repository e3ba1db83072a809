/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_CURVE_H
#define PROVIDER_CURVE_H

/* ECDSA of SHA-1(SHA-256(m)) in objects that learn their curve at run time, because curve.cc takes
 * seconds to compile and is the same for all curves over one kind of field (PROVIDER_EC). `width`
 * is the number of bytes of a field element and of half a signature. Functions return 0 on
 * success; the library's exceptions propagate. */

#include <cryptopp/oids.h>

#include <memory>

class CurveVerifier
{
  public:
    CurveVerifier();
    ~CurveVerifier();
    int set(const CryptoPP::OID &curve, size_t width, const unsigned char *pk);
    bool holds(const unsigned char *signature, size_t width, const unsigned char *m, unsigned long long mlen) const;

  private:
    struct Scheme;
    const std::unique_ptr<Scheme> scheme;
};

class CurveSigner
{
  public:
    CurveSigner();
    ~CurveSigner();
    int set(const CryptoPP::OID &curve, size_t width, const unsigned char *sk);
    int sign(unsigned char *signature, size_t width, const unsigned char *m, unsigned long long mlen) const;

  private:
    struct Scheme;
    const std::unique_ptr<Scheme> scheme;
};

int curve_keypair(unsigned char *pk, unsigned char *sk, const CryptoPP::OID &curve, size_t width);

#endif
