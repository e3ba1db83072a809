/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_EXACT_H
#define FALCON_EXACT_H

/* Doubles whose every operation is rounded by itself, so that keys and signatures
 * do not depend on the compiler: a * b + c must not become one fused operation.
 * Included before anything that has a function. */

#include <float.h>

#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 /* 16 is about narrower types */
#error "doubles are computed as something wider"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off") /* gcc does not know the standard's */
#endif

#endif
