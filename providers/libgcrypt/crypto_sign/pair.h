/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA and ECDSA of SHA-1(SHA-256(m)). */

#include "../../../primitives/crypto_sign/_donald/domain.h"

#define HALF (crypto_sign_BYTES / 2)

static gcry_sexp_t hash_data(const unsigned char *m, unsigned long long mlen)
{
    unsigned char inner[32], digest[20];
    gcry_sexp_t data = NULL;
    gcry_md_hash_buffer(GCRY_MD_SHA256, inner, m, (size_t)mlen);
    gcry_md_hash_buffer(GCRY_MD_SHA1, digest, inner, sizeof inner);
    if (gcry_sexp_build(&data, NULL, "(data(flags raw)(value%b))", 20, digest)) return NULL;
    return data;
}

#ifdef PROVIDER_DSA
#define NAME "dsa"
#define WIDTH DONALD_PBYTES
#define DOMAIN "(p#" DONALD_P "#)(q#" DONALD_Q "#)(g#" DONALD_G "#)"

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    gcry_sexp_t wanted = NULL, key = NULL;
    const int failed = !ready() || gcry_sexp_build(&wanted, NULL, "(genkey(dsa(domain" DOMAIN ")))") ||
                       gcry_pk_genkey(&key, wanted) || part_write(pk, WIDTH, key, "y") ||
                       part_write(sk + WIDTH, DONALD_QBYTES, key, "x");
    gcry_sexp_release(wanted);
    gcry_sexp_release(key);
    if (!failed) memcpy(sk, pk, WIDTH);
    return failed ? -1 : 0;
}

static void *family_public(const unsigned char *pk)
{
    gcry_sexp_t key = NULL;
    gcry_mpi_t y = number(pk, WIDTH);
    if (!ready() || gcry_sexp_build(&key, NULL, "(public-key(dsa" DOMAIN "(y%m)))", y)) key = NULL;
    gcry_mpi_release(y);
    return key;
}

static void *family_secret(const unsigned char *sk)
{
    gcry_sexp_t key = NULL;
    gcry_mpi_t y = number(sk, WIDTH), x = number(sk + WIDTH, DONALD_QBYTES);
    if (!ready() || gcry_sexp_build(&key, NULL, "(private-key(dsa" DOMAIN "(y%m)(x%m)))", y, x)) key = NULL;
    gcry_mpi_release(y);
    gcry_mpi_release(x);
    return key;
}
#else
#define NAME "ecdsa"
#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char point[1 + 2 * WIDTH]; /* 04 || x || y */
    gcry_sexp_t wanted = NULL, key = NULL;
    const int failed = !ready() || gcry_sexp_build(&wanted, NULL, "(genkey(ecc(curve %s)))", PROVIDER_EC) ||
                       gcry_pk_genkey(&key, wanted) || part_write(point, sizeof point, key, "q") ||
                       part_write(sk, WIDTH, key, "d");
    gcry_sexp_release(wanted);
    gcry_sexp_release(key);
    if (failed) return -1;
    memcpy(pk, point + 1, 2 * WIDTH);
    memcpy(sk + WIDTH, pk, 2 * WIDTH);
    return 0;
}

static void *family_public(const unsigned char *pk)
{
    unsigned char point[1 + 2 * WIDTH] = {4};
    gcry_sexp_t key = NULL;
    memcpy(point + 1, pk, 2 * WIDTH);
    if (!ready() ||
        gcry_sexp_build(&key, NULL, "(public-key(ecc(curve %s)(q%b)))", PROVIDER_EC, (int)sizeof point, point))
        return NULL;
    return key;
}

static void *family_secret(const unsigned char *sk)
{
    unsigned char point[1 + 2 * WIDTH] = {4};
    gcry_sexp_t key = NULL;
    gcry_mpi_t d = number(sk, WIDTH);
    memcpy(point + 1, sk + WIDTH, 2 * WIDTH);
    if (!ready() ||
        gcry_sexp_build(&key, NULL, "(private-key(ecc(curve %s)(q%b)(d%m)))", PROVIDER_EC, (int)sizeof point, point, d))
        key = NULL;
    gcry_mpi_release(d);
    return key;
}
#endif

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    gcry_sexp_t data = hash_data(m, mlen), made = NULL;
    const int failed = !data || gcry_pk_sign(&made, data, handle) || part_write(signature, HALF, made, "r") ||
                       part_write(signature + HALF, HALF, made, "s");
    gcry_sexp_release(data);
    gcry_sexp_release(made);
    return failed ? -1 : 0;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    gcry_sexp_t data = hash_data(m, mlen), given = NULL;
    gcry_mpi_t r = number(signature, HALF), s = number(signature + HALF, HALF);
    const int failed = !data || gcry_sexp_build(&given, NULL, "(sig-val(" NAME "(r%m)(s%m)))", r, s) ||
                       gcry_pk_verify(given, data, handle);
    gcry_mpi_release(r);
    gcry_mpi_release(s);
    gcry_sexp_release(data);
    gcry_sexp_release(given);
    return failed ? -1 : 0;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
