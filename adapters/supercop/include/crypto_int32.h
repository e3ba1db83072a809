/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_int32_h
#define crypto_int32_h

/* int32_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_int32 int32_t
#define crypto_int32_unsigned uint32_t

#define CRYPTOINT(name) crypto_int32_##name
#define CRYPTOINT_T int32_t
#define CRYPTOINT_U uint32_t
#define CRYPTOINT_S int32_t
#define CRYPTOINT_N 32
#define CRYPTOINT_SIGNED 1
#include "cryptoint.inc"

#endif
