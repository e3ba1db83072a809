/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Stands for the sizes of any primitive and the types of any implementation where check.c and measure.c are compiled:
 * they need no more than the size of an object, which the compiler has found in the implementation's own header. */
#include <stddef.h>

extern const size_t crypto_hash_BYTES;

#ifdef crypto_hash_INCREMENTAL
typedef struct crypto_hash_state crypto_hash_state;
extern const size_t crypto_hash_state_size;
#endif
