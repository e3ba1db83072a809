/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What must hold of every rung before it is measured: calls return what was sent; and a packet that was changed, cut,
 * sent twice or out of order is refused, or its call fails. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "count.h"
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

static void check_calls(void)
{
    const struct session_kind kind = {.transport = transport_named("queue"), .connections = 1};
    struct session *session = session_open(&kind);
    for (size_t n = 0; n < 200; n += 7) {
        harness_case("a call with %zu bytes", n);
        session_call(session, message, n);
    }
    session_close(session, NULL);
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
    check_calls();
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

void operation_info(void)
{
}

/* Requests to a library's layer; -1 if it has none of that name. */
int library_answer(const char *verb) __attribute__((weak, visibility("default")));

int operation_answer(const char *verb)
{
    if (!count_answer(verb)) return 0;
    return library_answer ? library_answer(verb) : -1;
}
