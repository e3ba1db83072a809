/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EdDSA: sk = seed || pk. Keys are used as byte strings. */

#include <nettle/eddsa.h>

#define FAMILY_DRAWS 1
#define HALF crypto_sign_PUBLICKEYBYTES
#define NAMED_(prefix, what) prefix##_##what
#define NAMED(prefix, what) NAMED_(prefix, what)

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, HALF);
    NAMED(PROVIDER_EDWARDS, public_key)(pk, sk);
    memcpy(sk + HALF, pk, HALF);
    return 0;
}

static void *copied(const unsigned char *key, size_t length)
{
    void *made = malloc(length);
    if (made) memcpy(made, key, length);
    return made;
}

static void *family_public(const unsigned char *pk)
{
    return copied(pk, HALF);
}

static void *family_secret(const unsigned char *sk)
{
    return copied(sk, 2 * HALF);
}

static void family_release_public(void *handle)
{
    free(handle);
}

static void family_release_secret(void *handle)
{
    free(handle);
}

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    const unsigned char *sk = handle;
    NAMED(PROVIDER_EDWARDS, sign)(sk + HALF, sk, (size_t)mlen, m, signature);
    return 0;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    /* nettle 3.8 ignores the last byte of Ed448's s, which must be 0 (Wycheproof 76) */
    if (HALF == 57 && signature[2 * HALF - 1]) return -1;
    return NAMED(PROVIDER_EDWARDS, verify)(handle, (size_t)mlen, m, signature) ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
