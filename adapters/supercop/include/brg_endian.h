/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef _BRG_ENDIAN_H
#define _BRG_ENDIAN_H

/* The byte order, under the names that Brian Gladman's sources use. */
#define IS_BIG_ENDIAN 4321
#define IS_LITTLE_ENDIAN 1234

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLATFORM_BYTE_ORDER IS_BIG_ENDIAN
#else
#define PLATFORM_BYTE_ORDER IS_LITTLE_ENDIAN
#endif

#endif
