/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_PAIR_H
#define PROVIDER_PAIR_H

/* Helpers for DSA and ECDSA of SHA-1(SHA-256(m)). A signature is a pair of numbers, `half` bytes
 * each in ours. For the library, SHA-256(m) is the message, and the halves are as long as the
 * order. */

#include <cryptopp/sha.h>

#include <cstring>

#include "../random.h"

namespace
{

const size_t MOST_HALF = 72; /* bytes; a curve of 571 bits */

template <typename Signer>
int pair_sign(unsigned char *signature, size_t half, const unsigned char *m, unsigned long long mlen,
              const Signer &signer)
{
    unsigned char digest[32], given[2 * MOST_HALF + 2];
    const size_t theirs = signer.SignatureLength() / 2, more = theirs > half ? theirs - half : 0;
    CryptoPP::SHA256().CalculateDigest(digest, m, mlen);
    signer.SignMessage(visible(), digest, sizeof digest, given);
    std::memset(signature, 0, 2 * half);
    for (size_t i = 0; i < 2; i++) {
        if (more && given[i * theirs]) return -1; /* once in 2^79 */
        std::memcpy(signature + (i + 1) * half - theirs + more, given + i * theirs + more, theirs - more);
    }
    return 0;
}

template <typename Verifier>
bool pair_holds(const unsigned char *signature, size_t half, const unsigned char *m, unsigned long long mlen,
                const Verifier &verifier)
{
    unsigned char digest[32], given[2 * MOST_HALF + 2] = {0};
    const size_t theirs = verifier.SignatureLength() / 2, less = theirs < half ? half - theirs : 0;
    for (size_t i = 0; i < 2; i++) {
        if (less && signature[i * half]) return false; /* `less` is at most 1 */
        std::memcpy(given + (i + 1) * theirs - half + less, signature + i * half + less, half - less);
    }
    CryptoPP::SHA256().CalculateDigest(digest, m, mlen);
    return verifier.VerifyMessage(digest, sizeof digest, given, 2 * theirs);
}

} // namespace

#endif
