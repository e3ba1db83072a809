/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The client, and how it starts its server. */
#define _GNU_SOURCE
#include "session.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#define MAX_UNDER_WAY 256

static struct account nobody;
struct account *account = &nobody;

struct session {
    struct session_kind kind;
    struct connection *connections;
    struct account *accounts; /* client, server */
    pid_t server;
    uint64_t calls;
    struct {
        unsigned connection;
        uint64_t number;
        size_t bytes;
    } under_way[MAX_UNDER_WAY];
    unsigned first, count;
    struct room room, server_room;
    const uint8_t *result;
    size_t result_bytes;
};

extern const struct transport *const __start_transports[], *const __stop_transports[];

const struct transport *transport_named(const char *name)
{
    for (const struct transport *const *t = __start_transports; t < __stop_transports; t++)
        if (!strcmp((*t)->name, name)) return *t;
    return NULL;
}

/* Another core for the server, or this one: that of the client. */
static int choose_core(int apart)
{
    const int own = sched_getcpu(), cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(apart ? (unsigned)((own + 1) % cores) : (unsigned)own, &set);
    return apart && cores < 2 ? -1 : sched_setaffinity(0, sizeof set, &set);
}

static int connect_pair(struct connection *c, const struct transport *transport)
{
    const struct timeval patience = {.tv_sec = STALL_SECONDS};
    int ends[2] = {-1, -1};
    if (transport->pair && transport->pair(ends)) return -1;
    c->to_server = (struct channel){.fd = ends[0], .datagrams = transport->datagrams};
    c->to_client = (struct channel){.fd = ends[1], .datagrams = transport->datagrams};
    c->to_server.peer = &c->to_client;
    c->to_client.peer = &c->to_server;
    for (int i = 0; i < 2 && transport->pair; i++)
        if (setsockopt(ends[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience)) return -1;
    return 0;
}

static const char *open_connections(struct session *s)
{
    for (unsigned i = 0; i < s->kind.connections; i++) {
        struct connection *c = &s->connections[i];
        if (connect_pair(c, s->kind.transport)) return "no connection can be made here";
        if (end_open(&c->client, 0, i) || end_open(&c->server, 1, i)) return "a key cannot be expanded";
        if (rung_layer->pair_up && rung_layer->pair_up(&c->client, &c->server)) return "the handshake fails";
    }
    return NULL;
}

static const char *start_server(struct session *s)
{
    if ((s->server = fork()) < 0) return "no process can be started for the server";
    if (s->server == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        account = &s->accounts[1];
        session_enter(s);
        if (choose_core(s->kind.apart)) _exit(8);
        for (unsigned i = 0; i < s->kind.connections; i++) (void)close(s->connections[i].to_server.fd);
        serve(s->connections, s->kind.connections, s->kind.fault);
    }
    for (unsigned i = 0; i < s->kind.connections; i++) (void)close(s->connections[i].to_client.fd);
    return NULL;
}

struct session *session_open(const struct session_kind *kind)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s) harness_fail(PEER_FAILED, "out of memory");
    s->kind = *kind;
    s->connections = calloc(kind->connections, sizeof *s->connections);
    s->accounts = mmap(NULL, 2 * sizeof *s->accounts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!s->connections || s->accounts == MAP_FAILED) harness_fail(PEER_FAILED, "out of memory");
    const char *why = open_connections(s);
    if (!why && !kind->transport->in_process) why = start_server(s);
    if (why) harness_fail(PEER_FAILED, "%s", why);
    return s;
}

static void end_server(struct session *s)
{
    struct rusage used;
    (void)kill(s->server, SIGKILL);
    if (wait4(s->server, NULL, 0, &used) != s->server) return;
    const struct timeval *user = &used.ru_utime, *system = &used.ru_stime;
    s->accounts[1].cpu_us =
        (uint64_t)(user->tv_sec + system->tv_sec) * 1000000 + (uint64_t)(user->tv_usec + system->tv_usec);
    s->accounts[1].switches = (uint64_t)(used.ru_nvcsw + used.ru_nivcsw);
}

void session_close(struct session *s, struct account ends[2])
{
    if (s->server > 0) end_server(s);
    for (unsigned i = 0; i < s->kind.connections; i++) {
        struct connection *c = &s->connections[i];
        if (c->to_server.fd >= 0) (void)close(c->to_server.fd);
        free(c->to_server.buffer), free(c->to_client.buffer);
    }
    if (ends) memcpy(ends, s->accounts, 2 * sizeof *ends);
    (void)munmap(s->accounts, 2 * sizeof *s->accounts);
    free(s->connections);
    free(s);
    account = &nobody;
}

struct account *session_accounts(const struct session *session)
{
    return session->accounts;
}

void session_enter(const struct session *session)
{
    spy_set(session->kind.spying, session->kind.delay);
}

unsigned session_under_way(const struct session *session)
{
    return session->count;
}

/* The client's message: number of bytes that follow, call number, method, payload. */
static void write_message(uint8_t *message, uint64_t number, const uint8_t *payload, size_t n)
{
    put_le(message, MESSAGE - 4 + n, 4);
    put_le(message + 4, number, 8);
    put_le(message + 12, ECHO, 2);
    memcpy(message + MESSAGE, payload, n);
}

enum trouble session_begin(struct session *s, unsigned connection, const uint8_t *payload, size_t n)
{
    struct connection *c = &s->connections[connection];
    account = &s->accounts[0];
    if (s->count == MAX_UNDER_WAY || room_for(&s->room, n)) return TOO_LONG;
    uint8_t *packet = s->room.message;
    size_t size = MESSAGE + n;
    write_message(packet, s->calls, payload, n);
    if (rung_layer->seal) {
        packet = s->room.packet;
        size = rung_layer->seal(&c->client, packet, s->room.message, MESSAGE + n);
        if (!size) return CANNOT_SEAL;
    }
    const unsigned slot = (s->first + s->count++) % MAX_UNDER_WAY;
    s->under_way[slot].connection = connection;
    s->under_way[slot].number = s->calls++;
    s->under_way[slot].bytes = MESSAGE + n;
    return channel_send(&c->to_server, packet, size);
}

/* In one process, the server takes its turn now. */
static enum trouble server_turn(struct session *s, struct connection *c, uint64_t call)
{
    account = &s->accounts[1];
    const enum trouble trouble = serve_one(c, &s->server_room, s->kind.fault, call);
    account = &s->accounts[0];
    return trouble;
}

enum trouble session_end(struct session *s)
{
    const unsigned slot = s->first;
    struct connection *c = &s->connections[s->under_way[slot].connection];
    uint8_t *packet;
    size_t n;
    s->first = (slot + 1) % MAX_UNDER_WAY;
    s->count--;
    enum trouble trouble = NO_TROUBLE;
    if (s->kind.transport->in_process) trouble = server_turn(s, c, s->under_way[slot].number);
    if (!trouble) trouble = channel_receive(&c->to_server, &packet, &n);
    if (trouble) return trouble;
    s->result = packet;
    if (rung_layer->seal) {
        c->client.scratch = s->room.message;
        s->result = s->room.answer;
        n = rung_layer->unseal(&c->client, s->room.answer, packet, n);
        if (!n) return PACKET_REFUSED;
    }
    s->result_bytes = n;
    if (n != s->under_way[slot].bytes || get_le(s->result, 4) != n - 4) return WRONG_ANSWER;
    return get_le(s->result + 4, 8) == s->under_way[slot].number ? NO_TROUBLE : WRONG_ANSWER;
}

int session_result_is(const struct session *s, const uint8_t *payload, size_t n)
{
    return s->result_bytes == MESSAGE + n && !memcmp(s->result + MESSAGE, payload, n);
}

void session_call(struct session *session, const uint8_t *payload, size_t n)
{
    enum trouble trouble = session_begin(session, 0, payload, n);
    if (!trouble) trouble = session_end(session);
    if (trouble) harness_fail(PEER_FAILED, "%s", trouble_text(trouble));
    if (!session_result_is(session, payload, n)) harness_fail(WRONG_OUTPUT, "the result is not what was sent");
}
