/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The measures are the levels of the toggles (api.h), `TOGGLE-LEVEL`; `length` counts the bytes of the message. */
#include "api.h"
#include "levels.h"

static struct {
    uint64_t room;
    uint8_t *in, *out, *spare[2];
    uint8_t nonce[SUBJECT_NONCEBYTES + 1], key[SUBJECT_KEYBYTES + 1];
    subject_state state;
    struct message message;
} m;

static void open_rooms(uint64_t length)
{
    m.room = (length > max_length() ? length : max_length()) + 2 * MARGIN;
    m.in = allocate((size_t)m.room, 0);
    m.out = allocate((size_t)m.room, 0);
    for (int i = 0; i < 2; i++) m.spare[i] = allocate((size_t)m.room, 0);
}

/* The next whole number of blocks. */
static uint64_t whole(uint64_t length)
{
    return (length + SUBJECT_BLOCKBYTES - 1) / SUBJECT_BLOCKBYTES * SUBJECT_BLOCKBYTES;
}

struct message *message_of(uint64_t length)
{
    const uint64_t n = whole(length);
    if (n + MARGIN > m.room) open_rooms(n);
    m.message = (struct message){.in = m.in,
                                 .n = n,
                                 .out = m.out,
                                 .result = m.out,
                                 .nonce = m.nonce,
                                 .key = m.key,
                                 .state = &m.state,
                                 .spare = {m.spare[0], m.spare[1]}};
    prng_fill(m.in, (size_t)n);
#if SUBJECT_KEYBYTES
    prng_fill(m.key, SUBJECT_KEYBYTES);
    if (SUBJECT_EXPAND(&m.state, m.key)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
#endif
    return &m.message;
}

void next_message(struct message *message)
{
    prng_fill(message->nonce, SUBJECT_NONCEBYTES);
}

void digest_result(const struct message *message)
{
    if (message->is_random)
        timed_nothing();
    else
        timed_own_output(message->result, (size_t)SUBJECT_OUTPUT(message->n));
}

extern const struct level *const __start_levels[], *const __stop_levels[];

unsigned level_count(void)
{
    return (unsigned)(__stop_levels - __start_levels);
}

const struct level *level_number(unsigned i)
{
    return __start_levels[i];
}

int operation_measure(struct sample *sample)
{
    struct message *message = message_of(sample->length);
    for (unsigned i = 0; i < level_count(); i++)
        if (!strcmp(level_number(i)->name, sample->measure)) {
            if (!level_number(i)->is_offered(message)) return 1;
            level_number(i)->time(message, sample);
            return 0;
        }
    return -1;
}
