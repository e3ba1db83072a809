/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of a rung. `length` is the payload in bytes, `keys` the number of connections, used in random turn.
 *
 *   call-TRANSPORT[-N][-apart]   one call; with N calls under way, the time between two answers. The ends share a core,
 *                                or are apart, on two.
 *   inside-TRANSPORT             of one call, the time inside the parts of both ends: over a socket, twice the client's
 *   once-, twice-TRANSPORT       one call, with spies around the parts that call them once or twice
 *   batch-TRANSPORT              8 times 10,000 calls, as in Roe's experiment: the time of all 10,000
 *   copy                         copies `length` bytes
 *   direct, indirect             calls an empty function, by its name or by a pointer
 *   allocation                   allocates and frees `length` bytes
 *   system                       the cheapest system call
 *
 * After a `+`, a fault of the server, or `delay` and counter units by which each call of a part takes longer. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"
#include "session.h"
#include "timing.h"

#define MAX_SESSIONS 8
#define MAX_MEASURE 64

struct wanted {
    struct session_kind kind;
    unsigned under_way;
    int batch;
};

static struct {
    struct session_kind kind;
    struct session *session;
} open_sessions[MAX_SESSIONS];
static unsigned opened;

static int option(struct wanted *wanted, const char *word)
{
    if (!strcmp(word, "apart")) {
        wanted->kind.apart = 1;
        return 0;
    }
    wanted->under_way = (unsigned)strtoul(word, NULL, 10);
    return wanted->under_way ? 0 : -1;
}

static int parse_fault(struct session_kind *kind, const char *word)
{
    if (!strncmp(word, "delay", 5)) {
        kind->delay = strtoll(word + 5, NULL, 10);
        return kind->delay > 0 ? 0 : -1;
    }
    for (int i = 1; i < FAULTS; i++)
        if (!strcmp(word, fault_names[i])) kind->fault = (enum fault)i;
    return kind->fault ? 0 : -1;
}

static int parse_spying(struct session_kind *kind, const char *word)
{
    static const char *const names[] = {"call", "inside", "once", "twice"}; /* enum spying */
    for (int i = SPY_NONE; i <= SPY_TWICE; i++)
        if (!strcmp(word, names[i])) {
            kind->spying = (enum spying)i;
            return 0;
        }
    return -1;
}

static int parse(struct wanted *wanted, const struct sample *sample)
{
    char text[MAX_MEASURE], *rest = text, *word;
    memset(wanted, 0, sizeof *wanted); /* padding, too: kinds are compared byte by byte */
    wanted->under_way = 1;
    wanted->kind.connections = (unsigned)sample->keys;
    (void)strncpy(text, sample->measure, sizeof text - 1);
    text[sizeof text - 1] = 0;
    char *fault = strchr(text, '+');
    if (fault) *fault++ = 0;
    word = strsep(&rest, "-");
    wanted->batch = !strcmp(word, "batch");
    if (parse_spying(&wanted->kind, wanted->batch ? "call" : word) || !(word = strsep(&rest, "-"))) return -1;
    wanted->kind.transport = transport_named(word);
    if (!wanted->kind.transport) return -1;
    while ((word = strsep(&rest, "-")))
        if (option(wanted, word)) return -1;
    return fault ? parse_fault(&wanted->kind, fault) : 0;
}

static void require(enum trouble trouble)
{
    if (trouble) harness_fail(PEER_FAILED, "%s", trouble_text(trouble));
}

static struct session *session_for(const struct session_kind *kind)
{
    for (unsigned i = 0; i < opened; i++)
        if (!memcmp(&open_sessions[i].kind, kind, sizeof *kind)) return open_sessions[i].session;
    if (opened == MAX_SESSIONS) session_close(open_sessions[--opened].session, NULL);
    struct session *session = session_open(kind);
    memcpy(&open_sessions[opened].kind, kind, sizeof *kind);
    open_sessions[opened].session = session;
    return open_sessions[opened++].session;
}

static uint8_t *payload;
static size_t payload_bytes;

static void new_payload(void)
{
    prng_fill(payload, payload_bytes < 16 ? payload_bytes : 16);
}

static unsigned any_connection(const struct wanted *wanted)
{
    return wanted->kind.connections > 1 ? (unsigned)(prng_word() % wanted->kind.connections) : 0;
}

static void check_result(const struct session *session)
{
    if (!session_result_is(session, payload, payload_bytes))
        harness_fail(WRONG_OUTPUT, "the result of a call is not the payload that was sent");
}

#define WARM_CALLS 3

static void begin(struct session *session, const struct wanted *wanted)
{
    require(session_begin(session, any_connection(wanted), payload, payload_bytes));
}

/* One call at a time. */
static void take_calls(struct sample *sample, struct session *session, const struct wanted *wanted)
{
    unsigned connection;
    for (int i = 0; i < WARM_CALLS; i++) {
        begin(session, wanted);
        require(session_end(session));
    }
    TIME_SERIES(sample, (check_result(session), new_payload(), connection = any_connection(wanted)), ({
                    require(session_begin(session, connection, payload, payload_bytes));
                    require(session_end(session));
                }));
    check_result(session);
}

/* Several calls under way: an answer, then another call. */
static void take_turns(struct sample *sample, struct session *session, const struct wanted *wanted)
{
    while (session_under_way(session) < wanted->under_way) begin(session, wanted);
    TIME_SERIES(sample, (void)0, ({
                    require(session_end(session));
                    require(session_begin(session, any_connection(wanted), payload, payload_bytes));
                }));
    while (session_under_way(session)) require(session_end(session));
    check_result(session);
}

/* The time inside the parts, one call at a time. */
static void take_inside(struct sample *sample, struct session *session, const struct wanted *wanted)
{
    struct account *ends = session_accounts(session);
    for (unsigned i = 0; i < sample->timings + WARM_CALLS; i++) {
        ends[0].inside = ends[1].inside = 0;
        begin(session, wanted);
        require(session_end(session));
        const int64_t server = wanted->kind.transport->in_process ? ends[1].inside : ends[0].inside;
        if (i >= WARM_CALLS) sample->series[i - WARM_CALLS] = ends[0].inside + server;
    }
}

#define BATCHES 8
#define BATCH_CALLS 10000

static void take_batches(struct sample *sample, struct session *session, const struct wanted *wanted)
{
    sample->timings = BATCHES;
    for (unsigned i = 0; i < BATCHES; i++) {
        const int64_t start = counter_read();
        for (unsigned call = 0; call < BATCH_CALLS; call++) {
            begin(session, wanted);
            require(session_end(session));
        }
        sample->series[i] = counter_read() - start;
        check_result(session);
    }
}

static int is_offered(const struct wanted *wanted, const struct sample *sample)
{
    const struct transport *transport = wanted->kind.transport;
    const size_t packet = MESSAGE + sample->length + MAX_OVERHEAD;
    if (transport->in_process && wanted->kind.apart) return 0;
    if (rung_layer->datagrams && !transport->datagrams) return 0;
    if (transport->datagrams && !transport->in_process)
        return packet <= 65507 && packet * wanted->under_way <= 100000; /* what a socket's buffer holds for sure */
    return 1;
}

static void take_any(struct sample *sample, const struct wanted *wanted)
{
    struct session *session = session_for(&wanted->kind);
    session_enter(session);
    if (!wanted->kind.transport->in_process) switches_begin();
    if (wanted->kind.spying == SPY_TIMED)
        take_inside(sample, session, wanted);
    else if (wanted->batch)
        take_batches(sample, session, wanted);
    else if (wanted->under_way > 1)
        take_turns(sample, session, wanted);
    else
        take_calls(sample, session, wanted);
    if (!wanted->kind.transport->in_process) switches_end();
    spy_stop();
}

static int call(struct sample *sample)
{
    struct wanted wanted;
    if (parse(&wanted, sample)) return -1;
    if (!is_offered(&wanted, sample)) return 1;
    if (!payload) payload = allocate(max_length() + 16, 0);
    payload_bytes = sample->length;
    prng_fill(payload, payload_bytes);
    take_any(sample, &wanted);
    return 0;
}

static __attribute__((noinline)) void nothing(void)
{
    __asm__ volatile("");
}
static void (*volatile by_pointer)(void) = nothing;

/* Measures of a library's layer; -1 if it has none of that name. */
int library_measure(struct sample *sample) __attribute__((weak, visibility("default")));

int operation_measure(struct sample *sample)
{
    const char *measure = sample->measure;
    if (!strcmp(measure, "copy")) {
        static uint8_t *from, *to;
        if (!from) from = allocate(max_length() + 1, 0), to = allocate(max_length() + 1, 0);
        TIME_SERIES(sample, (void)0, ({
                        memcpy(to, from, sample->length);
                        __asm__ volatile("" ::"r"(to) : "memory");
                    }));
    } else if (!strcmp(measure, "indirect")) {
        TIME_SERIES(sample, (void)0, by_pointer());
    } else if (!strcmp(measure, "direct")) {
        TIME_SERIES(sample, (void)0, nothing());
    } else if (!strcmp(measure, "allocation")) {
        TIME_SERIES(sample, (void)0, ({
                        void *memory = malloc(sample->length);
                        __asm__ volatile("" ::"r"(memory) : "memory");
                        free(memory);
                    }));
    } else if (!strcmp(measure, "system")) {
        TIME_SERIES(sample, (void)0, (void)syscall(SYS_getppid));
    } else {
        return library_measure && strchr(measure, '-') && !library_measure(sample) ? 0 : call(sample);
    }
    return 0;
}
