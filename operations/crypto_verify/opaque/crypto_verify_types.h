/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive where check.c and measure.c are compiled. */
#include <stddef.h>

extern const size_t crypto_verify_BYTES;
