/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECKED_CALL_H
#define CHECKED_CALL_H

/* Calls of the functions under test. checked_call(f)(arguments) calls f and
 * fails if f breaks the calling convention: if it does not preserve a
 * callee-saved register, the stack pointer or the rounding mode, or leaves the
 * direction flag set or the x87 stack in use. Before the call, the unused stack
 * is filled with changing bytes, so that reading uninitialised memory shows; on
 * x86-64, so are the registers without arguments and the status flags.
 *
 * An operation's check.c defines each function of its API as such a call, so that
 * none is forgotten: #define crypto_hash checked_call(crypto_hash)
 *
 * The arguments must not contain another checked call. On architectures without
 * a trampoline in checked_call.c this is a plain call. */

#include <stdint.h>

#if (defined(__x86_64__) && defined(__LP64__)) || defined(__aarch64__)
#define CHECKED_CALLS 1

typedef void checked_function(void);

/* Sets the function to call, and what changes from call to call. */
void checked_prepare(checked_function *function);

/* Has the signature of that function, whatever it is: the arguments stay where they are. */
void checked_trampoline(void);

/* The number of calls so far. */
uint64_t checked_calls(void);

#define checked_call(f) (checked_prepare((checked_function *)(f)), (__typeof__(&(f)))checked_trampoline)
#else
#define checked_call(f) (f)
#define checked_calls() UINT64_C(0)
#endif

#endif
