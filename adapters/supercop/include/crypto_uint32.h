/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_uint32_h
#define crypto_uint32_h

/* uint32_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_uint32 uint32_t
#define crypto_uint32_signed int32_t

#define CRYPTOINT(name) crypto_uint32_##name
#define CRYPTOINT_T uint32_t
#define CRYPTOINT_U uint32_t
#define CRYPTOINT_S int32_t
#define CRYPTOINT_N 32
#define CRYPTOINT_SIGNED 0
#include "cryptoint.inc"

#endif
