/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHAKE128: FIPS 202, section 6.2: capacity 256 bits, suffix 1111. */
#include "crypto_xof.h"

#include "keccak.h"

#define RATE 168
#define SUFFIX 0x1f /* 1111, then the padding's 1 */

int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen)
{
    keccak_sponge sponge;
    keccak_start(&sponge);
    keccak_absorb(&sponge, RATE, in, inlen);
    keccak_pad(&sponge, RATE, SUFFIX);
    keccak_squeeze(&sponge, RATE, out, outlen);
    return 0;
}
