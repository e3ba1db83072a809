/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ECRYPT_CONFIG
#define ECRYPT_CONFIG

/* The machine properties that eSTREAM's sources query. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ECRYPT_BIG_ENDIAN
#else
#define ECRYPT_LITTLE_ENDIAN
#endif

#define ECRYPT_I8T_IS_BYTE
#define I8T char
#define I16T short
#define I32T int
#define U8C(v) (v##U)
#define U16C(v) (v##U)
#define U32C(v) (v##U)

#if __SIZEOF_LONG__ == 8
#define ECRYPT_NATIVE64
#define I64T long
#define U64C(v) (v##UL)
#else
#define I64T long long
#define U64C(v) (v##ULL)
#endif

/* The type with the strictest alignment. */
#if defined(__SSE__)
#include <xmmintrin.h>
#define MAXT __m128
#else
#define MAXT long
#endif

#endif
