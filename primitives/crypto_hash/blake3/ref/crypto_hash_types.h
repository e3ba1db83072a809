/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

/* The chaining values of finished subtrees, one for each bit of the number of
 * finished chunks: 54 suffice for 2^64 bytes (section 5.1.2). */
#define crypto_hash_INCREMENTAL 1
typedef struct {
    uint32_t cv[8];        /* of the present chunk */
    uint32_t stack[54][8]; /* of finished subtrees */
    uint64_t chunk;        /* number of the present chunk */
    uint32_t depth;        /* of the stack */
    uint32_t blocks;       /* compressed in the present chunk */
    uint32_t held;         /* bytes in `block` */
    uint8_t block[64];
} crypto_hash_state;
