/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The types of every table implementation; the includer has defined ABC_ALIGN
 * (bytes) and ABC_WINDOW: how many bits of x one look-up covers. */

#include <stdint.h>

#define ABC_TABLES ((32 + ABC_WINDOW - 1) / ABC_WINDOW)
#define ABC_ENTRIES (1 << ABC_WINDOW)

typedef struct {
    _Alignas(ABC_ALIGN) uint32_t t[ABC_TABLES][ABC_ENTRIES];
} abc_tables;

typedef struct { uint32_t z[4], x, d[3]; } abc_registers;

typedef struct {
    abc_tables tables;
    abc_registers start;
} crypto_stream_key;

typedef struct {
    abc_registers r;
    const abc_tables *tables;
} crypto_stream_state;
