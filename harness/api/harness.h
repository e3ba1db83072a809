/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HARNESS_H
#define HARNESS_H

/* What an operation's check.c and measure.c may use, and what they must give.
 *
 * One executable = harness + operation + implementation.  Its verbs:
 *
 *   info                 sizes, as `info` records
 *   check SEED           the operation's laws, as a `verdict` record
 *   answer               requests from standard input, one a line, answers out
 *   measure ... GRID...  samples (choose is the same verb with a small grid)
 *
 * Records are tab-separated lines on standard output; docs/harness.md lists
 * them.  Whatever an implementation prints goes to standard error instead. */

#include <stddef.h>
#include <stdint.h>

/* ---- what the operation gives ------------------------------------------- */

/* check.c: prints info records. */
void operation_info(void);

/* check.c: returns when every law holds; otherwise harness_fail does not
 * return.  Everything computed goes into harness_digest, so that
 * implementations of one primitive can be compared. */
void operation_check(void);

/* check.c: answers one request (words of a line, hex fields decoded by
 * request_bytes).  0, or -1 for a request it does not know. */
int operation_answer(const char *verb);

/* secrets.c, where an operation has secrets: calls every function with its
 * secret inputs marked (secret.h), and clears what is public afterwards. */
void operation_secrets(void) __attribute__((weak));

struct sample; /* below */

/* measure.c: takes one series of sample->timings timings for sample->measure
 * and its variables into sample->series.  0; -1 for an unknown measure; 1 for
 * one that this implementation does not offer: there is no sample then. */
int operation_measure(struct sample *sample);

/* ---- deterministic bytes -------------------------------------------------- */

void prng_seed(uint64_t seed);
uint64_t prng_word(void);                      /* uniform 64 bits */
void prng_fill(uint8_t *out, size_t length);   /* uniform bytes */

/* ---- random bytes that implementations draw (randombytes) ----------------- */

/* They go on from here; counting starts again. */
void random_seed(uint64_t seed);

/* Until random_script_end exactly these are drawn, from a vector: harness_fail
 * when more are drawn, and at the end when some are left. */
void random_script(const uint8_t *bytes, size_t length);
void random_script_end(void);

/* randombytes() as another tree's tests have it, from here on. */
typedef void random_function(unsigned char *x, unsigned long long xlen);
void random_use(random_function *other);

/* From here on what is drawn is a secret (secret.h). */
void random_mark_secret(void);

/* What was drawn since random_seed or random_script. */
struct random_count {
    uint64_t bytes, calls;
};
struct random_count random_usage(void);

/* ---- slow primitives --------------------------------------------------------- */

/* Cases beyond the fixed ones are tried while cpu_budget_left(), in CPU seconds of
 * this process.  Their results must not go into harness_digest: another
 * implementation has time for other ones. */
void cpu_budget_start(double seconds);
int cpu_budget_left(void);

/* What this process has had: others on the machine do not cost it cases. */
double cpu_seconds(void);

/* A fresh key pair; harness_fail when it cannot be drawn. */
typedef int keypair_function(unsigned char *pk, unsigned char *sk);
void keypair_generate(uint8_t *pk, uint8_t *sk, keypair_function *draw);

/* The key pair to measure with: the one that the process was given, else a fresh one. */
void keypair_to_measure(uint8_t *pk, size_t pk_length, uint8_t *sk, size_t sk_length, keypair_function *draw);

/* A `pair` record for this executable's next processes, of one that took long to draw. */
void keypair_record(const uint8_t *pk, size_t pk_length, const uint8_t *sk, size_t sk_length, double seconds);

/* Bytes of stack that a call uses; it is called more than once. */
uint64_t stack_bytes(void (*call)(void));

/* ---- laws ------------------------------------------------------------------ */

/* Names the case under test, printf-like; a failure or a crash reports it. */
void harness_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* failure_kinds.def lists them. */
enum failure_kind {
#define KIND(name, meaning) FAILURE_##name,
#include "failure_kinds.def"
#undef KIND
};

/* Reports the present case as failed, with the kind of failure and the reason, and ends the process:
 * harness_fail(WRONG_OUTPUT, "byte %zu differs", i). */
_Noreturn void harness_fail(enum failure_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define harness_fail(kind, ...) harness_fail(FAILURE_##kind, __VA_ARGS__)

/* Mixes computed bytes into the digest that `verdict` reports. */
void harness_digest(const uint8_t *data, size_t length);

/* 1 when the laws are to be no stricter than a foreign tree's own tests, for an
 * implementation that broke one of ours: then buffers stand away from the
 * inaccessible pages, so that reading beyond them is no crash, and check.c
 * leaves out what no such API promises. */
extern int harness_lenient;

/* An adapter that can compute what its tree expects of an implementation (a
 * checksum, known answers) defines this: prints one `answer` record. 0, or -1
 * for an oracle it does not have. */
int oracle_answer(const char *name) __attribute__((weak));

/* ---- guarded buffers -------------------------------------------------------- */

/* A buffer with an inaccessible page on either side and canaries in the slack:
 * a read or write beyond the page boundary traps, a write into the slack is
 * found by guard_check. */
struct guard {
    uint8_t *pages;
    size_t usable; /* bytes between the two inaccessible pages */
    uint8_t *room; /* of the present placement and its canaries, */
    size_t room_bytes; /* at one end of them; what is in the middle cannot be reached then either */
    uint8_t *data; /* where the present placement begins */
    size_t length;
};

void guard_open(struct guard *guard, size_t capacity, const char *name);

enum guard_edge { GUARD_FRONT, GUARD_BACK };

/* Places `length` bytes so that their first (GUARD_FRONT) or last (GUARD_BACK)
 * byte touches the inaccessible page as closely as `alignment` (address modulo
 * 64; any = GUARD_ANY) allows, and fills the rest with canaries. */
#define GUARD_ANY 64u
uint8_t *guard_place(struct guard *guard, size_t length, unsigned alignment, enum guard_edge edge);

/* harness_fail when a byte outside the placement has changed. */
void guard_check(const struct guard *guard, const char *name);

/* Memory of the given size for measuring: zeroed, page-aligned + alignment,
 * never freed. Ends the process with a record when there is none. */
void *allocate(size_t size, unsigned alignment);

/* ---- requests ----------------------------------------------------------------- */

/* The next word of the request as bytes ("-" is empty) or as a number;
 * harness_fail when it is missing or malformed. */
const uint8_t *request_bytes(size_t *length);
const uint8_t *request_exactly(size_t length, const char *name);
uint64_t request_number(void);

void answer_bytes(const uint8_t *data, size_t length);
void answer_word(const char *word);

/* ---- records -------------------------------------------------------------------- */

void record_info(const char *name, uint64_t value);

/* ---- samples -------------------------------------------------------------------- */

#define SAMPLE_MAX_TIMINGS 64

struct sample {
    const char *measure;
    uint64_t length;    /* packet or message bytes */
    uint64_t ad_length; /* associated-data bytes */
    uint64_t keys;      /* active keys */
    unsigned alignment; /* of input and output, modulo 64 */
    unsigned timings; /* wanted; afterwards those taken: TIME_SERIES ends a slow series early */
    int64_t series[SAMPLE_MAX_TIMINGS];
};

/* The largest value of a variable over all samples that this process takes,
 * so that buffers are made once. */
uint64_t max_length(void);
uint64_t max_ad_length(void);
uint64_t max_keys(void);

#endif
