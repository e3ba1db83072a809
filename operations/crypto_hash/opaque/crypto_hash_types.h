/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the types of any implementation where check.c and measure.c are compiled: they need no more
 * than size and alignment, which the compiler has found in the implementation's own header. */
#include <stdint.h>

#ifdef crypto_hash_INCREMENTAL
typedef struct {
    _Alignas(crypto_hash_state_ALIGNMENT) uint8_t bytes[crypto_hash_state_BYTES];
} crypto_hash_state;
#endif
