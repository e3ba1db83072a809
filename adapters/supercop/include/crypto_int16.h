/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_int16_h
#define crypto_int16_h

/* int16_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_int16 int16_t
#define crypto_int16_unsigned uint16_t

#define CRYPTOINT(name) crypto_int16_##name
#define CRYPTOINT_T int16_t
#define CRYPTOINT_U uint16_t
#define CRYPTOINT_S int16_t
#define CRYPTOINT_N 16
#define CRYPTOINT_SIGNED 1
#include "cryptoint.inc"

#endif
