/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA with message recovery, e = 3, and RSASSA-PSS, e = 65537, with the side-channel silent functions (_tr). */

#include <nettle/sha2.h>

#define RSA_BYTES crypto_sign_PUBLICKEYBYTES
#ifdef PROVIDER_PSS
#define RSA_E 65537
#else
#define RSA_E 3
#endif
#include "../rsa_keys.h"

#define FAMILY_DRAWS 1

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    return rsa_keypair(pk, sk);
}

static void family_release_public(void *handle)
{
    rsa_release(handle);
    free(handle);
}

static void family_release_secret(void *handle)
{
    family_release_public(handle);
}

static void *parsed(int (*parse)(rsa_key *, const unsigned char *), const unsigned char *bytes)
{
    rsa_key *key = malloc(sizeof *key);
    if (!key || !parse(key, bytes)) return key;
    family_release_public(key);
    return NULL;
}

static void *family_public(const unsigned char *pk)
{
    return parsed(rsa_public, pk);
}

static void *family_secret(const unsigned char *sk)
{
    return parsed(rsa_secret, sk);
}

static int ronald_hash(unsigned char digest[32], const unsigned char *m, unsigned long long mlen)
{
    struct sha256_ctx sha256;
    sha256_init(&sha256);
    sha256_update(&sha256, (size_t)mlen, m);
    sha256_digest(&sha256, 32, digest);
    return 0;
}

#ifdef PROVIDER_PSS
static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    rsa_key *key = handle;
    uint8_t digest[32], salt[32];
    mpz_t number;
    mpz_init(number);
    ronald_hash(digest, m, mlen);
    randombytes(salt, sizeof salt);
    const int failed =
        !rsa_pss_sha256_sign_digest_tr(&key->public, &key->secret, NULL, blinding, sizeof salt, salt, digest, number) ||
        number_write(signature, RSA_BYTES, number);
    mpz_clear(number);
    return failed;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    rsa_key *key = handle;
    uint8_t digest[32];
    mpz_t number;
    mpz_init(number);
    ronald_hash(digest, m, mlen);
    number_read(number, signature, RSA_BYTES);
    const int holds =
        mpz_cmp(number, key->public.n) < 0 && rsa_pss_sha256_verify_digest(&key->public, 32, digest, number);
    mpz_clear(number);
    return holds ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
#else
static int ronald_block_sign(unsigned char *block, const unsigned char *d, unsigned length, void *handle)
{
    rsa_key *key = handle;
    mpz_t number;
    mpz_init(number);
    const int failed = !rsa_pkcs1_sign_tr(&key->public, &key->secret, NULL, blinding, length, d, number) ||
                       number_write(block, RSA_BYTES, number);
    mpz_clear(number);
    return failed;
}

/* The library compares with an expected value and cannot recover the message, so GMP computes the
 * power. */
static int ronald_power_public(unsigned char *out, const unsigned char *in, void *handle)
{
    rsa_key *key = handle;
    mpz_t number;
    mpz_init(number);
    number_read(number, in, RSA_BYTES);
    const int below = mpz_cmp(number, key->public.n) < 0;
    if (below) {
        mpz_powm(number, number, key->public.e, key->public.n);
        number_write(out, RSA_BYTES, number);
    }
    mpz_clear(number);
    return below ? 0 : -1;
}

#define RONALD_RECOVERS_ONLY
#include "../../../primitives/crypto_sign/_ronald/padding.h"
#include "../../../primitives/crypto_sign/_ronald/recovery.h"

static int family_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                       void *handle)
{
    return ronald_sign(sm, smlen, m, mlen, handle);
}

static int family_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                       void *handle)
{
    return ronald_open(m, mlen, sm, smlen, handle);
}
#endif
