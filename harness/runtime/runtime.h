/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RUNTIME_H
#define RUNTIME_H

/* What the harness's own files share and an operation does not see. */

#include <stdio.h>

#include "harness.h"

/* The stream of records; standard output itself is given to standard error so
 * that an implementation cannot print into the records by accident. */
extern FILE *records;

/* Gives the records a way of their own, before anything of an implementation
 * (constructors included) has run; `authenticated` records end with a `tag` record,
 * for which the key is read from the start of standard input. */
void records_open(int authenticated);

/* Makes the stream; apart from records_open, which runs before the C library
 * is ready for streams. */
void records_stream(void);

/* Writes what is left, and their tag. 0, or -1 when it cannot be written. */
int records_close(void);

#define RECORD_TAG_BYTES 16
void record_tag_open(void);
void record_tag_add(const char *data, size_t length);
/* 1, and the keyed hash of all that was added; 0 when the records carry no tag. */
int record_tag_close(uint8_t out[RECORD_TAG_BYTES]);

/* After this, system calls that no primitive needs (new processes, sockets,
 * opening files to write, tracing) end the process with a record that names
 * the call. Does nothing where the kernel has no seccomp. */
void seccomp_install(void);

/* Handlers that turn SIGSEGV, SIGILL, SIGFPE, SIGABRT ... and exit() into a
 * record with the present case, until they are over. */
void signals_install(void);
void signals_done(void);

void answer_requests(void);

/* What the request_ functions of harness.h read from here on. */
void request_begin(char *line);

/* The words of the key pair to measure with, in hex. */
void keypair_set(char *words);

/* measure.c of the harness: parses grid lines and takes the samples. */
int take_samples(int count, char **arguments);

/* Names the measure under way: a failure's `during` record. It must outlive the process. */
void measure_begin(const char *name);

/* The present case, and the digest so far. */
const char *current_case(void);
void verdict_ok(void);

#endif
