/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef HARNESS_H
#define HARNESS_H

/* The interface between the harness and an operation: the functions that the
 * operation's check.c, measure.c and secrets.c define, and those they may call.
 *
 * A timed executable is harness + operation + implementation. Its verbs:
 *
 *   info                    print sizes, as `info` records
 *   check SEED [lenient] [budget SHARE] [outputs FIRST]
 *                           run the property tests, print a `verdict` record;
 *                           or only print some of the outputs that they digest
 *   secrets                 call every function with marked secrets (secret.h)
 *   verifications           call what accepts or rejects, for callgrind to count
 *                           instructions (verification.h)
 *   oracle NAME [lenient]   print what an adapter's oracle computes
 *   answer                  answer requests from standard input, one per line
 *   measure ... GRID...     print samples
 *   repeat ... GRID...      make some of the timed calls again, and print the digests of their outputs
 *
 * Records are tab-separated lines on standard output; docs/harness.md lists
 * them. Anything that an implementation prints goes to standard error. */

#include <stddef.h>
#include <stdint.h>

/* ---- defined by the operation ------------------------------------------- */

/* check.c: prints the sizes with record_info. */
void operation_info(void);

/* check.c: returns if every property holds; otherwise calls harness_fail, which
 * does not return. Adds every result to harness_digest, so that the
 * implementations of one primitive can be compared. */
void operation_check(void);

/* check.c: answers one request, whose first word is `verb`; the request_
 * functions read the others. Returns 0, or -1 if it does not know the verb. */
int operation_answer(const char *verb);

/* secrets.c, only if the operation has secrets: calls every function with its
 * secret inputs marked (secret.h), and clears the mark of public results. */
void operation_secrets(void) __attribute__((weak));

struct sample; /* below */

/* measure.c: takes sample->timings timings of sample->measure, under the
 * variables of the sample, and stores them in sample->series (TIME_SERIES does
 * that). Returns 0; -1 if the measure is unknown; 1 if this implementation does
 * not offer it, and then there is no sample. */
int operation_measure(struct sample *sample);

/* ---- deterministic bytes -------------------------------------------------- */

void prng_seed(uint64_t seed);
uint64_t prng_word(void);                      /* uniform 64 bits */
void prng_fill(uint8_t *out, size_t length);   /* uniform bytes */

/* While samples are taken: seeds what they share, such as number `number` of a pool of keys. */
void prng_seed_shared(uint64_t number);

/* ---- what randombytes() returns to implementations ------------------------ */

/* Restarts the generator from `seed` and random_usage from zero. It begins at RANDOM_START. */
#define RANDOM_START UINT64_C(0x452821e638d01377)
void random_seed(uint64_t seed);

/* Makes randombytes() return exactly these bytes, from a vector, until
 * random_script_end. Fails if more are used, and at the end if some are left. */
void random_script(const uint8_t *bytes, size_t length);
void random_script_end(void);

/* Lets `other` fill the bytes from now on, as a foreign tree's tests do. */
typedef void random_function(unsigned char *x, unsigned long long xlen);
void random_use(random_function *other);

/* Marks all bytes from now on as secret (secret.h). */
void random_mark_secret(void);

/* The bytes that were used, and the calls, since random_seed or random_script. */
struct random_count {
    uint64_t bytes, calls;
};
struct random_count random_usage(void);

/* ---- slow primitives --------------------------------------------------------- */

/* A budget of CPU time, in seconds, for cases beyond the fixed ones: try them
 * while cpu_budget_left(). Do not add their results to harness_digest, because
 * a faster implementation gets through more of them. */
void cpu_budget_start(double seconds);

/* The same for the lengths at which implementations are compared: a share above 1 gives more time to these alone. */
void cpu_budget_start_lengths(double seconds);
int cpu_budget_left(void);

/* Seconds of CPU time, scaled by the share that this check was given; cpu_budget_start does the same. */
double cpu_budget_of(double seconds);

/* CPU time of this process in seconds; other processes do not count. */
double cpu_seconds(void);

/* Bytes that malloc has given out and not got back, and bytes that are mapped without its knowledge or the harness's;
 * 0 where the system does not tell. */
int64_t memory_heap(void);
int64_t memory_mapped(void);

/* Generates a key pair, or calls harness_fail. */
typedef int keypair_function(unsigned char *pk, unsigned char *sk);
void keypair_generate(uint8_t *pk, uint8_t *sk, keypair_function *generate);

/* The key pair to measure with: the one on the command line, else a new one. */
void keypair_to_measure(uint8_t *pk, size_t pk_length, uint8_t *sk, size_t sk_length, keypair_function *generate);

/* Prints a key pair that took `seconds` of CPU time to generate as a `pair`
 * record, for later processes of this executable. Does nothing if it was cheap. */
void keypair_record(const uint8_t *pk, size_t pk_length, const uint8_t *sk, size_t sk_length, double seconds);

/* Bytes of stack that `call` uses; calls it more than once. */
uint64_t stack_bytes(void (*call)(void));

/* ---- property tests -------------------------------------------------------- */

/* Names the case under test (printf format); a failure or a crash reports it. */
void harness_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* failure_kinds.def lists the kinds and their meanings. */
enum failure_kind {
#define KIND(name, meaning) FAILURE_##name,
#include "failure_kinds.def"
#undef KIND
};

/* Reports the current case as failed and ends the process. `kind` is written
 * without its prefix: harness_fail(WRONG_OUTPUT, "byte %zu differs", i). */
_Noreturn void harness_fail(enum failure_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define harness_fail(kind, ...) harness_fail(FAILURE_##kind, __VA_ARGS__)

/* Adds the bytes computed in the current case to the digest of the outputs. The
 * implementations of a primitive must share it; after a disagreement, the first
 * case in which they differ is found by its number. */
void harness_digest(const uint8_t *data, size_t length);

/* 1 if the tests shall be no stricter than a foreign tree's own, for an
 * implementation that failed ours. Buffers then keep a distance from the guard
 * pages, so that reading a little beyond them does not crash, and check.c skips
 * properties that foreign APIs do not promise. */
extern int harness_lenient;

/* Defined by an adapter that can compute what its tree expects of an
 * implementation (a checksum, known answers): prints one `answer` record.
 * Returns 0, or -1 if it has no oracle of that name. */
int oracle_answer(const char *name) __attribute__((weak));

/* ---- guarded buffers -------------------------------------------------------- */

enum guard_edge { GUARD_FRONT, GUARD_BACK };

/* A buffer between inaccessible pages, with canaries in the slack. An access
 * beyond the slack crashes; guard_check finds a write into the slack. */
struct guard {
    uint8_t *pages;
    size_t usable;     /* bytes between the two guard pages */
    uint8_t *room;     /* the placement and its canaries, at one end of the usable bytes; */
    size_t room_bytes; /* the middle is inaccessible */
    uint8_t *data;     /* where the placement begins */
    size_t length;
    enum guard_edge edge; /* the end at which the room is */
    unsigned intact;      /* bit 1 << edge: all bytes at that end but the placement are known to be canaries */
    unsigned turns;       /* placements at the front, of any alignment */
    const char *name;
    const uint8_t *input;   /* where it begins in a second mapping of the same memory, which is read-only */
    ptrdiff_t read_only;    /* the distance of the two mappings; 0 if there is only one */
    struct guard *opened_before;
};

/* Makes room for placements of up to `capacity` bytes; `name` appears in failures. */
void guard_open(struct guard *guard, size_t capacity, const char *name);

/* Places `length` bytes so that the first (GUARD_FRONT) or the last (GUARD_BACK)
 * is as close to a guard page as `alignment` allows (the address modulo 64, or
 * GUARD_ANY), fills all around and inside with canaries, and returns the address.
 * Every other placement with GUARD_ANY at the front has an odd address instead. */
#define GUARD_ANY 64u
uint8_t *guard_place(struct guard *guard, size_t length, unsigned alignment, enum guard_edge edge);

/* Places a copy of `bytes` for a function that only reads it, and returns its read-only address: a write there fails,
 * even if the bytes are put back. If harness_lenient, the address is writable. */
const uint8_t *guarded_copy(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                            enum guard_edge edge);

/* If `address` is in a read-only mapping, fails: something was written there. */
void guard_written(const void *address);

/* If `address` is in the guard pages of a buffer, fails: something was written or read there. */
void guard_missed(const void *address, int writes);

/* Fails if a byte outside the placement has changed. */
void guard_check(struct guard *guard, const char *name);

/* Returns `size` zeroed bytes at a page boundary + `alignment`, or calls
 * harness_fail. The memory is never freed. */
void *allocate(size_t size, unsigned alignment);

/* Returns `size` zeroed bytes for an object in which the code under test keeps something: an expanded key, a state.
 * They end at a guard page; at the end of a check, the bytes beside them must be unchanged. For few objects. */
void *allocate_guarded(size_t size, const char *name);

/* ---- requests ----------------------------------------------------------------- */

/* The next word of the request as bytes (hexadecimal, or "-" for none), as
 * exactly `length` bytes, or as a decimal number. Fail if it is missing or
 * malformed. */
const uint8_t *request_bytes(size_t *length);
const uint8_t *request_exactly(size_t length, const char *name);
uint64_t request_number(void);

/* Print the answer, in hexadecimal or as a word such as "rejected". */
void answer_bytes(const uint8_t *data, size_t length);
void answer_word(const char *word);

/* Answers "refused", with the result, if a call did not return 0; returns whether it answered. */
int answer_failure(int result);

/* Says why the adapter of a foreign API reports a failure; the answer to the request says it, too. */
void answer_because(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Forgets the reason; each request begins so. */
void answer_begin(void);

/* ---- records -------------------------------------------------------------------- */

void record_info(const char *name, uint64_t value);

/* ---- samples -------------------------------------------------------------------- */

#define SAMPLE_MAX_TIMINGS 120

struct sample {
    const char *measure;
    uint64_t length;    /* packet or message bytes */
    uint64_t ad_length; /* associated-data bytes */
    uint64_t keys;      /* active keys */
    unsigned alignment; /* of input and output, modulo 64 */
    unsigned output_alignment, key_alignment; /* the output's is `alignment` unless the grid says otherwise */
    unsigned cold;       /* what is evicted before the series: a set of enum cold (harness/evict/evict.h) */
    unsigned call_site;  /* 1 to 8: which copy of the timed loop; 0 outside harness/placement */
    unsigned between;    /* KiB of other code before each timing */
    unsigned repetition; /* number among the samples with the same values */
    unsigned timings;   /* requested; afterwards taken, since TIME_SERIES ends a slow series early */
    int64_t series[SAMPLE_MAX_TIMINGS];
    uint32_t outputs[SAMPLE_MAX_TIMINGS]; /* digests of what the timed calls computed (timing.h) */
    enum { OUTPUTS_NONE, OUTPUTS_SHARED, OUTPUTS_OWN } comparable; /* by nobody, any implementation, the same one */
    unsigned number; /* of the series among those taken for this sample, which have different inputs */
    unsigned first;  /* the number of the first timing in its series */
    unsigned inputs; /* different inputs made beforehand (inputs.h); 0: each timing has its own */
};

/* The largest value of a variable among all samples of this process, to
 * allocate buffers once. */
uint64_t max_length(void);
uint64_t max_ad_length(void);
uint64_t max_keys(void);

#endif
