/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The level of the toggle `call` without a call: the sources of the primitive, SOURCE_1 to SOURCE_8, are compiled
 * together with the loop that times them, and everything is inlined that the compiler can inline. */
#include "api.h"

#include SOURCE_1
#ifdef SOURCE_2
#include SOURCE_2
#endif
#ifdef SOURCE_3
#include SOURCE_3
#endif
#ifdef SOURCE_4
#include SOURCE_4
#endif

ANY_LEVEL("call", inlined, 0, 0, 0, 1, __attribute__((flatten)), , , DIRECT(m->out, m->in, m->nonce, m->state));
