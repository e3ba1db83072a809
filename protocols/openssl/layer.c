/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* TLS or DTLS by OpenSSL as a layer: its records, behind 4 bytes of length so that every transport carries them whole.
 * The handshake is done before the first call. */
#include "tls.h"

#include "protocol.h"

#define LENGTH 4

static int pair_up(struct end *client, struct end *server)
{
    struct tls_pair pair;
    if (tls_pair_up(&pair)) return -1;
    client->library = pair.client;
    server->library = pair.server;
    return 0;
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    SSL *ssl = end->library;
    if (SSL_write(ssl, message, (int)n) != (int)n) return 0;
    const int records = BIO_read(SSL_get_wbio(ssl), packet + LENGTH, (int)(n + MAX_OVERHEAD - LENGTH));
    if (records <= 0) return 0;
    put_le(packet, (uint64_t)records, LENGTH);
    return LENGTH + (size_t)records;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    SSL *ssl = end->library;
    size_t have = 0;
    if (size <= LENGTH || get_le(packet, LENGTH) != size - LENGTH) return 0;
    if (BIO_write(SSL_get_rbio(ssl), packet + LENGTH, (int)(size - LENGTH)) <= 0) return 0;
    for (int n; have < size && (n = SSL_read(ssl, message + have, (int)(size - have))) > 0;) have += (size_t)n;
    return have;
}

LAYER(tls) = {.name = "tls", .overhead = MAX_OVERHEAD, .seal = seal, .unseal = unseal, .pair_up = pair_up};
