/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Handles with contexts of EVP_PKEY_sign(3) and EVP_PKEY_verify(3): set up once, used for many
 * messages. */

#include <openssl/rsa.h>

static EVP_PKEY_CTX *context(EVP_PKEY *key, int (*start)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *made = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    EVP_PKEY_free(key); /* the context holds it */
    if (made && start(made) > 0) return made;
    EVP_PKEY_CTX_free(made);
    return NULL;
}

static void family_release(void *handle)
{
    EVP_PKEY_CTX_free(handle);
}

/* digest = H(m); the digest is fetched once */
static int hashed(unsigned char *digest, const char *name, EVP_MD **fetched, const unsigned char *m,
                  unsigned long long mlen)
{
    if (!*fetched) *fetched = EVP_MD_fetch(NULL, name, NULL);
    return *fetched && EVP_Digest(m, (size_t)mlen, digest, NULL, *fetched, NULL) ? 0 : -1;
}

static int sha256(unsigned char digest[32], const unsigned char *m, unsigned long long mlen)
{
    static EVP_MD *fetched;
    return hashed(digest, "SHA2-256", &fetched, m, mlen);
}
