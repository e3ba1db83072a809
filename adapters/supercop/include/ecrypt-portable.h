/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ECRYPT_PORTABLE
#define ECRYPT_PORTABLE

/* The types and macros that eSTREAM's sources use. Loads and stores are functions for any
 * alignment, which compilers turn into single moves. */

#include "ecrypt-config.h"

typedef signed I8T s8;
typedef unsigned I8T u8;
typedef signed I16T s16;
typedef unsigned I16T u16;
typedef signed I32T s32;
typedef unsigned I32T u32;
typedef signed I64T s64;
typedef unsigned I64T u64;

#define U8V(v) ((u8)((v) & U8C(0xff)))
#define U16V(v) ((u16)((v) & U16C(0xffff)))
#define U32V(v) ((u32)((v) & U32C(0xffffffff)))
#define U64V(v) ((u64)((v) & U64C(0xffffffffffffffff)))

#define ECRYPT_DEFAULT_ROT
#define ROTL8(v, n) (U8V((v) << (n)) | ((v) >> (8 - (n))))
#define ROTL16(v, n) (U16V((v) << (n)) | ((v) >> (16 - (n))))
#define ROTL32(v, n) (U32V((v) << (n)) | ((v) >> (32 - (n))))
#define ROTL64(v, n) (U64V((v) << (n)) | ((v) >> (64 - (n))))
#define ROTR8(v, n) ROTL8(v, 8 - (n))
#define ROTR16(v, n) ROTL16(v, 16 - (n))
#define ROTR32(v, n) ROTL32(v, 32 - (n))
#define ROTR64(v, n) ROTL64(v, 64 - (n))
#include "ecrypt-machine.h"

#define ECRYPT_DEFAULT_SWAP
#define SWAP16(v) ((u16)__builtin_bswap16((u16)(v)))
#define SWAP32(v) ((u32)__builtin_bswap32((u32)(v)))
#define SWAP64(v) ((u64)__builtin_bswap64((u64)(v)))
#include "ecrypt-machine.h"

#define ECRYPT_DEFAULT_WTOW
#ifdef ECRYPT_LITTLE_ENDIAN
#define U16TO16_LITTLE(v) (v)
#define U32TO32_LITTLE(v) (v)
#define U64TO64_LITTLE(v) (v)
#define U16TO16_BIG(v) SWAP16(v)
#define U32TO32_BIG(v) SWAP32(v)
#define U64TO64_BIG(v) SWAP64(v)
#else
#define U16TO16_LITTLE(v) SWAP16(v)
#define U32TO32_LITTLE(v) SWAP32(v)
#define U64TO64_LITTLE(v) SWAP64(v)
#define U16TO16_BIG(v) (v)
#define U32TO32_BIG(v) (v)
#define U64TO64_BIG(v) (v)
#endif
#include "ecrypt-machine.h"

#define ECRYPT_DEFAULT_BTOW
#define ECRYPT_BYTES(bits)                                                              \
    static inline __attribute__((unused)) u##bits ecrypt_load##bits(const void *p_)     \
    {                                                                                   \
        u##bits v_;                                                                     \
        __builtin_memcpy(&v_, p_, sizeof v_);                                           \
        return v_;                                                                      \
    }                                                                                   \
    static inline __attribute__((unused)) void ecrypt_store##bits(void *p_, u##bits v_) \
    {                                                                                   \
        __builtin_memcpy(p_, &v_, sizeof v_);                                           \
    }
ECRYPT_BYTES(16)
ECRYPT_BYTES(32)
ECRYPT_BYTES(64)
#define U8TO16_LITTLE(p) U16TO16_LITTLE(ecrypt_load16(p))
#define U8TO32_LITTLE(p) U32TO32_LITTLE(ecrypt_load32(p))
#define U8TO64_LITTLE(p) U64TO64_LITTLE(ecrypt_load64(p))
#define U8TO16_BIG(p) U16TO16_BIG(ecrypt_load16(p))
#define U8TO32_BIG(p) U32TO32_BIG(ecrypt_load32(p))
#define U8TO64_BIG(p) U64TO64_BIG(ecrypt_load64(p))
#define U16TO8_LITTLE(p, v) ecrypt_store16(p, U16TO16_LITTLE((u16)(v)))
#define U32TO8_LITTLE(p, v) ecrypt_store32(p, U32TO32_LITTLE((u32)(v)))
#define U64TO8_LITTLE(p, v) ecrypt_store64(p, U64TO64_LITTLE((u64)(v)))
#define U16TO8_BIG(p, v) ecrypt_store16(p, U16TO16_BIG((u16)(v)))
#define U32TO8_BIG(p, v) ecrypt_store32(p, U32TO32_BIG((u32)(v)))
#define U64TO8_BIG(p, v) ecrypt_store64(p, U64TO64_BIG((u64)(v)))
#include "ecrypt-machine.h"

#define AT_LEAST_ONE(n) (((n) < 1) ? 1 : (n))
#define ALIGN(t, v, n)                                        \
    union {                                                   \
        t b[n];                                               \
        MAXT l[AT_LEAST_ONE((n) * sizeof(t) / sizeof(MAXT))]; \
    } v

#endif
