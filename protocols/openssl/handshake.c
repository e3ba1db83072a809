/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of handshakes, both ends in one process, and of the primitives that they consist of:
 *
 *   handshake-full, handshake-resumed
 *   primitive-generate, -derive, -sign, -verify   of the key exchange and of the certificate's key */
#include <openssl/evp.h>
#include <string.h>

#include "timing.h"
#include "tls.h"

#define MAX_SIGNATURE 1024

static void require(int is_right, const char *what)
{
    if (!is_right) harness_fail(PEER_FAILED, "%s fails", what);
}

static void shake(SSL_SESSION *session)
{
    struct tls_pair pair;
    require(tls_connect(&pair, session) == 0, "the handshake");
    if (session) require(SSL_session_reused(pair.client), "the resumption");
    tls_close(&pair);
}

static SSL_SESSION *session_to_resume(void)
{
    struct tls_pair pair;
    require(tls_connect(&pair, NULL) == 0, "the handshake");
    SSL_SESSION *session = SSL_get1_session(pair.client);
    require(session && SSL_SESSION_is_resumable(session), "the resumption");
    (void)SSL_shutdown(pair.client); /* a session whose connection was cut is not resumed */
    tls_close(&pair);
    return session;
}

static EVP_PKEY *exchange_key(void)
{
    return strncmp(TLS_GROUP, "P-", 2) ? EVP_PKEY_Q_keygen(NULL, NULL, TLS_GROUP) : EVP_EC_gen(TLS_GROUP);
}

static void derive(EVP_PKEY *own, EVP_PKEY *other)
{
    uint8_t secret[128];
    size_t n = sizeof secret;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    require(EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, other) > 0 &&
                EVP_PKEY_derive(context, secret, &n) > 0,
            "the key exchange");
    EVP_PKEY_CTX_free(context);
}

static const EVP_MD *hash_of(EVP_PKEY *key)
{
    return EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 ? NULL : EVP_sha256();
}

static const uint8_t text[130]; /* as long as what TLS 1.3 signs with SHA-256 */

static void sign(EVP_PKEY *key, uint8_t *signature, size_t *n)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    *n = MAX_SIGNATURE;
    require(EVP_DigestSignInit(context, NULL, hash_of(key), NULL, key) > 0 &&
                EVP_DigestSign(context, signature, n, text, sizeof text) > 0,
            "the signature");
    EVP_MD_CTX_free(context);
}

static void verify(EVP_PKEY *key, const uint8_t *signature, size_t n)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    require(EVP_DigestVerifyInit(context, NULL, hash_of(key), NULL, key) > 0 &&
                EVP_DigestVerify(context, signature, n, text, sizeof text) == 1,
            "the verification");
    EVP_MD_CTX_free(context);
}

static int primitive(struct sample *sample, const char *name)
{
    uint8_t signature[MAX_SIGNATURE];
    size_t n;
    EVP_PKEY *own = exchange_key(), *other = exchange_key(), *key = tls_certificate_key();
    require(own && other && key, "a key pair");
    sign(key, signature, &n);
    if (!strcmp(name, "generate"))
        TIME_SERIES(sample, (void)0, EVP_PKEY_free(exchange_key()));
    else if (!strcmp(name, "derive"))
        TIME_SERIES(sample, (void)0, derive(own, other));
    else if (!strcmp(name, "sign"))
        TIME_SERIES(sample, (void)0, sign(key, signature, &n));
    else if (!strcmp(name, "verify"))
        TIME_SERIES(sample, (void)0, verify(key, signature, n));
    else
        return -1;
    EVP_PKEY_free(own), EVP_PKEY_free(other);
    return 0;
}

int library_measure(struct sample *sample);
int library_measure(struct sample *sample)
{
    if (!strncmp(sample->measure, "primitive-", 10)) return primitive(sample, sample->measure + 10);
    if (!strcmp(sample->measure, "handshake-full")) {
        shake(NULL);
        TIME_SERIES(sample, (void)0, shake(NULL));
        return 0;
    }
    if (strcmp(sample->measure, "handshake-resumed")) return -1;
    /* TLS 1.3 uses a ticket once; each timing has one of its own. The handshake that gets it evicts what the dither
     * reads, and a timing that begins late is taken for a forged one. */
    SSL_SESSION *session = NULL;
    TIME_SERIES(sample, (SSL_SESSION_free(session), session = session_to_resume(), dither()), shake(session));
    SSL_SESSION_free(session);
    return 0;
}
