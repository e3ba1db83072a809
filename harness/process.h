/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROCESS_H
#define PROCESS_H

/* What the harness's own files share and an operation does not see. */

#include <stdio.h>

#include "harness.h"

/* The stream of records; standard output itself is given to standard error so
 * that an implementation cannot print into the records by accident. */
extern FILE *records;

/* After this, system calls that no primitive needs (new processes, sockets,
 * opening files to write, tracing) end the process with a record that names
 * the call. Does nothing where the kernel has no seccomp. */
void confine(void);

/* Handlers that turn SIGSEGV, SIGILL, SIGFPE, SIGABRT ... into a record with
 * the present case. */
void catch_crashes(void);

void requests_serve(void);

/* measure.c of the harness: parses grid lines and takes the samples. */
int samples_take(int count, char **arguments);

/* The present case, and the digest so far. */
const char *present_case(void);
void verdict_ok(void);

#endif
