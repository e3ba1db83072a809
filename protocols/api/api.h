/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef API_H
#define API_H

/* What an interface around a primitive costs. A toggle is one decision of whoever designs such an interface; each of
 * its levels calls the same primitive with the same inputs, and one thing is different.
 *
 * Files that one adds, and nothing else names:
 *
 *   subjects/OPERATION_subject.h   what a toggle may use of a primitive of that operation
 *   ../toggles/X.c         a toggle; those in ../toggles/openssl are only built where OpenSSL is installed
 *
 * A toggle is a file with one BASE and some LEVELs. The measure of a level is `TOGGLE-LEVEL`, and `length` counts the
 * bytes of a message; a subject that works on blocks gets whole ones. The executable has the verbs of every timed
 * executable (harness.h). */

#include <stdlib.h>
#include <string.h>

#include "timing.h"

/* A subject defines
 *
 *   subject_state            an expanded key
 *   SUBJECT_KEYBYTES         0 if it has no key; then there is no SUBJECT_EXPAND
 *   SUBJECT_NONCEBYTES       0 if it has none
 *   SUBJECT_BLOCKBYTES       1 unless messages are whole blocks
 *   SUBJECT_OUTPUT(n)        bytes of the result
 *   SUBJECT_TEXT             where the result keeps the text, so that a message there is worked on in its place;
 *                            undefined if it cannot be
 *   SUBJECT_FUNCTION         the function that is called, and
 *   SUBJECT_CALL(f, ...)     a call of f with (out, in, n, nonce, state)
 *   SUBJECT_EXPAND(state, key) */
#include SUBJECT_HEADER

/* Room for the longest message, and what a toggle adds to it. */
#define MARGIN 256

/* One message, as every level gets it. A level leaves the result, which is that of a direct call, at `result`. */
struct message {
    const uint8_t *in; /* n bytes at the start of a line */
    uint64_t n;
    uint8_t *out;         /* room for the result */
    uint8_t *nonce;       /* which the level may change */
    const uint8_t *key;   /* before its expansion, */
    subject_state *state; /* and after */
    uint8_t *spare[2];    /* rooms as large as the message and MARGIN, at the start of a line */
    uint8_t *result;
    int is_random; /* the nonce is: nobody can repeat the call */
};

/* The call that all levels have in common. */
#define DIRECT(out_, in_, nonce_, state_) (void)SUBJECT_CALL(SUBJECT_FUNCTION, out_, in_, m->n, nonce_, state_)

struct level {
    const char *name; /* TOGGLE-LEVEL */
    unsigned line;    /* of its file: the order of the levels */
    int is_base;      /* what the others are compared with */
    int is_plain;     /* a direct call and nothing else: such bases differ by their place in the program alone */
    int is_other;     /* computes something else than a direct call */
    int (*is_offered)(const struct message *m);
    void (*run)(struct message *m);
    void (*time)(struct message *m, struct sample *sample);
};

/* A level computes with m: `where` declares what lives during a series, `before` is not timed, `call` is. What was
 * stored before has reached the cache when the call begins: otherwise a level that takes a few cycles until it reads
 * the nonce would be faster than one that reads it at once. */
#define ANY_LEVEL(toggle, level_, base, plain, other, offered, attributes, where, before, call)                      \
    static int offered_##level_(const struct message *m)                                                             \
    {                                                                                                                \
        (void)m;                                                                                                     \
        return offered;                                                                                              \
    }                                                                                                                \
    attributes static void run_##level_(struct message *m)                                                           \
    {                                                                                                                \
        where;                                                                                                       \
        next_message(m);                                                                                             \
        before;                                                                                                      \
        call;                                                                                                        \
        check_result(m, other);                                                                                      \
    }                                                                                                                \
    attributes static void time_##level_(struct message *m, struct sample *sample)                                   \
    {                                                                                                                \
        where;                                                                                                       \
        TIME_CHECKED(                                                                                                \
            sample,                                                                                                  \
            {                                                                                                        \
                next_message(m);                                                                                     \
                before;                                                                                              \
                __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                             \
            },                                                                                                       \
            call, digest_result(m));                                                                                 \
    }                                                                                                                \
    static const struct level level_##level_;                                                                        \
    static const struct level *const registered_##level_ __attribute__((section("levels"), used)) = &level_##level_; \
    static const struct level level_##level_ = {toggle "-" #level_, __LINE__,     base,         plain, other,        \
                                                offered_##level_,   run_##level_, time_##level_}

#define PLAIN_BASE(toggle, level) ANY_LEVEL(toggle, level, 1, 1, 0, 1, , , , DIRECT(m->out, m->in, m->nonce, m->state))
#define BASE(toggle, level, where, before, call) ANY_LEVEL(toggle, level, 1, 0, 0, 1, , where, before, call)
#define LEVEL(toggle, level, where, before, call) ANY_LEVEL(toggle, level, 0, 0, 0, 1, , where, before, call)
#define LEVEL_IF(offered, toggle, level, where, before, call) \
    ANY_LEVEL(toggle, level, 0, 0, 0, offered, , where, before, call)

/* Draws the nonce of the next message. */
void next_message(struct message *m);

/* Fails unless the result is that of a direct call under the message's nonce. */
void check_result(struct message *m, int is_other);

/* Adds the result to what a timing computed (timing.h). */
void digest_result(const struct message *m);

/* The message of `length` bytes: the same bytes for every level. */
struct message *message_of(uint64_t length);

#endif
