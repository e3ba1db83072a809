/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_int8_h
#define crypto_int8_h

/* int8_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_int8 int8_t
#define crypto_int8_unsigned uint8_t

#define CRYPTOINT(name) crypto_int8_##name
#define CRYPTOINT_T int8_t
#define CRYPTOINT_U uint8_t
#define CRYPTOINT_S int8_t
#define CRYPTOINT_N 8
#define CRYPTOINT_SIGNED 1
#include "cryptoint.inc"

#endif
