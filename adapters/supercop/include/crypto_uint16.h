/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_uint16_h
#define crypto_uint16_h

/* uint16_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_uint16 uint16_t
#define crypto_uint16_signed int16_t

#define CRYPTOINT(name) crypto_uint16_##name
#define CRYPTOINT_T uint16_t
#define CRYPTOINT_U uint16_t
#define CRYPTOINT_S int16_t
#define CRYPTOINT_N 16
#define CRYPTOINT_SIGNED 0
#include "cryptoint.inc"

#endif
