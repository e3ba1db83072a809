/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef crypto_int64_h
#define crypto_int64_h

/* int64_t and constant-time functions of it; see cryptoint.inc. */
#include <inttypes.h>

#define crypto_int64 int64_t
#define crypto_int64_unsigned uint64_t

#define CRYPTOINT(name) crypto_int64_##name
#define CRYPTOINT_T int64_t
#define CRYPTOINT_U uint64_t
#define CRYPTOINT_S int64_t
#define CRYPTOINT_N 64
#define CRYPTOINT_SIGNED 1
#include "cryptoint.inc"

#endif
