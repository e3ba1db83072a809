/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's signatures, keys as S-expressions; primitives/crypto_sign/_library/api.h describes
 * what each family provides.
 *
 *   PROVIDER_EC = "curve"   ecdonald*      PROVIDER_RONALD                   ronald*
 *   PROVIDER_DSA            donald* */
#include "crypto_sign.h"

#include "../ready.h"

#define FAMILY_DRAWS 0

static gcry_mpi_t number(const unsigned char *bytes, size_t length)
{
    gcry_mpi_t made = NULL;
    if (gcry_mpi_scan(&made, GCRYMPI_FMT_USG, bytes, length, NULL)) return NULL;
    return made;
}

/* Writes the number right-aligned in `length` bytes; returns nonzero if it does not fit. */
static int number_write(unsigned char *out, size_t length, gcry_mpi_t from)
{
    const size_t used = (gcry_mpi_get_nbits(from) + 7) / 8;
    if (used > length) return -1;
    memset(out, 0, length);
    return gcry_mpi_print(GCRYMPI_FMT_USG, out + length - used, used, NULL, from) ? -1 : 0;
}

/* Returns the number of that name in an expression. */
static int part_write(unsigned char *out, size_t length, gcry_sexp_t from, const char *name)
{
    gcry_mpi_t found = NULL;
    const int failed = gcry_sexp_extract_param(from, NULL, name, &found, NULL) || number_write(out, length, found);
    gcry_mpi_release(found);
    return failed;
}

static void family_release_public(void *handle)
{
    gcry_sexp_release(handle);
}

static void family_release_secret(void *handle)
{
    gcry_sexp_release(handle);
}

#if defined(PROVIDER_RONALD)
#include "ronald.h"
#else
#include "pair.h"
#endif

#include "../../../primitives/crypto_sign/_library/api.h"
