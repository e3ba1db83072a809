/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_uint8_h
#define crypto_uint8_h

/* uint8_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_uint8 uint8_t
#define crypto_uint8_signed int8_t

#define CRYPTOINT(name) crypto_uint8_##name
#define CRYPTOINT_T uint8_t
#define CRYPTOINT_U uint8_t
#define CRYPTOINT_S int8_t
#define CRYPTOINT_N 8
#define CRYPTOINT_SIGNED 0
#include "cryptoint.inc"

#endif
