/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RUNTIME_H
#define RUNTIME_H

/* What the files of the harness share among themselves; operations do not see it. */

#include <stdio.h>

#include "harness.h"

/* A grid gives addresses modulo this, a page; `allocate` leaves room to move a buffer by that much. */
#define ALIGNMENTS 4096u

/* The stream of records. File descriptor 1 itself is redirected to standard
 * error, so that an implementation cannot print into the records by accident. */
extern FILE *records;

/* Moves the records to a descriptor of their own. Runs before any code of an
 * implementation, constructors included. If `authenticated`, reads a key from the
 * start of standard input, and the last record is a `tag` record. */
void records_open(int authenticated);

/* Creates the stream. Separate from records_open, which runs before the C library
 * is ready for streams. */
void records_stream(void);

/* Flushes the records and writes their tag. Returns 0, or -1 if writing fails. */
int records_close(void);

/* The keyed hash for the `tag` record. record_tag_open reads the key from standard
 * input; record_tag_close returns 1 and the hash of all data added, or 0 if the
 * records are not authenticated. */
#define RECORD_TAG_BYTES 16
void record_tag_open(void);
void record_tag_add(const char *data, size_t length);
int record_tag_close(uint8_t out[RECORD_TAG_BYTES]);

/* From now on cpu_budget_start gives this share of the CPU time that it is asked for. */
void cpu_budget_scale(double share);

/* Installs a filter under which system calls that no primitive needs (new
 * processes, sockets, opening files for writing, tracing) end the process with a
 * record that names the call. Does nothing if the kernel has no seccomp. */
void seccomp_install(void);

/* From now on no input becomes writable (input_addresses.h), and the handler of forbidden system calls stays;
 * with `also_faults`, those of page faults, too. Else code could change its inputs and put them back, hide what it
 * tries, or compute an output only when it is read, after the timing. A check of stateful keys handles page faults
 * itself. */
void seccomp_seal(int also_faults);

/* Installs handlers that report SIGSEGV, SIGILL, SIGFPE, SIGABRT ... and, until
 * signals_done, exit() as a failure of the current case. */
void signals_install(void);
void signals_done(void);

/* Records the signal handlers, mask and stack, timers, threads, limits and open descriptors, and what process_facts.c
 * has. process_state_check fails if anything but the descriptors has changed since; process_state_check_descriptors, if
 * more of them are open than a library may keep. */
void process_state_record(void);
void process_state_check(void);
void process_state_check_descriptors(void);

/* Fails if bytes beside an object of allocate_guarded have changed. */
void allocated_check(void);

/* Records signals and limits before any constructor runs; process_state_check_constructors fails if one of them has
 * changed something. */
void process_state_begin(void);
void process_state_check_constructors(void);

/* The same for what a process has of its own beside these: environment, locale, name and so on. */
void process_facts_record(void);
void process_facts_check(void);

/* The name of the process, cut off at `size` bytes; -1 if the system does not tell. */
int process_name(char *name, size_t size);

/* Records how much memory is in use; memory_check fails if many calls have left more in use. */
void memory_record(void);
void memory_check(void);

/* The bytes that guarded buffers and `allocate` have mapped. */
int64_t guard_mapped(void);

/* The functions that accept or reject, for memcheck and for callgrind (verification.h). */
void verifications_follow(void);
void verifications_count(void);

/* Answers the requests on standard input, one per line. */
void answer_requests(void);

/* Makes the request_ functions of harness.h read from `line`. */
void request_begin(char *line);

/* Sets the key pair to measure with: two words in hex. */
void keypair_set(char *words);

/* The verb `measure` (samples.c): parses its arguments and takes the samples.
 * Returns 0, or -1 if the arguments are malformed. */
int take_samples(int count, char **arguments);

/* The verb `repeat` (repeat.c): makes the calls that lines on standard input describe. */
int repeat_samples(int count, char **arguments);

/* The verb `place` (harness/placement/place.c), in executables that measure placement; as take_samples. */
int place(int count, char **arguments) __attribute__((weak));

/* Names the current measure for the `during` record of a failure. Keeps the
 * pointer, not a copy. */
void measure_begin(const char *name);

const char *current_case(void);

/* Prints the digests so far as a `digests` record, and the verdict `ok` with the last one. */
void verdict_ok(void);

/* Makes harness_digest print DIGEST_EVERY outputs, from the one with that number on, as `output` records, and then
 * end the process. */
void outputs_show(uint64_t first);

#endif
