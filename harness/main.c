/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verbs of a timed executable; see harness.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

static int run(int count, char **arguments)
{
    const char *verb = arguments[1];
    if (!strcmp(verb, "info")) {
        operation_info();
        return 0;
    }
    if (!strcmp(verb, "check") && count == 3) {
        bytes_seed(strtoull(arguments[2], NULL, 10));
        operation_check();
        verdict_ok();
        return 0;
    }
    if (!strcmp(verb, "answer")) {
        requests_serve();
        return 0;
    }
    if (!strcmp(verb, "measure")) return samples_take(count - 2, arguments + 2);
    return -1;
}

int main(int count, char **arguments)
{
    const int out = dup(STDOUT_FILENO);
    if (out < 0 || !(records = fdopen(out, "w"))) return 4;
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    catch_crashes();
    confine();
    if (count < 2 || run(count, arguments)) {
        (void)fputs("usage: info | check SEED | answer | measure SEED TIMINGS PATIENCE_MS GRID...\n", stderr);
        return 2;
    }
    return fflush(records) ? 4 : 0;
}
