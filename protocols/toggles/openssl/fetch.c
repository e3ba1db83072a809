/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The same algorithm by OpenSSL, through EVP: fetched once, fetched by each call, or got by its name, which fetches it
 * behind the scenes. Of AEADs and hashes whose name in OpenSSL the provider knows. */
#include "api.h"

#include <openssl/evp.h>

static void require(int is_right)
{
    if (!is_right) harness_fail(WRONG_OUTPUT, "OpenSSL returns an error");
}

#if defined PROVIDER_HASH

static EVP_MD_CTX *context;
static EVP_MD *fetched;

static const EVP_MD *open_once(void)
{
    if (!context) context = EVP_MD_CTX_new();
    if (!fetched) fetched = EVP_MD_fetch(NULL, PROVIDER_HASH, NULL);
    return fetched;
}

static __attribute__((noinline)) void compute(const EVP_MD *hash, const struct message *m)
{
    require(hash && EVP_DigestInit_ex2(context, hash, NULL) && EVP_DigestUpdate(context, m->in, (size_t)m->n) &&
            EVP_DigestFinal_ex(context, m->out, NULL));
}

static __attribute__((noinline)) void fetch_and_compute(const struct message *m)
{
    EVP_MD *hash = EVP_MD_fetch(NULL, PROVIDER_HASH, NULL);
    compute(hash, m);
    EVP_MD_free(hash);
}

#define BY_NAME EVP_get_digestbyname(PROVIDER_HASH)

#elif defined PROVIDER_CIPHER && defined SUBJECT_IS_AEAD && !defined PROVIDER_CCM

static EVP_CIPHER_CTX *context;
static EVP_CIPHER *fetched;

static const EVP_CIPHER *open_once(void)
{
    if (!context) context = EVP_CIPHER_CTX_new();
    if (!fetched) fetched = EVP_CIPHER_fetch(NULL, PROVIDER_CIPHER, NULL);
    return fetched;
}

static __attribute__((noinline)) void compute(const EVP_CIPHER *cipher, const struct message *m)
{
    int n;
    uint8_t *text = m->out + SUBJECT_TEXT;
    require(cipher && EVP_EncryptInit_ex2(context, cipher, m->key, m->nonce, NULL) &&
            EVP_EncryptUpdate(context, text, &n, m->in, (int)m->n) && EVP_EncryptFinal_ex(context, text + n, &n) &&
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, crypto_aead_TAGBYTES, m->out));
}

static __attribute__((noinline)) void fetch_and_compute(const struct message *m)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, PROVIDER_CIPHER, NULL);
    compute(cipher, m);
    EVP_CIPHER_free(cipher);
}

#define BY_NAME EVP_get_cipherbyname(PROVIDER_CIPHER)

#endif

#ifdef BY_NAME
BASE("fetch", fetched_once, __typeof__(open_once()) once = open_once(), , compute(once, m));
LEVEL("fetch", fetched_each_call, (void)open_once(), , fetch_and_compute(m));
LEVEL_IF(BY_NAME != NULL, "fetch", got_by_name, (void)open_once(), , compute(BY_NAME, m));
#endif
