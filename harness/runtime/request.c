/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Requests for the verb `answer`: words separated by spaces, bytes in hex. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

static char *rest; /* the unread part of the current line */

void request_begin(char *line)
{
    rest = line;
}

static const char *next_word(void)
{
    char *word = rest ? strsep(&rest, " \n") : NULL;
    if (!word || !*word) harness_fail(HARNESS_ERROR, "the request has too few words");
    return word;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

const uint8_t *request_bytes(size_t *length)
{
    const char *word = next_word();
    size_t n = strcmp(word, "-") ? strlen(word) / 2 : 0;
    uint8_t *bytes = malloc(n + 1);
    if (!bytes) harness_fail(HARNESS_ERROR, "out of memory for a request");
    for (size_t i = 0; i < n; i++) {
        int high = digit(word[2 * i]), low = digit(word[2 * i + 1]);
        if (high < 0 || low < 0) harness_fail(HARNESS_ERROR, "the request contains a word that is not hexadecimal");
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    *length = n;
    return bytes; /* never freed: requests are few */
}

const uint8_t *request_exactly(size_t length, const char *name)
{
    size_t n;
    const uint8_t *bytes = request_bytes(&n);
    if (n != length) harness_fail(HARNESS_ERROR, "%s has %zu bytes; the primitive takes %zu", name, n, length);
    return bytes;
}

uint64_t request_number(void)
{
    return strtoull(next_word(), NULL, 10);
}

void answer_requests(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        request_begin(line);
        answer_begin();
        const char *verb = next_word();
        harness_case("request %s", verb);
        if (!strcmp(verb, "seed"))
            random_seed(request_number()); /* which answers nothing */
        else if (operation_answer(verb))
            harness_fail(HARNESS_ERROR, "unknown request %s", verb);
    }
    free(line);
}
