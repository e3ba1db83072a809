/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COUNT_H
#define COUNT_H

/* Answers a request to count (count.c); -1 if the verb is another one. */
int count_answer(const char *verb);

#endif
