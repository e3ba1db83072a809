/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SESSION_H
#define SESSION_H

/* Client and server of one transport, with their connections. */

#include "protocol.h"
#include "spy.h"

/* What one end did; both ends' accounts are in memory that they share. */
struct account {
    uint64_t system_calls, wire_bytes, copied, allocations, switches, cpu_us;
    int64_t inside;   /* counter units in the parts, if spied on */
    uint64_t refused; /* packets */
};
extern struct account *account; /* of this process */

/* A connected socket, or one end of a queue in memory. */
struct channel {
    int fd; /* -1: the queue */
    int datagrams;
    struct channel *peer; /* of a queue */
    uint8_t *buffer;
    size_t capacity, start, have;
};

/* Why a call failed. */
enum trouble { NO_TROUBLE, PEER_DIED, PEER_STALLED, PACKET_REFUSED, WRONG_ANSWER, CANNOT_SEAL, TOO_LONG };
const char *trouble_text(enum trouble trouble);

#define STALL_SECONDS 2 /* without a byte from the other end */

enum trouble channel_send(struct channel *channel, const uint8_t *packet, size_t n);

/* The next whole packet, which stays in the channel's buffer until the next call. */
enum trouble channel_receive(struct channel *channel, uint8_t **packet, size_t *n);
int channel_holds_packet(const struct channel *channel);

#define MESSAGE 14 /* bytes of a message before its payload: length, call number, method */
#define ECHO 1

/* What the server of a session does wrong, once, after `after` calls. */
enum fault { NO_FAULT, DIE, STALL, GARBAGE, FLIP, REPLAY, REORDER, CUT, FAULTS };
extern const char *const fault_names[FAULTS];

struct session_kind {
    const struct transport *transport;
    unsigned connections;
    int apart; /* the server is on another core */
    enum fault fault;
    enum spying spying;
    int64_t delay; /* counter units that every call of a part takes longer */
};

struct session;

/* Makes the connections, expands their keys and starts the server, which ends with this process; or fails. */
struct session *session_open(const struct session_kind *kind);

/* Ends the server; `ends` becomes what client and server did, if it is not NULL. */
void session_close(struct session *session, struct account ends[2]);

/* Accounts of the client and of the server. */
struct account *session_accounts(const struct session *session);

/* Makes the parts those of this session: as they are, spied on or delayed. */
void session_enter(const struct session *session);

/* One call on a connection: the server returns the payload. session_begin sends it, session_end awaits the oldest call
 * under way. The payload is n bytes of `payload`; the result is compared with it by session_result_is. */
enum trouble session_begin(struct session *session, unsigned connection, const uint8_t *payload, size_t n);
enum trouble session_end(struct session *session);
int session_result_is(const struct session *session, const uint8_t *payload, size_t n);
unsigned session_under_way(const struct session *session);

/* A whole call on the first connection; fails unless it returns what was sent. */
void session_call(struct session *session, const uint8_t *payload, size_t n);

/* ---- the ends, for session.c and server.c -------------------------------------------------------------------------- */

struct connection {
    struct end client, server;
    struct channel to_server, to_client; /* of client and server */
};

/* Room for one message and one packet of `payload` bytes in the buffers of the process. */
struct room {
    uint8_t *message, *packet, *answer;
    size_t bytes;
};
int room_for(struct room *room, size_t payload);

int end_open(struct end *end, int is_server, unsigned connection);

enum trouble serve_one(struct connection *connection, struct room *room, enum fault fault, uint64_t call);
_Noreturn void serve(struct connection *connections, unsigned count, enum fault fault);
#endif
