/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SORT_H
#define CRYPTO_SORT_H

/* crypto_sort: sorting in place, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * An item has crypto_sort_BYTES bytes (primitive.toml) in the machine's byte order. The primitive
 * defines the order (signed, unsigned, floating point). x is naturally aligned. The time does not
 * depend on the items if implementation.toml says constant_time. */

#if __has_include("crypto_sort_types.h")
#include "crypto_sort_types.h"
#endif

/* x[0 .. n - 1] sorted, smallest first; any n >= 0. */
void crypto_sort(void *x, long long n);

#endif
