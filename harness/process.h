/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROCESS_H
#define PROCESS_H

/* What the harness's own files share and an operation does not see. */

#include <stdio.h>

#include "harness.h"

/* The stream of records; standard output itself is given to standard error so
 * that an implementation cannot print into the records by accident. */
extern FILE *records;

/* Gives the records a way of their own, before anything of an implementation
 * (constructors included) has run; `sealed` records end with a `seal` record,
 * for which the key is read from the start of standard input. */
void records_open(int sealed);

/* Makes the stream; apart from records_open, which runs before the C library
 * is ready for streams. */
void records_stream(void);

/* Writes what is left, and the seal. 0, or -1 when it cannot be written. */
int records_close(void);

#define SEAL_BYTES 16
void seal_open(void);
void seal_add(const char *data, size_t length);
/* 1, and the keyed hash of all that was added; 0 when there is no seal. */
int seal_close(uint8_t out[SEAL_BYTES]);

/* After this, system calls that no primitive needs (new processes, sockets,
 * opening files to write, tracing) end the process with a record that names
 * the call. Does nothing where the kernel has no seccomp. */
void confine(void);

/* Handlers that turn SIGSEGV, SIGILL, SIGFPE, SIGABRT ... and exit() into a
 * record with the present case, until they are over. */
void catch_crashes(void);
void crashes_are_over(void);

void requests_serve(void);

/* What the request_ functions of harness.h read from here on. */
void request_begin(char *line);

/* The words of the key pair to measure with, in hex. */
void key_pair_give(char *words);

/* measure.c of the harness: parses grid lines and takes the samples. */
int samples_take(int count, char **arguments);

/* Names the measure under way: a failure's `during` record. It must outlive the process. */
void measure_begin(const char *name);

/* The present case, and the digest so far. */
const char *present_case(void);
void verdict_ok(void);

#endif
