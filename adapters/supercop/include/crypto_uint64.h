/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_uint64_h
#define crypto_uint64_h

/* uint64_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_uint64 uint64_t
#define crypto_uint64_signed int64_t

#define CRYPTOINT(name) crypto_uint64_##name
#define CRYPTOINT_T uint64_t
#define CRYPTOINT_U uint64_t
#define CRYPTOINT_S int64_t
#define CRYPTOINT_N 64
#define CRYPTOINT_SIGNED 0
#include "cryptoint.inc"

#endif
