/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crypto++'s VMAC and Poly1305-AES. PROVIDER_ONESHOT: Resynchronize does not renew the pad of VMAC
 * with 64-bit tags if the last byte of the nonce changes (seen in version 8.7), so the key is set
 * for each message. */
extern "C" {
#include "crypto_nonceauth.h"
}

#include <new>

#include PROVIDER_HEADER
#include <cryptopp/aes.h>

#define KEY crypto_nonceauth_KEYBYTES
#define NONCE crypto_nonceauth_NONCEBYTES

#ifdef crypto_nonceauth_KEYED

static PROVIDER_CLASS *object(void *mac)
{
    return static_cast<PROVIDER_CLASS *>(mac);
}

extern "C" int crypto_nonceauth_expandkey(crypto_nonceauth_key *expanded, const unsigned char *k)
{
    const unsigned char nonce[NONCE] = {0}; /* the library takes none without one */
    try {
        expanded->mac = new PROVIDER_CLASS;
        object(expanded->mac)->SetKeyWithIV(k, KEY, nonce, NONCE);
        return 0;
    } catch (...) {
        return -1;
    }
}

extern "C" void crypto_nonceauth_start(crypto_nonceauth_state *state, const unsigned char *n,
                                       const crypto_nonceauth_key *expanded)
{
    state->mac = expanded->mac;
    object(state->mac)->Resynchronize(n, NONCE);
}

extern "C" void crypto_nonceauth_update(crypto_nonceauth_state *state, const unsigned char *in,
                                        unsigned long long inlen)
{
    object(state->mac)->Update(in, inlen);
}

extern "C" void crypto_nonceauth_end(crypto_nonceauth_state *state, unsigned char *out)
{
    object(state->mac)->Final(out);
}

extern "C" void crypto_nonceauth_release(crypto_nonceauth_key *expanded)
{
    delete object(expanded->mac);
}

#endif

/* One object, which receives key and nonce in each call. */
extern "C" int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                                const unsigned char *n, const unsigned char *k)
{
    try {
        static PROVIDER_CLASS mac;
        mac.SetKeyWithIV(k, KEY, n, NONCE);
        mac.CalculateDigest(out, in, inlen);
        return 0;
    } catch (...) {
        return -1;
    }
}
