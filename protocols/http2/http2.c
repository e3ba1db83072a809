/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "http2.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW ((1u << 31) - 1) /* so that a body never waits for the other end's permission */
#define PREFIX 5                /* of a gRPC message */
#define STREAMS 4096

int bytes_add(struct bytes *bytes, const void *data, size_t n)
{
    if (bytes->n + n > bytes->capacity) {
        const size_t capacity = 2 * (bytes->n + n) + 256;
        uint8_t *grown = realloc(bytes->data, capacity);
        if (!grown) return -1;
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (n) memcpy(bytes->data + bytes->n, data, n);
    bytes->n += n;
    return 0;
}

/* ---- what arrives ---------------------------------------------------------------------------------------------------- */

static struct bytes *body_of(struct http2 *end, int32_t stream)
{
    for (size_t i = 0; i < end->count; i++)
        if (end->arrived[(end->first + i) % end->capacity].stream == stream)
            return &end->arrived[(end->first + i) % end->capacity].body;
    return NULL;
}

static int on_begin(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
    struct http2 *end = user;
    (void)session;
    if (frame->hd.type != NGHTTP2_HEADERS || body_of(end, frame->hd.stream_id)) return 0; /* or trailers */
    if (end->count == end->capacity) return NGHTTP2_ERR_CALLBACK_FAILURE;
    const size_t place = (end->first + end->count++) % end->capacity;
    end->arrived[place].stream = frame->hd.stream_id;
    end->arrived[place].body.n = 0;
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data, size_t n, void *user)
{
    struct bytes *body = body_of(user, stream);
    (void)session, (void)flags;
    return body && !bytes_add(body, data, n) ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

int http2_take(struct http2 *end, const uint8_t *data, size_t n)
{
    uint8_t text[16384];
    if (!end->ssl) return nghttp2_session_mem_recv(end->session, data, n) == (ssize_t)n ? 0 : -1;
    for (int got; (got = SSL_read(end->ssl, text, sizeof text)) > 0;)
        if (nghttp2_session_mem_recv(end->session, text, (size_t)got) != got) return -1;
    return 0;
}

/* Whether the other end has sent all of a stream. */
static int is_whole(const struct http2 *end, int32_t stream)
{
    return nghttp2_session_get_stream_remote_close(end->session, stream) != 0; /* 1, or -1: closed on both sides */
}

int http2_next(struct http2 *end, int32_t *stream, const uint8_t **body, size_t *n)
{
    if (!end->count || !is_whole(end, end->arrived[end->first].stream)) return -1;
    const struct bytes *bytes = &end->arrived[end->first].body;
    const size_t skip = end->is_grpc ? PREFIX : 0;
    *stream = end->arrived[end->first].stream;
    end->first = (end->first + 1) % end->capacity;
    end->count--;
    if (bytes->n < skip) return -1;
    *body = bytes->data + skip;
    *n = bytes->n - skip;
    return 0;
}

/* ---- what is sent ----------------------------------------------------------------------------------------------------- */

#define FIELD(name, value) {(uint8_t *)(name), (uint8_t *)(value), sizeof(name) - 1, sizeof(value) - 1, 0}

static const nghttp2_nv request[] = {FIELD(":method", "POST"), FIELD(":scheme", "http"), FIELD(":path", "/echo"),
                                     FIELD(":authority", "localhost"),
                                     FIELD("content-type", "application/octet-stream")};
static const nghttp2_nv response[] = {FIELD(":status", "200"), FIELD("content-type", "application/octet-stream")};
static const nghttp2_nv grpc_request[] = {FIELD(":method", "POST"),
                                          FIELD(":scheme", "http"),
                                          FIELD(":path", "/cyclometer.Echo/Call"),
                                          FIELD(":authority", "localhost"),
                                          FIELD("content-type", "application/grpc"),
                                          FIELD("te", "trailers")};
static const nghttp2_nv grpc_response[] = {FIELD(":status", "200"), FIELD("content-type", "application/grpc")};
static const nghttp2_nv grpc_trailers[] = {FIELD("grpc-status", "0")};

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

/* What is left of a body. */
struct rest {
    struct http2 *end;
    struct bytes bytes;
    size_t sent;
};

static ssize_t read_rest(nghttp2_session *session, int32_t stream, uint8_t *out, size_t room, uint32_t *flags,
                         nghttp2_data_source *source, void *user)
{
    struct rest *rest = source->ptr;
    const size_t left = rest->bytes.n - rest->sent, n = left < room ? left : room;
    (void)user;
    memcpy(out, rest->bytes.data + rest->sent, n);
    rest->sent += n;
    if (rest->sent < rest->bytes.n) return (ssize_t)n;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (rest->end->is_grpc && rest->end->is_server) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        if (nghttp2_submit_trailer(session, stream, grpc_trailers, COUNT(grpc_trailers)))
            return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    return (ssize_t)n;
}

/* Frees a body when its stream is closed. */
static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *user)
{
    struct rest *rest = nghttp2_session_get_stream_user_data(session, stream);
    (void)user, (void)error;
    if (rest) free(rest->bytes.data);
    free(rest);
    return 0;
}

static struct rest *rest_of(struct http2 *end, const uint8_t *body, size_t n)
{
    const uint8_t prefix[PREFIX] = {0, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
    struct rest *rest = calloc(1, sizeof *rest);
    if (!rest) return NULL;
    rest->end = end;
    if (end->is_grpc && bytes_add(&rest->bytes, prefix, sizeof prefix)) return NULL;
    return bytes_add(&rest->bytes, body, n) ? NULL : rest;
}

int http2_send(struct http2 *end, int32_t stream, const uint8_t *body, size_t n)
{
    struct rest *rest = rest_of(end, body, n);
    if (!rest) return -1;
    const nghttp2_data_provider source = {.source.ptr = rest, .read_callback = read_rest};
    if (!end->is_server) {
        const nghttp2_nv *fields = end->is_grpc ? grpc_request : request;
        const size_t count = end->is_grpc ? COUNT(grpc_request) : COUNT(request);
        return nghttp2_submit_request(end->session, NULL, fields, count, &source, rest) > 0 ? 0 : -1;
    }
    (void)nghttp2_session_set_stream_user_data(end->session, stream, rest);
    return nghttp2_submit_response(end->session, stream, end->is_grpc ? grpc_response : response,
                                   end->is_grpc ? COUNT(grpc_response) : COUNT(response), &source);
}

int http2_give(struct http2 *end)
{
    const uint8_t *data;
    ssize_t n;
    while ((n = nghttp2_session_mem_send(end->session, &data)) > 0)
        if (bytes_add(&end->out, data, (size_t)n)) return -1;
    if (n < 0) return -1;
    if (!end->ssl || !end->out.n) return 0;
    const int sealed = SSL_write(end->ssl, end->out.data, (int)end->out.n) == (int)end->out.n;
    end->out.n = 0;
    return sealed ? 0 : -1;
}

/* ---- connections ------------------------------------------------------------------------------------------------------ */

static int open_session(struct http2 *end)
{
    nghttp2_session_callbacks *callbacks;
    if (nghttp2_session_callbacks_new(&callbacks)) return -1;
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    const int failed = end->is_server ? nghttp2_session_server_new(&end->session, callbacks, end)
                                      : nghttp2_session_client_new(&end->session, callbacks, end);
    nghttp2_session_callbacks_del(callbacks);
    return failed ? -1 : 0;
}

struct http2 *http2_open(int is_server, int is_grpc, SSL *ssl)
{
    struct http2 *end = calloc(1, sizeof *end);
    if (!end) return NULL;
    *end = (struct http2){.is_server = is_server, .is_grpc = is_grpc, .ssl = ssl, .capacity = STREAMS};
    end->arrived = calloc(STREAMS, sizeof *end->arrived);
    const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW}};
    if (!end->arrived || open_session(end) || nghttp2_submit_settings(end->session, 0, settings, COUNT(settings)) ||
        nghttp2_session_set_local_window_size(end->session, 0, 0, (int32_t)WINDOW))
        return NULL;
    return end;
}

void http2_close(struct http2 *end)
{
    nghttp2_session_del(end->session);
    for (size_t i = 0; i < end->capacity; i++) free(end->arrived[i].body.data);
    free(end->arrived);
    free(end->out.data);
    free(end);
}
