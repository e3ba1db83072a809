/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA and ECDSA of SHA-1(SHA-256(m)). */

#include <nettle/dsa.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include "../../../primitives/crypto_sign/_donald/domain.h"

#define FAMILY_DRAWS 1
#define HALF (crypto_sign_BYTES / 2)

static void pair_hash(uint8_t digest[20], const unsigned char *m, unsigned long long mlen)
{
    uint8_t inner[32];
    struct sha256_ctx sha256;
    struct sha1_ctx sha1;
    sha256_init(&sha256);
    sha256_update(&sha256, (size_t)mlen, m);
    sha256_digest(&sha256, sizeof inner, inner);
    sha1_init(&sha1);
    sha1_update(&sha1, sizeof inner, inner);
    sha1_digest(&sha1, 20, digest);
}

#ifdef PROVIDER_DSA
#define WIDTH DONALD_PBYTES

typedef struct {
    mpz_t number; /* y or x */
} key_public, key_secret;

static const struct dsa_params *domain(void)
{
    static struct dsa_params made;
    static int ready;
    if (ready) return &made;
    mpz_init_set_str(made.p, DONALD_P, 16);
    mpz_init_set_str(made.q, DONALD_Q, 16);
    mpz_init_set_str(made.g, DONALD_G, 16);
    ready = 1;
    return &made;
}

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    mpz_t y, x;
    mpz_inits(y, x, NULL);
    dsa_generate_keypair(domain(), y, x, NULL, visible);
    const int failed = number_write(pk, WIDTH, y) || number_write(sk + WIDTH, DONALD_QBYTES, x);
    mpz_clears(y, x, NULL);
    memcpy(sk, pk, WIDTH);
    return failed;
}

static int public_set(key_public *key, const unsigned char *pk)
{
    mpz_init(key->number);
    number_read(key->number, pk, WIDTH);
    return mpz_cmp_ui(key->number, 1) > 0 && mpz_cmp(key->number, domain()->p) < 0 ? 0 : -1;
}

static int secret_set(key_secret *key, const unsigned char *sk)
{
    mpz_init(key->number);
    number_read(key->number, sk + WIDTH, DONALD_QBYTES);
    return 0;
}

#define CLEAR_PUBLIC(key) mpz_clear((key)->number)
#define CLEAR_SECRET(key) mpz_clear((key)->number)
#define SIGN(key, digest, pair) dsa_sign(domain(), (key)->number, NULL, visible, 20, digest, pair)
#define VERIFY(key, digest, pair) dsa_verify(domain(), (key)->number, 20, digest, pair)
#else
#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)

typedef struct ecc_point key_public;
typedef struct ecc_scalar key_secret;

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    struct ecc_point point;
    struct ecc_scalar scalar;
    mpz_t x, y, d;
    mpz_inits(x, y, d, NULL);
    ecc_point_init(&point, PROVIDER_EC());
    ecc_scalar_init(&scalar, PROVIDER_EC());
    ecdsa_generate_keypair(&point, &scalar, NULL, visible);
    ecc_point_get(&point, x, y);
    ecc_scalar_get(&scalar, d);
    const int failed = number_write(pk, WIDTH, x) || number_write(pk + WIDTH, WIDTH, y) || number_write(sk, WIDTH, d);
    ecc_point_clear(&point);
    ecc_scalar_clear(&scalar);
    mpz_clears(x, y, d, NULL);
    memcpy(sk + WIDTH, pk, 2 * WIDTH);
    return failed;
}

/* The library rejects points that are not on the curve. */
static int public_set(key_public *key, const unsigned char *pk)
{
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    number_read(x, pk, WIDTH);
    number_read(y, pk + WIDTH, WIDTH);
    ecc_point_init(key, PROVIDER_EC());
    const int set = ecc_point_set(key, x, y);
    mpz_clears(x, y, NULL);
    return set ? 0 : -1;
}

static int secret_set(key_secret *key, const unsigned char *sk)
{
    mpz_t d;
    mpz_init(d);
    number_read(d, sk, WIDTH);
    ecc_scalar_init(key, PROVIDER_EC());
    const int set = ecc_scalar_set(key, d);
    mpz_clear(d);
    return set ? 0 : -1;
}

#define CLEAR_PUBLIC(key) ecc_point_clear(key)
#define CLEAR_SECRET(key) ecc_scalar_clear(key)
#define SIGN(key, digest, pair) (ecdsa_sign(key, NULL, visible, 20, digest, pair), 1)
#define VERIFY(key, digest, pair) ecdsa_verify(key, 20, digest, pair)
#endif

static void family_release_public(void *handle)
{
    CLEAR_PUBLIC((key_public *)handle);
    free(handle);
}

static void family_release_secret(void *handle)
{
    CLEAR_SECRET((key_secret *)handle);
    free(handle);
}

static void *family_public(const unsigned char *pk)
{
    key_public *key = malloc(sizeof *key);
    if (!key || !public_set(key, pk)) return key;
    family_release_public(key);
    return NULL;
}

static void *family_secret(const unsigned char *sk)
{
    key_secret *key = malloc(sizeof *key);
    if (!key || !secret_set(key, sk)) return key;
    family_release_secret(key);
    return NULL;
}

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    uint8_t digest[20];
    struct dsa_signature pair;
    pair_hash(digest, m, mlen);
    dsa_signature_init(&pair);
    const int failed = !SIGN((key_secret *)handle, digest, &pair) || number_write(signature, HALF, pair.r) ||
                       number_write(signature + HALF, HALF, pair.s);
    dsa_signature_clear(&pair);
    return failed;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    uint8_t digest[20];
    struct dsa_signature pair;
    pair_hash(digest, m, mlen);
    dsa_signature_init(&pair);
    number_read(pair.r, signature, HALF);
    number_read(pair.s, signature + HALF, HALF);
    const int holds = VERIFY((key_public *)handle, digest, &pair);
    dsa_signature_clear(&pair);
    return holds ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
