/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tls.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

#define TURNS 20 /* more than the flights of any handshake */
#define MTU 16384

static int is_datagram(void)
{
    return TLS_KIND[0] == 'd';
}

static EVP_PKEY *new_key(void)
{
    if (!strncmp(TLS_SIGNATURE, "EC:", 3)) return EVP_EC_gen(TLS_SIGNATURE + 3);
    if (!strncmp(TLS_SIGNATURE, "RSA:", 4)) return EVP_RSA_gen((unsigned)atoi(TLS_SIGNATURE + 4));
    return EVP_PKEY_Q_keygen(NULL, NULL, TLS_SIGNATURE);
}

EVP_PKEY *tls_certificate_key(void)
{
    static EVP_PKEY *key;
    if (!key) key = new_key();
    return key;
}

static X509 *new_certificate(void)
{
    EVP_PKEY *key = tls_certificate_key();
    X509 *made = X509_new();
    X509_NAME *name = X509_get_subject_name(made);
    const EVP_MD *hash = EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 || EVP_PKEY_get_base_id(key) == EVP_PKEY_ED448
                             ? NULL
                             : EVP_sha256();
    if (!key) return NULL;
    (void)X509_set_version(made, 2);
    (void)ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
    (void)X509_gmtime_adj(X509_getm_notBefore(made), -3600);
    (void)X509_gmtime_adj(X509_getm_notAfter(made), 86400);
    (void)X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0);
    (void)X509_set_issuer_name(made, name);
    X509_EXTENSION *names = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    if (!names || !X509_add_ext(made, names, -1)) return NULL;
    X509_EXTENSION_free(names);
    return X509_set_pubkey(made, key) && X509_sign(made, key, hash) ? made : NULL;
}

static X509 *certificate(void)
{
    static X509 *made;
    if (!made) made = new_certificate();
    return made;
}

int tls_write_certificate(FILE *file)
{
    return certificate() && PEM_write_X509(file, certificate()) ? 0 : -1;
}

static int restrict_to_suite(SSL_CTX *context)
{
    const int version = !strcmp(TLS_KIND, "tls1.3") ? TLS1_3_VERSION : is_datagram() ? DTLS1_2_VERSION : TLS1_2_VERSION;
    if (!SSL_CTX_set_min_proto_version(context, version) || !SSL_CTX_set_max_proto_version(context, version)) return -1;
    /* Before TLS 1.3, the curve of a certificate's key is among the groups, too. */
    if (!SSL_CTX_set1_groups_list(context, version == TLS1_3_VERSION ? TLS_GROUP : TLS_GROUP ":P-256")) return -1;
    if (version == TLS1_3_VERSION) return SSL_CTX_set_ciphersuites(context, TLS_SUITE) ? 0 : -1;
    return SSL_CTX_set_cipher_list(context, TLS_SUITE) ? 0 : -1;
}

static SSL_CTX *contexts[2]; /* client, server */

/* Takes HTTP/2 from a client that offers protocols by name. */
static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *n, const unsigned char *offered,
                           unsigned int bytes, void *unused)
{
    static const unsigned char http2[] = {2, 'h', '2'};
    unsigned char *found;
    (void)ssl, (void)unused;
    if (SSL_select_next_proto(&found, n, http2, sizeof http2, offered, bytes) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

static int open_contexts(void)
{
    if (contexts[0]) return 0;
    X509 *own = certificate();
    if (!own) return -1;
    for (int i = 0; i < 2; i++) {
        contexts[i] = SSL_CTX_new(is_datagram() ? DTLS_method() : TLS_method());
        if (!contexts[i] || restrict_to_suite(contexts[i])) return -1;
    }
    SSL_CTX_set_verify(contexts[0], SSL_VERIFY_PEER, NULL);
    if (!X509_STORE_add_cert(SSL_CTX_get_cert_store(contexts[0]), own)) return -1;
    SSL_CTX_set_session_cache_mode(contexts[0], SSL_SESS_CACHE_CLIENT);
    (void)SSL_CTX_set_session_id_context(contexts[1], (const unsigned char *)"c", 1);
    if (!SSL_CTX_use_certificate(contexts[1], own) || !SSL_CTX_use_PrivateKey(contexts[1], tls_certificate_key()))
        return -1;
    (void)SSL_CTX_set_num_tickets(contexts[1], 1);
    SSL_CTX_set_alpn_select_cb(contexts[1], choose_protocol, NULL);
    return 0;
}

static SSL *end_of(int is_server, BIO *in, BIO *out)
{
    SSL *end = SSL_new(contexts[is_server]);
    if (!end) return NULL;
    (void)BIO_up_ref(in), (void)BIO_up_ref(out);
    SSL_set_bio(end, in, out);
    if (is_datagram()) {
        (void)SSL_set_options(end, SSL_OP_NO_QUERY_MTU);
        (void)DTLS_set_link_mtu(end, MTU);
    }
    if (is_server)
        SSL_set_accept_state(end);
    else
        SSL_set_connect_state(end);
    return end;
}

static int shake_hands(const struct tls_pair *pair)
{
    int done[2] = {0, 0};
    for (int turn = 0; turn < TURNS && !(done[0] && done[1]); turn++)
        for (int i = 0; i < 2; i++) done[i] = SSL_do_handshake(i ? pair->server : pair->client) == 1;
    return done[0] && done[1] ? 0 : -1;
}

int tls_connect(struct tls_pair *pair, SSL_SESSION *session)
{
    char nothing[1];
    if (open_contexts()) return -1;
    BIO *ways[2] = {BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem())};
    for (int i = 0; i < 2; i++) (void)BIO_set_mem_eof_return(ways[i], -1);
    pair->client = end_of(0, ways[1], ways[0]);
    pair->server = end_of(1, ways[0], ways[1]);
    for (int i = 0; i < 2; i++) (void)BIO_free(ways[i]); /* the ends keep them */
    if (!pair->client || !pair->server) return -1;
    if (session && !SSL_set_session(pair->client, session)) return -1;
    if (shake_hands(pair)) return -1;
    (void)SSL_read(pair->client, nothing, 0); /* takes the ticket of TLS 1.3 */
    (void)SSL_peek(pair->client, nothing, 1);
    return 0;
}

int tls_pair_up(struct tls_pair *pair)
{
    if (tls_connect(pair, NULL)) return -1;
    SSL *ends[] = {pair->client, pair->server};
    for (int i = 0; i < 2; i++) {
        SSL_set0_rbio(ends[i], BIO_new(BIO_s_mem()));
        SSL_set0_wbio(ends[i], BIO_new(BIO_s_mem()));
    }
    return 0;
}

SSL *tls_accept(int fd)
{
    if (open_contexts()) return NULL;
    SSL *end = SSL_new(contexts[1]);
    if (end && SSL_set_fd(end, fd)) SSL_set_accept_state(end);
    return end;
}

void tls_close(struct tls_pair *pair)
{
    SSL_free(pair->client);
    SSL_free(pair->server);
}
