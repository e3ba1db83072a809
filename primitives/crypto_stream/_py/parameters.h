/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PY_PARAMETERS_H
#define PY_PARAMETERS_H

/* What differs between Py, Py6 and Pypy.  An implementation defines one of
 * PY, PY6 and PYPY before it includes anything of this folder. */

#if defined(PY6)
#define PY_SIZE 64              /* entries of the permutation P */
#define PY_TURN 6               /* bits of an entry: IV set-up rotates by them */
enum { PY_SWAP = 43,            /* places in Y and P that a step reads */
       PY_PLUS = 18, PY_MINUS = 57, PY_ROTATE = 26,
       PY_NEXT = 48, PY_FIRST = 8, PY_SECOND = 21 };
#else
#define PY_SIZE 256
#define PY_TURN 8
enum { PY_SWAP = 185,
       PY_PLUS = 72, PY_MINUS = 239, PY_ROTATE = 116,
       PY_NEXT = 153, PY_FIRST = 26, PY_SECOND = 208 };
#endif

#if defined(PYPY)
#define PY_STEP_BYTES 4         /* Pypy leaves out the first of two words */
#else
#define PY_STEP_BYTES 8
#endif

#define PY_MASK (PY_SIZE - 1)
#define PY_WORDS (PY_SIZE + 4)  /* of Y, which is indexed -3..PY_SIZE */

#endif
