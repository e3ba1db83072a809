/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SORT_H
#define CRYPTO_SORT_H

/* crypto_sort: sorting in place, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * An item has crypto_sort_BYTES bytes (primitive.toml) in the machine's byte
 * order.  Which order it is (signed, unsigned, floating point) is the primitive's
 * definition.  x is aligned as an item is.  The time does not depend on the
 * items where implementation.toml says constant_time. */

#if __has_include("crypto_sort_types.h")
#include "crypto_sort_types.h"
#endif

/* x[0 .. n - 1] sorted, smallest first; any n >= 0. */
void crypto_sort(void *x, long long n);

#endif
