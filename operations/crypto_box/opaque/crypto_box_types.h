/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive where check.c and measure.c are compiled. */
#include <stddef.h>

extern const size_t crypto_box_PUBLICKEYBYTES;
extern const size_t crypto_box_SECRETKEYBYTES;
extern const size_t crypto_box_NONCEBYTES;
extern const size_t crypto_box_BEFORENMBYTES;
extern const size_t crypto_box_ZEROBYTES;
extern const size_t crypto_box_BOXZEROBYTES;
