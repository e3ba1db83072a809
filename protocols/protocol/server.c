/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The server: takes packets, answers each call with its own payload. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "session.h"

const char *const fault_names[FAULTS] = {"none", "die", "stall", "garbage", "flip", "replay", "reorder", "cut"};

#define FAULT_AFTER 3 /* calls that go well before the server's fault */

/* A packet that is sent later than it should be. */
static struct {
    uint8_t bytes[1 << 16];
    size_t n;
} held;

static void hold(const uint8_t *packet, size_t n)
{
    held.n = n <= sizeof held.bytes ? n : 0;
    memcpy(held.bytes, packet, held.n);
}

static enum trouble send_reordered(struct channel *to, const uint8_t *packet, size_t n)
{
    if (!held.n) {
        hold(packet, n);
        return NO_TROUBLE;
    }
    const enum trouble trouble = channel_send(to, packet, n);
    return trouble ? trouble : channel_send(to, held.bytes, held.n);
}

static enum trouble send_faulty(struct channel *to, uint8_t *packet, size_t n, enum fault fault)
{
    switch (fault) {
    case DIE:
        if (to->fd >= 0) _exit(7);
        return PEER_DIED;
    case STALL:
        return NO_TROUBLE;
    case GARBAGE: /* with a length, so that a stream stays in step */
        memset(packet + 4, 0x5a, n - 4);
        break;
    case FLIP:
        packet[n - 1 - n / 4] ^= 4;
        break;
    case CUT:
        n -= 5;
        put_le(packet, n - 4, 4);
        break;
    case REPLAY:
        return channel_send(to, held.bytes, held.n);
    case REORDER:
        return send_reordered(to, packet, n);
    default:
        break;
    }
    return channel_send(to, packet, n);
}

/* Sends an answer, or what the fault makes of it. */
static enum trouble answer(struct channel *to, uint8_t *packet, size_t n, enum fault fault, uint64_t call)
{
    if (fault && call >= FAULT_AFTER) return send_faulty(to, packet, n, fault);
    if (fault == REPLAY && call == FAULT_AFTER - 1) hold(packet, n);
    return channel_send(to, packet, n);
}

/* The message in a packet; NULL if it is refused. */
static uint8_t *message_of(struct connection *c, struct room *room, uint8_t *packet, size_t *n)
{
    uint8_t *message = packet;
    if (rung_layer->seal) {
        c->server.scratch = room->answer;
        message = room->message;
        *n = rung_layer->unseal(&c->server, message, packet, *n);
    }
    return *n >= MESSAGE && get_le(message, 4) == *n - 4 && get_le(message + 12, 2) == ECHO ? message : NULL;
}

enum trouble serve_one(struct connection *c, struct room *room, enum fault fault, uint64_t call)
{
    uint8_t *packet;
    size_t n;
    const enum trouble trouble = channel_receive(&c->to_client, &packet, &n);
    if (trouble) return trouble;
    if (room_for(room, n)) return TOO_LONG;
    uint8_t *const message = message_of(c, room, packet, &n); /* the result is the argument: it answers itself */
    if (!message) {
        account->refused++;
        return PACKET_REFUSED;
    }
    packet = message;
    if (rung_layer->seal) {
        packet = room->packet;
        n = rung_layer->seal(&c->server, packet, message, n);
        if (!n) return CANNOT_SEAL;
    }
    return answer(&c->to_client, packet, n, fault, call);
}

/* Serves one connection until its client is gone. */
static void serve_single(struct connection *c, enum fault fault)
{
    struct room room = {0};
    for (uint64_t call = 0;;) {
        const enum trouble trouble = serve_one(c, &room, fault, call);
        if (trouble == NO_TROUBLE || trouble == PACKET_REFUSED)
            call++;
        else if (trouble != PEER_STALLED) /* a client may take its time */
            return;
    }
}

#define EVENTS 64

/* Answers what a connection holds; -1 if its client is gone. */
static int serve_waiting(struct connection *c, struct room *room, enum fault fault, uint64_t *call)
{
    do {
        const enum trouble trouble = serve_one(c, room, fault, (*call)++);
        if (trouble && trouble != PACKET_REFUSED) return -1;
    } while (channel_holds_packet(&c->to_client));
    return 0;
}

static void serve_many(struct connection *connections, unsigned count, enum fault fault)
{
    struct room room = {0};
    struct epoll_event events[EVENTS];
    const int set = epoll_create1(0);
    uint64_t call = 0;
    for (unsigned i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        if (epoll_ctl(set, EPOLL_CTL_ADD, connections[i].to_client.fd, &event)) return;
    }
    for (;;) {
        account->system_calls++;
        const int ready = epoll_wait(set, events, EVENTS, STALL_SECONDS * 1000);
        if (ready < 0) return;
        for (int i = 0; i < ready; i++)
            if (serve_waiting(&connections[events[i].data.u32], &room, fault, &call)) return;
    }
}

void serve(struct connection *connections, unsigned count, enum fault fault)
{
    if (count == 1)
        serve_single(connections, fault);
    else
        serve_many(connections, count, fault);
    _exit(0);
}
