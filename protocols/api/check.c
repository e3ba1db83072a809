/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What must hold of every level before it is measured: it computes what a direct call computes. */
#include <stdio.h>

#include "levels.h"

void check_result(struct message *m, int is_other)
{
    const size_t bytes = (size_t)SUBJECT_OUTPUT(m->n);
    uint8_t *expected = m->spare[0];
    if (is_other) return;
    memmove(m->spare[1], m->result, bytes);
    memset(expected, 0, bytes);
    DIRECT(expected, m->in, m->nonce, m->state);
    if (memcmp(expected, m->spare[1], bytes)) harness_fail(WRONG_OUTPUT, "differs from that of a direct call");
}

void operation_check(void)
{
    static const uint64_t lengths[] = {16, 45, 64, 576, 1500, 16384};
    (void)message_of(lengths[sizeof lengths / sizeof lengths[0] - 1]); /* makes room for all */
    for (unsigned i = 0; i < level_count(); i++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const struct level *level = level_number(i);
            struct message *m = message_of(lengths[k]);
            harness_case("the result of %s for %zu bytes", level->name, (size_t)m->n);
            if (level->is_offered(m)) level->run(m);
        }
}

/* `level:TOGGLE-LEVEL`: its line, and more if it is not the base, or is a plain one. */
#define NOT_BASE 1000000
#define PLAIN 2000000

void operation_info(void)
{
    for (unsigned i = 0; i < level_count(); i++) {
        const struct level *level = level_number(i);
        char text[96];
        (void)snprintf(text, sizeof text, "level:%s", level->name);
        record_info(text, level->line + (level->is_base ? 0 : NOT_BASE) + (level->is_plain ? PLAIN : 0));
    }
}

int operation_answer(const char *verb)
{
    (void)verb;
    return -1;
}
