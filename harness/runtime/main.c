/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verbs of a timed executable; see harness.h. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#include "verification.h"

#define STALE_HEAP 0xa5 /* what new memory of malloc holds: a program that reads it shows */

/* SEED [lenient] [budget SHARE] [outputs FIRST]. Answers the requests on standard input first: published vectors, for
 * which no process of their own is started. */
static void check(int count, char **arguments)
{
    answer_requests();
    random_seed(RANDOM_START);
    harness_lenient = count > 1 && !strcmp(arguments[1], "lenient");
    int next = 1 + harness_lenient;
    if (count > next + 1 && !strcmp(arguments[next], "budget")) {
        cpu_budget_scale(strtod(arguments[next + 1], NULL));
        next += 2;
    }
    if (count > next + 1 && !strcmp(arguments[next], "outputs")) outputs_show(strtoull(arguments[next + 1], NULL, 10));
    prng_seed(strtoull(arguments[0], NULL, 10));
#ifdef M_PERTURB /* of glibc */
    (void)mallopt(M_PERTURB, STALE_HEAP);
#endif
    memory_record();
    operation_check();
    allocated_check();
    process_state_check();
    process_state_check_descriptors();
    if (!harness_lenient) memory_check();
    verdict_ok();
}

static int run(int count, char **arguments)
{
    const char *verb = arguments[1];
    if (!strcmp(verb, "info")) {
        operation_info();
        return 0;
    }
    if (!strcmp(verb, "check") && count >= 3) {
        check(count - 2, arguments + 2);
        return 0;
    }
    if (!strcmp(verb, "answer")) {
        answer_requests();
        return 0;
    }
    if (!strcmp(verb, "secrets") && operation_secrets) {
        prng_seed(1);
        random_mark_secret();
        operation_secrets();
        verifications_follow();
        verdict_ok();
        return 0;
    }
    if (!strcmp(verb, "verifications") && operation_verifications) {
        verifications_count();
        verdict_ok();
        return 0;
    }
    if (!strcmp(verb, "oracle") && count >= 3 && oracle_answer) {
        harness_lenient = count > 3 && !strcmp(arguments[3], "lenient");
        return oracle_answer(arguments[2]);
    }
    if (!strcmp(verb, "place") && place) return place(count - 2, arguments + 2);
    if (!strcmp(verb, "measure")) {
        const int malformed = take_samples(count - 2, arguments + 2);
        process_state_check();
        return malformed;
    }
    if (!strcmp(verb, "repeat")) return repeat_samples(count - 2, arguments + 2);
    return -1;
}

/* FNV-1a of all arguments, each with the zero behind it. */
static uint64_t hash_of(int count, char **arguments)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < count; i++)
        for (const char *c = arguments[i], *end = c + strlen(c); c <= end; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    return hash;
}

/* Runs before all constructors, including an implementation's: installs the
 * seccomp filter and separates the records from standard output. */
static int confined;
static uint64_t command_line;
static void confine(int count, char **arguments, char **environment)
{
    (void)environment;
    confined = 1;
    command_line = hash_of(count, arguments);
    records_open(count > 1 && !strcmp(arguments[1], "authenticated"));
    seccomp_install();
    process_state_begin();
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **, char **) = confine;

int main(int count, char **arguments)
{
    const int authenticated = count > 1 && !strcmp(arguments[1], "authenticated");
    if (!confined) confine(count, arguments, NULL); /* musl runs nothing before constructors */
    records_stream();
    process_state_check_constructors();
    if (hash_of(count, arguments) != command_line) harness_fail(SIDE_EFFECT, "changes the arguments of the process");
    signals_install();
    process_state_record();
    const int has_verb = count >= 2 + authenticated;
    if (has_verb) seccomp_seal(strcmp(arguments[1 + authenticated], "check"));
    const int failed = !has_verb || run(count - authenticated, arguments + authenticated);
    signals_done();
    if (failed) {
        (void)fputs("usage: info | check SEED [lenient] [budget SHARE] [outputs FIRST] | secrets | verifications | "
                    "oracle NAME [lenient] | answer | measure|repeat SEED TIMINGS PATIENCE_MS NOISE_FLOOR DITHER [pair "
                    "PK SK] GRID...\n",
                    stderr);
        return 2;
    }
    return records_close() ? 4 : 0;
}
