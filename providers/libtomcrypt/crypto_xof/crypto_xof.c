/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's SHAKE. */
#include "crypto_xof.h"

#include <tomcrypt.h>

int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;
    if (sha3_shake_init(&state, PROVIDER_BITS) != CRYPT_OK) return -1;
    if (inlen && sha3_shake_process(&state, in, (unsigned long)inlen) != CRYPT_OK) return -1;
    return outlen && sha3_shake_done(&state, out, (unsigned long)outlen) != CRYPT_OK ? -1 : 0;
}
