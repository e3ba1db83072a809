/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COUNT_H
#define COUNT_H

#include "session.h"

/* Answers a request to count (count.c); -1 if the verb is another one. */
int count_answer(const char *verb);

/* A session over the queue; and one call, which must return what was sent. They fail the process. */
struct session *open_in_process(void);
void call_once(struct session *session, const uint8_t *payload, size_t n);

#endif
