/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA with message recovery, e = 3, by the library's RSA function without padding (flag raw). */

#define NB crypto_sign_PUBLICKEYBYTES

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    gcry_sexp_t wanted = NULL, key = NULL;
    gcry_mpi_t one = NULL, d = NULL, p = NULL, q = NULL, rest = gcry_mpi_new(0), less = gcry_mpi_new(0);
    int failed = !ready() || gcry_sexp_build(&wanted, NULL, "(genkey(rsa(nbits %u)(rsa-use-e 1:3)))", 8 * NB) ||
                 gcry_pk_genkey(&key, wanted) || gcry_sexp_extract_param(key, "private-key", "dpq", &d, &q, &p, NULL);
    if (!failed) { /* its p is the smaller one */
        unsigned char *at = sk;
        one = gcry_mpi_set_ui(NULL, 1);
        failed = part_write(at, NB, key, "n") || part_write(at + NB, NB, key, "e") ||
                 number_write(at + 2 * NB, NB, d) || number_write(at + 3 * NB, NB, p) ||
                 number_write(at + 4 * NB, NB, q);
        for (int i = 0; i < 2 && !failed; i++) {
            gcry_mpi_sub(less, i ? q : p, one);
            gcry_mpi_mod(rest, d, less);
            failed = number_write(at + (size_t)(5 + i) * NB, NB, rest);
        }
        failed = failed || !gcry_mpi_invm(rest, q, p) || number_write(at + 7 * NB, NB, rest);
        memcpy(pk, sk, NB);
    }
    gcry_mpi_t used[] = {one, d, p, q, rest, less};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) gcry_mpi_release(used[i]);
    gcry_sexp_release(wanted);
    gcry_sexp_release(key);
    return failed ? -1 : 0;
}

static void *family_public(const unsigned char *pk)
{
    gcry_sexp_t key = NULL;
    gcry_mpi_t n = number(pk, NB);
    if (!ready() || gcry_sexp_build(&key, NULL, "(public-key(rsa(n%m)(e#03#)))", n)) key = NULL;
    gcry_mpi_release(n);
    return key;
}

/* The library requires p < q and u = 1/p mod q, so our p and q are swapped, and u is our 1/q mod
 * p. */
static void *family_secret(const unsigned char *sk)
{
    gcry_sexp_t key = NULL;
    gcry_mpi_t n[8];
    for (size_t i = 0; i < 8; i++) n[i] = number(sk + i * NB, NB);
    if (!ready() || gcry_sexp_build(&key, NULL, "(private-key(rsa(n%m)(e%m)(d%m)(p%m)(q%m)(u%m)))", n[0], n[1], n[2],
                                    n[4], n[3], n[7]))
        key = NULL;
    for (size_t i = 0; i < 8; i++) gcry_mpi_release(n[i]);
    return key;
}

static int ronald_hash(unsigned char digest[32], const unsigned char *m, unsigned long long mlen)
{
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, m, (size_t)mlen);
    return 0;
}

static int power(unsigned char *out, const unsigned char *in, gcry_sexp_t key, const char *name,
                 gcry_error_t (*with)(gcry_sexp_t *, gcry_sexp_t, gcry_sexp_t))
{
    gcry_sexp_t data = NULL, result = NULL;
    gcry_mpi_t value = number(in, NB);
    const int failed = gcry_sexp_build(&data, NULL, "(data(flags raw)(value%m))", value) || with(&result, data, key) ||
                       part_write(out, NB, result, name);
    gcry_mpi_release(value);
    gcry_sexp_release(data);
    gcry_sexp_release(result);
    return failed ? -1 : 0;
}

static int ronald_power_secret(unsigned char *out, const unsigned char *in, void *key)
{
    return power(out, in, key, "s", gcry_pk_sign);
}

static int ronald_power_public(unsigned char *out, const unsigned char *in, void *key)
{
    gcry_mpi_t n = NULL, value = number(in, NB);
    const int below = !gcry_sexp_extract_param(key, NULL, "n", &n, NULL) && gcry_mpi_cmp(value, n) < 0;
    gcry_mpi_release(n);
    gcry_mpi_release(value);
    return below ? power(out, in, key, "a", gcry_pk_encrypt) : -1;
}

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
