/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HTTP/2, or gRPC over it, as a layer: what one call sends in one direction, behind 4 bytes of length so that every
 * transport carries it whole. The connection is open before the first call. */
#include <string.h>

#include "http2.h"
#include "protocol.h"

#define LENGTH 4

static int is_tls(void)
{
    return TLS_KIND[0] != 'p'; /* plain */
}

/* Moves everything that an end has to say to the other one; returns how many bytes that were, or -1. */
static int move(struct http2 *from, struct http2 *to)
{
    uint8_t records[1 << 16];
    if (http2_give(from)) return -1;
    if (!from->ssl) {
        const int n = (int)from->out.n;
        if (http2_take(to, from->out.data, from->out.n)) return -1;
        from->out.n = 0;
        return n;
    }
    const int n = BIO_read(SSL_get_wbio(from->ssl), records, sizeof records);
    if (n <= 0) return 0;
    return BIO_write(SSL_get_rbio(to->ssl), records, n) == n && !http2_take(to, NULL, 0) ? n : -1;
}

static int pair(struct end *client, struct end *server, int is_grpc)
{
    struct tls_pair pair = {NULL, NULL};
    if (is_tls() && tls_pair_up(&pair)) return -1;
    struct http2 *a = http2_open(0, is_grpc, pair.client), *b = http2_open(1, is_grpc, pair.server);
    if (!a || !b) return -1;
    client->library = a;
    server->library = b;
    for (int sent = 1; sent;) { /* the preface, and settings until neither end has more to say */
        const int one = move(a, b), other = move(b, a);
        if (one < 0 || other < 0) return -1;
        sent = one + other;
    }
    return 0;
}

static int pair_http2(struct end *client, struct end *server)
{
    return pair(client, server, 0);
}

static int pair_grpc(struct end *client, struct end *server)
{
    return pair(client, server, 1);
}

/* The bytes that an end sends, after their length. */
static size_t packed(struct http2 *end, uint8_t *packet, size_t room)
{
    size_t n = end->out.n;
    if (end->ssl) {
        const int records = BIO_read(SSL_get_wbio(end->ssl), packet + LENGTH, (int)room);
        n = records > 0 ? (size_t)records : 0;
    } else if (n <= room) {
        memcpy(packet + LENGTH, end->out.data, n);
    } else {
        return 0;
    }
    end->out.n = 0;
    put_le(packet, n, LENGTH);
    return n ? LENGTH + n : 0;
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    struct http2 *own = end->library;
    /* A server answers the request that it has just been given. */
    if (http2_send(own, (int32_t)end->sent, message, n) || http2_give(own)) return 0;
    return packed(own, packet, n + MAX_OVERHEAD - LENGTH);
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    struct http2 *own = end->library;
    const uint8_t *body;
    int32_t stream;
    size_t n;
    if (size <= LENGTH || get_le(packet, LENGTH) != size - LENGTH) return 0;
    if (own->ssl && BIO_write(SSL_get_rbio(own->ssl), packet + LENGTH, (int)(size - LENGTH)) <= 0) return 0;
    if (http2_take(own, packet + LENGTH, size - LENGTH)) return 0;
    if (http2_next(own, &stream, &body, &n) || n > size + MAX_OVERHEAD) return 0;
    if (own->is_server) end->sent = (uint64_t)stream;
    memcpy(message, body, n);
    return n;
}

LAYER(http2) = {.name = "http2",
                .overhead = MAX_OVERHEAD,
                .seal = seal,
                .unseal = unseal,
                .pair_up = pair_http2,
                .protects = is_tls};
LAYER(grpc) = {
    .name = "grpc", .overhead = MAX_OVERHEAD, .seal = seal, .unseal = unseal, .pair_up = pair_grpc, .protects = is_tls};
