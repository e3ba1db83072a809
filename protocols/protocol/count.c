/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a call of this rung consists of, for predictions. Requests to the verb `answer`, which print `info` records:
 *
 *   calls PAYLOAD             which parts are called, how often, with which lengths
 *   count-TRANSPORT PAYLOAD   system calls, bytes on the wire ..., per 1000 calls, both ends together */
#include "count.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "session.h"

#define AVERAGED 1000      /* calls, and those for which numbers are reported */
#define AVERAGED_OF_LONG 50 /* with payloads beyond LONG_PAYLOAD */
#define LONG_PAYLOAD 8192
#define DATAGRAM 65507

static uint8_t *payload_of(uint64_t length)
{
    static uint8_t *payload;
    static uint64_t room;
    if (length > room || !payload) {
        payload = allocate((size_t)length + 16, 0);
        prng_fill(payload, (size_t)length);
        room = length;
    }
    return payload;
}

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
    const struct session_kind kind = {.transport = transport_named("queue"), .connections = 1};
    struct session *session = session_open(&kind);
    session_call(session, payload_of(length), length);
    spy_note();
    session_call(session, payload_of(length), length);
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
    struct session *session = session_open(kind);
    const double before = cpu_seconds();
    for (unsigned i = 0; i < calls; i++) session_call(session, payload_of(length), length);
    const double used = cpu_seconds() - before;
    session_close(session, ends);
    ends[0].cpu_us = (uint64_t)(used * 1e6);
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Per AVERAGED calls, both ends together: the difference of a long and a short session, which cost the same to start. */
static void record_account(const char *transport, uint64_t length)
{
    struct account few[2], many[2];
    const struct session_kind kind = {.transport = transport_named(transport), .connections = 1};
    const unsigned calls = length > LONG_PAYLOAD ? AVERAGED_OF_LONG : AVERAGED;
    if (rung_layer->datagrams && !kind.transport->datagrams) return;
    if (kind.transport->datagrams && !kind.transport->in_process && MESSAGE + length + MAX_OVERHEAD > DATAGRAM) return;
    run(&kind, length, 10, few);
    run(&kind, length, 10 + calls, many);
#define BOTH(field) (more(many[0].field + many[1].field, few[0].field + few[1].field) * (AVERAGED / calls))
    record("system_calls", length, transport, BOTH(system_calls));
    record("wire_bytes", length, transport, BOTH(wire_bytes));
    record("copied_bytes", length, transport, BOTH(copied));
    record("allocations", length, transport, BOTH(allocations));
    record("server_switches", length, transport, more(many[1].switches, few[1].switches) * (AVERAGED / calls));
    record("cpu_us", length, transport, BOTH(cpu_us));
#undef BOTH
}

int count_answer(const char *verb)
{
    if (!strcmp(verb, "calls")) {
        record_calls(request_number());
        return 0;
    }
    const char *transport = strncmp(verb, "count-", 6) ? "" : verb + 6;
    if (!transport_named(transport)) return -1;
    record_account(transport, request_number());
    return 0;
}
