/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What must hold of every rung before it is measured: calls return what was sent; and a packet that was changed, cut,
 * sent twice or out of order is refused, or its call fails. Prints what a call consists of, for predictions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "harness.h"
#include "session.h"

#define LONGEST 3000

static struct end client, server;
static uint8_t packet[LONGEST + MAX_OVERHEAD], damaged[LONGEST + MAX_OVERHEAD], result[LONGEST + MAX_OVERHEAD],
    message[LONGEST], scratch[LONGEST + MAX_OVERHEAD];

static int authenticates(void)
{
    return rung_layer->seal && (parts.mac || parts.aead);
}

static void open_ends(void)
{
    if (end_open(&client, 0, 0) || end_open(&server, 1, 0)) harness_fail(CALL_FAILED, "a key cannot be expanded");
    client.scratch = server.scratch = scratch;
}

static void connect_ends(void)
{
    open_ends();
    if (rung_layer->pair_up(&client, &server)) harness_fail(PEER_FAILED, "the handshake fails");
}

static size_t seal(size_t n)
{
    put_le(message, n - 4, 4); /* as in every message, its first bytes say how long it is */
    const size_t size = rung_layer->seal(&client, packet, message, n);
    if (!size) harness_fail(VALID_REJECTED, "a message of %zu bytes cannot be sealed", n);
    if (size > n + rung_layer->overhead) harness_fail(WRONG_OUTPUT, "a packet is longer than the layer says");
    return size;
}

static void check_round_trip(size_t n)
{
    harness_case("round trip of %zu bytes", n);
    const size_t size = seal(n);
    if (rung_layer->unseal(&server, result, packet, size) != n || memcmp(result, message, n))
        harness_fail(WRONG_OUTPUT, "the message differs after the round trip");
    if (rung_layer->unseal(&server, result, packet, size))
        harness_fail(FORGERY_ACCEPTED, "a replayed packet is accepted");
}

static void check_damage(size_t n)
{
    const size_t size = seal(n);
    for (size_t at = 0; at < size; at++) {
        harness_case("a packet of %zu bytes with byte %zu changed", size, at);
        memcpy(damaged, packet, size);
        damaged[at] ^= (uint8_t)(1u << at % 8);
        if (rung_layer->unseal(&server, result, damaged, size)) harness_fail(FORGERY_ACCEPTED, "is accepted");
    }
    for (size_t cut = 0; cut < size; cut++) {
        harness_case("a packet of %zu bytes cut to %zu", size, cut);
        memcpy(damaged, packet, size);
        if (rung_layer->unseal(&server, result, damaged, cut)) harness_fail(FORGERY_ACCEPTED, "is accepted");
    }
    harness_case("a packet of %zu bytes after forgeries", size);
    if (rung_layer->unseal(&server, result, packet, size) != n) harness_fail(VALID_REJECTED, "is refused");
}

/* 70 packets, of which the first comes last: it is older than the window. */
static void check_window(void)
{
    static uint8_t first[256];
    harness_case("a packet older than the window");
    const size_t size = seal(MESSAGE);
    if (size > sizeof first) return;
    memcpy(first, packet, size);
    for (int i = 0; i < 70; i++)
        if (!rung_layer->unseal(&server, result, packet, seal(MESSAGE)))
            harness_fail(VALID_REJECTED, "one in order is refused");
    if (rung_layer->unseal(&server, result, first, size)) harness_fail(FORGERY_ACCEPTED, "is accepted");
}

static struct session *in_process(void)
{
    const char *why;
    const struct session_kind kind = {.transport = transport_named("queue"), .connections = 1};
    struct session *session = session_open(&kind, &why);
    if (!session) harness_fail(PEER_FAILED, "%s", why);
    return session;
}

static void one_call(struct session *session, const uint8_t *payload, size_t n)
{
    enum trouble trouble = session_begin(session, 0, payload, n);
    if (!trouble) trouble = session_end(session);
    if (trouble) harness_fail(PEER_FAILED, "%s", trouble_text(trouble));
    if (!session_result_is(session, payload, n)) harness_fail(WRONG_OUTPUT, "the result is not what was sent");
}

/* A library closes the connection at the first bad packet, so each gets one of its own. */
static void check_library(size_t n)
{
    connect_ends();
    check_round_trip(n);
    if (rung_layer->protects && !rung_layer->protects()) return;
    for (size_t at = 5; at < n; at += 7) {
        connect_ends();
        const size_t size = seal(n);
        harness_case("a packet of %zu bytes with byte %zu changed", size, at);
        packet[at] ^= 1;
        if (rung_layer->unseal(&server, result, packet, size)) harness_fail(FORGERY_ACCEPTED, "is accepted");
    }
}

void operation_check(void)
{
    static const size_t lengths[] = {MESSAGE, 15, 18, 31, 32, 33, 59, 64, 100, 1038};
    prng_fill(message, sizeof message);
    struct session *session = in_process();
    for (size_t n = 0; n < 200; n += 7) {
        harness_case("a call with %zu bytes", n);
        one_call(session, message, n);
    }
    session_close(session, NULL);
    if (!rung_layer->seal) return;
    if (rung_layer->pair_up) {
        check_library(59);
        return;
    }
    open_ends();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) check_round_trip(lengths[i]);
    check_window();
    if (!authenticates()) return;
    check_damage(18);
    check_damage(59);
}

/* ---- what a call consists of ---------------------------------------------------------------------------------------- */

#define FOR_AVERAGE 1000

static void record(const char *name, uint64_t length, const char *transport, uint64_t value)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s:%" PRIu64 ":%s", name, length, transport);
    record_info(text, value);
}

/* `calls:PAYLOAD:FUNCTION:LENGTH:AD_LENGTH`, the number of such calls of a part in one call. */
static void record_calls(uint64_t length)
{
    char text[96];
    unsigned count;
    struct session *session = in_process();
    one_call(session, message, length);
    spy_note();
    one_call(session, message, length);
    const struct noted_call *noted = spy_noted(&count);
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(text, sizeof text, "calls:%" PRIu64 ":%s:%" PRIu64 ":%" PRIu64, length, noted[i].function,
                       noted[i].n, noted[i].ad_n);
        record_info(text, noted[i].count);
    }
    spy_stop();
    session_close(session, NULL);
}

static void run(const struct session_kind *kind, uint64_t length, unsigned calls, struct account ends[2])
{
    const char *why;
    struct session *session = session_open(kind, &why);
    if (!session) harness_fail(PEER_FAILED, "%s", why);
    const double before = cpu_seconds();
    for (unsigned i = 0; i < calls; i++) one_call(session, message, length);
    const double used = cpu_seconds() - before;
    session_close(session, ends);
    ends[0].cpu_us = (uint64_t)(used * 1e6);
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Per FOR_AVERAGE calls, both ends together: the difference of a long and a short session, which cost the same to
 * start. */
static void record_account(const char *transport, uint64_t length)
{
    struct account few[2], many[2];
    const struct session_kind kind = {.transport = transport_named(transport), .connections = 1};
    if (rung_layer->datagrams && !kind.transport->datagrams) return;
    run(&kind, length, 10, few);
    run(&kind, length, 10 + FOR_AVERAGE, many);
#define BOTH(field) more(many[0].field + many[1].field, few[0].field + few[1].field)
    record("system_calls", length, transport, BOTH(system_calls));
    record("wire_bytes", length, transport, BOTH(wire_bytes));
    record("copied_bytes", length, transport, BOTH(copied));
    record("allocations", length, transport, BOTH(allocations));
    record("server_switches", length, transport, more(many[1].switches, few[1].switches));
    record("cpu_us", length, transport, BOTH(cpu_us));
#undef BOTH
}

void operation_info(void)
{
    static const uint64_t lengths[] = {4, 45, 1024};
    static const char *const transports[] = {"queue", "unix", "tcp", "udp"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        record_calls(lengths[i]);
        for (size_t t = 0; t < sizeof transports / sizeof transports[0]; t++) record_account(transports[t], lengths[i]);
    }
}

/* Requests to a library's layer; -1 if it has none of that name. */
int library_answer(const char *verb) __attribute__((weak, visibility("default")));

int operation_answer(const char *verb)
{
    return library_answer ? library_answer(verb) : -1;
}
