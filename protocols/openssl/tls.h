/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TLS_H
#define TLS_H

/* Connections of OpenSSL whose two ends are in one process, with a certificate made at the start.
 *
 * TLS_KIND is tls1.3, tls1.2 or dtls1.2; TLS_SUITE the name of a suite, TLS_GROUP that of the key exchange and
 * TLS_SIGNATURE that of the certificate's key: EC:P-256, RSA:2048, ED25519 ... Functions return 0, or -1. */

#include <openssl/ssl.h>

struct tls_pair {
    SSL *client, *server;
};

EVP_PKEY *tls_certificate_key(void);

/* A full handshake, or one that resumes `session` if it is not NULL. */
int tls_connect(struct tls_pair *pair, SSL_SESSION *session);
void tls_close(struct tls_pair *pair);

#endif
