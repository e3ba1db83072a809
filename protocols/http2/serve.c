/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HTTP/2 or gRPC for anybody's client: every request is answered with its own body. */
#include "../openssl/serve.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "../transports/loopback.h"
#include "http2.h"
#include "protocol.h"

static int send_all(int fd, const uint8_t *data, size_t n)
{
    for (ssize_t sent; n > 0; data += sent, n -= (size_t)sent)
        if ((sent = send(fd, data, n, MSG_NOSIGNAL)) <= 0) return -1;
    return 0;
}

/* Gives the client what the session has to say. */
static int give(struct http2 *end, int fd)
{
    if (http2_give(end)) return -1;
    const int failed = !end->ssl && send_all(fd, end->out.data, end->out.n);
    end->out.n = 0;
    return failed ? -1 : 0;
}

/* Takes what has arrived; -1 if the client is gone. */
static int take(struct http2 *end, int fd)
{
    uint8_t data[16384];
    if (end->ssl) {
        if (recv(fd, data, 1, MSG_PEEK) <= 0) return -1; /* closed, maybe without TLS's farewell */
        const int state = fcntl(fd, F_GETFL);
        (void)fcntl(fd, F_SETFL, state | O_NONBLOCK); /* http2_take reads until there is no more */
        const int failed = http2_take(end, NULL, 0) || (SSL_get_shutdown(end->ssl) & SSL_RECEIVED_SHUTDOWN);
        (void)fcntl(fd, F_SETFL, state);
        return failed ? -1 : 0;
    }
    const ssize_t n = recv(fd, data, sizeof data, 0);
    return n > 0 ? http2_take(end, data, (size_t)n) : -1;
}

static unsigned answer_all(struct http2 *end)
{
    const uint8_t *body;
    int32_t stream;
    unsigned calls = 0;
    for (size_t n; !http2_next(end, &stream, &body, &n); calls++)
        if (http2_send(end, stream, body, n)) break;
    return calls;
}

unsigned serve_library(int fd, SSL *ssl)
{
    extern const struct layer layer_grpc;
    struct http2 *end = http2_open(1, rung_layer == &layer_grpc, ssl);
    unsigned calls = 0;
    if (!end) return 0;
    while (!give(end, fd) && (nghttp2_session_want_read(end->session) || nghttp2_session_want_write(end->session)) &&
           !loopback_wait(fd) && !take(end, fd))
        calls += answer_all(end);
    http2_close(end);
    return calls;
}
