/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TLS_H
#define TLS_H

/* Connections of OpenSSL whose two ends are in one process, with a certificate made at the start.
 *
 * TLS_KIND is tls1.3, tls1.2 or dtls1.2, or plain for layers that can do without TLS; TLS_SUITE the name of a suite, TLS_GROUP that of the key exchange and
 * TLS_SIGNATURE that of the certificate's key: EC:P-256, RSA:2048, ED25519 ... Functions return 0, or -1. */

#include <stdio.h>

#include <openssl/ssl.h>

struct tls_pair {
    SSL *client, *server;
};

EVP_PKEY *tls_certificate_key(void);

/* A full handshake, or one that resumes `session` if it is not NULL. */
int tls_connect(struct tls_pair *pair, SSL_SESSION *session);
void tls_close(struct tls_pair *pair);

/* A full handshake; afterwards each end reads and writes buffers of its own, between which packets are carried. */
int tls_pair_up(struct tls_pair *pair);

/* The server's end of a new connection over a socket, before its handshake; NULL if that fails. */
SSL *tls_accept(int fd);

/* Writes the certificate in PEM. */
int tls_write_certificate(FILE *file);

#endif
