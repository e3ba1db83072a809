/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HTTP2_H
#define HTTP2_H

/* One end of an HTTP/2 connection by nghttp2, over TLS if the rung has it (tls.h). A call is a request of the client
 * with a body, answered by a response with a body. As gRPC, each body is one message behind 5 bytes (compression,
 * length), and the response ends with the status in its trailers.
 *
 * Bytes go in and out through buffers, so that a queue or a socket can carry them. Functions return 0, or -1. */

#include <nghttp2/nghttp2.h>
#include <stddef.h>
#include <stdint.h>

#include "tls.h"

struct bytes {
    uint8_t *data;
    size_t n, capacity;
};
int bytes_add(struct bytes *bytes, const void *data, size_t n);

struct http2 {
    nghttp2_session *session;
    int is_server, is_grpc;
    SSL *ssl; /* NULL: in the clear */
    struct {  /* bodies of requests or responses that have arrived whole, the oldest first */
        int32_t stream;
        struct bytes body;
    } *arrived;
    size_t first, count, capacity;
    struct bytes out; /* of the session, before TLS */
};

struct http2 *http2_open(int is_server, int is_grpc, SSL *ssl);
void http2_close(struct http2 *end);

/* Takes bytes from the other end. With TLS they have to be in the SSL's read BIO already; then n is 0. */
int http2_take(struct http2 *end, const uint8_t *data, size_t n);

/* Appends to end->out whatever the session wants to send. */
int http2_give(struct http2 *end);

/* A client's request, or a server's response to the oldest request that was taken with http2_next. */
int http2_send(struct http2 *end, int32_t stream, const uint8_t *body, size_t n);

/* The oldest body that arrived whole; *stream is its stream. Returns -1 if there is none. It stays until the next
 * call. */
int http2_next(struct http2 *end, int32_t *stream, const uint8_t **body, size_t *n);

#endif
