/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What makes a shared library of a primitive: it exports the function under the name library_function, which the loader
 * binds to the function itself. */
#include SUBJECT_HEADER

typedef __typeof__(SUBJECT_FUNCTION) function;

static function *resolve(void)
{
    return SUBJECT_FUNCTION;
}

function library_function __attribute__((ifunc("resolve"), visibility("default")));
